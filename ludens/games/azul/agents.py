"""Azul: the names, parameters and levels of its agents (AZ-91)."""

from __future__ import annotations

from pathlib import Path

from ludens.core.agent import NEWCOMERS, TREE_SEARCHES, AgentKind, Level, Parameter, levels
from ludens.games.azul.players.heuristic import HeuristicAgent

__all__ = ["KINDS"]

# Behind roll-outs the fitted weights are stronger than the tuned ones, at the leaf itself weaker (docs/strength.md).
# Where no network is for the game's options, the search goes without.
_SEARCH = "mcts:depth=8,evaluation=fitted,network=auto"

_NETWORKS = Path(__file__).parent / "players" / "networks"
_LEARNED = {
    "dqn": "a network of action values that learned against heuristic, for two players (experiments/azul)",
    "ppo": "a network that learned by points against heuristic and its earlier selves, for two players",
}


def _learned() -> dict[str, Level]:
    """The networks of the recipes in `experiments/azul`, played at once."""
    files = {name: _NETWORKS / f"{name}.safetensors" for name in _LEARNED}
    return {name: Level(name, _LEARNED[name], f"net:network={path}") for name, path in files.items() if path.exists()}


KINDS = {
    "heuristic": AgentKind(
        "heuristic",
        "takes the largest immediate gain, then more tiles, then less on the floor",
        HeuristicAgent,
        (Parameter("ties", "which of equally good moves to take", "first", str, ("first", "random")),),
    ),
    **_learned(),
    **levels(
        ["newcomer", "newcomer:evaluation=tuned,noise=0.05,overlooks=0", f"{_SEARCH},simulations=1500"]
        + [f"{_SEARCH},simulations={n},threads=2" for n in (10000, 60000)],
        (*NEWCOMERS, *TREE_SEARCHES[1:]),
    ),
}
