"""Ratings, standings, tests and sample sizes whose values are known by formula or by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from ludens.core.errors import BadInput
from ludens.lab.cross_table import consecutive_pairs, cross_table, cross_table_json
from ludens.lab.ratings import Rating, bradley_terry, comparisons, fit_strengths, skill_ratings
from ludens.lab.standings import GamesTable, standings
from ludens.lab.statistics import (
    distribution,
    games_for_difference,
    games_for_share,
    holm,
    mean_interval,
    paired_test,
    share_interval,
    summary,
    visible_difference,
    visible_share,
)
from ludens.lab.stopping import Sprt
from ludens.play.record import ranks

ELO = 400 / math.log(10)


def duels(*results: tuple[int, int, float]) -> GamesTable:
    """Games of two; a result is the first player, the second one and the first one's share."""
    players = np.array([[one, two] for one, two, _ in results])
    shares = np.array([[share, 1 - share] for _, _, share in results])
    return games_of(players, 10 * shares)


def games_of(players: np.ndarray, scores: np.ndarray, sides: tuple[int, ...] | None = None) -> GamesTable:
    """Games in which the higher score wins; players are a, b, c, …"""
    sides = sides or tuple(range(scores.shape[1]))
    rank = np.array([ranks([0.0] * len(sides), list(row), sides) for row in scores])
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
    assert fit_strengths(np.array([[0, 1], [0, 0]], float)) == pytest.approx([half_logit(1, 1), -half_logit(1, 1)])
    once = fit_strengths(np.array([[0, 1, 0], [0, 0, 50], [0, 50, 0]], float))  # who has met one opponent, once
    assert [once[0] - once[1], once[1] - once[2]] == pytest.approx([ELO * math.log(5), 0], abs=0.01)
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


# --- shares and means ---------------------------------------------------------------------


def test_without_games_a_share_may_be_anything() -> None:
    assert share_interval(0, 0) == (0.0, 1.0)
    assert share_interval(0, 10)[0] == 0.0 and share_interval(10, 10)[1] == 1.0


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
def test_intervals_have_the_confidence_that_is_asked_for(confidence: float) -> None:
    wilson = stats.binomtest(7, 20).proportion_ci(confidence, method="wilson")
    assert share_interval(7, 20, confidence) == pytest.approx((wilson.low, wilson.high))
    values = [1.0, 4.0]
    student = stats.t.interval(confidence, 1, loc=2.5, scale=stats.sem(values))
    assert mean_interval(values, confidence) == pytest.approx(student)


def test_a_standing_by_hand_and_as_json() -> None:
    """Player a sits in four games of three: twice on the first seat, twice on the last."""
    players = np.array([[0, 1, 2], [0, 1, 2], [1, 2, 0], [1, 2, 0]])
    scores = np.array([[9.0, 1.0, 2.0], [5.0, 5.0, 2.0], [3.0, 2.0, 1.0], [4.0, 3.0, 5.0]])
    found = {one.agent: one for one in standings(games_of(players, scores))}["a"]
    assert (found.games, found.wins, found.shared, found.losses) == (4, 2, 1, 1)
    assert (found.win_share, found.mean_score) == (0.625, 5.0)
    assert found.interval == share_interval(2.5, 4) and found.score_interval == mean_interval([9.0, 5.0, 1.0, 5.0])
    assert found.by_seat == (
        {"seat": 0, "games": 2, "win_share": 0.75, "mean_score": 7.0},
        {"seat": 2, "games": 2, "win_share": 0.5, "mean_score": 3.0},
    )
    told = found.to_json()
    assert list(told["interval"]) == list(found.interval) and "thoughts" not in told
    assert list(told["score_interval"]) == list(found.score_interval or ())


def test_summaries_of_few_numbers() -> None:
    assert summary([]).to_json() == {"n": 0, "mean": None, "sd": None, "low": None, "high": None}
    assert summary([3]).to_json() == {"n": 1, "mean": 3.0, "sd": None, "low": None, "high": None}
    two = summary([1, 2])
    low, high = stats.t.interval(0.99, 1, 1.5, stats.sem([1, 2]))
    assert two.to_json() == pytest.approx({"n": 2, "mean": 1.5, "sd": 0.5**0.5, "low": low, "high": high})


@pytest.mark.parametrize("numbers", [[1.0, 2.0], [1.0, 2.0, 4.0, -3.0], [0.5, 0.25, 0.125, 0.7, 0.9]])
def test_a_paired_test_is_students(numbers: list[float]) -> None:
    found, wanted = paired_test(numbers, 0.05), stats.ttest_1samp(numbers, 0)
    assert found.p == pytest.approx(wanted.pvalue) and found.significant == (wanted.pvalue < 0.05)
    assert paired_test([-x for x in numbers]).p == pytest.approx(wanted.pvalue)
    assert found.to_json() == {**summary(numbers, 0.05).to_json(), "p": found.p, "significant": found.significant}
    border = paired_test(numbers, found.p)
    assert not border.significant and paired_test(numbers, found.p + 1e-9).significant


