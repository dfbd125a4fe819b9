"""Catan: the player that values positions by a linear model and plans its turn without a search (CA-40, CA-61)."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.core.jit import kernel
from ludens.core.record import Array, Records
from ludens.games.catan.players.linear.files import load_model
from ludens.games.catan.players.linear.turns import AGENT_STATE, Desk, TurnSettings, decide, new_desk
from ludens.games.catan.state import Catan
from ludens.games.catan.view import determinize

__all__ = ["BEST_WEIGHTS", "LinearAgent"]

BEST_WEIGHTS = "modrozoubek"
"""The packaged weights that play best: λ = 1, as in the thesis (CA-74)."""


@kernel
def choose(
    views: Records[Catan], seat: int, legal: Array, model: Array, epsilon: float, settings: TurnSettings,
    agent_state: Array, rng: Array, desk: Desk,
) -> int:  # fmt: skip
    """`decide` for views[0]; unknown cards of others are dealt once."""
    for k in range(legal.shape[0]):
        desk.legal[k] = legal[k]
    determinize(views[0], seat, rng, desk.world[1:2])
    return decide(desk.world[1], seat, legal.shape[0], model, epsilon, settings, agent_state, rng, desk)


class LinearAgent(Agent):
    """Plays the turn whose last position has the greatest wᵀx; with chance ε a turn is random."""

    def __init__(
        self, weights: str = BEST_WEIGHTS, n_actions: int = 3, max_offers: int = 3, epsilon: float = 0.0
    ) -> None:
        self._model = load_model(weights)
        self._settings, self._epsilon = TurnSettings(n_actions, max_offers), float(epsilon)
        self._desk = new_desk()

    def start(self, seating: Seating) -> None:
        self._seat, self._rng = seating.seat, seating.generator()
        self._agent_state = np.zeros(AGENT_STATE, np.int64)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        action = choose(
            view,
            self._seat,
            legal,
            self._model,
            self._epsilon,
            self._settings,
            self._agent_state,
            self._rng,
            self._desk,
        )
        return int(action)
