"""Catan: the names, parameters and levels of its agents."""

from __future__ import annotations

from ludens.core.agent import NEWCOMERS, TREE_SEARCHES, AgentKind, Level, Parameter, levels
from ludens.games.catan.players.linear.agent import BEST_WEIGHTS, LinearAgent
from ludens.games.catan.players.linear.files import named_agents
from ludens.games.catan.players.planner.agent import PlannerAgent
from ludens.games.catan.players.value import OFFERS, ValueAgent
from ludens.games.catan.players.weighted import WeightedAgent

__all__ = ["KINDS"]

_SEARCH = "mcts:evaluation=value-network,manners=on"
_SEARCHED = ("depth", "n_actions", "n_turns", "n_turns_search")


def _named() -> dict[str, Level]:
    """The eleven agents of the thesis (CA-61), as their files say; those who learned play with what they know."""
    found = {}
    for name, about in named_agents().items():
        if about["kind"] == "fixed":
            settings = ",".join(f"{key}={about['config'][key]}" for key in _SEARCHED)
            code = f"planner:{settings},weights={about['weights']}"
        elif about["kind"] == "random":
            code = f"linear:weights={about['weights']},epsilon=1"
        else:
            code = f"linear:weights={about['weights']},n_actions={about['config']['n_actions']}"
        found[name] = Level(name, f"the thesis' {about['title']}: {about['help']}", code)
    return found


KINDS = {
    "weighted": AgentKind("weighted", "random, but prefers building", WeightedAgent),
    "value": AgentKind(
        "value",
        "the best next position by a hand-made evaluation",
        ValueAgent,
        (Parameter("offers", "offers to other players in a turn", OFFERS, int, low=0, high=20),),
    ),
    "linear": AgentKind(
        "linear",
        "the best turn without a search by learned linear values over the thesis' 1,653 features",
        LinearAgent,
        (
            Parameter("weights", "a name, or a file of `ludens train`; `none` values nothing", BEST_WEIGHTS, str),
            Parameter("n_actions", "best actions of each kind that make turns", 3, int, low=1, high=30, cost="work"),
            Parameter("max_offers", "offers to other players in a turn", 3, int, low=0, high=20),
            Parameter("epsilon", "chance of a random turn", 0.0, float, low=0, high=1),
        ),
    ),
    "planner": AgentKind(
        "planner",
        "the thesis' expectimax over planned turns, on the hand-made evaluation or on learned `weights=`",
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
            Parameter("weights", "linear values: a name or a file of `ludens train`; without: hand-made ones", "", str),
            Parameter("epsilon", "chance of a random turn", 0.0, float, low=0, high=1),
            Parameter("workers", "processes that value turns side by side", 1, int, low=1, high=64, cost="threads"),
        ),
    ),
    **_named(),
    **levels(
        ["newcomer:manners=on", "value:offers=1", f"{_SEARCH},simulations=1000"]
        + [f"{_SEARCH},simulations={n},threads=2" for n in (6000, 40000)],
        (NEWCOMERS[0], "the best next position, without a search", *TREE_SEARCHES[1:]),
    ),
}
