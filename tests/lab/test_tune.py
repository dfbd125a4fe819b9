"""Tuning: reproducible, better weights win, files go round, bad plans are one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ludens.games
from ludens.agents.codes import make_agent
from ludens.agents.search_settings import evaluation_weights
from ludens.core.agent import Seating
from ludens.core.errors import BadInput
from ludens.core.registry import BUILT_IN, game
from ludens.core.weights import FOLDER, read_weights, tuned_beside
from ludens.lab.tune import Generation, TuningPlan, tune
from tests.examples import tiny

AZUL = game("azul")
TINY = TuningPlan("mcts:simulations=6,rollout=cut", games=2, generations=2, population=4, proof=4, seed=3)


def test_equal_seeds_give_equal_weights_and_every_generation_is_reported() -> None:
    seen: list[Generation] = []
    first = tune(AZUL, TINY, report=seen.append)
    again = tune(AZUL, TINY, report=lambda generation: None)
    assert [generation.number for generation in seen] == [1, 2]
    assert all(-1 <= generation.mean <= generation.best <= 1 for generation in seen)
    assert np.array_equal(first.weights, again.weights)
    assert not np.array_equal(first.weights, evaluation_weights(AZUL))
    assert first.standing.games == 4


def test_weights_that_play_against_themselves_are_left_behind() -> None:
    """From an evaluation that prefers to lose, any step that turns a weight round is an improvement."""
    start = -evaluation_weights(AZUL, "prospects")
    plan = TuningPlan(
        "mcts:simulations=12,rollout=cut", games=6, generations=6, population=8, proof=40, spread=1.5, seed=1
    )
    means: list[float] = []
    tuned = tune(AZUL, plan, start, lambda generation: means.append(generation.best))
    assert max(means) > 0
    assert tuned.standing.win_share > 0.5


def test_the_time_ends_the_tuning_after_a_whole_generation() -> None:
    plan = TuningPlan("mcts:simulations=4,rollout=cut", games=1, generations=500, population=4, proof=1, seconds=0.001)
    assert tune(AZUL, plan, report=lambda generation: None).generations == 1


def test_a_written_evaluation_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = evaluation_weights(AZUL) + 1
    (tmp_path / "mine.json").write_text(json.dumps({"game": "azul", "weights": weights.tolist()}))
    (tmp_path / "short.json").write_text(json.dumps({"weights": [1, 2]}))
    (tmp_path / "foreign.json").write_text(json.dumps({"game": "chess", "weights": [1, 2]}))
    with pytest.raises(BadInput, match="Unknown evaluation of azul 'mine'"):
        evaluation_weights(AZUL, "mine")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert np.array_equal(evaluation_weights(AZUL, "mine"), weights)
    make_agent(AZUL, "mcts:simulations=5,evaluation=mine").start(Seating(AZUL, AZUL.options({}), 0, 1))
    with pytest.raises(BadInput, match="Evaluation short has 2 weights; azul needs 48"):
        evaluation_weights(AZUL, "short")
    with pytest.raises(BadInput, match="are for chess, not for azul"):
        evaluation_weights(AZUL, "foreign")
    with pytest.raises(BadInput, match="Unknown evaluation"):
        evaluation_weights(AZUL, "../mine")


def test_files_without_weights_are_refused(tmp_path: Path) -> None:
    assert tuned_beside(str(tmp_path / "evaluate.py")) == {}
    file = tmp_path / "tuned.json"
    for text in ("", "[]", "{}", '{"weights": []}', '{"weights": ["x"]}', '{"weights": [NaN]}', '{"weights": [true]}'):
        file.write_text(text)
        with pytest.raises(BadInput, match="holds no weights"):
            read_weights(file)
    file.write_text('{"weights": [1, 2.5]}')
    assert tuned_beside(str(tmp_path / "evaluate.py"))["tuned"].tolist() == [1, 2.5]


def test_the_command_repeats_what_the_clock_ended() -> None:
    plan = TuningPlan("mcts:simulations=9", "fitted", games=5, seconds=60, processes=8, seed=2)
    again = "--agent mcts:simulations=9 --games 5 --generations 7 --seed 2"
    assert plan.command(AZUL, 7, None) == f"ludens tune azul --evaluation fitted {again}"
    assert plan.command(AZUL, 7, Path("mine.json")) == f"ludens tune azul --start mine.json {again}"


def test_every_game_brings_tuned_weights_and_says_how_they_were_made() -> None:
    folder = Path(ludens.__file__).parent / "games"
    documents = [json.loads(path.read_text()) for path in sorted(folder.glob("*/tuned*.json"))]
    assert {document["game"] for document in documents} == set(BUILT_IN)
    for document in documents:
        found = game(document["game"])
        assert next(iter(found.rules.evaluations)) == "tuned"  # the default of searches and hints
        assert evaluation_weights(found).tolist() == document["weights"]
        assert document["command"].startswith(f"ludens tune {found.spec.name} --")
        assert f"--generations {document['generations']} " in document["command"]
        even = 1 / len(set(found.spec.sides(found.spec.default_players)))
        assert document["proof"]["interval"][1] > even  # not significantly worse than what it replaces


def test_an_evaluation_of_thousands_of_weights_is_not_tuned() -> None:
    catan = game("catan")
    many = len(catan.rules.evaluations["value-network"])
    with pytest.raises(BadInput, match=rf"value-network has {many:,} weights; up to 200 can be tuned\."):
        tune(catan, TuningPlan("mcts:simulations=2", evaluation="value-network"))


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (TuningPlan("mcts", games=0), "number of games must be from 1"),
        (TuningPlan("mcts", generations=-1), "number of generations must be from 1"),
        (TuningPlan("mcts", proof=0), "number of proof must be from 1"),
        (TuningPlan("mcts", processes=0), "number of processes must be from 1"),
        (TuningPlan("mcts", population=2), "from 4 to 10000 candidates, not 2"),
        (TuningPlan("mcts", seconds=0), "must be above 0"),
        (TuningPlan("mcts", spread=float("nan")), "spread must be above 0"),
        (TuningPlan("heuristic"), "takes no evaluation"),
        (TuningPlan("mcts", evaluation="nonsense"), "Unknown evaluation of azul"),
        (TuningPlan("nobody"), "Unknown agent of azul"),
    ],
)
def test_bad_plans_are_refused_in_a_sentence(plan: TuningPlan, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        tune(AZUL, plan)


def test_weights_of_another_length_and_games_without_an_evaluation_are_refused() -> None:
    with pytest.raises(BadInput, match="has 48 weights, not 3"):
        tune(AZUL, TINY, np.ones(3))
    with pytest.raises(BadInput, match="no evaluation of unfinished positions"):
        tune(tiny.GAME, TINY)
