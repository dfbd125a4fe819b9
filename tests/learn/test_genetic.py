"""The genetic search: it climbs, and every generation follows from the seed."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.learn.genetic import GeneticTraining, first_population, next_population


def fitness(population: np.ndarray) -> np.ndarray:
    return -((population - 1.5) ** 2).sum(axis=1)


def test_the_population_climbs_and_the_elite_is_never_lost() -> None:
    settings = GeneticTraining(population=30)
    population = first_population(settings, np.zeros(6), 1)
    start, best = fitness(population).max(), -np.inf
    for generation in range(60):
        values = fitness(population)
        assert values.max() >= best
        best = values.max()
        population = next_population(settings, population, values, generation, 1)
    assert best > start / 20


def test_the_first_vector_is_the_given_one_unless_all_are_random() -> None:
    default = np.arange(5.0)
    assert (first_population(GeneticTraining(), default, 0)[0] == default).all()
    drawn = first_population(GeneticTraining(start="random"), default, 0)
    assert drawn.min() >= -1
    assert drawn.max() <= 2


def test_a_generation_follows_from_seed_and_number() -> None:
    settings, population = GeneticTraining(), first_population(GeneticTraining(), np.zeros(4), 2)
    one, other = (next_population(settings, population, fitness(population), 3, 2) for _ in range(2))
    assert (one == other).all()
    assert (next_population(settings, population, fitness(population), 4, 2) != one).any()


@pytest.mark.parametrize("wrong", [{"population": 1}, {"elite": 24}, {"mutation": 2.0}, {"start": "zero"}])
def test_settings_out_of_bounds_are_refused(wrong: dict) -> None:
    with pytest.raises(BadInput):
        GeneticTraining(**wrong)
