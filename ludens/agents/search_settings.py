"""From the words of an agent's code to what a search takes: weights, roll-outs, the settings of a tree search."""

from __future__ import annotations

import inspect

import numpy as np

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.renamed import EVALUATIONS, refuse_old
from ludens.core.spec import Game
from ludens.core.verbs import has_prior
from ludens.core.weights import VALUE_NETWORK, own_weights
from ludens.networks.network import Network
from ludens.search.mcts_kernel import MctsSettings
from ludens.search.rollout import CUT, GUIDED, MODES, RANDOM

__all__ = [
    *("EXPLORATION", "EYES", "SEARCH_WORDS", "evaluation_weights", "mcts_settings", "network_weights", "reply_weights"),
    "rollout_mode",
]

EYES = ("actor", "searcher")
"""The words for whose view tells the nodes of a tree apart."""

EXPLORATION = {"puct": 2.0, "uct": 1.0}
"""The usual weights of exploring; for puct in standard deviations of the results."""


def evaluation_weights(game: Game, name: str = "", heuristics: bool = False) -> np.ndarray:
    """The weights of the evaluation of that name, by default the game's best; an unknown one is refused.

    `heuristics` allows those whose values are no expected results. Names that the game does not know are looked
    up in the folder of further evaluations (see `core.weights`).
    """
    known = dict(game.rules.evaluations)
    if not known:
        raise BadInput(f"{game.spec.title} has no evaluation of unfinished positions, which this agent needs.")
    if not name:
        return next(iter(known.values()))
    if heuristics:
        known |= game.rules.heuristics
    elif name in game.rules.heuristics:
        raise BadInput(f"This agent needs expected results, which {name} does not give; known: {', '.join(known)}.")
    if name in known:
        return known[name]
    own = own_weights(name, game.spec.name)
    if own is None:
        refuse_old(name, {old: new for old, new in EVALUATIONS.items() if new in known})
        raise did_you_mean(name, known, f"evaluation of {game.spec.name}")
    lengths = sorted({len(weights) for weights in known.values()} | ({game.rules.network_size} - {0}))
    if len(own) not in lengths:
        raise BadInput(
            f"Evaluation {name} has {len(own)} weights; {game.spec.name} needs {' or '.join(map(str, lengths))}."
        )
    return own


def network_weights(game: Game, name: str = "") -> np.ndarray:
    """The weights of the evaluation of that name, by default the value network, or the best in games without one."""
    return evaluation_weights(game, name or (VALUE_NETWORK if VALUE_NETWORK in game.rules.evaluations else ""))


def reply_weights(game: Game, name: str) -> np.ndarray | None:
    """The weights of the heuristic by which replies are chosen; none without a name."""
    if not name:
        return None
    known = game.rules.heuristics
    if not known:
        raise BadInput(f"{game.spec.title} has no heuristic by which replies could be chosen.")
    if name not in known:
        raise did_you_mean(name, known, f"heuristic of {game.spec.name}")
    return known[name]


def rollout_mode(game: Game, word: str) -> int:
    """The mode of roll-outs for a word; `auto` is the best that the game's advice allows."""
    if word == "auto":
        return CUT if game.rules.evaluations else GUIDED if has_prior(game.rules) else RANDOM
    return MODES.index(word)


def mcts_settings(
    game: Game,
    formula: str = "puct",
    exploration: float | None = None,
    first_play_urgency: float = 0.0,
    rollout: str = "auto",
    depth: int = 0,
    eyes: str = "actor",
    evaluation: str = "",
    opponent_determinisation: float = 0.0,
    value_weight: float | None = None,
    prior_temperature: float | None = None,
    network: Network | None = None,
) -> tuple[MctsSettings, np.ndarray]:
    """How to search this game, from the words of an agent's code, and the weights of its evaluation.

    What the words leave open is as the network's file has it, if there is one.
    """
    known = {"value_weight": 1.0, "prior_temperature": 1.0, **({} if network is None else network.search)}
    mode = rollout_mode(game, rollout)
    weights = evaluation_weights(game, evaluation) if mode == CUT or evaluation else np.zeros(1)
    settings = MctsSettings(
        puct=int(formula == "puct"),
        exploration=float(EXPLORATION[formula] if exploration is None else exploration),
        first_play_urgency=float(first_play_urgency),
        mode=mode,
        depth=depth,
        eyes=EYES.index(eyes),
        hidden=int(game.spec.hidden),
        opponent_determinisation=float(opponent_determinisation),
        value_weight=float(known["value_weight"] if value_weight is None else value_weight),
        prior_temperature=float(known["prior_temperature"] if prior_temperature is None else prior_temperature),
    )
    return settings, weights


SEARCH_WORDS = set(inspect.signature(mcts_settings).parameters) - {"game", "network"}
"""Those parameters of an agent that say how its tree is searched."""