def test_differences_that_are_all_equal() -> None:
    assert (paired_test([0, 0]).p, paired_test([1, 1]).p, paired_test([-1, -1]).p) == (1.0, 0.0, 0.0)
    assert paired_test([5]).to_json()["p"] is None and not paired_test([5]).significant
    assert math.isnan(paired_test([]).p)


def test_histograms_by_hand() -> None:
    whole = distribution([1, 1, 2, 61])  # a width of 2 makes 31 bins
    assert whole.edges.tolist() == [0.5 + 2 * k for k in range(32)] and whole.counts.tolist() == [3, *[0] * 29, 1]
    broken = distribution([0.5, 1.0, 2.5], bins=4)
    assert broken.normal(np.array([4 / 3])) == pytest.approx(1.5 * stats.norm.pdf(4 / 3, broken.mean, broken.sd))
    assert broken.edges == pytest.approx([0.5, 1.0, 1.5, 2.0, 2.5, 3.0]) and broken.counts.tolist() == [1, 1, 0, 0, 1]
    same = distribution([4, 4])
    assert (same.edges.tolist(), same.counts.tolist(), same.mean, same.sd) == ([3.5, 4.5], [2], 4.0, 0.0)
    one = distribution([0.25])
    assert one.counts.tolist() == [1] and one.mean == 0.25 and math.isnan(one.sd)
    assert distribution(range(1, 61)).counts.tolist() == [2] * 30


# --- cross tables -------------------------------------------------------------------------


def test_a_cross_table_by_hand() -> None:
    games = games_of(
        np.array([[0, 1], [1, 0], [0, 1], [1, 0], [0, 0]]),
        np.array([[5.0, 1.0], [3.0, 2.0], [4.0, 4.0], [1.0, 6.0], [2.0, 3.0]]),
    )
    ordered = {(one.first, one.second): one for one in cross_table(games, alpha=0.05)}
    assert list(ordered) == [("a", "a"), ("a", "b"), ("b", "a")]
    found = ordered["a", "b"]
    assert (found.games, found.wins, found.draws, found.losses, found.share) == (2, 1, 1, 0, 0.75)
    assert found.scores == (4.5, 2.5) and replace(found.test, corrected=None) == paired_test([4.0, 0.0], 0.05)
    assert ordered["a", "a"].losses == 1 and ordered["b", "a"].scores == (2.0, 4.0)
    (both,) = cross_table(games, ordered=False)
    assert (both.first, both.second, both.games, both.wins, both.draws, both.losses) == ("a", "b", 4, 2, 1, 1)
    assert both.share == 0.625 and both.scores == (4.25, 2.25)
    assert json.loads(json.dumps(both.to_json())) == {
        "first": "a", "second": "b", "games": 4, "wins": 2, "draws": 1, "losses": 1, "share": 0.625,
        "scores": [4.25, 2.25], "difference": {
            **paired_test([4.0, 0.0, -1.0, 5.0]).to_json(), "corrected": both.test.p,
        },
    }  # fmt: skip
    told = cross_table_json(games, 0.05)
    assert (told["players"], told["games"], told["alpha"]) == (["a", "b"], 5, 0.05)
    assert told["ordered"][1] == found.to_json()
    assert told["unordered"] == [one.to_json() for one in cross_table(games, False, 0.05)]


def test_the_score_of_a_side_is_the_mean_of_its_seats() -> None:
    games = games_of(np.array([[0, 1, 1]]), np.array([[5.0, 2.0, 4.0]]), (0, 1, 1))
    (cell,) = cross_table(games)
    assert cell.scores == (5.0, 3.0)


def test_neighbours_by_hand() -> None:
    games = games_of(np.array([[0, 1, 2, 3], [1, 0, 2, 3]]), np.array([[4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0]]))
    found = {(one.first, one.second): one for one in consecutive_pairs(games)}
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "b")]
    pair = found["c", "d"]
    assert (pair.games, pair.ranks, pair.scores) == (2, (2.5, 2.5, 2.5), (2.5, 2.5, 2.5))
    first = found["a", "b"]
    assert (first.games, first.ranks, first.scores) == (1, (1.0, 3.5, 2.0), (4.0, 1.5, 3.0))
    last = found["d", "a"]
    assert (last.ranks, last.scores) == ((4.0, 2.5, 1.0), (1.0, 2.5, 4.0))


# --- how many games it takes --------------------------------------------------------------


