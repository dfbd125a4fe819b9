"""Scotland Yard: a player of the grid who sees everything, for upper bounds (SY-65)."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.games.scotland_yard.players.exact_solution import solve_grid
from ludens.games.scotland_yard.players.heuristic import HeuristicAgent
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import FLEEING

__all__ = ["GridOracle"]


class GridOracle(Agent):
    """Perfect play of the fully visible 5×5 game with two detectives, on either side, from the exact solution.

    Needs the whole state. With another number of detectives it chases or evades, seeing everything.
    """

    def start(self, seating: Seating) -> None:
        self._fallback = HeuristicAgent(hunt="chase", wide=0.0)
        self._fallback.start(seating)
        board = map_of(seating.game.dtype)
        solved = int(seating.options[1]) == 2 and board.columns == 5 and len(board.numbers) == 25
        self._solution = solve_grid() if solved else None

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if self._solution is None:
            return self._fallback.choose(view, legal, clock)
        v = view[0]
        first, second, mr_x = int(v.pawn_station[0]), int(v.pawn_station[1]), int(v.mr_x_station)
        if v.phase == FLEEING:
            return self._solution.best_flight(first, second, mr_x)
        return self._solution.best_steps(first, second, mr_x)[int(v.pawn)]
