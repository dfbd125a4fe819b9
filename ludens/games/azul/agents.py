"""Azul: its own agent (AZ-91, AZ-92) and its levels of tree search."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import AgentKind, Clock, Level, Parameter, Seating
from ludens.core.record import blank
from ludens.games.azul import heuristics
from ludens.games.azul.state import DTYPE, SIZE

__all__ = ["KINDS", "HeuristicAgent"]


class HeuristicAgent:
    """Takes the move with the largest immediate gain, then the one with more tiles and less on the floor."""

    def __init__(self, ties: str = "first") -> None:
        self._random_ties = ties == "random"
        self._scratch = blank(DTYPE)
        self._columns = np.zeros(SIZE, np.int64)

    def start(self, seating: Seating) -> None:
        self._rng = seating.generator()

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(heuristics.choose(view, legal, self._scratch, self._columns, self._rng, self._random_ties))

    def end(self, view: np.ndarray) -> None:
        pass


# Behind roll-outs the fitted weights are stronger than the tuned ones, at the leaf itself weaker (docs/strength.md).
_SEARCH = "mcts:depth=8,evaluation=fitted"

KINDS = {
    "heuristic": AgentKind(
        "heuristic",
        "takes the largest immediate gain, then more tiles, then less on the floor",
        HeuristicAgent,
        (Parameter("ties", "which of equally good moves to take", "first", str, ("first", "random")),),
    ),
    "easy": Level("easy", "tree search, a tenth of a second a move", f"{_SEARCH},seconds=0.1"),
    "medium": Level("medium", "tree search, half a second a move on two cores", f"{_SEARCH},seconds=0.5,threads=2"),
    "hard": Level("hard", "tree search, two seconds a move on two cores", f"{_SEARCH},seconds=2,threads=2"),
}
