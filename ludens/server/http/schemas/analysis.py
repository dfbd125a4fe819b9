"""Analyses and reviews: what moves are worth."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from ludens.server.http.schemas.common import Answer
from ludens.server.http.schemas.play import LegalAction

__all__ = ["Analysis", "GameReview", "Trial"]

_MOVE: dict[str, Any] = {
    "action": 127,
    "text": "5 yellow 2",
    "json": {"type": "take", "source": 4, "colour": "yellow", "destination": 1},
    "result": 0.31,
    "points": [52.1, 44.8],
    "doubt": 0.012,
    "behind": 0.0,
    "precision": 0.015,
    "known": True,
    "visits": 2011,
    "share": 0.478,
    "line": ["5 yellow 2", "centre red 1"],
    "whole": [
        {
            "action": 127,
            "text": "5 yellow 2",
            "json": {"type": "take", "source": 4, "colour": "yellow", "destination": 1},
        }
    ],
    "answer": {
        "seat": 1,
        "action": 9,
        "text": "centre red 1",
        "json": {"type": "take", "source": "centre", "colour": "red", "destination": 1},
    },
    "reasons": [{"term": "points", "worth": 0.21, "values": {"n": 3, "line": 2}}],
}
_ANALYSIS: dict[str, Any] = {
    "table": "k7mzp3qwxy",
    "game": "azul",
    "ply": 40,
    "undos": 0,
    "seat": 0,
    "simulations": 4210,
    "result": 0.31,
    "results": [0.28, -0.28],
    "candidates": [_MOVE],
}
_REVIEW: dict[str, Any] = {
    "table": "k7mzp3qwxy",
    "game": "azul",
    "done": 1,
    "total": 1,
    "complete": True,
    "decisions": [{"ply": 21, "seat": 0, "results": [0.28, -0.28], "loss": 0.2}],
    "turning": [{"ply": 21, "seat": 0, "loss": 0.2, "played": {**_MOVE, "result": 0.11}, "better": _MOVE}],
    "returns": [-1.0, 1.0],
}


class MovePart(Answer):
    """One decision of a whole move."""

    action: int = Field(description="the id")
    text: str
    json_: dict[str, Any] = Field(alias="json", serialization_alias="json", description="as moves are sent")


class MoveReason(Answer):
    """One term of the game's evaluation that speaks for a move."""

    term: str = Field(description="one of the game's own")
    worth: float = Field(description="what it adds to the mover's prospects, in the units of the evaluation")
    values: dict[str, Any] = Field(description="the numbers that people read about it")


class LinePlay(Answer):
    """One decision of a line."""

    seat: int = Field(description="who makes it")
    events: list[dict[str, Any]] = Field(description="what happens by it, each with a kind and a sentence")


class BestAnswer(MovePart):
    """What somebody else decides next, if both play as the search thinks best."""

    seat: int


class CandidateMove(Answer):
    """One move of the seat to act, and what the search expects of it."""

    action: int = Field(description="the id")
    text: str
    json_: dict[str, Any] = Field(alias="json", serialization_alias="json", description="as moves are sent")
    result: float = Field(description="expected result of the seat to act, from -1 (lost) to 1 (won)")
    doubt: float = Field(0.0, description="standard error of the result")
    behind: float = Field(0.0, description="by how much the best move's result is better")
    precision: float = Field(2.0, description="that is known to so much, in 95 of 100 cases")
    known: bool = Field(False, description="well enough to be told; else it is open how good the move is")
    points: list[float] = Field(description="expected final points of every seat")
    visits: int = Field(description="results of looks at this move alone")
    share: float = Field(description="of the visits of the search that chose the moves: how much it trusts the move")
    line: list[str] = Field(description="how the game may go on, this move first")
    whole: list[MovePart] = Field(
        default_factory=list, description="what the seat decides until the move is complete, this first"
    )
    answer: BestAnswer | None = Field(None, description="the best answer of somebody else, where it may be told")
    reasons: list[MoveReason] = Field(
        default_factory=list, description="what speaks for it: it wins, prevents a loss, denies, averts danger, gains"
    )
    plays: list[LinePlay] = Field(default_factory=list, description="the line decision by decision, in words")


class MeasuredPairing(Answer):
    """Whose chances are told: how the search's expectation became true in games of this pairing."""

    agents: list[str] = Field(description="of every side; where people play, the agents that they are taken for")
    games: int = Field(description="that were measured")
    off: float = Field(description="mean distance of what was said and what came true, in parts of 1")


_AGAINST = "the measured pairing of which chances are told; null: between equals of the search's level, not calibrated"


class Analysis(Answer):
    """The moves of the seat to act, the best first, found from what that seat sees."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [_ANALYSIS]})
    table: str
    game: str
    ply: int = Field(description="of the position that was analysed")
    undos: int
    seat: int
    simulations: int
    result: float = Field(description="expected result of the seat if it plays the first candidate")
    results: list[float] = Field(description="expected result of every seat")
    candidates: list[CandidateMove]
    cut: bool = Field(False, description="the clock ended the work before it was done")
    against: MeasuredPairing | None = Field(None, description=_AGAINST)


class Trial(Answer):
    """A position of an ended game in which other moves may be tried."""

    ply: int = Field(description="of the position that the move begins in")
    seat: int = Field(description="who tries; the position is what this seat saw")
    tried: list[int] = Field(description="decisions that were tried already")
    position: dict[str, Any] = Field(description="after them")
    legal: list[LegalAction] = Field(description="what the seat may decide; nothing once its move is complete")


class ReviewedDecision(Answer):
    """A point of the evaluation curve: a choice between several moves."""

    ply: int = Field(description="before the decision")
    seat: int
    results: list[float] = Field(description="expected result of every seat, by what the seat to act saw")
    loss: float = Field(description="by how much the best move's expected result was better")
    doubt: float = Field(0.0, description="standard error of the loss")
    precision: float = Field(2.0, description="the loss is known to so much, in 95 of 100 cases")
    known: bool = Field(False, description="well enough to be told; else the loss is open")
    part: bool = Field(False, description="of the move that the decision before it has begun")
    played: CandidateMove | None = Field(None, description="null until the review is complete")
    better: CandidateMove | None = Field(None, description="the best move, which may be the one that was played")


class TurningPoint(Answer):
    """A move that cost much: what was played and what was better."""

    ply: int
    seat: int
    loss: float
    played: CandidateMove
    better: CandidateMove


class GameReview(Answer):
    """An ended game, decision by decision."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [_REVIEW]})
    table: str
    game: str
    done: int = Field(description="decisions that were analysed")
    total: int = Field(description="decisions of the game; 0 until they are counted")
    complete: bool = Field(description="false: more is to come, and the turning points are not known yet")
    decisions: list[ReviewedDecision]
    turning: list[TurningPoint] = Field(description="where the game turned, in the order of play")
    returns: list[float] | None = Field(description="the result; null without one")
    against: MeasuredPairing | None = Field(None, description=_AGAINST)
