"""The algorithms of `ludens train` by name, and which of them a game allows."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ludens.core import renamed
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.extras import require
from ludens.core.spec import Game
from ludens.learn.genetic import GeneticLearner, GeneticTraining
from ludens.learn.gradient import GradientLearner, GradientTraining
from ludens.learn.learner import DESCRIPTION, Algorithm
from ludens.learn.linear import RULES, LinearTraining, SelfPlayLearner
from ludens.learn.tabular import TabularLearner, TabularTraining

__all__ = ["ALGORITHMS", "algorithm_for", "algorithms_of"]

_LINEAR_HELP = {
    "monte-carlo": "linear values from the returns of whole games",
    "sarsa": "linear values from the value of the next position",
    "td-lambda": "linear values with traces, TD(λ)",
    "true-online": "linear values with exact traces, True Online TD(λ): the thesis' choice",
}


def _module(name: str) -> Any:
    """The file of an algorithm that needs torch."""
    require("learn", name)
    return import_module(f"ludens.learn.{name}")


def _by_torch(module: str, learner: str, settings: str = "Settings") -> dict[str, Any]:
    """Settings, learner and former names of settings of an algorithm, from its file when they are asked for."""
    return {
        "settings": lambda: getattr(_module(module), settings)(),
        "make": lambda setup: getattr(_module(module), learner)(setup),
        "renamed": lambda: getattr(_module(module), "RENAMED", {}),
    }


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        *(
            Algorithm(
                rule,
                _LINEAR_HELP[rule],
                LinearTraining,
                SelfPlayLearner,
                needs="linear",
                steps=5200,
                shown="turns",
                fixed={"rule": rule},
                parallel=True,
            )
            for rule in RULES
        ),
        Algorithm(
            "q-learning",
            "a table of action values, for the detectives against Mr. X of the thesis",
            TabularTraining,
            TabularLearner,
            needs="tabular",
            unit="hundreds of games",
            steps=1000,
            shown="won",
            place=1,
            opponents=("v4",),
        ),
        Algorithm(
            "gradient",
            "coefficients of the potential formula by gradient descent after every game: the thesis' learner",
            GradientTraining,
            GradientLearner,
            needs="potential",
            steps=256,
            shown="lead",
            opponents=("H-Gr", "H-Pot"),
        ),
        Algorithm(
            "genetic",
            "the same coefficients by a genetic search",
            GeneticTraining,
            GeneticLearner,
            needs="potential",
            unit="generations",
            steps=40,
            shown="best_lead",
            opponents=("H-Gr", "H-Pot"),
            parallel=True,
        ),
        Algorithm(
            "ppo",
            "a network by proximal policy optimisation, against agents, itself and earlier selves",
            **_by_torch("ppo", "PPO"),
            unit="steps",
            steps=300,
            shown="won",
        ),
        Algorithm(
            "dqn",
            "a network of action values by double Q-learning from a replay memory",
            **_by_torch("dqn", "DQN"),
            unit="steps",
            steps=300,
            shown="won",
        ),
        Algorithm(
            "cloning",
            "a network that plays as the agents of a folder of data did: behaviour cloning",
            **_by_torch("cloning", "CLONING"),
            unit="steps",
            steps=200,
            shown="agreed",
        ),
        Algorithm(
            "td-value",
            "a value network by TD(λ) over games that it plays by one-ply values",
            **_by_torch("td_value", "TdValueLearner", "TdValueSettings"),
            needs=DESCRIPTION,
            unit="rounds",
            steps=100,
            shown="loss",
            parallel=True,
        ),
    )
}


def algorithms_of(game: Game) -> dict[str, Algorithm]:
    """The algorithms that can learn the game."""
    tasks = set(game.learning())
    if game.rules.described:
        tasks.add(DESCRIPTION)
    return {name: one for name, one in ALGORITHMS.items() if not one.needs or one.needs in tasks}


def algorithm_for(game: Game, name: str) -> Algorithm:
    """The algorithm of that name; one that is unknown, or not for this game, lists the nearest."""
    found = algorithms_of(game)
    if name == "selfplay":
        raise BadInput('selfplay is called ppo now, with the setting against = ["self"].')
    if name not in found:
        renamed.refuse_old(name, {old: new for old, new in renamed.ALGORITHMS.items() if new in found})
        raise did_you_mean(name, found, f"algorithm for {game.spec.name}")
    return found[name]
