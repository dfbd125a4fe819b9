"""Ratings, standings, tests and sample sizes whose values are known by formula or by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ludens.lab.games_table import GamesTable
from ludens.lab.ratings import Rating, bradley_terry, comparisons, fit_strengths, skill_ratings
from ludens.play.ranks import ranks

ELO = 400 / math.log(10)


def duels(*results: tuple[int, int, float]) -> GamesTable:
    """Games of two; a result is the first player, the second one and the first one's share."""
    players = np.array([[one, two] for one, two, _ in results])
    shares = np.array([[share, 1 - share] for _, _, share in results])
    return games_of(players, 10 * shares)


def games_of(players: np.ndarray, scores: np.ndarray, sides: tuple[int, ...] | None = None) -> GamesTable:
    """Games in which the higher score wins; players are a, b, c, …"""
    sides = sides or tuple(range(scores.shape[1]))
    rank = np.array([ranks([0.0] * len(set(sides)), list(row), sides) for row in scores])
    best, nothing = scores == scores.max(axis=1, keepdims=True), np.zeros_like(scores)
    return GamesTable(
        tuple("abcdef"[: int(players.max()) + 1]), sides, np.arange(len(scores)), players, scores, nothing,
        best / best.sum(axis=1, keepdims=True), rank, nothing + 2, nothing + np.nan, nothing + 0.5,
    )  # fmt: skip


def won(wins: int, games: int) -> GamesTable:
    """So many games of a against b, of which a has won so many."""
    return duels(*[(k % 2, 1 - k % 2, float((k < wins) == (k % 2 == 0))) for k in range(games)])


def half_logit(wins: float, games: int) -> float:
    """The rating of one of two players who won so many games, with half an imagined draw."""
    return ELO / 2 * math.log((wins + 0.25) / (games - wins + 0.25))


# --- ratings ------------------------------------------------------------------------------


def test_two_players_have_the_ratings_of_their_odds() -> None:
    assert fit_strengths(np.array([[0, 75], [25, 0]], float)) == pytest.approx(
        [half_logit(75, 100), -half_logit(75, 100)]
    )
    strong, weak = bradley_terry(won(75, 100), samples=10)
    assert (strong.player, strong.games, weak.player, weak.games) == ("a", 100, "b", 100)
    assert strong.rating == pytest.approx(half_logit(75, 100)) and weak.rating == pytest.approx(-strong.rating)


@pytest.mark.parametrize(
    ("wins", "games", "alpha"), [(60, 100, 0.05), (60, 100, 0.5), (18, 20, 0.1), (500, 1000, 0.05)]
)
def test_the_interval_of_a_rating_is_that_of_its_resampled_games(wins: int, games: int, alpha: float) -> None:
    """Games drawn with replacement hold binomially many victories, whose quantiles are known."""
    found = bradley_terry(won(wins, games), alpha, samples=2000)[0]
    for bound, share in ((found.low, alpha / 2), (found.high, 1 - alpha / 2)):
        fewest, most = stats.binom.ppf(np.clip([share - 0.02, share + 0.02], 1e-9, 1 - 1e-9), games, wins / games)
        assert half_logit(fewest, games) - 0.01 <= bound <= half_logit(most, games) + 0.01
    assert found.low < found.rating < found.high


