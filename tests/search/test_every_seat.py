"""Roll-outs of moves are judged by the results of the seat that moves, for every seat."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.weights import VALUE_NETWORK
from ludens.search.budget import Budget
from ludens.search.sequential_halving import Arms, SequentialHalving, make_tally
from tests.search.positions import DISCOVERY, legal_of, middle_of, view_of


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_values_are_the_seats_own_results_in_many_worlds(seat: int) -> None:
    results = np.array([[0.6, -0.5, -0.1], [0.4, -0.8, 0.4]])
    tally, ahead, worlds = make_tally(2, 3), results[:, seat] - results[:, seat].mean(), 2000
    tally.worlds[:], tally.results[:], tally.ahead[:] = worlds, worlds * results, worlds * ahead
    tally.squares[:] = worlds * (ahead**2 + 0.01)
    arms = Arms(np.zeros(2), 2, 2)
    arms.narrow([tally], 0)
    found = arms.findings(np.array([3, 8]), seat, [tally])
    assert found.values == pytest.approx(results[:, seat], abs=0.04)
    assert found.best() == (3, 8)[int(results[:, seat].argmax())]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_value_of_the_best_move_is_the_seats_own_result(seat: int) -> None:
    """Late in the game roll-outs outweigh the first opinion: values lie at the seat's result, not at another's."""
    search = SequentialHalving(DISCOVERY, 3, DISCOVERY.rules.evaluations[VALUE_NETWORK])
    told_apart = 0
    for choices in range(100, 160):
        state = middle_of(DISCOVERY, choices, choices, players=3)
        if kernels.actor_at(state, 0) != seat:
            continue
        legal = legal_of(DISCOVERY, state)
        found = search.search(view_of(DISCOVERY, state, seat), seat, legal, Budget(600), 1)
        results, best = found.results, found.values[found.order()[0]]
        assert results is not None
        others = np.delete(results, seat)
        if np.abs(others - results[seat]).min() > 0.3:
            told_apart += 1
            assert abs(best - results[seat]) < np.abs(others - best).min()
        if told_apart:
            return
    raise AssertionError("too few positions tell the seats apart")
