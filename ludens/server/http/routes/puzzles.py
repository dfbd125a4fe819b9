"""Puzzles that ship: positions in which one move is to be found, for a page to show."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path

from ludens.agents.puzzle_book import Puzzle as KnownPuzzle
from ludens.agents.puzzle_book import followed, puzzles_of, refusal_in, shown
from ludens.core.spec import Game
from ludens.i18n.messages import say
from ludens.server.http.dependencies import ServicesOf, as_json, errors, game_of
from ludens.server.http.errors import envelope_of
from ludens.server.http.schemas.play import CheckAnswer, CheckMove
from ludens.server.http.schemas.puzzles import Puzzle, PuzzleList, PuzzleTry
from ludens.server.refusal import Refusal
from ludens.server.streaming.subscribers import in_thread

__all__ = ["router"]

router = APIRouter(tags=["games"])

_Name = Annotated[str, Path(max_length=64, examples=["azul"])]
_Number = Annotated[int, Path(ge=0, le=10**6, examples=[0])]


@router.get("/puzzles/{name}", response_model=PuzzleList, responses=errors(404), summary="The puzzles of a game")
def puzzle_list(name: _Name) -> Any:
    """The numbers and difficulties of all puzzles of a game, the easiest first; perhaps none."""
    game = game_of(name)
    entries = [
        {
            "number": number,
            "key": puzzle.key,
            "difficulty": puzzle.difficulty,
            "players": puzzle.match["options"]["players"],
        }
        for number, puzzle in enumerate(puzzles_of(game))
    ]
    return as_json({"game": game.spec.name, "puzzles": entries})


@router.get("/puzzles/{name}/{number}", response_model=Puzzle, responses=errors(404), summary="One puzzle")
async def one_puzzle(services: ServicesOf, name: _Name, number: _Number) -> Any:
    """The position as the seat to act sees it, its moves, and the solution with the refutation of the natural move."""
    game = game_of(name)
    puzzle = _numbered(game, number)
    services.preparation.require(game.spec.name)
    return as_json({"number": number, **await in_thread(_shown, game, number, puzzle.key)})


@router.get(
    "/puzzles/{name}/{number}/tries/{action}",
    response_model=PuzzleTry,
    responses=errors(404),
    summary="What refutes a wrong move of a puzzle",
)
async def puzzle_try(
    services: ServicesOf, name: _Name, number: _Number, action: Annotated[int, Path(ge=0, description="the move's id")]
) -> Any:
    """The move with the best answer to it, as far as the seat to act can see that."""
    game = game_of(name)
    puzzle = _numbered(game, number)
    services.preparation.require(game.spec.name)
    told = await in_thread(followed, game, puzzle, action)
    if told is None:
        raise Refusal("not_found", say("Nothing is known of move {action} in this puzzle.", action=action))
    return as_json(told)


@router.post(
    "/puzzles/{name}/{number}/check",
    response_model=CheckAnswer,
    responses=errors(404),
    summary="Ask whether a move of a puzzle is legal, and why not",
)
async def check_puzzle(services: ServicesOf, name: _Name, number: _Number, wish: CheckMove) -> Any:
    """As at a table; whether it is the move to find is not told."""
    game = game_of(name)
    puzzle = _numbered(game, number)
    services.preparation.require(game.spec.name)
    refusal = await in_thread(refusal_in, puzzle, wish.move)
    if refusal is None:
        return as_json({"legal": True, "reason": None, "rules": []})
    error = envelope_of(refusal)["error"]
    return as_json({"legal": False, "reason": error["message"], "rules": error.get("rules", [])})


def _numbered(game: Game, number: int) -> KnownPuzzle:
    """The puzzle of that number; one that is not there is refused."""
    known = puzzles_of(game)
    if number < len(known):
        return known[number]
    raise Refusal(
        "not_found",
        say("There is no puzzle {number} of {game}; it has {n}.", number=number, game=game.spec.name, n=len(known)),
    )


@lru_cache(maxsize=1024)
def _shown(game: Game, number: int, key: str) -> dict[str, Any]:
    """A puzzle of that key never changes, and to show one its game is replayed."""
    return shown(game, puzzles_of(game)[number])
