"""The Discovery: its agents: one-step players with a heuristic (CD-30 … CD-52), the thesis' names, levels of search."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import NEWCOMERS, ROLL_OUTS, AgentKind, Level, Parameter, levels
from ludens.games.discovery.players.coefficients import ANY
from ludens.games.discovery.players.learning import LearningAgent
from ludens.games.discovery.players.one_step import make_greedy, make_potential, make_random_turn
from ludens.games.discovery.players.settings import COMPONENTS, CONSTANTS, ROLES, WEIGHTINGS, constant_names
from ludens.games.discovery.rules.tiles import TERRAINS

__all__ = ["KINDS"]


def _constant_parameters() -> tuple[Parameter, ...]:
    found = []
    for name, (i, j, t) in constant_names().items():
        role, component = list(ROLES.values())[j], list(COMPONENTS.values())[i]
        help_text = f"{role} of {component}, {TERRAINS[t]} (CD-50)"
        found.append(Parameter(name, help_text, float(CONSTANTS[i, j, t]), _finite, low=-1000, high=1000))
    return tuple(found)


def _finite(text: str) -> float:
    number = float(text)
    if not np.isfinite(number):
        raise ValueError(text)
    return number


_TIES = Parameter("ties", "which of equally good moves to take (CD-31)", "first", str, ("first", "random"))
_TERMINAL = Parameter(
    "terminal_aware", "value followers by the final scoring once the deck is empty (CD-35)", "off", str, ("off", "on")
)

_ALIASES = (
    Level("H-Rnd", "the thesis' random player: uniform among whole turns (CD-32)", "random-turn", alias=True),
    Level("H-Gr", "the thesis' greedy player: one turn, rank and lead as they are now (CD-33)", "greedy", alias=True),
    Level("H-Pot", "the thesis' potential player: one turn, what regions may earn (CD-37)", "potential", alias=True),
    Level("PL", "the thesis' learning player, with what it has learned (CD-68)", "learning:load=thesis", alias=True),
    Level(
        "bred",
        "the potential player with coefficients that a genetic search bred (CD-80)",
        "learning:load=bred",
        alias=True,
    ),
    Level(
        "MC",
        "the thesis' Monte Carlo prediction: 1000 simulations under the greedy policy (CD-65, CD-117)",
        "montecarlo:simulations=1000,gamma=0.8,limit=0.05,span=2,evaluation=greedy",
        alias=True,
    ),
    Level(
        "Ex-2",
        "the thesis' expectiminimax: two whole turns ahead, greedy values, no pruning (CD-58, CD-61)",
        "expectimax:depth=2,unit=turns,pruning=off,evaluation=greedy",
        alias=True,
    ),
)

KINDS = {
    "random-turn": AgentKind(
        "random-turn", "picks uniformly among whole turns, tile and follower together", make_random_turn
    ),
    "greedy": AgentKind(
        "greedy", "best rank, then largest lead, counting what followers are worth now", make_greedy, (_TIES, _TERMINAL)
    ),
    "potential": AgentKind(
        "potential",
        "best rank by what regions may still earn, with a simulation of who will occupy them",
        make_potential,
        (
            _TIES,
            _TERMINAL,
            Parameter(
                "weighting",
                "chance by which regions to be had are weighted: a fitting tile, the geometric mean, none (CD-40)",
                "fit",
                str,
                WEIGHTINGS,
            ),
            Parameter("cities", "city chance h over the tile set or the deck (CD-51)", "set", str, ("set", "deck")),
            *_constant_parameters(),
        ),
    ),
    "learning": AgentKind(
        "learning",
        "the potential player with coefficients learned by gradient descent after every game (CD-67 … CD-77)",
        LearningAgent,
        (
            Parameter("load", "a packaged name or a file of coefficients; {seat} stands for the seat", "", str),
            Parameter("save", "where to keep what is learned: with it the player goes on learning", "", str),
            Parameter("against", "the opponent whose set of coefficients is used and learned (CD-76)", ANY, str),
            Parameter("rate", "learning rate (CD-74)", 0.005, _finite, low=0, high=1),
            Parameter("iterations", "steps of descent after a game, at most (CD-73)", 50, int, low=1, high=100000),
            Parameter("least", "length of the gradient at which it stops (CD-67)", 0.001, _finite, low=0),
            Parameter("clip", "length to which a longer gradient is cut (CD-73)", 10.0, _finite, low=0),
            Parameter("normalising", "A and B by terrain or shared (CD-69)", "terrain", str, ("terrain", "shared")),
            Parameter("start", "coefficients without a file (CD-75)", "default", str, ("default", "random")),
        ),
    ),
    # The players of the thesis under their own names (CD-116, CD-117), and one that was bred.
    **{level.name: level for level in _ALIASES},
    **levels(
        ["newcomer:manners=on", "newcomer:manners=on,noise=0.2,overlooks=0.07"]
        + [f"sequential-halving:manners=on,simulations={n}" for n in (40,)]
        + [f"sequential-halving:manners=on,simulations={n},threads=2" for n in (300, 2400)],
        (*NEWCOMERS, *ROLL_OUTS),
    ),
}
