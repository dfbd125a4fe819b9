"""Positions from outside: what a game can check before somebody plays on from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.record import Position
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL, UNKNOWN

__all__ = ["checked_position", "possible_if"]


def checked_position(game: Game, options: np.ndarray, position: Mapping[str, Any] | np.ndarray) -> np.ndarray:
    """The full state that a position gives, as an array of one record; an impossible one is refused.

    A position is an array of one record or its fields as `record.to_json` writes them. The game's own
    `check_position` looks at it before any rule does: rules assume that what they are given can happen, and compiled
    ones would read and write beside their arrays where it cannot.
    """
    state = _read(game, position)
    players = int(state["players"][0])
    if players != int(options[0]):
        raise BadInput(f"The position is one of {players} players, but the options say {int(options[0])}.")
    if game.spec.hidden:
        unknown = [name for name in state.dtype.names or () if (np.asarray(state[name]) == UNKNOWN).any()]
        if unknown:
            raise BadInput(
                f"The position does not say what is hidden ({', '.join(unknown)} hold {UNKNOWN}): "
                f"a game can be played on only with full information, hidden cards and places too."
            )
    if game.check_position is not None:
        begun = record.blank(game.dtype)
        kernels.reset_at(begun, 0, options)
        reason = game.check_position(state[0], begun[0])
        if reason:
            raise BadInput(f"The position is not possible: {reason}.", game.spec.rulebook)
    _check_next(game, state, players)
    return state


def possible_if(
    limits: Mapping[str, tuple[int, int]], options: tuple[str, ...], faults: Callable[[Any, Any], Iterator[str]]
) -> Callable[[Any, Any], str | None]:
    """A `check_position`: why a record cannot be a position of the game that begins with another record, or None.

    `limits` are the least and the largest number of the fields with these names, `options` the fields that hold the
    rules in force and never change, `faults` tells what else is wrong; it is asked last and may count on both.
    """

    def check(s: Position, begun: Position) -> str | None:
        for names, (low, high) in limits.items():
            for name in names.split():
                numbers = np.asarray(s[name])
                if numbers.min() < low or numbers.max() > high:
                    return f"{name} holds numbers from {low} to {high}"
        for name in options:
            if not np.array_equal(s[name], begun[name]):
                return f"{name} is not what the options say"
        return next(faults(s, begun), None)

    return check


def _read(game: Game, position: Mapping[str, Any] | np.ndarray) -> np.ndarray:
    if isinstance(position, np.ndarray):
        if position.dtype != game.dtype or position.shape != (1,):
            raise BadInput(f"A position of {game.spec.name} is an array of one record of its type.")
        return position.copy()
    return record.from_json(game.dtype, dict(position) if isinstance(position, Mapping) else position)


def _check_next(game: Game, state: np.ndarray, players: int) -> None:
    """Somebody has a move, something can be drawn, or the game is over."""
    who = int(kernels.actor_at(state, 0))
    if who == TERMINAL:
        return
    if who == CHANCE:
        outcomes, weights = np.zeros(game.spec.outcomes, np.int64), np.zeros(game.spec.outcomes)
        n = int(kernels.chance_at(state, 0, outcomes, weights))
        if n == 0 or abs(weights[:n].sum() - 1.0) > 1e-6:
            raise BadInput("The position is not possible: a draw comes next, but nothing is left to draw.")
        return
    if not 0 <= who < players:
        raise BadInput(f"The position is not possible: seat {who} is to act, and there are {players} players.")
    if int(kernels.legal_at(state, 0, np.zeros(game.spec.actions, np.int64))) == 0:
        raise BadInput(f"The position is not possible: seat {who} is to act, but has no move.")
