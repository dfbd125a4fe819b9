"""Scotland Yard: its own agents (SY-30, SY-63, SY-65).

Every agent can sit on any seat: what is named for one role plays the other by the usual heuristic.
The thesis' players are in `thesis_agent.py`, for the grid only.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludens.core.agent import AgentKind, Clock, Level, Parameter, Seating
from ludens.core.record import blank
from ludens.games.scotland_yard import heuristics
from ludens.games.scotland_yard.paths import distances, visit_room
from ludens.games.scotland_yard.solve import solve_grid
from ludens.games.scotland_yard.state import FLEEING, board_of
from ludens.games.scotland_yard.thesis_agent import VERSIONS

__all__ = ["GRID_KINDS", "LONDON_KINDS", "GridOracle", "HeuristicAgent"]


class HeuristicAgent:
    """Detectives who chase or shrink, and a Mr. X who evades.

    hunt: "chase" a station by ticket-aware shortest ways, or "shrink" the set of possible stations.
    goal: what is chased while Mr. X is hidden, the station last "seen" or the "likely" one.
    pull: how much shrinking detectives care to be near; away, wide: how much Mr. X cares to be far from
    the detectives, and to keep the set of possible stations large.
    """

    def __init__(
        self, hunt: str = "shrink", goal: str = "likely", pull: float = 8.0, away: float = 2.0, wide: float = 1.0
    ) -> None:
        self._chases = hunt == "chase"
        self._likely = goal == "likely"
        self._pull, self._away, self._wide = pull, away, wide

    def start(self, seating: Seating) -> None:
        dtype = seating.game.dtype
        self._distance = distances(dtype)
        self._visits = visit_room(dtype)
        self._scratch = blank(dtype, 2)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if len(legal) == 1:
            return int(legal[0])
        if view["phase"][0] == FLEEING:
            wide, away = self._wide, self._away
            return int(heuristics.choose_evade(view, legal, away, wide, self._distance, self._scratch))
        if self._chases:
            return int(heuristics.choose_chase(view, legal, self._likely, self._distance, self._visits))
        return int(heuristics.choose_shrink(view, legal, self._pull, self._distance, self._scratch))

    def end(self, view: np.ndarray) -> None:
        pass


class GridOracle:
    """Perfect play of the fully visible 5×5 game with two detectives, on either side, from the exact solution.

    Needs the whole state. With another number of detectives it chases or evades, seeing everything.
    """

    def start(self, seating: Seating) -> None:
        self._fallback = HeuristicAgent(hunt="chase", wide=0.0)
        self._fallback.start(seating)
        board = board_of(seating.game.dtype)
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

    def end(self, view: np.ndarray) -> None:
        pass


_GOAL = Parameter("goal", "what is chased while Mr. X is hidden", "likely", str, ("seen", "likely"))
_PULL = Parameter("pull", "weight of being near in shrinking", 8.0, float, low=0, high=1000)
_AWAY = Parameter("away", "Mr. X's weight of distance", 2.0, float, low=0, high=100)
_WIDE = Parameter("wide", "Mr. X's weight of the number of possible stations", 1.0, float, low=0, high=100)

_CHASE = AgentKind(
    "chase",
    "detectives take the shortest ways that their tickets pay to one station; Mr. X evades",
    HeuristicAgent,
    (_GOAL, _AWAY, _WIDE),
    {"hunt": "chase"},
)
_EVADE = AgentKind(
    "evade",
    "Mr. X keeps far from the detectives and his possible stations many; detectives chase where he was seen",
    HeuristicAgent,
    (_AWAY, _WIDE),
    {"hunt": "chase", "goal": "seen"},
)
_SHRINK = AgentKind(
    "shrink",
    "detectives minimise the stations where Mr. X may be after his next move; Mr. X evades",
    HeuristicAgent,
    (_PULL, _AWAY, _WIDE),
    {"hunt": "shrink"},
)
_ORACLE = AgentKind(
    "oracle",
    "sees everything, for upper bounds only: detectives chase Mr. X's real station; Mr. X keeps his distance",
    HeuristicAgent,
    (),
    {"hunt": "chase", "wide": 0.0},
    oracle=True,
)
_GRID_ORACLE = replace(
    _ORACLE,
    help="sees everything, for upper bounds only: plays the exact solution of the visible game on both sides",
    make=GridOracle,
    preset={},
)

_SEARCH = "mcts:rollout=guided,disguise=0.5"
_LEVELS = {
    "easy": Level("easy", "tree search, a tenth of a second a move", f"{_SEARCH},seconds=0.1"),
    "medium": Level("medium", "tree search, half a second a move on two cores", f"{_SEARCH},seconds=0.5,threads=2"),
    "hard": Level("hard", "tree search, two seconds a move on two cores", f"{_SEARCH},seconds=2,threads=2"),
}

LONDON_KINDS = {**{kind.name: kind for kind in (_ORACLE, _EVADE, _SHRINK, _CHASE)}, **_LEVELS}
GRID_KINDS = {**{kind.name: kind for kind in (_GRID_ORACLE, _EVADE, _CHASE, _SHRINK)}, **VERSIONS, **_LEVELS}
