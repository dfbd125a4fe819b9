"""The laboratory: tournaments, their cross tables and games; the ladders of games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt, StringConstraints

from ludens.core.rng import SEED_LIMIT
from ludens.server.http.schemas.common import Answer, OptionValue, Request
from ludens.server.http.schemas.tables import AgentCode

__all__ = [
    "BeginTournament",
    "CrossCell",
    "CrossTable",
    "GamePage",
    "InFlight",
    "Ladder",
    "PlayedGame",
    "PlayerStanding",
    "Rung",
    "Tournament",
    "TournamentList",
    "TournamentResults",
]

Status = Literal["playing", "waiting", "stopped", "finished"]


class BeginTournament(Request):
    """Everybody against everybody, equally often on every seat."""

    game: str = Field(max_length=64, examples=["azul"])
    agents: list[AgentCode] = Field(min_length=1, max_length=64, examples=[["heuristic", "mcts:simulations=200"]])
    games: StrictInt = Field(
        ge=1, le=1_000_000, description="at least so many: rounded up so that everybody sits everywhere equally often"
    )
    players: StrictInt | None = Field(None, ge=1, le=16, description="seats at a table; by default the game's own")
    seed: StrictInt = Field(0, ge=0, lt=SEED_LIMIT, description="equal seeds give equal games")
    options: dict[Annotated[str, StringConstraints(max_length=64)], OptionValue] = Field(
        default_factory=dict, max_length=32
    )
    seating: Literal["rotations", "permutations", "fixed"] = "rotations"
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)] | None = None


class InFlight(Answer):
    """A game that is being played."""

    number: int
    decisions: int
    seconds: float


class Tournament(Answer):
    id: str = Field(examples=["k7mzp3qwxy"])
    name: str
    game: str
    title: str = Field(description="of the game")
    agents: list[str]
    seats: int
    seed: int
    begun: str = Field(description="when, in UTC", examples=["2026-05-01T12:00:00+00:00"])
    games: int = Field(description="in all")
    finished: int
    status: Status
    trouble: str | None = Field(description="why it was played no further")
    seconds_left: float | None = Field(description="while it is played and something is known")
    in_flight: list[InFlight]


class TournamentList(Answer):
    tournaments: list[Tournament]
    most_games: int
    most_agents: int


class PlayerStanding(Answer):
    """An agent over all its seats; intervals are 95 % for shares."""

    agent: str
    games: int
    win_share: float
    interval: list[float]
    mean_score: float
    rank: float
    seconds: float = Field(description="a decision")


class CrossCell(Answer):
    """What two agents did in their games; with more at the table, who of the two came out ahead."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float = Field(description="of the first: wins and half the draws")
    interval: list[float] = Field(description="of the share, 95 %")
    scores: list[float]


class CrossTable(Answer):
    players: list[str]
    ordered: list[CrossCell] = Field(description="the first had the earlier seat")
    unordered: list[CrossCell]


class TournamentResults(Tournament):
    standings: list[PlayerStanding]
    ratings: list[dict[str, Any]]
    failures: list[dict[str, Any]] = Field(description="games that an agent lost by its own fault")
    cross_table: CrossTable


class PlayedGame(Answer):
    number: int
    agents: list[str] = Field(description="by seat")
    scores: list[float]
    results: list[float]
    victories: list[float]
    seconds: float
    decisions: int
    reason: str
    error: str


class GamePage(Answer):
    games: list[PlayedGame]
    next: int | None = Field(description="ask again from here: there is more; null at the end")


class Rung(Answer):
    """An agent's place; the interval is 95 %, in the ladder that ships of the distance from `beginner`."""

    agent: str
    rating: float = Field(description="on the scale of chess, `random` being 0")
    low: float
    high: float
    games: int
    seconds: float | None = Field(description="a decision; null before its first game")
    level: bool = Field(description="one of the names that people choose a strength by")


class LevelStep(Answer):
    """How often a level won against the one below it, on every side alike; the interval is 95 %."""

    level: str
    below: str
    games: int
    even: float = Field(description="the share of equals: one of so many sides")
    share: float
    low: float
    high: float


class SidesPairing(Answer):
    """How often the first side won with these agents and options; the interval is 95 %."""

    options: dict[str, Any] = Field(description="other than the usual ones")
    players: int
    agents: list[str] = Field(description="of every side: levels, or codes")
    games: int
    share: float
    low: float
    high: float


class Calibration(Answer):
    """How chances came true in games of a pairing, as hints and reviews tell them there."""

    players: int
    agents: list[str] = Field(description="of every side")
    options: dict[str, Any] = Field(description="other than the usual ones")
    games: int
    decisions: int
    off: float = Field(description="mean distance of what was said and what came true, in parts of 1")
    tenths: list[list[float]] = Field(description="what was said, what came true, its standard error, how many games")


class Ladder(Answer):
    game: str = Field(examples=["azul@1"])
    version: str
    commit: str = Field(description="at which the ladder that ships was written; else empty")
    shipped: bool = Field(description="false: played on this computer")
    rungs: list[Rung] = Field(description="from strong to weak")
    steps: list[LevelStep]
    pairings: list[SidesPairing]
    calibration: list[Calibration]
