"""Puzzles that ship: positions in which one move is to be found, for a page to show."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path

from ludens.agents.puzzle_book import puzzles_of, shown
from ludens.core.said import say
from ludens.core.spec import Game
from ludens.server.http.dependencies import as_json, errors, game_of
from ludens.server.http.schemas.puzzles import Puzzle, PuzzleList
from ludens.server.refusal import Refusal

__all__ = ["router"]

router = APIRouter(tags=["games"])

_Name = Annotated[str, Path(max_length=64, examples=["azul"])]


@router.get("/puzzles/{name}", response_model=PuzzleList, responses=errors(404), summary="The puzzles of a game")
def puzzle_list(name: _Name) -> Any:
    """The numbers and difficulties of all puzzles of a game, the easiest first; perhaps none."""
    game = game_of(name)
    entries = [
        {"number": number, "difficulty": puzzle.difficulty, "players": puzzle.match["options"]["players"]}
        for number, puzzle in enumerate(puzzles_of(game))
    ]
    return as_json({"game": game.spec.name, "puzzles": entries})


@router.get("/puzzles/{name}/{number}", response_model=Puzzle, responses=errors(404), summary="One puzzle")
def one_puzzle(name: _Name, number: Annotated[int, Path(ge=0, le=10**6, examples=[0])]) -> Any:
    """The position as the seat to act sees it, its moves, and the solution with the refutation of the natural move."""
    game = game_of(name)
    known = puzzles_of(game)
    if number >= len(known):
        raise Refusal(
            "not_found",
            say("There is no puzzle {number} of {game}; it has {n}.", number=number, game=name, n=len(known)),
        )
    return as_json({"number": number, **_shown(game, number)})


@lru_cache(maxsize=1024)
def _shown(game: Game, number: int) -> dict[str, Any]:
    """A puzzle never changes, and to show one its game is replayed."""
    return shown(game, puzzles_of(game)[number])
