"""The statistics of a table of games, against independent computations and by hand."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.lab.cross_table import consecutive_pairs, cross_table, cross_table_json
from ludens.lab.development import score_development
from ludens.lab.laboratory import describe_file, describe_run, game_document, list_files
from ludens.lab.ladder import Ladder, ladder_agents, ladder_json
from ludens.lab.ratings import bradley_terry, comparisons, fit_strengths, skill_ratings
from ludens.lab.report.chapter import Chapter
from ludens.lab.report.reference import PrintedFigure, References, compare
from ludens.lab.series import run
from ludens.lab.standings import GamesTable, load_games, player_summaries, seat_summaries, standings
from ludens.lab.statistics import (
    distribution,
    games_for_difference,
    games_for_share,
    paired_test,
    summary,
    visible_difference,
    visible_share,
)
from ludens.lab.stopping import Sprt
from ludens.play.record import ranks
from ludens.play.results import ResultsFile
from ludens.play.schedule import one_table
from ludens.play.tournament import play_tournament
from tests.play.test_tournament import plan


def table(players: list[list[int]], scores: list[list[float]], names: tuple[str, ...] = ("a", "b", "c")) -> GamesTable:
    """Games of their own, each for oneself; the highest score wins."""
    score, player = np.array(scores, float), np.array(players)
    sides = tuple(range(score.shape[1]))
    rank = np.array([ranks([0.0] * len(sides), row, sides) for row in score])
    best = score == score.max(axis=1, keepdims=True)
    nothing = np.zeros_like(score)
    return GamesTable(
        names, sides, np.arange(len(score)), player, score, nothing, best / best.sum(axis=1, keepdims=True), rank,
        nothing + 2, nothing + np.nan, nothing + 0.5,
    )  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tournament of three players."""
    path = tmp_path_factory.mktemp("played") / "a.db"
    play_tournament(plan("heuristic", "random", "heuristic:ties=random", games=20), path, workers=1)
    return path


def test_ranks_by_hand() -> None:
    assert ranks([1.0, -0.5, -0.5], [9, 5, 7], (0, 1, 2)) == [1, 3, 2]
    assert ranks([0.0, 0.0, -1.0], [5, 5, 5], (0, 1, 2)) == [1.5, 1.5, 3]
    assert ranks([-1.0, 1.0, 1.0], [0, 0, 0], (0, 1, 1)) == [2, 1, 1]


def test_a_whole_table_against_an_independent_computation(played: Path) -> None:
    """From the matches themselves, replayed one by one, with SciPy's own tests."""
    with ResultsFile(played) as file:
        found = file.run()
        games = load_games(file, found)
        matches = [Match.from_json(file.document(found, number)) for number in range(found.total)]
        seated = [[found.players[seat.player] for seat in file.game(found, k).seats] for k in range(found.total)]
    assert games.games == 120
    for cell in cross_table(games, ordered=True, alpha=0.01):
        own = [m.scores() for m, names in zip(matches, seated, strict=True) if names == [cell.first, cell.second]]
        first, second = np.array(own).T
        assert cell.games == len(own) == 20
        assert cell.scores == pytest.approx((first.mean(), second.mean()))
        test = stats.ttest_rel(first, second)
        interval = test.confidence_interval(0.99)
        assert cell.test.p == pytest.approx(test.pvalue)
        assert (cell.test.difference.low, cell.test.difference.high) == pytest.approx((interval.low, interval.high))
        results = [
            m.returns()[0] for m, names in zip(matches, seated, strict=True) if names == [cell.first, cell.second]
        ]
        assert cell.wins == sum(result > 0 for result in results)
        assert cell.losses == sum(result < 0 for result in results)
    both = {(cell.first, cell.second): cell for cell in cross_table(games, ordered=True)}
    for cell in cross_table(games, ordered=False):
        one, two = both[cell.first, cell.second], both[cell.second, cell.first]
        assert (cell.games, cell.wins, cell.draws) == (40, one.wins + two.losses, one.draws + two.draws)
    for name in found.players:
        pairs = [
            (one, score) for m, names in zip(matches, seated, strict=True) for one, score in zip(names, m.scores())
        ]
        values = [score for one, score in pairs if one == name]
        (line,) = (one for one in player_summaries(games) if one.standing.agent == name)
        assert (line.score.mean, line.score.sd) == pytest.approx((np.mean(values), np.std(values, ddof=1)))


def test_standings_agree_with_those_of_a_series(tmp_path: Path) -> None:
    azul = registry.game("azul")
    series = run(azul, ["heuristic", "random"], 9, seed=4, players=3)
    play_tournament(one_table(azul, ["heuristic", "random"], 9, 4, 3, merged=True), tmp_path / "a.db", workers=1)
    with ResultsFile(tmp_path / "a.db") as file:
        found = standings(load_games(file, file.run()))
    assert [one.to_json() for one in found] == [one.to_json() for one in series.agents]


