"""TD(λ) of value networks in `ludens train`: kept and taken up again exactly, spread over processes, played at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.core.weights import read_weights  # noqa: E402
from ludens.learn.algorithms import algorithm_for, algorithms_of  # noqa: E402
from ludens.learn.plan import make_plan  # noqa: E402
from ludens.learn.training import Training  # noqa: E402
from ludens.play.cluster import executor_for  # noqa: E402

CATAN = registry.game("catan")
ALGORITHM = algorithm_for(CATAN, "td-value")
TINY = {
    "games": 8,
    "tasks": 2,
    "kept": 8,
    "taught": 1,
    "rounds": 2,
    "tables": ["players=3", "players=2,board=variable"],
}


def training(folder: Path, settings: dict[str, Any] | None = None, **config: Any) -> Training:
    given = {
        "steps": 4,
        "report_every": 1,
        "evaluate_games": 2,
        "evaluate_every": 4,
        "settings": TINY | (settings or {}),
    }
    return Training(CATAN, ALGORITHM, *make_plan(CATAN, ALGORITHM, given | config), folder)


def files(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in ("curve.csv", "evaluations.csv", "checkpoint.json", "agent.json")]


@pytest.mark.parametrize("averaging", [0.0, 0.5])
def test_a_resumed_training_gives_the_same_files_and_its_agent_plays(tmp_path: Path, averaging: float) -> None:
    torch.set_num_threads(1)
    settings = {"averaging": averaging}
    whole = training(tmp_path / "whole", settings)
    whole.begin(resume=False)
    whole.run()
    assert whole.code == f"value-network:evaluation={tmp_path / 'whole' / 'agent.json'}"
    assert whole.evaluations[-1].games == 2
    broken = training(tmp_path / "broken", settings)
    broken.begin(resume=False)
    broken.run(until=3)
    again = training(tmp_path / "broken", settings)
    again.begin(resume=True)
    again.run()
    assert files(tmp_path / "broken") == files(tmp_path / "whole")


def test_processes_play_the_same_games(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    alone = training(tmp_path / "alone", evaluate_games=0, steps=2)
    alone.begin(resume=False)
    alone.run()
    with executor_for(2) as executor:
        plan = make_plan(CATAN, ALGORITHM, {"steps": 2, "report_every": 1, "evaluate_games": 0, "settings": TINY})
        side_by_side = Training(CATAN, ALGORITHM, *plan, tmp_path / "both", executor)
        side_by_side.begin(resume=False)
        side_by_side.run()
    assert (tmp_path / "both" / "curve.csv").read_bytes() == (tmp_path / "alone" / "curve.csv").read_bytes()


def test_it_can_begin_with_what_was_learnt(tmp_path: Path) -> None:
    begun = training(tmp_path, {"start": "value-network"}, evaluate_games=0)
    begun.begin(resume=False)
    kept, _ = begun._learner.save()
    assert kept["weights"] == pytest.approx(CATAN.rules.evaluations["value-network"], abs=1e-6)


def test_the_average_plays_and_is_written_and_begins_where_the_network_does(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    averaged = training(tmp_path, {"averaging": 0.9, "taught": 0}, evaluate_games=0, steps=2)
    averaged.begin(resume=False)
    kept, _ = averaged._learner.save()
    assert np.array_equal(kept["average"], kept["weights"])
    averaged.run(until=1)
    first, _ = averaged._learner.save()
    averaged.run()
    second, _ = averaged._learner.save()
    assert np.array_equal(second["played/0"], kept["weights"])
    assert np.array_equal(second["played/1"], first["average"])
    assert not np.array_equal(first["average"], first["weights"])
    assert read_weights(tmp_path / "agent.json") == pytest.approx(second["average"], abs=1e-6)


def test_a_learner_that_only_meets_a_rival_tells_how_often_it_wins(tmp_path: Path) -> None:
    settings = {"rival": "value-network", "start": "value-network", "bold": 0.0, "games": 60, "tables": ["players=2"]}
    equal = training(tmp_path, settings, evaluate_games=0, steps=1)
    equal.begin(resume=False)
    equal.run()
    assert 0.3 < equal.rows[0]["won"] < 0.7, "it began as the rival itself"


def test_what_cannot_be_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="A table is written as"):
        training(tmp_path, {"tables": ["four players"]})
    with pytest.raises(BadInput, match="tuned is no value network of Catan"):
        training(tmp_path, {"start": "tuned"}).begin(resume=False)
    assert "td-value" not in algorithms_of(registry.game("scotland_yard")), "it does not describe its positions"