def test_sample_sizes_by_the_formula() -> None:
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert games_for_difference(0.5, 2.0, 0.05, 0.8) == math.ceil((z * 4) ** 2) == 126
    assert games_for_difference(-0.5, 2.0, 0.05, 0.8) == 126
    assert visible_difference(64, 2.0, 0.05, 0.8) == pytest.approx(z / 4)
    spread = stats.norm.ppf(0.975) / 2 + stats.norm.ppf(0.8) * math.sqrt(0.6 * 0.4)
    assert games_for_share(0.6, alpha=0.05, power=0.8) == math.ceil((spread / 0.1) ** 2) == 194
    quarter = stats.norm.ppf(0.975) * math.sqrt(3 / 16) + stats.norm.ppf(0.8) * math.sqrt(0.4 * 0.6)
    assert games_for_share(0.4, 0.25, 0.05, 0.8) == math.ceil((quarter / 0.15) ** 2)
    assert games_for_difference(100, 1) == 2 and games_for_share(0.0, 1.0) == 2


def test_usual_levels() -> None:
    assert games_for_difference(1, 3) == games_for_difference(1, 3, 0.01, 0.9)
    assert visible_difference(50, 3) == visible_difference(50, 3, 0.01, 0.9)
    assert games_for_share(0.6) == games_for_share(0.6, 0.5, 0.05, 0.9)
    assert visible_share(500) == visible_share(500, 0.5, 0.05, 0.9)
    assert Sprt() == Sprt(0.5, 0.55, 0.05, 0.05, 20)


def test_the_visible_share_is_the_smallest_that_so_many_games_tell() -> None:
    for games in (15, 60, 400):
        found = visible_share(games)
        assert found is not None
        assert games_for_share(found) <= games < games_for_share(found - 2e-4)
    least = games_for_share(1.0)
    assert visible_share(least) is not None and visible_share(least - 1) is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: games_for_difference(1, 1, alpha=0),
        lambda: games_for_difference(1, 1, alpha=1),
        lambda: games_for_difference(1, 1, power=0),
        lambda: visible_difference(9, 1, power=1),
        lambda: visible_difference(9, 1, alpha=0),
        lambda: games_for_share(1.1),
        lambda: games_for_share(-0.1),
        lambda: games_for_share(0.3, 0.3),
        lambda: games_for_share(0.6, power=2),
        lambda: Sprt(0.5, 0.5),
        lambda: Sprt(0.6, 0.5),
        lambda: Sprt(-0.1, 0.5),
        lambda: Sprt(0.5, 1.1),
        lambda: Sprt(alpha=0),
        lambda: Sprt(beta=0),
        lambda: Sprt(beta=1),
        lambda: Sprt(alpha=0.5, beta=0.5),
        lambda: Sprt(least=0),
    ],
)
def test_impossible_questions_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(BadInput, match=r"^[A-Z].*\.$"):
        wrong()


def test_the_widest_tests_that_are_possible() -> None:
    assert Sprt(0.0, 1.0, 0.4, 0.5, 1).decided([1.0]) is not None
    assert games_for_share(0.0) == games_for_share(1.0)


def test_likelihood_ratios_by_hand() -> None:
    test = Sprt(0.4, 0.6, least=1)
    shares = [1.0, 0.5, 0.0, 1.0]
    means, squares = [1.0, 0.75, 0.5, 0.625], [1.0, 0.625, 1.25 / 3, 2.25 / 4]
    wanted = []
    for n, (mean, square) in enumerate(zip(means, squares), 1):
        variance = max(square - mean**2, 1 / (4 * n))
        wanted.append(n * ((mean - 0.4) ** 2 - (mean - 0.6) ** 2) / (2 * variance))
    assert test.ratios(shares) == pytest.approx(wanted)


def test_a_sequential_test_is_decided_at_its_bounds_and_not_before_the_least_number() -> None:
    test = Sprt(0.49, 0.51, 0.1, 0.2, least=1)
    upper, lower = math.log(0.8 / 0.1), math.log(0.2 / 0.9)
    for share, high in ((1.0, True), (0.0, False)):
        ratios = test.ratios([share] * 50)
        first = int(np.flatnonzero((ratios >= upper) | (ratios <= lower))[0]) + 1
        assert test.decided([share] * 50) == (first, high) and test.decided([share] * (first - 1)) is None
        assert Sprt(0.49, 0.51, 0.1, 0.2, least=first + 3).decided([share] * 50) == (first + 3, high)
    assert test.decided([]) is None and Sprt().decided([1.0] * 19) is None


def test_holm_by_hand() -> None:
    """Holm (1979): the smallest p times the number of tests, and so on, never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    alone, none = holm([0.02, math.nan])
    assert alone == 0.02 and math.isnan(none)


def test_games_of_a_player_with_itself_alone_are_no_part_of_its_share() -> None:
    """It wins each of them, and it loses each: the loser of every other game has won nothing."""
    players = np.array([[0, 1], [1, 0], [0, 0], [1, 1], [1, 1]])
    scores = np.array([[9, 1], [1, 9], [5, 4], [3, 2], [3, 2]])
    a, b = standings(games_of(players, scores))
    assert (a.games, a.win_share, b.games, b.win_share) == (2, 1.0, 2, 0.0)
    (alone,) = standings(games_of(np.array([[0, 0], [0, 0]]), np.array([[2, 1], [2, 1]])))
    assert (alone.games, alone.win_share) == (4, 0.5)  # nothing else is known of it
