"""The shapes of requests and answers, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "AcceptedMove",
    "AgentInfo",
    "CheckAnswer",
    "CheckMove",
    "ErrorEnvelope",
    "GameInfo",
    "Health",
    "JoinTable",
    "Joined",
    "MadeTable",
    "MakeTable",
    "Move",
    "Rematch",
    "RematchTable",
    "SavedGame",
    "SeatChange",
    "SeatToken",
    "SeatWish",
    "Steps",
    "TableInfo",
    "TableList",
    "Undo",
    "Undone",
    "View",
]

Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
MoveId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]
AgentCode = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Token = Annotated[str, StringConstraints(min_length=1, max_length=100)]
OptionValue = str | int | bool


class Request(BaseModel):
    """Unknown fields are refused: a misspelt one would be ignored silently."""

    model_config = ConfigDict(extra="forbid")


class Answer(BaseModel):
    """Clients should ignore fields they do not know: later versions may add some."""

    model_config = ConfigDict(extra="allow")


class ErrorBody(Answer):
    code: str = Field(description="a word for programs", examples=["stale_move"])
    message: str = Field(
        description="a sentence for people", examples=["The move answers ply 40, but the game is at 42."]
    )
    view: dict[str, Any] | None = Field(None, description="with stale_move: the seat's present view")
    rules: list[str] | None = Field(
        None, description="the numbers of the rules behind the sentence", examples=[["CA-13"]]
    )


class ErrorEnvelope(BaseModel):
    """The one shape of every error."""

    error: ErrorBody


class SeatWish(Request):
    """What a seat shall be: `human` (yours), `agent` (played by the server), `open` (for whoever joins)."""

    kind: Literal["human", "agent", "open"]
    name: Name | None = Field(None, examples=["Ada"])
    agent: AgentCode | None = Field(None, description="for kind agent: a name or name:key=value,…", examples=["random"])


class MakeTable(Request):
    """A new table. Without seats: one for you, the others open."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "game": "azul",
                    "options": {"wall": "coloured"},
                    "seats": [{"kind": "human", "name": "Ada"}, {"kind": "agent", "agent": "random"}],
                }
            ]
        },
    )
    game: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(examples=["azul"])
    options: dict[str, OptionValue] = Field(default_factory=dict, description="as described by the game")
    seats: list[SeatWish] = Field(default_factory=list, max_length=16)
    private: bool = Field(False, description="not listed; reached only with the invitation")
    hints: bool = Field(True, description="may players ask the server which moves are good?")
    seed: int | None = Field(None, ge=0, lt=1 << 53, description="only for tables of agents alone")


class SeatToken(Answer):
    """The secret of a seat, given once. Whoever has it sees and plays that seat."""

    seat: int
    token: str


class SeatInfo(Answer):
    seat: int
    kind: Literal["human", "agent", "open"]
    name: str
    agent: str | None = None
    taken: bool
    resigned: bool
    online: bool = Field(description="connected by a stream; agents always are")


class GameResult(Answer):
    reason: str = Field(description="over, resigned, or why the table was abandoned")
    scores: list[float] | None = None
    returns: list[float] | None = Field(None, description="per seat, from -1 (lost) to 1 (won)")


class TableInfo(Answer):
    """What everybody may know of a table."""

    id: str = Field(examples=["k7mzp3qwxy"])
    game: str
    title: str
    version: int = Field(description="of the game's rules")
    options: dict[str, OptionValue]
    status: Literal["waiting", "running", "finished", "abandoned"]
    private: bool
    hints: bool = Field(True, description="players may ask for an analysis while they play")
    created: float = Field(description="seconds since 1970")
    updated: float
    seats: list[SeatInfo]
    ply: int | None = Field(description="length of the log; null in lists of ended games")
    actor: int | None = Field(description="the seat to act")
    undos: int | None
    undo_allowed: bool = False
    watchers: int = 0
    result: GameResult | None = None
    rematch: str | None = Field(None, description="the table of the rematch")
    notice: str | None = Field(None, description="the last trouble with an agent")


