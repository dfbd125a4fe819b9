"""Playing: moves and their answers, views, steps, whole games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StrictInt, StringConstraints

from ludens.server.http.schemas.common import Answer, OptionValue, Request

__all__ = [
    "AcceptedMove",
    "CheckAnswer",
    "CheckMove",
    "LegalAction",
    "Move",
    "MoveId",
    "SavedGame",
    "Step",
    "Steps",
    "Thought",
    "Undo",
    "Undone",
    "View",
]

MoveId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]


class Move(Request):
    """A move for the seat of the token, answering a ply. The same `id` again is harmless."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "5f2c-40", "ply": 40, "move": "2 blue 3"}]}
    )
    id: MoveId = Field(description="made by the client, new for every move")
    ply: StrictInt = Field(ge=0, le=10_000_000, description="of the view this move answers")
    move: StrictInt | str | dict[str, Any] = Field(description="an action's id, text or JSON form")


class AcceptedMove(Answer):
    """The move is stored: nothing can undo it but an undo."""

    id: str
    ply: int
    next_ply: int = Field(description="after the move and the draws that followed")
    repeated: bool = Field(description="it had been stored before")


class CheckMove(Request):
    move: StrictInt | str | dict[str, Any] = Field(description="an action's id, text or JSON form")


class CheckAnswer(Answer):
    legal: bool
    reason: str | None = Field(None, description="which rule stands in the way")
    rules: list[str] = Field(default_factory=list, description="the rules that the reason cites")


class Undo(Request):
    ply: StrictInt | None = Field(None, ge=0, description="the ply you see; if it is another, nothing is undone")


class Undone(Answer):
    ply: int


class LegalAction(Answer):
    id: int
    text: str
    json_: dict[str, Any] = Field(alias="json", serialization_alias="json")


class View(Answer):
    """The game as one seat sees it, or a spectator (seat null)."""

    table: str
    game: str
    options: dict[str, OptionValue]
    status: Literal["waiting", "running", "finished", "abandoned"]
    version: int = Field(description="grows with every change; pass as `after` to wait for the next")
    ply: int
    undos: int
    seat: int | None
    names: list[str]
    actor: int | None
    legal: list[LegalAction] = Field(description="the moves, for the seat to act only")
    position: dict[str, Any] | None = Field(description="the game's own words; null while the table waits")
    scores: list[float] | None = Field(description="null where points may be hidden")
    returns: list[float] | None
    over: bool
    times: list[float | None] = Field(default_factory=list, description="seconds that every person has left now")
    undo: bool = Field(False, description="the seat may undo its last move now")
    record: dict[str, Any] | None = Field(None, description="the view's raw fields, if asked for")


class Thought(Answer):
    """What an agent thought when it moved: made of what its seat knew."""

    value: float | None = Field(description="expected result of its seat, from -1 to 1, where it expects results")
    simulations: int | None
    depth: int | None
    line: list[int] = Field(description="the expected line: action ids, the move first")
    note: str
    cut: bool = Field(False, description="the clock ended the search before its simulations were done")


class Step(Answer):
    ply: int
    actor: int | None = Field(description="null for chance")
    events: list[dict[str, Any]] = Field(description="what happened, each with a kind and a sentence")
    action: int | None = Field(None, description="the id, where it is public")
    position: dict[str, Any] | None = Field(None, description="after the step, if asked for")
    thought: Thought | None = Field(None, description="what the server's agent thought of its move, where that is open")
    stands_in: bool = Field(False, description="a random move for an agent that failed")
    cut: bool = Field(False, description="the clock ended the agent's search early: it plays weaker than its level")


class Steps(Answer):
    ply: int = Field(description="the game's present ply")
    undos: int
    next: int | None = Field(None, description="ask again from here: there is more; null at the end")
    steps: list[Step]


class SavedGame(Answer):
    """A whole game: anyone can replay it and verify its draws from the seed, unless its chance is recorded."""

    format: str
    game: str
    options: dict[str, OptionValue]
    seed: int | None = Field(None, description="none where the draws are recorded in the log alone")
    names: list[str]
    log: list[int]
