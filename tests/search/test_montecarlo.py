"""Flat Monte Carlo, the prediction of CD-63 … CD-66, and the turns they compare."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.search.budget import Budget
from ludens.search.montecarlo import FlatMonteCarlo, Prediction, rewards_per_simulation
from ludens.search.rollout import RANDOM
from ludens.search.whole_turns import list_turns, make_walk
from tests.search.positions import AZUL, PIG, legal_of, middle_of, pig

NOTHING = np.zeros(1)
WEIGHTS = next(iter(AZUL.rules.evaluations.values()))


@pytest.mark.parametrize(
    ("limit", "counts"),
    [(0.05, (299, 59, 29, 14)), (0.03, (349, 69, 34, 16)), (0.01, (459, 90, 44, 21))],
)
def test_the_number_of_rewards_is_that_of_cd_66(limit: float, counts: tuple[int, ...]) -> None:
    assert tuple(rewards_per_simulation(gamma, limit) for gamma in (0.99, 0.95, 0.90, 0.80)) == counts


def test_both_hold_when_holding_wins() -> None:
    state = pig(6, 9, 4)
    for search in (FlatMonteCarlo(PIG, 2, NOTHING, RANDOM), Prediction(PIG, 2, NOTHING)):
        turn, findings = search.search(state, 0, Budget(400), 1)
        assert turn[0] == 1
        assert findings.values[1] == pytest.approx(1)
        assert findings.values[0] < 1


def test_every_move_gets_its_share_and_at_least_one_simulation() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    search = FlatMonteCarlo(AZUL, 2, WEIGHTS, RANDOM)
    _, few = search.search(state, seat, Budget(1), 1)
    assert (few.visits == 1).all()
    _, more = search.search(state, seat, Budget(10 * len(legal) + 3), 1)
    assert set(more.visits) == {10, 11}
    assert np.array_equal(more.actions, legal)


def test_prediction_is_reproducible_and_bounded_by_its_discounts() -> None:
    state = middle_of(AZUL, 12)
    seat = int(state["current"][0])
    search = Prediction(AZUL, 2, WEIGHTS, gamma=0.5, limit=0.2)
    (turn, first), (again, second) = (search.search(state, seat, Budget(200), 9) for _ in range(2))
    assert np.array_equal(turn, again)
    assert np.array_equal(first.values, second.values)
    assert (np.abs(first.values) <= 1 + 0.5 + 0.25).all()


def test_a_turn_ends_where_another_seat_or_chance_comes() -> None:
    walk = make_walk(PIG.dtype, 2, 2, 3)
    out = np.zeros((8, 3), np.int64)
    assert list_turns(walk, pig(0, 0, 3), out) == 2
    assert out[:2].tolist() == [[0, -1, -1], [1, -1, -1]]


def test_turns_of_several_decisions_are_listed_completely() -> None:
    state = middle_of(AZUL, 0, seed=1)
    walk = make_walk(AZUL.dtype, AZUL.spec.actions, 2, 2)
    out = np.zeros((1, 2), np.int64)
    assert list_turns(walk, state, out) == len(legal_of(AZUL, state))  # the players alternate: one decision a turn


def test_a_discount_out_of_range_is_refused() -> None:
    with pytest.raises(BadInput, match="0 < gamma"):
        Prediction(AZUL, 2, WEIGHTS, gamma=1.5)
