"""Catan: the random player that prefers building."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records
from ludens.core.rng import below
from ludens.games.catan import action_ids as ids
from ludens.games.catan.state import Catan

__all__ = ["WeightedAgent"]


@rule
def _weight(a: int) -> int:
    """How often an action is chosen in proportion to others: building before all."""
    if a < ids.SETTLEMENT:
        return 2
    if a < ids.CITY:
        return 1000
    if a < ids.ROBBER:
        return 10000
    return 100 if a == ids.BUY else 1


@kernel
def choose(views: Records[Catan], legal: Array, rng: Array) -> int:
    """A random choice that prefers building: cities, then settlements, then cards."""
    total = 0
    for k in range(legal.shape[0]):
        total += _weight(legal[k])
    ticket = below(rng, total)
    k = 0
    while ticket >= _weight(legal[k]):
        ticket -= _weight(legal[k])
        k += 1
    return int(legal[k])


class WeightedAgent(Agent):
    """Chooses at random, cities far more often than settlements, these than cards, and these than all else."""

    def start(self, seating: Seating) -> None:
        self._rng = seating.generator()

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(choose(view, legal, self._rng))
