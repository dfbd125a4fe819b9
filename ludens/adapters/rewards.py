"""What a seat is paid, and when."""

from __future__ import annotations

import numpy as np

from ludens.adapters.simulation import Simulation
from ludens.core.errors import did_you_mean

__all__ = ["RETURN", "SCORE", "Rewards"]

RETURN = "return"
"""The utility of every seat, in [-1, 1], at the end of the game and nothing before."""
SCORE = "score"
"""How much a seat's lead over the best seat of the other sides has grown, times a scale, at every step."""


class Rewards:
    """Pays every seat what it has earned since the last payment.

    The sum of all payments of a game is the seat's return, or its final lead in points
    times `scale`. Scores come from the full state, so payments in `SCORE` mode may tell a
    learner more than its view does; agents that only play never see them.
    """

    def __init__(self, simulation: Simulation, mode: str = RETURN, scale: float = 0.05) -> None:
        if mode not in (RETURN, SCORE):
            raise did_you_mean(str(mode), (RETURN, SCORE), "reward")
        sides = np.array(simulation.game.spec.sides(simulation.players))
        self._simulation = simulation
        self._by_score = mode == SCORE
        self._scale = scale
        self._rivals = sides[:, None] != sides[None, :]
        self._paid = np.zeros(simulation.players)

    def start(self) -> None:
        """Forgets the last game; what was earned before the first decision is not paid."""
        self._paid = self._worth() if self._by_score else np.zeros(self._simulation.players)

    def collect(self) -> np.ndarray:
        """float64[players]: what every seat has earned since `start` or the last `collect`."""
        if not self._by_score and not self._simulation.over:
            return np.zeros(self._simulation.players)
        worth = self._worth()
        earned = worth - self._paid
        self._paid = worth
        return earned

    def _worth(self) -> np.ndarray:
        if not self._by_score:
            return self._simulation.returns()
        scores = self._simulation.scores()
        best_rival = np.where(self._rivals, scores[None, :], -np.inf).max(axis=1)
        leads: np.ndarray = (scores - best_rival) * self._scale
        return leads
