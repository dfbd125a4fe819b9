"""Do the features of a game tell a position? One field of the record is changed, and some block must change with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.core.spec import Game, split

__all__ = ["blocks_of", "changed_blocks"]


def blocks_of(game: Game, options: np.ndarray, state: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    """The features of the seat's view by the names of their blocks."""
    view = record.blank(game.dtype)
    kernels.view_at(state, 0, seat, view)
    out = np.full(game.spec.observation_size(options), np.nan, np.float32)
    kernels.observe_at(view, 0, seat, out)
    return split(out, game.spec.blocks(options))


def changed_blocks(
    game: Game, options: np.ndarray, state: np.ndarray, seat: int, field: str, place: Any, value: int
) -> set[str]:
    """The names of the blocks that change with state[field][place] = value."""
    other = state.copy()
    array = other[field][0:1] if place == () else other[field][0]
    array[place if place != () else 0] = value
    assert other.tobytes() != state.tobytes(), f"{field} was {value} before"
    before, after = blocks_of(game, options, state, seat), blocks_of(game, options, other, seat)
    return {name for name in before if not np.array_equal(before[name], after[name])}
