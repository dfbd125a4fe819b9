"""The agent that every game has: uniform choice among the legal actions."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import AgentKind, Clock, Seating
from ludens.core.rng import pick

__all__ = ["RANDOM", "RandomAgent"]


class RandomAgent:
    """Picks uniformly among the legal actions."""

    def start(self, seating: Seating) -> None:
        self._rng = seating.generator()

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(legal[pick(self._rng, len(legal))])

    def end(self, view: np.ndarray) -> None:
        pass


RANDOM = AgentKind("random", "picks uniformly among the legal moves", RandomAgent)
