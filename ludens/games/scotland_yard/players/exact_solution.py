"""Scotland Yard: the exact solution of the fully visible grid game by backward induction, and who plays it (SY-65).

Positions are the 13 800 placements of two detectives and Mr. X on different cells, with either side
to move. Detectives win if they can force a capture; the solution tells in how many rounds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.players.heuristic import HeuristicAgent
from ludens.games.scotland_yard.rules.maps import StationMap, grid_map
from ludens.games.scotland_yard.rules.tables import map_of

__all__ = ["NEVER_CAUGHT", "GridOracle", "Solution", "solve", "solve_grid"]

NEVER_CAUGHT = -1
"""Rounds of a position in which Mr. X escapes for ever."""


@dataclass(frozen=True)
class Solution:
    """Plies to the end under best play: detectives hurry, Mr. X delays; NEVER_CAUGHT if he can escape.

    The arrays are int16[first detective, second detective, Mr. X]; positions with shared cells hold NEVER_CAUGHT.
    """

    hunting: np.ndarray  # plies, detectives to move
    fleeing: np.ndarray  # plies, Mr. X to move; 0 if he cannot move
    neighbours: tuple[tuple[int, ...], ...]

    def rounds(self) -> np.ndarray:
        """Rounds until Mr. X is taken, detectives to move, or NEVER_CAUGHT."""
        return np.where(self.hunting == NEVER_CAUGHT, NEVER_CAUGHT, (self.hunting + 1) // 2)

    def best_steps(self, first: int, second: int, mr_x: int) -> tuple[int, int]:
        """The detectives' joint step with the fewest plies left to the end."""
        joint = [(a, b) for a in self.neighbours[first] for b in self.neighbours[second] if a != b]

        def plies_left(step: tuple[int, int]) -> int:
            return -1 if mr_x in step else _or_for_ever(self.fleeing[step[0], step[1], mr_x])

        return min(joint, key=plies_left)

    def best_flight(self, first: int, second: int, mr_x: int) -> int:
        """Mr. X's step with the most plies left to the end."""
        free = [to for to in self.neighbours[mr_x] if to not in (first, second)]
        return max(free, key=lambda to: _or_for_ever(self.hunting[first, second, to]))


def _or_for_ever(plies: int) -> int:
    return 1 << 20 if plies == NEVER_CAUGHT else int(plies)


def solve(board: StationMap) -> Solution:
    """Retrograde analysis: from captures and shut-in positions back to all that lead there."""
    cells = len(board.numbers)
    near: list[list[int]] = [[] for _ in range(cells)]
    for a, b, _ in board.connections:
        near[a].append(b)
        near[b].append(a)
    hunting = np.full((cells,) * 3, NEVER_CAUGHT, np.int16)
    fleeing = np.full((cells,) * 3, NEVER_CAUGHT, np.int16)
    exits_left = np.zeros((cells,) * 3, np.int16)  # of Mr. X: moves not yet known to lose
    queue: deque[tuple[bool, int, int, int]] = deque()
    for first, second, mr_x in permutations(range(cells), 3):
        exits_left[first, second, mr_x] = sum(to not in (first, second) for to in near[mr_x])
        if exits_left[first, second, mr_x] == 0:
            fleeing[first, second, mr_x] = 0  # SY-8b
            queue.append((False, first, second, mr_x))
        if _can_capture(near, first, second, mr_x):
            hunting[first, second, mr_x] = 1  # SY-8a
            queue.append((True, first, second, mr_x))
    # Shut-in positions are worth 0 plies and captures 1: the queue must rise.
    queue = deque(sorted(queue, key=lambda entry: entry[0]))
    while queue:
        to_hunt, first, second, mr_x = queue.popleft()
        if to_hunt:
            plies = int(hunting[first, second, mr_x]) + 1
            for origin in near[mr_x]:  # Mr. X stepped here
                if origin in (first, second):
                    continue
                exits_left[first, second, origin] -= 1
                if exits_left[first, second, origin] == 0:
                    fleeing[first, second, origin] = plies
                    queue.append((False, first, second, origin))
        else:
            plies = int(fleeing[first, second, mr_x]) + 1
            for from_first in near[first]:
                for from_second in near[second]:
                    if len({from_first, from_second, mr_x}) < 3 or hunting[from_first, from_second, mr_x] >= 0:
                        continue
                    hunting[from_first, from_second, mr_x] = plies
                    queue.append((True, from_first, from_second, mr_x))
    return Solution(hunting, fleeing, tuple(tuple(sorted(others)) for others in near))


def _can_capture(near: list[list[int]], first: int, second: int, mr_x: int) -> bool:
    """Can a detective step onto Mr. X's cell while the other steps elsewhere? (SY-7)"""
    return (mr_x in near[first] and any(to != mr_x for to in near[second])) or (
        mr_x in near[second] and any(to != mr_x for to in near[first])
    )


@cache
def solve_grid() -> Solution:
    """The solution of the 5×5 grid."""
    return solve(grid_map())


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
        if v.phase == phases.FLEEING:
            return self._solution.best_flight(first, second, mr_x)
        return self._solution.best_steps(first, second, mr_x)[int(v.pawn)]
