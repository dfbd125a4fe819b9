"""A genetic search over a vector of parameters (CD-80): selection by fitness, crossover by exchange, random mutation.

It needs nothing but a fitness of each vector, and so no gradient. Every generation's draws come from the seed and its
number alone: a search that is taken up again goes on as it would have. A step of the learner is a generation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.learn.learner import Setup, kept_array

__all__ = ["GeneticLearner", "GeneticTraining", "first_population", "next_population"]

_MOST = 10**4  # vectors of a generation
_SEEDS = 1 << 32  # of games apart from those of other trainings


@dataclass(frozen=True)
class GeneticTraining:
    """Hyper-parameters of the search, and of its games."""

    population: int = 24  # vectors of a generation
    elite: int = 2  # of which the best live on unchanged
    exchange: float = 0.5  # chance that a parameter comes from the second parent
    mutation: float = 0.15  # chance that a parameter changes
    spread: float = 0.3  # standard deviation of a change
    start: str = "default"  # around the given vector, or "random" within [-1, 2] (CD-75)
    games: int = 12  # of every vector in a generation, against all opponents and on all seats in turn

    def __post_init__(self) -> None:
        if not 2 <= self.population <= _MOST or not 0 <= self.elite < self.population:
            raise BadInput(f"A genetic search needs a population from 2 to {_MOST}, and an elite that is smaller.")
        if not 0 <= self.exchange <= 1 or not 0 <= self.mutation <= 1 or not 0 < self.spread <= 100:
            raise BadInput("exchange and mutation must lie between 0 and 1, and spread above 0 and up to 100.")
        if self.start not in ("default", "random"):
            raise BadInput(f"start must be default or random, not {self.start!r}.")
        if not 1 <= self.games <= 10**6:
            raise BadInput(f"games must be from 1 to {10**6}, not {self.games}.")


def first_population(settings: GeneticTraining, default: np.ndarray, seed: int) -> np.ndarray:
    """float64[population, parameters]; the first is the given vector itself, unless all are random."""
    rng = np.random.default_rng([seed, 0])
    shape = (settings.population, len(default))
    if settings.start == "random":
        return rng.uniform(-1.0, 2.0, shape)
    population = default + settings.spread * rng.normal(size=shape) * (rng.random(shape) < settings.mutation)
    population[0] = default
    return population


def next_population(
    settings: GeneticTraining, population: np.ndarray, fitness: np.ndarray, generation: int, seed: int
) -> np.ndarray:
    """The elite, and children of pairs drawn in proportion to their rank by fitness."""
    rng = np.random.default_rng([seed, 1 + generation])
    order = np.argsort(-fitness, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(len(order), 0, -1)
    shares = ranks / ranks.sum()
    children = [population[k].copy() for k in order[: settings.elite]]
    while len(children) < len(population):
        first, second = (population[k] for k in rng.choice(len(population), 2, replace=False, p=shares))
        child = np.where(rng.random(first.shape) < settings.exchange, second, first)
        child += settings.spread * rng.normal(size=first.shape) * (rng.random(first.shape) < settings.mutation)
        children.append(child)
    return np.array(children)


class GeneticLearner:
    """A population of coefficients; a step is a generation, whose vectors all meet the same luck."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._task = setup.game.learning()["potential"](setup.game, setup.options)
        self._rules: GeneticTraining = setup.settings
        self._population = np.zeros((0, 0))
        self._best = self._task.default.copy()

    def start(self) -> None:
        self._population = first_population(self._rules, self._task.default, self._setup.seed)

    def step(self, index: int) -> Mapping[str, float]:
        setup = self._setup
        seed = (setup.seed * _SEEDS + index * setup.settings.games) % (1 << 53)
        common = (setup.game.spec.name, setup.options, setup.opponents, setup.settings.games, seed)
        leads = np.array(setup.executor.map(_leads, [(one, *common) for one in self._population]))
        fitness = leads.mean(axis=1)
        self._best = self._population[int(fitness.argmax())].copy()
        self._population = next_population(self._rules, self._population, fitness, index, setup.seed)
        return {"best_lead": float(fitness.max()), "mean_lead": float(fitness.mean()), "spread": float(fitness.std())}

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"population": self._population, "best": self._best}, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        one = self._task.default.shape
        self._population = kept_array(arrays, "population", (self._rules.population, *one))
        self._best = kept_array(arrays, "best", one)

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        sets = {f"bred/{seat}": self._best for seat in range(self._task.players)}
        code: str = self._task.write(path.with_suffix(".json"), sets, {"training": training})
        return code


def _leads(
    coefficients: np.ndarray, game: str, options: np.ndarray, opponents: tuple[str, ...], games: int, seed: int
) -> np.ndarray:
    """What a vector of coefficients is worth, game by game, in whatever process."""
    found = registry.game(game)
    leads: np.ndarray = found.learning()["potential"](found, options).leads(coefficients, opponents, games, seed)
    return leads
