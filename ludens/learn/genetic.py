"""A genetic search over a vector of parameters (CD-80): selection by fitness, crossover by exchange, random mutation.

It needs nothing but a fitness of each vector, and so no gradient. Every generation's draws come from the seed and its
number alone: a search that is taken up again goes on as it would have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core.errors import BadInput

__all__ = ["GeneticSettings", "first_population", "next_population"]

_MOST = 10**4  # vectors of a generation


@dataclass(frozen=True)
class GeneticSettings:
    """Hyper-parameters."""

    population: int = 24  # vectors of a generation
    elite: int = 2  # of which the best live on unchanged
    exchange: float = 0.5  # chance that a parameter comes from the second parent
    mutation: float = 0.15  # chance that a parameter changes
    spread: float = 0.3  # standard deviation of a change
    start: str = "default"  # around the given vector, or "random" within [-1, 2] (CD-75)

    def __post_init__(self) -> None:
        if not 2 <= self.population <= _MOST or not 0 <= self.elite < self.population:
            raise BadInput(f"A genetic search needs a population from 2 to {_MOST}, and an elite that is smaller.")
        if not 0 <= self.exchange <= 1 or not 0 <= self.mutation <= 1 or not 0 < self.spread <= 100:
            raise BadInput("exchange and mutation must lie between 0 and 1, and spread above 0 and up to 100.")
        if self.start not in ("default", "random"):
            raise BadInput(f"start must be default or random, not {self.start!r}.")


def first_population(settings: GeneticSettings, default: np.ndarray, seed: int) -> np.ndarray:
    """float64[population, parameters]; the first is the given vector itself, unless all are random."""
    rng = np.random.default_rng([seed, 0])
    shape = (settings.population, len(default))
    if settings.start == "random":
        return rng.uniform(-1.0, 2.0, shape)
    population = default + settings.spread * rng.normal(size=shape) * (rng.random(shape) < settings.mutation)
    population[0] = default
    return population


def next_population(
    settings: GeneticSettings, population: np.ndarray, fitness: np.ndarray, generation: int, seed: int
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
