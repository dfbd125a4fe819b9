"""The agent `value-network`: no search, only the one-ply value of every move."""

from __future__ import annotations

import numpy as np

from ludens.agents.search_settings import network_weights
from ludens.core import verbs
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.jit import kernel
from ludens.core.record import Array, Position, Records, blank
from ludens.core.spec import Game
from ludens.core.verbs import AGENT_STATE

__all__ = ["ValueNetworkAgent", "value_network_kinds"]


@kernel
def one_ply_values_in_worlds(
    view: Records[Position], seat: int, legal: Array, rng: Array, worlds: int, weights: Array, agent_state: Array,
    scratch: Records[Position], values: Array, one_ply: Array, out: Array,
) -> None:  # fmt: skip
    """out[k] = the mean one-ply value of legal[k] in so many worlds that agree with view[0]."""
    n = legal.shape[0]
    out[:n] = 0.0
    for _ in range(worlds):
        verbs.determinize(view[0], seat, rng, scratch)
        verbs.one_ply_values(scratch[0], legal, n, weights, agent_state, scratch[1:3], values, one_ply)
        for k in range(n):
            out[k] += one_ply[k] / worlds


class ValueNetworkAgent:
    """Takes the move of the largest one-ply value."""

    def __init__(self, evaluation: str = "", worlds: int = 1) -> None:
        self._evaluation, self._worlds = evaluation, worlds

    def start(self, seating: Seating) -> None:
        game, self._seat, self._rng = seating.game, seating.seat, seating.generator()
        self._weights = network_weights(game, self._evaluation)
        self._worlds = self._worlds if game.spec.hidden else 1
        self._agent_state, self._scratch = np.zeros(AGENT_STATE, np.int64), blank(game.dtype, 3)
        self._values = np.zeros(int(seating.options[0]))
        self._one_ply, self._out = np.zeros((2, game.spec.actions))
        self._thought: Thought | None = None

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        self._thought = None
        if len(legal) == 1:
            return int(legal[0])
        one_ply_values_in_worlds(
            view, self._seat, legal, self._rng, self._worlds, self._weights, self._agent_state, self._scratch,
            self._values, self._one_ply, self._out,
        )  # fmt: skip
        best = int(self._out[: len(legal)].argmax())
        self._thought = Thought(float(self._out[best]), line=(int(legal[best]),))
        return int(legal[best])

    def thought(self) -> Thought | None:
        """The one-ply value of the last choice."""
        return self._thought

    def end(self, view: np.ndarray) -> None:
        pass


VALUE_NETWORK_KIND = AgentKind(
    "value-network",
    "no search: the move of the largest one-ply value by an evaluation, by default the value network",
    ValueNetworkAgent,
    (
        Parameter(
            "evaluation", "of the positions after every move; by default the game's value network or best one", ""
        ),
        Parameter("worlds", "guesses of what is hidden; open games need one", 1, int, low=1, high=1000, cost="work"),
    ),
)


def value_network_kinds(game: Game) -> dict[str, AgentKind]:
    """`value-network`, in games that describe their positions for such evaluations."""
    return {VALUE_NETWORK_KIND.name: VALUE_NETWORK_KIND} if game.rules.described else {}
