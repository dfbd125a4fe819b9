"""Catan: its own agents."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import AgentKind, Clock, Seating
from ludens.core.record import blank
from ludens.games.catan import greedy
from ludens.games.catan.state import DTYPE

__all__ = ["KINDS", "ValueAgent", "WeightedAgent"]


class WeightedAgent:
    """Chooses at random, cities far more often than settlements, these than cards, and these than all else."""

    def start(self, seating: Seating) -> None:
        self._rng = seating.generator()

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(greedy.choose_weighted(view, legal, self._rng))

    def end(self, view: np.ndarray) -> None:
        pass


class ValueAgent:
    """Takes the action after which the hand-made evaluation is best."""

    def __init__(self) -> None:
        self._scratch = blank(DTYPE, 2)

    def start(self, seating: Seating) -> None:
        self._seat = seating.seat
        self._rng = seating.generator()

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(greedy.choose(view, self._seat, legal, self._rng, self._scratch))

    def end(self, view: np.ndarray) -> None:
        pass


KINDS = {
    "weighted": AgentKind("weighted", "random, but prefers building", WeightedAgent),
    "value": AgentKind("value", "the best next position by a hand-made evaluation", ValueAgent),
}
