"""Self-play in `ludens train`: kept and taken up again exactly, played at once, refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.learn.algorithms import algorithm_for  # noqa: E402
from ludens.learn.configuration import read_config  # noqa: E402
from ludens.learn.plan import make_plan  # noqa: E402
from ludens.learn.training import Training  # noqa: E402

TINY = {"iterations": 4, "games": 24, "steps": 8, "width": 16, "parts": 2, "warm_up": 10, "elder_every": 1}
GAME = registry.game("azul")
ALGORITHM = algorithm_for(GAME, "selfplay")


def training(folder: Path, settings: dict[str, Any] | None = None, **config: Any) -> Training:
    config = {"steps": 3, "report_every": 1, "evaluate_games": 0, "settings": TINY | (settings or {}), **config}
    return Training(GAME, ALGORITHM, *make_plan(GAME, ALGORITHM, config), folder)


def test_a_resumed_training_gives_the_same_files_and_its_agent_plays(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    whole = training(tmp_path / "whole", evaluate_games=2, evaluate_every=3)
    whole.begin(resume=False)
    whole.run()
    assert [row["decisions"] for row in whole.rows] == [192, 384, 576]
    assert whole.evaluations[-1].opponents == "random"
    assert whole.code == f"net:{tmp_path / 'whole' / 'agent.safetensors'}"
    broken = training(tmp_path / "broken", evaluate_games=2, evaluate_every=3)
    broken.begin(resume=False)
    broken.run(until=2)
    again = training(tmp_path / "broken", evaluate_games=2, evaluate_every=3)
    again.begin(resume=True)
    again.run()
    for name in ("curve.csv", "evaluations.csv", "checkpoint.json", "agent.safetensors"):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    document = json.loads((tmp_path / "broken" / "checkpoint.json").read_text())
    document["facts"]["device"] = "elsewhere"
    (tmp_path / "broken" / "checkpoint.json").write_text(json.dumps(document))
    with pytest.raises(BadInput, match="began on elsewhere and goes on there"):
        training(tmp_path / "broken", evaluate_games=2, evaluate_every=3).begin(resume=True)


def test_what_cannot_be_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="9 steps are more than the 4 iterations"):
        training(tmp_path, steps=9)
    with pytest.raises(BadInput, match="top of a configuration"):
        training(tmp_path, {"seed": 3})
    with pytest.raises(BadInput, match="did you mean games"):
        training(tmp_path, {"gamse": 3})


def test_options_and_settings_of_the_champions_are_those_of_the_algorithm() -> None:
    for path in sorted((Path(__file__).parents[2] / "experiments" / "champions").glob("*.toml")):
        run = read_config(path)
        game = registry.game(run["game"])
        config = {
            "options": run.get("options", {}),
            "settings": run["settings"],
        }  # how long and what for is train.py's own
        assert make_plan(game, algorithm_for(game, "selfplay"), config)[2].games >= 64