def test_more_games_give_narrower_intervals_and_a_lower_alpha_wider_ones() -> None:
    def width(games: int, alpha: float) -> float:
        found = bradley_terry(won(games * 3 // 5, games), alpha, samples=500)[0]
        return found.high - found.low

    assert width(1600, 0.05) == pytest.approx(width(100, 0.05) / 4, rel=0.2)
    assert width(100, 0.01) > 1.2 * width(100, 0.05) > 1.2 * width(100, 0.3)


def test_a_player_of_few_games_has_a_wide_interval_beside_one_of_many() -> None:
    often = [(0, 1, share) for share in (1.0, 0.0, 1.0) for _ in range(100)]
    rarely = [(1, 2, share) for share in (1.0, 0.0, 1.0, 1.0)]
    found = {one.player: one for one in bradley_terry(duels(*often, *rarely), samples=400)}
    assert found["c"].high - found["c"].low > 1.5 * (found["a"].high - found["a"].low)
    assert [found[name].games for name in "abc"] == [300, 304, 4]


def test_other_seeds_draw_other_games_and_the_same_seed_the_same() -> None:
    games = won(60, 100)
    first, again, other = (bradley_terry(games, samples=50, seed=seed)[0] for seed in (1, 1, 2))
    assert first == again and first.rating == other.rating and (first.low, first.high) != (other.low, other.high)


def test_ratings_stand_in_the_order_of_strength_and_add_up_to_nothing() -> None:
    games = duels(*[(1, 0, 1.0)] * 3, (0, 1, 1.0), *[(2, 1, 1.0)] * 2, (1, 2, 0.5))
    found = bradley_terry(games, samples=20)
    assert [one.player for one in found] == ["c", "b", "a"]
    assert sum(one.rating for one in found) == pytest.approx(0, abs=1e-3)


def test_who_met_nobody_has_no_rating() -> None:
    games = duels((0, 2, 1.0), (2, 0, 0.5), (1, 1, 0.5))
    assert [one.player for one in bradley_terry(games, samples=20)] == ["a", "c"]
    strengths = fit_strengths(np.array([[0, 0, 3], [0, 0, 0], [1, 0, 0]], float))
    assert np.isnan(strengths[1]) and strengths[0] == pytest.approx(ELO / 2 * math.log(3.25 / 1.25))


def test_a_player_missing_from_some_samples_is_rated_by_the_others() -> None:
    found = {one.player: one for one in bradley_terry(duels(*[(0, 1, 1.0)] * 9, (1, 2, 1.0)), samples=200)}
    assert math.isfinite(found["c"].low) and found["c"].low < found["c"].high


def test_comparisons_by_hand() -> None:
    """Three at a table make three comparisons; equal places are shared, and games weigh what is told."""
    games = games_of(np.array([[0, 1, 2], [2, 0, 0]]), np.array([[3.0, 1.0, 1.0], [5.0, 2.0, 7.0]]))
    found = comparisons(games)
    assert found.players == 3
    assert sorted(zip(found.game, found.one, found.two, found.share)) == [
        (0, 0, 1, 1.0), (0, 0, 2, 1.0), (0, 1, 2, 0.5), (1, 2, 0, 0.0), (1, 2, 0, 1.0),
    ]  # fmt: skip
    assert found.wins().tolist() == [[0, 1, 2], [0, 0, 0.5], [1, 0.5, 0]]
    assert found.wins(np.array([2.0, 0.0])).tolist() == [[0, 2, 2], [0, 0, 1], [0, 1, 0]]


def test_a_rating_as_json() -> None:
    told = Rating("a", 3, 1.5, -2.0, 4.0).to_json()
    assert told == {"player": "a", "games": 3, "rating": 1.5, "low": -2.0, "high": 4.0}


def test_openskill_rates_at_most_so_many_games_and_nobody_against_itself() -> None:
    better, worse = skill_ratings(won(30, 40))
    assert (better.player, worse.player) == ("a", "b") and better.mu > 25 > worse.mu
    assert better.sigma < 25 / 3
    few = skill_ratings(won(30, 40), most=2)
    assert few[0].sigma > better.sigma
    assert skill_ratings(won(30, 40), most=2, seed=1) != skill_ratings(won(30, 40), most=2, seed=3)
    alone = skill_ratings(duels((0, 0, 1.0), (1, 1, 0.0)))
    assert [one.mu for one in alone] == [25, 25] and alone[0].sigma == pytest.approx(25 / 3)
    mixed = skill_ratings(duels((0, 0, 1.0), (1, 0, 1.0)))
    assert mixed[0].player == "b" and mixed[0].mu > mixed[1].mu
