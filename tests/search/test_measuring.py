"""Moves are measured one by one, in the same worlds; what is not known is said to be open."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.agents.analysis import analyse_view, strongest_search
from ludens.agents.search_settings import mcts_settings
from ludens.core import kernels
from ludens.core.spec import Game
from ludens.search.budget import Budget
from ludens.search.candidates import analyse
from ludens.search.mcts import TreeSearch
from ludens.search.mcts_kernel import MctsSettings
from ludens.search.measuring import PRECISION, known_well, measure
from tests.search.positions import AZUL, DISCOVERY, PIG, legal_of, middle_of, pig, pig_values

UNLIMITED = Budget(1)


class Noisy:
    """Moves of known worth; what a world adds is the same for all of them, what a batch adds to a move is not."""

    batches, least = 10, 0

    def __init__(self, worths: list[float], noise: float, seed: int = 0) -> None:
        self.worths, self.noise, self.made = worths, noise, dict.fromkeys(range(len(worths)), 0)
        self.rng, self.seen = np.random.default_rng(seed), dict[int, np.ndarray]()

    def look(self, k: int, worlds: int, clock: Budget) -> bool:
        own = self.rng.normal(self.worths[k], self.noise, (self.batches, worlds)).sum(axis=1)
        self.seen[k] = self.seen.get(k, np.zeros(self.batches)) + own
        self.made[k] += worlds
        return True

    def means(self, k: int) -> np.ndarray:
        return self.seen[k] / self.made[k]

    def visits(self, k: int) -> int:
        return self.batches * self.made[k]

    def results(self, k: int) -> np.ndarray:
        return np.zeros(2)

    def continuation(self, k: int, position: np.ndarray, seat: int, legal: np.ndarray) -> int:
        return -1


def test_the_best_of_a_field_is_found_and_distances_are_as_precise_as_is_said() -> None:
    worths, right, held = [0.3, 0.22, 0.0, -0.1, -0.4], 0, []
    for seed in range(60):
        found = measure(Noisy(worths, 0.5, seed), range(5), (), 3, 40_000, UNLIMITED)
        right += found.places[0] == 0
        held += [abs(worths[0] - worths[k] - found.behind[k]) <= found.precisions[k] for k in found.places[1:]]
    assert right >= 57
    assert np.mean(held) > 0.85


def test_work_is_never_exceeded_and_less_is_done_when_all_is_known() -> None:
    for work in (50, 100, 999, 5000):
        bench = Noisy([0.3, 0.25, 0.2, 0.1, 0.0], 1.0)
        found = measure(bench, range(5), (3,), 2, work, UNLIMITED)
        assert found.simulations == sum(map(bench.visits, range(5))) <= work
        assert not found.cut and 3 in found.places
    assert measure(Noisy([0.5, -0.5], 0.01), range(2), (), 2, 10**6, UNLIMITED).simulations < 10**6


def test_a_move_that_was_asked_for_is_looked_at_as_long_as_its_distance_is_open() -> None:
    bench = Noisy([0.3, 0.2, 0.1, 0.0, -0.3, -0.32], 0.5)
    found = measure(bench, range(6), (5,), 2, 60_000, UNLIMITED)
    assert known_well(found.behind[5], found.precisions[5])
    assert found.places[-1] == 5 and found.behind[5] == pytest.approx(0.62, abs=0.2)


def test_nothing_is_known_of_a_coin() -> None:
    found = measure(Noisy([0.0, 0.05], 1.0), range(2), (), 2, 100, UNLIMITED)
    assert found.precisions[found.places[1]] > PRECISION
    assert not known_well(found.behind[found.places[1]], found.precisions[found.places[1]])


@pytest.mark.parametrize("game", [AZUL, DISCOVERY], ids=lambda game: game.spec.name)
def test_what_a_move_is_worth_does_not_depend_on_the_others_or_on_their_order(game: Game) -> None:
    state = middle_of(game, 30)
    seat, legal = int(kernels.actor_at(state, 0)), legal_of(game, state)
    search = strongest_search(game, state, 1, 8)
    orders: list[list[int]] = [[0, 1, 2], [2, 0, 1], [1]]
    seen: dict[int, list[tuple[float, ...]]] = {}
    for order in orders:
        bench = search.bench(state, seat, legal, 3, 5)
        for worlds in (3, 20):
            for k in order:
                assert bench.look(k, worlds, UNLIMITED)
        for k in order:
            seen.setdefault(k, []).append((*bench.means(k).tolist(), bench.visits(k), *bench.results(k).tolist()))
    for told in seen.values():
        assert len(set(told)) == 1


def test_more_threads_measure_the_same() -> None:
    state = middle_of(AZUL, 20)
    seat, legal = int(kernels.actor_at(state, 0)), legal_of(AZUL, state)
    told = []
    for threads in (1, 2):
        bench = strongest_search(AZUL, state, threads, 8).bench(state, seat, legal, 2, 3)
        assert bench.look(1, 30, UNLIMITED)
        told.append((bench.means(1).tolist(), bench.visits(1)))
    assert told[0][1] == told[1][1] and told[0][0] == pytest.approx(told[1][0], abs=0.1)


@pytest.mark.parametrize("puct", [0, 1])
def test_a_single_move_is_worth_what_the_rules_say(puct: int) -> None:
    mine, other, pot = 5, 5, 4
    state = pig(mine, other, pot)
    plain = TreeSearch(PIG, 2, _settings(puct), np.zeros(0), 1, 8)
    bench = plain.bench(state, 0, legal_of(PIG, state), 2, 1)
    for k, exact in enumerate(pig_values()[mine, other, pot]):
        assert bench.look(k, 2000, UNLIMITED)
        assert bench.visits(k) == 2000 * bench.batches
        assert float(bench.means(k).mean()) == pytest.approx(exact, abs=0.15)


def _settings(puct: int) -> MctsSettings:
    settings, _ = mcts_settings(PIG)
    return settings._replace(puct=puct)


def test_the_move_that_was_played_gets_visits_of_its_own_and_moves_stand_by_value() -> None:
    state = middle_of(AZUL, 12)
    seat, legal = int(kernels.actor_at(state, 0)), legal_of(AZUL, state)
    search = strongest_search(AZUL, state, 1, 16)
    worst = int(legal[-1])  # on the floor
    found = analyse(AZUL, state, seat, search, Budget(6000), 1, 3, (worst,))
    played = next(move for move in found.candidates if move.action == worst)
    assert played.visits >= 100 and played.behind == pytest.approx(found.result - played.result)
    results = [move.result for move in found.candidates]
    assert results == sorted(results, reverse=True) and found.results[seat] == found.result
    assert all(move.visits >= 100 for move in found.candidates)
    assert found.simulations <= 6000 and not found.cut


def test_little_work_leaves_it_open() -> None:
    state = middle_of(AZUL, 12)
    found = analyse_view(AZUL, state, int(kernels.actor_at(state, 0)), simulations=60)
    assert not any(move.known for move in found.candidates)
    assert all(move.visits > 0 for move in found.candidates)
