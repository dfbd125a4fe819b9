"""The algorithms of `ludens train` by name, and which of them a game allows."""

from __future__ import annotations

from ludens.core import renamed
from ludens.core.errors import did_you_mean
from ludens.core.spec import Game
from ludens.learn.deep import deep_learner, deep_settings
from ludens.learn.learner import DESCRIPTION, Algorithm
from ludens.learn.linear import RULES
from ludens.learn.linear_training import LinearTraining, SelfPlayLearner
from ludens.learn.potential import GeneticLearner, GeneticTraining, GradientLearner, GradientTraining
from ludens.learn.selfplay_training import SelfPlayNetwork, self_play_settings
from ludens.learn.tabular_training import TabularLearner, TabularTraining
from ludens.learn.td_value_training import TdValueLearner, td_value_settings

__all__ = ["ALGORITHMS", "algorithm_for", "algorithms_of"]

_LINEAR_HELP = {
    "monte-carlo": "linear values from the returns of whole games",
    "sarsa": "linear values from the value of the next position",
    "td-lambda": "linear values with traces, TD(λ)",
    "true-online": "linear values with exact traces, True Online TD(λ): the thesis' choice",
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
        ),
        Algorithm(
            "ppo",
            "a network by proximal policy optimisation, against agents, itself and earlier selves",
            deep_settings("ppo"),
            deep_learner("ppo"),
            unit="steps",
            steps=300,
            shown="won",
        ),
        Algorithm(
            "dqn",
            "a network of action values by double Q-learning from a memory of decisions",
            deep_settings("dqn"),
            deep_learner("dqn"),
            unit="steps",
            steps=300,
            shown="won",
        ),
        Algorithm(
            "td-value",
            "a value network by TD(λ) over games that it plays by one-ply values",
            td_value_settings,
            TdValueLearner,
            needs=DESCRIPTION,
            unit="rounds",
            steps=100,
            shown="loss",
        ),
        Algorithm(
            "selfplay",
            "a network against itself and its earlier selves, by the result of the game alone; made for a GPU",
            self_play_settings,
            SelfPlayNetwork,
            unit="iterations",
            steps=500,
            shown="value_loss",
        ),
    )
}


def algorithms_of(game: Game) -> dict[str, Algorithm]:
    """The algorithms that can learn the game."""
    tasks = set(game.learning() if game.learning is not None else ())
    if game.rules.described:
        tasks.add(DESCRIPTION)
    return {name: one for name, one in ALGORITHMS.items() if not one.needs or one.needs in tasks}


def algorithm_for(game: Game, name: str) -> Algorithm:
    """The algorithm of that name; one that is unknown, or not for this game, lists the nearest."""
    found = algorithms_of(game)
    if name not in found:
        renamed.refuse_old(name, {old: new for old, new in renamed.ALGORITHMS.items() if new in found})
        raise did_you_mean(name, found, f"algorithm for {game.spec.name}")
    return found[name]
