"""Scotland Yard: its agents by name, with parameters and levels (SY-30, SY-63, SY-65).

Every agent can sit on any seat: what is named for one role plays the other by the usual heuristic.
The thesis' players are for the grid only.
"""

from __future__ import annotations

from dataclasses import replace

from ludens.core.agent import NEWCOMERS, TREE_SEARCHES, AgentKind, Parameter, levels
from ludens.games.scotland_yard.players.exact_solution import GridOracle
from ludens.games.scotland_yard.players.heuristic import HeuristicAgent
from ludens.games.scotland_yard.players.tabular.agent import TabularAgent
from ludens.games.scotland_yard.players.thesis_alphabeta import DISTANCES, ORDERS
from ludens.games.scotland_yard.players.thesis_players import ThesisAgent

__all__ = ["GRID_KINDS", "LONDON_KINDS"]

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

_THESIS = (
    Parameter("mr_x_version", "evaluation that Mr. X negates, v1 to v4", 4, int, low=1, high=4),
    Parameter("depth", "depth of the search", 3, int, low=1, high=5, cost="work"),
    Parameter("depth_unit", "what the depth counts", "round", str, ("round", "ply")),
    Parameter(
        "win_weight", "a capture at depth h earns (n - h) or (n + 1 - h) times the reward", "n", str, ("n", "n_plus_1")
    ),
    Parameter("reward", "reward of a capture", 50, int, low=0, high=10000),
    Parameter("x_eval", "evaluation of Mr. X", "neg_v4", str, ("neg_v4", "threat")),
    Parameter("threat_cost", "cost of a threatened cell", 2, int, low=0, high=1000),
    Parameter("ties", "which of equally good moves to take", "first", str, ("first", "random")),
    Parameter("order", "moves by cell, or up, down, right, left as in the thesis (SY-72)", "cells", str, ORDERS),
    Parameter("distance", "distance in moves or as the crow flies (SY-72)", "manhattan", str, DISTANCES),
)
# the thesis' players (SY-37)
_COUNTS = {
    1: "both detectives' distances, more the later",
    2: "the nearer detective's distance, more the later",
    3: "the nearer detective's distance",
    4: "the nearer detective's distance and half the farther one's",
}

_VERSIONS = {
    f"v{version}": AgentKind(
        f"v{version}",
        f"alpha-beta of the thesis over three rounds; detectives count {counts}, Mr. X negates v4",
        ThesisAgent,
        _THESIS,
        {"version": version},
    )
    for version, counts in _COUNTS.items()
}
_TABLE = AgentKind(
    "table",
    "detectives play by a table that Q-learning filled in self-made games against v4; Mr. X evades (SY-57 … SY-60)",
    TabularAgent,
    (Parameter("table", "a packaged name, or a file of `ludens train`", "q-learning", str),),
)
_SEARCH = "mcts:rollout=guided,opponent_determinisation=0.5"


_LONDON = f"{_SEARCH},network=auto"  # with a network there are no roll-outs
_LONDON_LEVELS = ["newcomer", "alphabeta:depth=2,worlds=4,evaluation=tuned", f"{_LONDON},simulations=400"]
_LONDON_LEVELS += [f"{_LONDON},simulations={n},threads=2" for n in (3000, 20000)]
_GRID_LEVELS = ["newcomer", "v2:ties=random", *(f"{_SEARCH},simulations={n}" for n in (20, 400, 20000))]
_ON_THE_GRID = (TREE_SEARCHES[0], TREE_SEARCHES[1], "the strongest tree search of the game")
_ALPHA_BETA = "alpha-beta that looks a little ahead"


LONDON_KINDS = {
    **{kind.name: kind for kind in (_ORACLE, _EVADE, _SHRINK, _CHASE)},
    **levels(_LONDON_LEVELS, (NEWCOMERS[0], _ALPHA_BETA, *TREE_SEARCHES[1:])),
}
GRID_KINDS = {
    **{kind.name: kind for kind in (_GRID_ORACLE, _EVADE, _CHASE, _SHRINK, _TABLE)},
    **_VERSIONS,
    **levels(_GRID_LEVELS, (NEWCOMERS[0], _ALPHA_BETA, *_ON_THE_GRID)),
}
