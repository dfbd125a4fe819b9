"""The kinds of search agents with their parameters, and which of them a game's metadata allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ludens.agents.manners import MANNERS
from ludens.agents.search_agents import (
    SECONDS,
    AlphaBetaAgent,
    ExpectimaxAgent,
    FlatAgent,
    MctsAgent,
    MonteCarloAgent,
)
from ludens.agents.search_settings import EXPLORATION, EYES
from ludens.core.agent import AgentKind, Parameter
from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.networks.network import SEARCH
from ludens.search.endgame import END, HORIZONS
from ludens.search.expectimax import DRAWS, can_prune
from ludens.search.rollout import MODES

__all__ = ["ALPHABETA", "EXPECTIMAX", "FLAT", "MCTS", "MONTECARLO", "check_sides", "search_kinds"]

_SWITCH = ("off", "on")

_SIMULATIONS = Parameter("simulations", "simulations a move; without, the time decides", None, int, low=1, high=10**9)
_DEEPENING = replace(SECONDS, help="seconds a move for going deeper; without, the depth decides")
_EVALUATION = Parameter("evaluation", "the evaluation of unfinished positions; by default the game's best", "")
_REPLIES = Parameter("replies", "the heuristic by which later turns are chosen; without, the evaluation", "")
_ROLLOUT = Parameter(
    "rollout",
    "to the end by uniform or guided choices, or cut and evaluated; auto is the best that the game has advice for",
    "auto",
    str,
    ("auto", *MODES),
)
_CUT_DEPTH = Parameter("depth", "guided decisions before a cut roll-out is evaluated", 0, int, low=0, high=10000)
_SPAN = Parameter("span", "decisions of the same seat that are compared as one turn", 1, int, low=1, high=4)
_WORLDS = Parameter("worlds", "guesses of what is hidden; open games need one", 8, int, low=1, high=10000, cost="work")

FLAT = AgentKind(
    "flat",
    "flat Monte Carlo: every move is played out equally often, the best mean is chosen",
    FlatAgent,
    (
        _SIMULATIONS,
        SECONDS,
        replace(_ROLLOUT, default="random"),
        _CUT_DEPTH,
        _SPAN,
        _EVALUATION,
    ),
)
MONTECARLO = AgentKind(
    "montecarlo",
    "Monte Carlo prediction: discounted evaluations along games played by the one-step choice",
    MonteCarloAgent,
    (
        _SIMULATIONS,
        SECONDS,
        Parameter("gamma", "discount of later rewards", 0.9, float, low=0.01, high=1),
        Parameter("limit", "rewards discounted below this are not simulated", 0.05, float, low=0.0001, high=0.99),
        Parameter("rewards", "count rewards after all turns or after own ones", "all", str, ("all", "own")),
        _SPAN,
        _EVALUATION,
        _REPLIES,
    ),
)
EXPECTIMAX = AgentKind(
    "expectimax",
    "expectiminimax over explicit chance to a depth in decisions or turns",
    ExpectimaxAgent,
    (
        Parameter("depth", "how far to look, in the unit given", 2, int, low=1, high=64, cost="work"),
        _DEEPENING,
        Parameter("unit", "what depth counts", "decisions", str, ("decisions", "turns")),
        Parameter("opponents", "maximise their own result or minimise the searcher's", "own", str, ("own", "paranoid")),
        Parameter(
            "draws",
            "draws in a row to look through; before more, the evaluation decides",
            DRAWS,
            int,
            low=1,
            high=90,
            cost="work",
        ),
        Parameter("pruning", "alpha-beta and Star1; auto where they are sound", "auto", str, ("auto", *_SWITCH)),
        _WORLDS,
        _EVALUATION,
        _REPLIES,
    ),
)
ALPHABETA = AgentKind(
    "alphabeta",
    "alpha-beta for two sides with a table of positions, up to the next draw",
    AlphaBetaAgent,
    (
        Parameter("depth", "decisions to look ahead", 4, int, low=1, high=200, cost="work"),
        _DEEPENING,
        _WORLDS,
        Parameter("memory", "MiB of the table of positions", 32.0, float, low=1, high=65536, cost="memory"),
        _EVALUATION,
    ),
)
MCTS = AgentKind(
    "mcts",
    "Monte Carlo tree search, over information sets where the game hides something",
    MctsAgent,
    (
        _SIMULATIONS,
        SECONDS,
        Parameter(
            "threads", "trees grown side by side and merged at the root", 1, int, low=1, high=256, cost="threads"
        ),
        Parameter("formula", "how a tree chooses: guided by priors, or every move first", "puct", str, ("puct", "uct")),
        Parameter(
            "exploration",
            f"weight of exploring; puct {EXPLORATION['puct']}, in deviations of the results; uct {EXPLORATION['uct']}",
            None,
            float,
            low=0,
            high=1000,
        ),
        Parameter(
            "first_play_urgency",
            "puct: how much worse than tried moves an untried one is thought",
            0.0,
            float,
            low=0,
            high=2,
        ),
        _ROLLOUT,
        _CUT_DEPTH,
        _EVALUATION,
        Parameter("eyes", "whose view tells nodes apart: the acting seat's or the searcher's", "actor", str, EYES),
        Parameter(
            "opponent_determinisation",
            "part of the simulations that start from what an opponent may believe, where that is less",
            0.0,
            float,
            low=0,
            high=0.99,
        ),
        Parameter("memory", "MiB a tree may use", 64.0, float, low=1, high=65536, cost="memory"),
        Parameter("reuse", "go on with the tree of the last move", "on", str, _SWITCH),
        Parameter("solve", "solve the rest, or all before the next draw, once it is short", END, str, HORIZONS),
        Parameter(
            "network",
            "file of a network that gives leaves their values and moves their priors; shipped: that of the package; "
            "auto: that if there is one for the game's options, else roll-outs",
            "",
        ),
        Parameter(
            "value_weight",
            "the network's part of results; below 1 new positions are rolled out, and those met again shown to it; "
            "without, what its file says, or 1",
            None,
            float,
            low=SEARCH["value_weight"][0],
            high=SEARCH["value_weight"][1],
        ),
        Parameter(
            "prior_temperature",
            "by how much the logits of the network's priors are divided: above 1 unlikely moves are tried more; "
            "without, what its file says, or 1",
            None,
            float,
            low=SEARCH["prior_temperature"][0],
            high=SEARCH["prior_temperature"][1],
        ),
        MANNERS,
    ),
)


def search_kinds(game: Game) -> dict[str, AgentKind]:
    """The kinds that can play the game, from weak to strong.

    Those that evaluate unfinished positions need a game with an evaluation; alpha-beta also two sides.
    """
    found = [FLAT]
    if game.rules.evaluations:
        found += [MONTECARLO, EXPECTIMAX]
        if any(len(set(game.spec.sides(players))) == 2 for players in game.spec.players):
            found.append(ALPHABETA)
    return {kind.name: kind for kind in [*found, MCTS]}


def check_sides(game: Game, options: np.ndarray, kind: AgentKind, values: Mapping[str, Any]) -> None:
    """Refuses a search for two sides where these options have more: it would fail at its first move."""
    players = int(options[0])
    prunes = kind.make is AlphaBetaAgent or values.get("pruning") == "on"
    if prunes and not can_prune(game, players, values.get("opponents") == "paranoid"):
        raise BadInput(f"Agent {kind.name} needs two opposed sides; {game.spec.title} for {players} players has more.")
