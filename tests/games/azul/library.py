"""Random play through the library interface, shared by the tests of AZ-41 … AZ-72."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ludens.games.azul.board import Board, Phase

__all__ = ["SETTINGS", "fingerprint", "random_game", "random_step", "started", "until"]

SETTINGS = [(players, grey) for players in (2, 3, 4) for grey in (False, True)]


def fingerprint(board: Board) -> tuple[object, ...]:
    """All that can be seen of a board, whichever seat looks."""
    seen = [board.encode(seat).tolist() for seat in range(len(board.names))]
    return (board.phase, board.current, board.round_number, board.bag.counts, board.lid.counts, *map(tuple, seen))


def started(players: int = 2, grey: bool = False, seed: int = 1, **more: object) -> Board:
    """A board whose first round is dealt; seat 0 begins unless `first` says otherwise."""
    board = Board(players, grey=grey, seed=seed, **{"first": 0, **more})  # type: ignore[arg-type]
    board.start()
    return board


def random_step(board: Board, random: Random) -> None:
    """One legal operation, whatever the phase."""
    if board.phase is Phase.TAKING:
        assert board.move(random.choice(board.valid_moves()))
    else:
        columns = board.open_columns()
        assert board.tile(random.choice(columns) if len(columns) > 1 else None)


def random_game(players: int, grey: bool, seed: int) -> Iterator[Board]:
    """The board before every step of a random game, and at its end."""
    board, random = started(players, grey, seed, round_limit=20), Random(seed)
    while board.phase is not Phase.OVER:
        yield board
        random_step(board, random)
    yield board


def until(board: Board, phase: Phase, seed: int = 0) -> Board:
    """Plays at random until the phase begins."""
    random = Random(seed)
    while board.phase is not phase:
        random_step(board, random)
    return board
