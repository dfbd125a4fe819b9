"""Catan: the names, parameters and levels of its agents."""

from __future__ import annotations

from ludens.core.agent import AgentKind, Level, Parameter
from ludens.games.catan.players.planner.agent import PlannerAgent
from ludens.games.catan.players.value import OFFERS, ValueAgent
from ludens.games.catan.players.weighted import WeightedAgent

__all__ = ["KINDS"]

KINDS = {
    "weighted": AgentKind("weighted", "random, but prefers building", WeightedAgent),
    "value": AgentKind(
        "value",
        "the best next position by a hand-made evaluation",
        ValueAgent,
        (Parameter("offers", "offers to other players in a turn", OFFERS, int, low=0, high=20),),
    ),
    "planner": AgentKind(
        "planner",
        "the thesis' expectimax over planned turns, on the hand-made evaluation",
        PlannerAgent,
        (
            Parameter("depth", "of the search; 1 looks at the own turn only", 1, int, low=1, high=9, cost="work"),
            Parameter("n_actions", "best actions of each kind that make turns", 3, int, low=1, high=30, cost="work"),
            Parameter("n_turns", "best turns that are searched", 9, int, low=1, high=100, cost="work"),
            Parameter("n_turns_search", "best turns inside the search", 3, int, low=1, high=100, cost="work"),
            Parameter("max_offers", "offers to other players in a turn", 3, int, low=0, high=20),
            Parameter("blend", "weight of imagined settlements in the value of a road", 0.5, float, low=0, high=1),
            Parameter("chance_window", "bounds below chance nodes", "open", str, ("open", "star1", "thesis")),
            Parameter("opponent_model", "what opponents aim at", "minimise", str, ("minimise", "own_max")),
            Parameter("workers", "processes that value turns side by side", 1, int, low=1, high=64, cost="threads"),
        ),
    ),
    "houba": Level("houba", "the planner without a search", "planner:depth=1,n_actions=3,n_turns=1,n_turns_search=1"),
    "piskot": Level("piskot", "the same with more actions", "planner:depth=1,n_actions=9,n_turns=1,n_turns_search=1"),
    "zofka": Level("zofka", "the planner to depth 3", "planner:depth=3,n_actions=3,n_turns=3,n_turns_search=2"),
    "lisak": Level("lisak", "the planner to depth 5", "planner:depth=5,n_actions=2,n_turns=2,n_turns_search=2"),
    "easy": Level("easy", "tree search, a tenth of a second a move", "mcts:seconds=0.1"),
    "medium": Level("medium", "tree search, half a second a move on two cores", "mcts:seconds=0.5,threads=2"),
    "hard": Level("hard", "tree search, two seconds a move on two cores", "mcts:seconds=2,threads=2"),
}