class TableList(Answer):
    tables: list[TableInfo]
    before: float | None = Field(None, description="pass as `before` for the next page; null at the end")


class MadeTable(Answer):
    table: TableInfo
    owner_token: str = Field(description="lets you change seats and close the table")
    tokens: list[SeatToken] = Field(description="of the human seats, given once")
    invitation: str | None = Field(None, description="of a private table: the secret of its link")


class SeatChange(Request):
    """A new name (by the seat or the owner), or a new kind while the table waits (by the owner)."""

    name: Name | None = Field(None, examples=["Grace"])
    kind: Literal["human", "agent", "open"] | None = None
    agent: AgentCode | None = None


class JoinTable(Request):
    """Sits down; without a seat on the first that is open."""

    seat: int | None = Field(None, ge=0, le=15)
    name: Name | None = Field(None, examples=["Grace"])


class Joined(SeatToken):
    table: TableInfo


class Move(Request):
    """A move for the seat of the token, answering a ply. The same `id` again is harmless."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "5f2c-40", "ply": 40, "move": "2 blue 3"}]}
    )
    id: MoveId = Field(description="made by the client, new for every move")
    ply: int = Field(ge=0, le=10_000_000, description="of the view this move answers")
    move: int | str | dict[str, Any] = Field(description="an action's id, text or JSON form")


class AcceptedMove(Answer):
    """The move is stored: nothing can undo it but an undo."""

    id: str
    ply: int
    next_ply: int = Field(description="after the move and the draws that followed")
    repeated: bool = Field(description="it had been stored before")


class CheckMove(Request):
    move: int | str | dict[str, Any] = Field(description="an action's id, text or JSON form")


class CheckAnswer(Answer):
    legal: bool
    reason: str | None = Field(None, description="which rule stands in the way")


class Undo(Request):
    ply: int | None = Field(None, ge=0, description="the ply you see; if it is another, nothing is taken back")


class Undone(Answer):
    ply: int


class Rematch(Request):
    tokens: list[Token] = Field(default_factory=list, max_length=16, description="further seats of yours (hot seat)")


class RematchTable(Answer):
    table: TableInfo
    tokens: list[SeatToken]


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
    record: dict[str, Any] | None = Field(None, description="the view's raw fields, if asked for")


class Step(Answer):
    ply: int
    actor: int | None = Field(description="null for chance")
    events: list[dict[str, Any]] = Field(description="what happened, each with a kind and a sentence")
    action: int | None = Field(None, description="the id, where it is public")
    position: dict[str, Any] | None = Field(None, description="after the step, if asked for")


class Steps(Answer):
    ply: int = Field(description="the game's present ply")
    undos: int
    steps: list[Step]


class SavedGame(Answer):
    """A whole game: anyone can replay it and verify its draws from the seed."""

    format: str
    game: str
    options: dict[str, OptionValue]
    seed: int
    names: list[str]
    log: list[int]


class OptionInfo(Answer):
    name: str
    help: str
    default: OptionValue
    choices: list[str]
    low: int
    high: int


class ParameterInfo(Answer):
    name: str
    help: str
    default: Any
    choices: list[str]
    low: float | None
    high: float | None


class AgentInfo(Answer):
    name: str
    help: str
    parameters: list[ParameterInfo]


class GameInfo(Answer):
    """All that a lobby needs: nothing about a game is written by hand elsewhere."""

    name: str = Field(examples=["azul"])
    title: str
    version: int
    summary: str
    players: list[int]
    default_players: int
    chance: bool
    hidden: bool
    actions: int
    options: list[OptionInfo]
    agents: list[AgentInfo]
    seat_names: dict[str, list[str]] = Field(description="by the number of players")
    sides: dict[str, list[int]] = Field(description="by the number of players: the side of every seat")
    static: dict[str, Any] | None = Field(None, description="of one game only: maps and tile sets, for drawing")


class Health(Answer):
    status: str = Field(examples=["ok"])
    version: str
    tables: int
    sockets: int
