"""Which arms stay in sequential halving, and the estimates of all moves."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.search.sequential_halving import ROUNDS, Arms, Tally, make_tally


def told(worlds: int, means: list[float], spread: float = 0.1) -> Tally:
    """Every move was met in so many worlds, so far ahead on average, with this standard deviation."""
    tally, ahead = make_tally(len(means), 2), np.array(means) - np.mean(means)
    tally.worlds[:] = worlds
    tally.ahead[:] = worlds * ahead
    tally.squares[:] = worlds * (ahead**2 + spread**2)
    tally.results[:, 0] = worlds * np.array(means)
    tally.results[:, 1] = -tally.results[:, 0]
    return tally


def test_the_likely_moves_are_compared_the_best_first() -> None:
    one_ply = np.array([0.1, 0.5, -0.4, 0.45, 0.3, -2.0])
    assert list(Arms(one_ply, 12, 1).left) == [1, 3, 4]  # -0.4 and less are 0.3 less than the best
    assert list(Arms(one_ply, 2, 1).left) == [1, 3]
    assert list(Arms(one_ply, 12, 5).left) == [1, 3, 4, 0, 2]  # an analysis wants five, however unlikely


def test_moves_that_are_equally_likely_stand_in_the_order_of_their_ids() -> None:
    assert list(Arms(np.zeros(6), 4, 1).left) == [0, 1, 2, 3]


def test_two_are_left_in_the_end_if_none_is_surely_the_best() -> None:
    arms = Arms(np.zeros(12), 12, 1)
    sizes = []
    for number in range(ROUNDS):
        arms.narrow([told(4, list(np.linspace(0.01, 0, 12)), spread=1.0)], number)
        sizes.append(len(arms.left))
    assert sizes == sorted(sizes, reverse=True) and sizes[0] < 12 and sizes[-1] == 2
    assert list(arms.left) == [0, 1]


def test_a_move_that_is_surely_worse_is_given_up_and_what_is_sure_ends_a_choice() -> None:
    arms = Arms(np.zeros(3), 3, 1)
    assert not arms.settled([told(7, [0.5, 0.0, -0.5], spread=0.01)])  # too few worlds to be sure
    assert not arms.settled([told(400, [0.01, 0.0, -0.5])])
    assert arms.settled([told(400, [0.5, 0.0, -0.5])])
    arms.narrow([told(400, [0.01, 0.0, -0.5])], 0)
    assert list(arms.left) == [0, 1]
    arms.narrow([told(400, [0.5, 0.0, -0.5])], 1)
    assert list(arms.left) == [0]


def test_what_threads_have_found_counts_together() -> None:
    arms = Arms(np.zeros(2), 2, 1)
    half = told(6, [0.3, 0.0], spread=0.01)
    assert not arms.settled([half]) and arms.settled([half, half])


def test_few_worlds_leave_the_one_ply_values_and_many_outweigh_them() -> None:
    one_ply, legal = np.array([0.1, 0.0]), np.array([7, 9])
    few = Arms(one_ply, 2, 2).findings(legal, 0, [told(3, [0.0, 0.5])])
    assert few.best() == 7
    many = Arms(one_ply, 2, 2)
    tally = told(1000, [0.0, 0.5])
    many.narrow([tally], 0)
    found = many.findings(legal, 0, [tally])
    assert found.best() == 9 and list(found.visits) == [1000, 1000] and found.simulations == 2000
    assert found.values[1] - found.values[0] == pytest.approx(0.5, abs=0.01)
    assert 0.45 < found.values[1] < 0.5  # a little nearer to the one-ply value
    assert found.results is not None and list(found.results) == pytest.approx([0.5, -0.5])


def test_moves_that_were_not_compared_stay_as_far_behind_as_one_ply_says() -> None:
    one_ply = np.array([0.9, -0.5, -2.0])
    arms = Arms(one_ply, 2, 1)
    assert list(arms.left) == [0]
    found = arms.findings(np.arange(3), 1, [make_tally(3, 2)])
    assert list(found.values) == pytest.approx([0.9, -0.5, -1.0])
    assert found.results is None and found.simulations == 0
    assert found.priors.sum() == pytest.approx(1) and found.priors.argmax() == 0


def test_a_move_that_was_given_up_stays_behind_those_that_are_left() -> None:
    arms = Arms(np.zeros(4), 4, 1)
    tally = told(400, [0.4, 0.39, 0.0, -0.4])
    arms.narrow([tally], 0)
    assert list(arms.left) == [0, 1]
    found = arms.findings(np.arange(4), 0, [tally])
    assert list(found.order()[:2]) == [0, 1]
    assert found.values[1] > found.values[2] > found.values[3]


def test_one_move_told_in_two_ways_is_compared_once_where_only_the_choice_matters() -> None:
    one_ply = np.array([0.2, 0.2, 0.1, 0.2])
    tally = told(20, [0.3, 0.3, 0.3, 0.2])  # the third comes out the same and one_ply less, the fourth differs
    arms = Arms(one_ply, 4, 1)
    arms.narrow([tally], 0)
    assert sorted(arms.left) == [0, 2, 3]
    assert arms.findings(np.arange(4), 0, [tally]).best() in (0, 1)
    shown = Arms(one_ply, 4, 4)  # an analysis shows both
    shown.narrow([tally], 0)
    assert sorted(shown.left) == [0, 1, 2, 3]
    young = Arms(one_ply, 4, 1)
    young.narrow([told(3, [0.3, 0.3, 0.3, 0.2])], 0)  # in so few worlds others may look alike
    assert sorted(young.left) == [0, 1, 2, 3]


def test_a_choice_ends_when_what_is_left_can_only_be_a_trifle_better() -> None:
    lost = Arms(np.array([-0.99, -0.995]), 2, 1)
    assert not lost.settled([told(7, [-1.0, -1.0], spread=0.0)])
    assert lost.settled([told(20, [-1.0, -1.0], spread=0.0)])
    close = Arms(np.zeros(2), 2, 1)
    assert not close.settled([told(100, [0.001, 0.0])]) and close.settled([told(10_000, [0.001, 0.0])])
