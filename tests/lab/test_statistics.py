"""Intervals and counts, against SciPy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ludens.core import registry
from ludens.lab.standings import standings, table_of
from ludens.lab.statistics import mean_interval, share_interval
from ludens.play.game import Outcome
from ludens.play.record import victory_shares
from ludens.play.schedule import one_table

AZUL = registry.game("azul")


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (10, 10), (3, 7), (480, 1000), (1, 1)])
def test_interval_of_plain_wins_is_wilsons(wins: int, games: int) -> None:
    expected = stats.binomtest(wins, games).proportion_ci(0.95, method="wilson")
    low, high = share_interval(wins, games)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= low <= wins / games <= high <= 1


def test_interval_covers_shares_at_least_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    shares = random.choice([0.0, 0.5, 1.0], p=[0.3, 0.3, 0.4], size=(2000, 60))
    covered = [low <= 0.55 <= high for low, high in (share_interval(row.sum(), 60) for row in shares)]
    assert np.mean(covered) >= 0.95


def test_interval_of_a_mean_is_students() -> None:
    values = [3.0, 5.0, 4.0, 9.0, 1.0]
    expected = stats.t.interval(0.95, 4, loc=np.mean(values), scale=stats.sem(values))
    assert mean_interval(values) == pytest.approx(expected)
    assert mean_interval([3.0]) is None
    assert mean_interval([2.0, 2.0]) == (2.0, 2.0)


def test_shares_of_victory() -> None:
    assert victory_shares([1.0, -0.5, -0.5], (0, 1, 2)) == [1.0, 0.0, 0.0]
    assert victory_shares([0.25, 0.25, -0.5], (0, 1, 2)) == [0.5, 0.5, 0.0]
    assert victory_shares([0.0, 0.0], (0, 1)) == [0.5, 0.5]
    assert victory_shares([-1.0, 1.0, 1.0, 1.0], (0, 1, 1, 1)) == [0.0, 1.0]


def test_standings_by_hand() -> None:
    schedule = one_table(AZUL, ["heuristic", "random"], 4, players=2)
    outcomes = [
        Outcome(0, (1.0, -1.0), (50.0, 30.0), ()),  # a on seat 0 wins
        Outcome(1, (1.0, -1.0), (40.0, 20.0), ()),  # b on seat 0 wins
        Outcome(2, (0.0, 0.0), (33.0, 33.0), ()),  # shared
        Outcome(3, (-1.0, 1.0), (10.0, 60.0), ()),  # a on seat 1 wins
    ]
    a, b = standings(table_of(schedule, outcomes))
    assert (a.wins, a.shared, a.losses, a.games) == (2, 1, 1, 4)
    assert (b.wins, b.shared, b.losses, b.games) == (1, 1, 2, 4)
    assert (a.win_share, b.win_share) == (0.625, 0.375)
    assert (a.mean_score, b.mean_score) == ((50 + 20 + 33 + 60) / 4, (30 + 40 + 33 + 10) / 4)
    assert a.by_seat == (
        {"seat": 0, "games": 2, "win_share": 0.75, "mean_score": 41.5},
        {"seat": 1, "games": 2, "win_share": 0.5, "mean_score": 40.0},
    )


def test_an_agent_with_two_places_counts_twice_a_game() -> None:
    schedule = one_table(AZUL, ["heuristic", "random"], 1, players=3)
    outcome = Outcome(0, (1.0, -0.5, -0.5), (9.0, 5.0, 3.0), ())
    a, b = standings(table_of(schedule, [outcome]))
    assert (a.games, a.wins, a.losses, a.mean_score) == (2, 1, 1, 6.0)
    assert (b.games, b.wins, b.losses, b.score_interval) == (1, 0, 1, None)
