"""Catan: its own agents and its levels of tree search."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import AgentKind, Clock, Level, Parameter, Seating
from ludens.core.record import blank
from ludens.games.catan import greedy
from ludens.games.catan.planneragent import PLANNER
from ludens.games.catan.state import DTYPE

__all__ = ["KINDS", "ValueAgent", "WeightedAgent"]

_OFFERS = 2  # a turn, of the player `value`


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

    def __init__(self, offers: int = _OFFERS) -> None:
        self._offers = offers
        self._scratch = blank(DTYPE, 2)

    def start(self, seating: Seating) -> None:
        self._seat = seating.seat
        self._rng = seating.generator()
        self._memory = np.zeros(2, np.int64)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(greedy.choose(view, self._seat, legal, self._rng, self._offers, self._memory, self._scratch))

    def end(self, view: np.ndarray) -> None:
        pass


KINDS = {
    "weighted": AgentKind("weighted", "random, but prefers building", WeightedAgent),
    "value": AgentKind(
        "value",
        "the best next position by a hand-made evaluation",
        ValueAgent,
        (Parameter("offers", "offers to other players in a turn", _OFFERS, int, low=0, high=20),),
    ),
    "planner": PLANNER,
    "houba": Level("houba", "the planner without a search", "planner:depth=1,n_actions=3,n_turns=1,n_turns_search=1"),
    "piskot": Level("piskot", "the same with more actions", "planner:depth=1,n_actions=9,n_turns=1,n_turns_search=1"),
    "zofka": Level("zofka", "the planner to depth 3", "planner:depth=3,n_actions=3,n_turns=3,n_turns_search=2"),
    "lisak": Level("lisak", "the planner to depth 5", "planner:depth=5,n_actions=2,n_turns=2,n_turns_search=2"),
    "easy": Level("easy", "tree search, a tenth of a second a move", "mcts:seconds=0.1"),
    "medium": Level("medium", "tree search, half a second a move on two cores", "mcts:seconds=0.5,threads=2"),
    "hard": Level("hard", "tree search, two seconds a move on two cores", "mcts:seconds=2,threads=2"),
}
