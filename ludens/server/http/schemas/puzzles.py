"""Puzzles: a position, its moves, the one to find, and what the natural wrong one runs into."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from ludens.server.http.schemas.analysis import MoveReason
from ludens.server.http.schemas.common import Answer, OptionValue

__all__ = ["Puzzle", "PuzzleEntry", "PuzzleList", "PuzzleMove", "PuzzleStep", "PuzzleTry"]

Difficulty = Literal["easy", "medium", "hard"]


class PuzzleEntry(Answer):
    number: int
    key: str = Field(description="stays when puzzles are added", examples=["0f3c5a9d71be"])
    difficulty: Difficulty
    players: int


class PuzzleList(Answer):
    game: str = Field(examples=["azul"])
    puzzles: list[PuzzleEntry]


class PuzzleMove(Answer):
    id: int
    text: str
    json_: dict[str, Any] = Field(alias="json", serialization_alias="json", description="as moves are sent")


class PuzzleStep(Answer):
    actor: int | None = Field(description="null for chance")
    move: PuzzleMove | None = Field(description="what the actor decided; null for what follows by itself")
    events: list[dict[str, Any]] = Field(description="what happened, each with a kind and a sentence")
    position: dict[str, Any] = Field(description="afterwards, as the seat of the puzzle sees it")


class PuzzleTry(Answer):
    action: int = Field(description="the id of the move")
    result: float = Field(description="the expected result of the seat to act, from -1 to 1")
    line: list[str] = Field(description="the move and how the game goes on, up to the next draw or unseen move")
    steps: list[PuzzleStep] = Field(description="the line, to be shown on a board")
    reasons: list[MoveReason] = Field(description="what speaks for the move, the strongest first; of the answer only")


class Puzzle(Answer):
    number: int
    game: str = Field(examples=["azul"])
    options: dict[str, OptionValue]
    names: list[str] = Field(description="by seat")
    seat: int = Field(description="who is to move; the position is what this seat sees")
    difficulty: Difficulty
    position: dict[str, Any]
    legal: list[PuzzleMove]
    right: list[int] = Field(description="the answer, and what it does later in the turn and could do now as well")
    answer: PuzzleTry
    wrong: PuzzleTry = Field(description="what looks best to somebody who does not look far, and its refutation")
    gap: float = Field(description="how much better the answer is than every other move")
    simulations: int = Field(description="of the search that checked it")