def test_three_at_a_table_by_hand() -> None:
    games = table([[0, 1, 2], [2, 0, 1]], [[30, 20, 10], [5, 15, 15]])
    cells = {(cell.first, cell.second): cell for cell in cross_table(games, ordered=False)}
    assert (cells["a", "b"].wins, cells["a", "b"].draws, cells["a", "b"].scores) == (1, 1, (22.5, 17.5))
    pairs = {(pair.first, pair.second): pair for pair in consecutive_pairs(games)}
    assert pairs["a", "b"].games == 2
    assert pairs["a", "b"].scores == (22.5, 7.5, 17.5)
    assert pairs["a", "b"].ranks == (1.25, 3.0, 1.75)
    assert [(one.mean, share) for one, share in seat_summaries(games)] == [(17.5, 0.5), (17.5, 0.25), (12.5, 0.25)]
    a, b, c = sorted(player_summaries(games), key=lambda one: one.standing.agent)
    assert (a.rank, b.rank, c.rank) == (1.25, 1.75, 3.0)
    assert (a.opponents, a.seconds, a.simulations) == (12.5, 0.25, None)


def test_summaries_and_tests_by_hand() -> None:
    found = summary([1, 2, 3, 4], alpha=0.05)
    low, high = stats.t.interval(0.95, 3, 2.5, stats.sem([1, 2, 3, 4]))
    assert (found.mean, found.low, found.high) == pytest.approx((2.5, low, high))
    assert paired_test([0, 0, 0]).p == 1
    assert paired_test([2, 2]).p == 0
    assert math.isnan(paired_test([1]).p)
    spread = distribution([1, 2, 2, 3, 3, 3])
    assert spread.counts.tolist() == [1, 2, 3]
    assert spread.edges.tolist() == [0.5, 1.5, 2.5, 3.5]
    assert spread.normal(np.linspace(-5, 10, 1501)).sum() * 0.01 == pytest.approx(6, rel=1e-3)


def test_bradley_and_terry_by_another_way() -> None:
    """The same strengths maximise the likelihood directly."""
    wins = np.array([[0, 7, 9], [3, 0, 6], [1, 4, 0]], float)
    found = fit_strengths(wins)
    prior = wins + 0.25 * (1 - np.eye(3))

    def loss(x: np.ndarray) -> float:
        full = np.append(x, 0.0)
        return -sum(prior[i, j] * -np.log1p(np.exp(full[j] - full[i])) for i in range(3) for j in range(3) if i != j)

    best = np.append(optimize.minimize(loss, np.zeros(2), tol=1e-10).x, 0.0)
    assert found == pytest.approx((best - best.mean()) * 400 / math.log(10), abs=0.1)
    assert np.isnan(fit_strengths(np.zeros((2, 2)))).all()


def test_ratings_order_the_players(played: Path) -> None:
    with ResultsFile(played) as file:
        games = load_games(file, file.run())
    found = bradley_terry(games, samples=50)
    assert found[-1].player == "random"
    assert all(rating.low <= rating.rating <= rating.high for rating in found)
    assert found[1].low > found[-1].high
    assert bradley_terry(games, samples=50) == found
    assert skill_ratings(games)[-1].player == "random"
    assert comparisons(games).wins().sum() == 120


def test_sample_sizes_hold_what_they_promise() -> None:
    games = games_for_difference(2.0, 10.0, alpha=0.05, power=0.9)
    random = np.random.default_rng(1)
    found = [paired_test(random.normal(2.0, 10.0, games), 0.05).significant for _ in range(2000)]
    assert np.mean(found) == pytest.approx(0.9, abs=0.025)
    assert visible_difference(games, 10.0, 0.05) == pytest.approx(2.0, abs=0.01)
    assert games_for_share(0.55) == 1047
    assert visible_share(1047) == pytest.approx(0.55, abs=0.001)
    assert visible_share(2) is None
    for wrong in (
        lambda: games_for_share(0.5),
        lambda: games_for_difference(0, 1),
        lambda: games_for_share(0.6, alpha=2),
    ):
        with pytest.raises(BadInput):
            wrong()


def test_sequential_tests_err_as_rarely_as_they_say() -> None:
    test = Sprt(0.5, 0.6, alpha=0.05, beta=0.05)
    random = np.random.default_rng(2)
    for share, verdict in ((0.5, False), (0.6, True)):
        decisions = [test.decided(random.random(4000) < share) for _ in range(400)]
        assert all(decision is not None for decision in decisions)
        wrong = np.mean([decision[1] is not verdict for decision in decisions if decision is not None])
        assert wrong < 0.08
    games = random.random(4000) < 0.6
    decided = test.decided(games)
    assert decided is not None
    assert test.decided(games[: decided[0]]) == decided  # later games change nothing
    assert test.decided(games[: decided[0] - 1]) is None


