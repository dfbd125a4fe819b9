"""What a move decides at once, whatever is hidden: that it wins, or that nobody else wins with the answer to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ludens.core import kernels
from ludens.core.reasons import PREVENTS, WINS, Reason
from ludens.core.record import blank
from ludens.core.rng import generator
from ludens.core.settle import CHOICE
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL

__all__ = ["prevents_a_loss", "settled", "urgent", "wins"]

_WORLDS = 64  # that agree with what the seat sees
_STREAM = 13  # of these
_ALTERNATIVES = 24  # other moves that are tried, so many at the most
_MOST = 0.5  # the part of them that would have lost


def urgent(game: Game, view: np.ndarray, seat: int, move: Sequence[int], legal: Sequence[int]) -> list[Reason]:
    """The reasons for a whole move that come before all others."""
    if wins(game, view, seat, move):
        return [Reason("wins", 2.0, kind=WINS)]
    if prevents_a_loss(game, view, seat, move, legal):
        return [Reason("prevents", 2.0, kind=PREVENTS)]
    return []


def wins(game: Game, view: np.ndarray, seat: int, move: Sequence[int]) -> bool:
    """Does the seat win at once, whatever is hidden?"""
    return all(_won(game, end, seat) for end in _ends(game, view, seat, move, _WORLDS))


def prevents_a_loss(game: Game, view: np.ndarray, seat: int, move: Sequence[int], legal: Sequence[int]) -> bool:
    """Would the seat have lost at once after most other moves, to the best answer, and does not after this one?

    It is asked where nothing is hidden and no chance comes between.
    """
    if game.spec.hidden or len(legal) < 2:
        return False
    others = [action for action in legal if action != move[0]][:_ALTERNATIVES]
    least = max(1, int(np.ceil(_MOST * len(others))))
    lost = 0
    for place, action in enumerate(others):
        if lost + len(others) - place < least:
            return False
        lost += _loses_at_once(game, view, seat, [action])
    return lost >= least and not _loses_at_once(game, view, seat, move)


def _ends(game: Game, view: np.ndarray, seat: int, move: Sequence[int], worlds: int) -> Iterator[np.ndarray]:
    """The positions after the move in worlds that agree with the view; the one before it where it is not possible."""
    for world in range(worlds if game.spec.hidden else 1):
        position = blank(game.dtype)
        kernels.determinize_at(view, 0, seat, generator(world, _STREAM), position)
        for action in move:
            if int(kernels.actor_at(position, 0)) != seat:
                break
            kernels.apply_at(position, 0, action)
        settled(game, position)
        yield position


def settled(game: Game, position: np.ndarray) -> None:
    """Plays what the match plays by itself, as when the last lines are tiled."""
    no_draws, legal = generator(0), np.zeros(game.spec.actions, np.int64)
    while int(kernels.actor_at(position, 0)) >= 0:
        action, _ = kernels.forced_at(position, 0, no_draws, legal, 0)
        if action == CHOICE or action < game.spec.first_automatic:
            return
        kernels.apply_at(position, 0, action)


def _returns(game: Game, position: np.ndarray) -> np.ndarray | None:
    """The result of a game that is over."""
    if int(kernels.actor_at(position, 0)) != TERMINAL:
        return None
    out = np.zeros(int(position["players"][0]))
    kernels.returns_at(position, 0, out)
    return out


def _won(game: Game, position: np.ndarray, seat: int) -> bool:
    returns = _returns(game, position)
    return returns is not None and returns[seat] > 0 and returns[seat] == returns.max()


def _loses_at_once(game: Game, view: np.ndarray, seat: int, move: Sequence[int]) -> bool:
    """Can the next to act end the game with one decision so that the seat has lost, or is it over and lost?"""
    (position,) = _ends(game, view, seat, move, 1)
    over = _returns(game, position)
    if over is not None:
        return bool(over[seat] < 0)
    who, legal = int(kernels.actor_at(position, 0)), np.zeros(game.spec.actions, np.int64)
    sides = game.spec.sides(int(view["players"][0]))
    if who < 0 or sides[who] == sides[seat]:
        return False
    for action in legal[: int(kernels.legal_at(position, 0, legal))].tolist():
        answered = position.copy()
        kernels.apply_at(answered, 0, action)
        settled(game, answered)
        returns = _returns(game, answered)
        if returns is not None and returns[seat] < 0:
            return True
    return False
