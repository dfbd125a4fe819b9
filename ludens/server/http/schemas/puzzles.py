"""Puzzles: a position, its moves, the one to find, and what the natural wrong one runs into."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from ludens.server.http.schemas.common import Answer, OptionValue

__all__ = ["Puzzle", "PuzzleEntry", "PuzzleList", "PuzzleMove", "PuzzleTry"]

Difficulty = Literal["easy", "medium", "hard"]


class PuzzleEntry(Answer):
    number: int
    difficulty: Difficulty
    players: int


class PuzzleList(Answer):
    game: str = Field(examples=["azul"])
    puzzles: list[PuzzleEntry]


class PuzzleMove(Answer):
    id: int
    text: str
    json_: dict[str, Any] = Field(alias="json", serialization_alias="json", description="as moves are sent")


class PuzzleTry(Answer):
    action: int = Field(description="the id of the move")
    result: float = Field(description="the expected result of the seat to act, from -1 to 1")
    line: list[str] = Field(description="the move and how the game goes on, up to the next draw or unseen move")


class Puzzle(Answer):
    number: int
    game: str = Field(examples=["azul"])
    options: dict[str, OptionValue]
    seat: int = Field(description="who is to move; the position is what this seat sees")
    difficulty: Difficulty
    position: dict[str, Any]
    legal: list[PuzzleMove]
    answer: PuzzleTry
    wrong: PuzzleTry = Field(description="what looks best to somebody who does not look far, and its refutation")
    gap: float = Field(description="how much better the answer is than every other move")
    simulations: int = Field(description="of the search that checked it")