def test_printed_figures_beside_ours() -> None:
    games = table([[0, 1], [1, 0], [0, 1], [1, 0]], [[10, 0], [2, 12], [14, 0], [2, 12]])
    figures = (
        PrintedFigure("1", "score", 12.0, player="a", interval=(11.0, 13.0)),
        PrintedFigure("1", "score", 40.0, player="a", interval=(39.0, 41.0)),
        PrintedFigure("1", "sum", 13.0),
        PrintedFigure("1", "share", 1.0, player="a", n=100),
        PrintedFigure("1", "score", 1.0, player="nobody"),
        PrintedFigure("1", "score", 12.0, excepting=("b",), with_any=("b",)),
        PrintedFigure("1", "opponents", 1.0, player="a", seat=1),
        PrintedFigure("1", "rank", 1.0, player="a"),
    )
    found = compare(References("", "", figures), games, 0.05)
    assert [one.own.mean for one in found] == [12, 12, 13, 1, 12, 0, 1]
    assert [one.agrees for one in found] == [True, False, True, True, True, False, True]
    assert compare(References("", "", figures), games.without(["b"]), 0.05) == []


def test_scores_grow_turn_by_turn(played: Path) -> None:
    with ResultsFile(played) as file:
        found = file.run()
        curve = score_development(file, found)
        match = Match.from_json(file.document(found, 0))
    assert curve.games == 120
    heuristic = curve.curve[0]
    assert heuristic[0] == 0
    assert np.nanmax(heuristic) > 20
    assert len(match.log) > curve.curve.shape[1] / 3


def test_the_laboratory_tells_all_as_json(played: Path) -> None:
    import json

    (described,) = list_files(played.parent)
    assert described == describe_file(played)
    assert described["runs"][0]["finished"] == 120
    told = json.loads(json.dumps(describe_run(played)))
    assert told["standings"][-1]["agent"] == "random"
    assert len(told["cross_table"]["unordered"]) == 3
    assert len(told["ratings"]) == 3
    assert game_document(played, None, 5)["format"] == "ludens-match/1"
    with ResultsFile(played) as file:
        assert cross_table_json(load_games(file, file.run()))["games"] == 120


def test_a_ladder_grows_and_keeps_what_it_knows(tmp_path: Path) -> None:
    azul = registry.game("azul")
    path, agents = tmp_path / "ladder.db", ["random", "heuristic", "heuristic:ties=random"]
    ladder = Ladder(azul, path, agents)
    assert [rung.games for rung in ladder.rungs()] == [0, 0, 0]
    assert ladder.play(40) >= 40
    rungs = Ladder(azul, path, agents).rungs()
    assert rungs == ladder.rungs()
    assert rungs[-1].agent == "random"
    assert rungs[-1].rating == 0
    assert all(rung.games > 0 and rung.spread < 400 for rung in rungs)
    assert [rung["agent"] for rung in ladder_json(azul, path, agents)["rungs"]] == [rung.agent for rung in rungs]
    assert {"random", "heuristic", "easy"} <= set(ladder_agents(azul))
    with pytest.raises(BadInput, match="at least two agents"):
        Ladder(azul, path, ["random"])
    with pytest.raises(BadInput, match="did you mean heuristic"):
        Ladder(azul, path, ["random", "heuristik"])


def test_agents_in_another_order_go_on_with_the_games_that_there_are(tmp_path: Path) -> None:
    azul, path = registry.game("azul"), tmp_path / "ladder.db"
    Ladder(azul, path, ["random", "heuristic"]).play(4)
    turned = Ladder(azul, path, ["heuristic", "random"])
    assert sorted(rung.games for rung in turned.rungs()) == [4, 4]
    assert turned.play(2) == 2
    with ResultsFile(path) as file:
        assert [file.count(run) for run in file.runs()] == [6]


def test_a_ladder_without_names_rates_whoever_has_played_and_lets_the_known_ones_play(tmp_path: Path) -> None:
    azul, path = registry.game("azul"), tmp_path / "ladder.db"
    Ladder(azul, path, ["random", "heuristic", "heuristic:ties=random"]).play(12)
    everybody = Ladder(azul, path)
    assert everybody.agents == [*ladder_agents(azul), "heuristic:ties=random"]
    games = {rung.agent: rung.games for rung in everybody.rungs()}
    assert games["heuristic:ties=random"] > 0
    assert sum(games.values()) >= 24
    everybody._wins[:-1, :-1] += 1000 * (1 - np.eye(len(everybody.agents) - 1))  # nothing tells more than its games
    assert max(everybody.next_pair()) < len(ladder_agents(azul))
    assert "heuristic:ties=random" not in {rung["agent"] for rung in ladder_json(azul, path)["rungs"]}


def test_a_ladder_of_four_seats(tmp_path: Path) -> None:
    catan = registry.game("catan")
    plan_of_four = Ladder(catan, tmp_path / "ladder.db", ["random", "weighted"]).schedule(0, 1, 3)
    assert plan_of_four.arrangements == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_lengths_are_told_of_games_with_a_published_table_alone() -> None:
    chapter = Chapter.__new__(Chapter)
    chapter.run = SimpleNamespace(game_name="azul")  # type: ignore[assignment]
    assert chapter._lengths(References("", "", (PrintedFigure("", "length", 3.0),))) is None
