"""Positions out of random games."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludens.core import kernels, record
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.games.discovery import GAME

__all__ = ["positions"]


def positions(players: int, seed: int, phase: int, every: int = 1, **options: str) -> Iterator[np.ndarray]:
    """Every so many-th position of that phase in one random game."""
    state = record.blank(GAME.dtype)
    kernels.reset_at(state, 0, GAME.options({"players": players, **options}))
    finished = state.copy()
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(4000, np.int64)
    length = kernels.random_game(finished, generator(seed, CHANCE_STREAM), generator(seed, POLICY), legal, log)
    met = 0
    for action in log[:length].tolist():
        if int(state["phase"][0]) == phase:
            if met % every == 0:
                yield state.copy()
            met += 1
        kernels.apply_at(state, 0, action)
    if int(state["phase"][0]) == phase:
        yield state.copy()
