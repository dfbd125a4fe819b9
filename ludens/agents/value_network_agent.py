"""The agent `judge`: no search, only what the game's evaluation says of the position after every move."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.agents.search_settings import evaluation_weights
from ludens.core import verbs
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.spec import Game
from ludens.core.verbs import MEMORY
from ludens.core.weights import LEARNED

__all__ = ["JudgingAgent", "judging_kinds"]


@kernel
def foresee_in_worlds(
    view: Any, seat: int, legal: Any, rng: Any, worlds: int, weights: Any, memory: Any, scratch: Any,
    values: Any, promises: Any, out: Any,
) -> None:  # fmt: skip
    """out[k] = the mean of what legal[k] promises in so many worlds that agree with view[0]."""
    n = legal.shape[0]
    out[:n] = 0.0
    for _ in range(worlds):
        verbs.determinize(view[0], seat, rng, scratch)
        verbs.foresee(scratch[0], legal, n, weights, memory, scratch[1:3], values, promises)
        for k in range(n):
            out[k] += promises[k] / worlds


class JudgingAgent:
    """Takes the move after which an evaluation promises its seat most."""

    def __init__(self, evaluation: str = "", worlds: int = 1) -> None:
        self._evaluation, self._worlds = evaluation, worlds

    def start(self, seating: Seating) -> None:
        game, self._seat, self._rng = seating.game, seating.seat, seating.generator()
        name = self._evaluation or (LEARNED if LEARNED in game.rules.evaluations else "")
        self._weights = evaluation_weights(game, name)
        self._worlds = self._worlds if game.spec.hidden else 1
        self._memory, self._scratch = np.zeros(MEMORY, np.int64), blank(game.dtype, 3)
        self._values = np.zeros(int(seating.options[0]))
        self._promises, self._out = np.zeros((2, game.spec.actions))
        self._thought: Thought | None = None

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        self._thought = None
        if len(legal) == 1:
            return int(legal[0])
        foresee_in_worlds(
            view, self._seat, legal, self._rng, self._worlds, self._weights, self._memory, self._scratch,
            self._values, self._promises, self._out,
        )  # fmt: skip
        best = int(self._out[: len(legal)].argmax())
        self._thought = Thought(float(self._out[best]), line=(int(legal[best]),))
        return int(legal[best])

    def thought(self) -> Thought | None:
        """What the evaluation promised of the last choice."""
        return self._thought

    def end(self, view: np.ndarray) -> None:
        pass


JUDGE = AgentKind(
    "judge",
    "no search: the move after which an evaluation, by default the one that has learned, promises most",
    JudgingAgent,
    (
        Parameter("evaluation", "of the positions after every move; by default the game's learned or best one", ""),
        Parameter("worlds", "guesses of what is hidden; open games need one", 1, int, low=1, high=1000, cost="work"),
    ),
)


def judging_kinds(game: Game) -> dict[str, AgentKind]:
    """`judge`, in games that describe their positions for such evaluations."""
    return {JUDGE.name: JUDGE} if game.rules.described else {}
