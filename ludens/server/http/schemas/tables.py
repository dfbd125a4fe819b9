"""Tables and seats: what is asked for and what everybody may know."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from ludens.server.http.schemas.common import Answer, OptionValue, Request, Token
from ludens.server.http.schemas.games import Preparing

__all__ = [
    "ClockWish",
    "GameResult",
    "JoinTable",
    "Joined",
    "MadeTable",
    "MakeTable",
    "Rematch",
    "RematchTable",
    "SeatChange",
    "SeatInfo",
    "SeatToken",
    "SeatWish",
    "StandIn",
    "TableInfo",
    "TableList",
]

Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
AgentCode = Annotated[str, StringConstraints(min_length=1, max_length=400)]


class SeatWish(Request):
    """What a seat shall be: `human` (yours), `agent` (played by the server), `open` (for whoever joins)."""

    kind: Literal["human", "agent", "open"]
    name: Name | None = Field(None, examples=["Ada"])
    agent: AgentCode | None = Field(None, description="for kind agent: a name or name:key=value,…", examples=["random"])


class ClockWish(Request):
    """Time for people: minutes for the game with seconds for every turn, or days a move."""

    minutes: float | None = Field(None, gt=0, le=600)
    increment: float = Field(0.0, ge=0, le=3600, description="seconds")
    days: float | None = Field(None, gt=0, le=30)
    expired: Literal["lose", "agent"] = Field("lose", description="or an agent plays the seat on")

    @model_validator(mode="after")
    def _one(self) -> ClockWish:
        if (self.minutes is None) == (self.days is None):
            raise ValueError("A clock has either minutes or days.")
        return self


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
    clock: ClockWish | None = None
    seed: int | None = Field(None, ge=0, lt=1 << 53, description="only for tables of agents alone")


class PlayOn(Request):
    """Who plays on from a position of an ended game."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"ply": 21, "seats": [{"kind": "human", "name": "Ada"}, {"kind": "agent", "agent": "easy"}]}]
        },
    )
    ply: int = Field(ge=0, description="of the position")
    seats: list[SeatWish] = Field(min_length=1, max_length=16, description="human or agent")
    hints: bool = True


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
    reason: str = Field(description="over, resigned, time, or why the table was abandoned")
    scores: list[float] | None = None
    returns: list[float] | None = Field(None, description="per seat, from -1 (lost) to 1 (won)")


class StandIn(Answer):
    """A random move that was played for an agent which failed or took too long."""

    ply: int
    seat: int


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
    clock: ClockWish | None = Field(None, description="the time that people have")
    times: list[float | None] = Field(default_factory=list, description="seconds that every person has left now")
    imported: bool = Field(False, description="a saved game that was brought here; nobody sits at it")
    created: float = Field(description="seconds since 1970")
    updated: float
    seats: list[SeatInfo]
    ply: int | None = Field(description="length of the log; null in lists of ended games")
    actor: int | None = Field(description="the seat to act")
    undos: int | None
    undo_allowed: bool = Field(False, description="moves are undone at this table; views say when")
    watchers: int = 0
    result: GameResult | None = None
    rematch: str | None = Field(None, description="the table of the rematch")
    notice: str | None = Field(None, description="the last trouble with an agent")
    preparing: Preparing | None = Field(None, description="of its game; null when that is ready")
    stand_ins: list[StandIn] = Field(default_factory=list, description="moves that were played for failing agents")


class TableList(Answer):
    tables: list[TableInfo]
    before: float | None = Field(None, description="pass as `before` for the next page; null at the end")


class MadeTable(Answer):
    table: TableInfo
    owner_token: str = Field(description="lets you change seats and close the table")
    tokens: list[SeatToken] = Field(description="of the human seats, given once")
    invitation: str | None = Field(None, description="of a private table: the secret of its link")


class ImportedTable(Answer):
    table: TableInfo
    invitation: str | None = Field(None, description="of a private table: the secret of its link, shown only here")


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


class Rematch(Request):
    tokens: list[Token] = Field(default_factory=list, max_length=16, description="further seats of yours (hot seat)")


class RematchTable(Answer):
    table: TableInfo
    tokens: list[SeatToken]
