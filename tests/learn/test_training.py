"""Trainings: rows, checkpoints, exact resumption, refusals, full disks and kills."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.learn.learner import kept_array
from ludens.learn.plan import make_plan
from ludens.learn.training import Training
from tests.learn.toys import WALK

ROOT = Path(__file__).parents[2]


def training(folder: Path, **config: Any) -> Training:
    game = registry.game("azul")
    config = {"steps": 20, "report_every": 4, "checkpoint_every": 3, "evaluate_games": 0, **config}
    return Training(game, WALK, *make_plan(game, WALK, config), folder)


def whole(folder: Path, **config: Any) -> Training:
    one = training(folder, **config)
    one.begin(resume=False)
    one.run()
    return one


def test_rows_are_means_and_the_last_one_may_be_short(tmp_path: Path) -> None:
    one = whole(tmp_path / "a", steps=10)
    assert [row["step"] for row in one.rows] == [4, 8, 10]
    text = (tmp_path / "a" / "curve.csv").read_text().splitlines()
    assert text[0] == "step,height,first"
    assert len(text) == 4


@pytest.mark.parametrize("stop", [1, 3, 5, 12, 19])
def test_a_resumed_training_gives_the_same_files(stop: int, tmp_path: Path) -> None:
    whole(tmp_path / "whole")
    broken = training(tmp_path / "broken")
    broken.begin(resume=False)
    broken.run(until=stop)
    again = training(tmp_path / "broken")
    again.begin(resume=True)
    again.run()
    for name in ("curve.csv", "agent.txt", "checkpoint.json"):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_what_came_after_the_last_checkpoint_is_made_again(tmp_path: Path) -> None:
    whole(tmp_path / "whole")
    one = training(tmp_path / "broken", checkpoint_every=6)
    one.begin(resume=False)

    def die(now: Training) -> None:
        if now.step == 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        one.run(die)
    again = training(tmp_path / "broken")
    again.begin(resume=True)
    assert again.step == 6
    again.run()
    assert (tmp_path / "broken" / "curve.csv").read_bytes() == (tmp_path / "whole" / "curve.csv").read_bytes()


def test_a_folder_with_a_training_is_not_overwritten(tmp_path: Path) -> None:
    whole(tmp_path)
    with pytest.raises(BadInput, match="--resume"):
        training(tmp_path).begin(resume=False)
    with pytest.raises(BadInput, match=r"no checkpoint\.json"):
        training(tmp_path / "other").begin(resume=True)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": 1}, "seed"),
        ({"settings": {"size": 2.0}}, "settings"),
        ({"report_every": 5}, "report_every"),
        ({"options": {"wall": "grey"}}, "options"),
    ],
)
def test_a_checkpoint_of_another_training_is_refused_by_name(change: dict, sentence: str, tmp_path: Path) -> None:
    whole(tmp_path)
    with pytest.raises(BadInput, match=sentence):
        training(tmp_path, **change).begin(resume=True)


@pytest.mark.parametrize(("key", "value"), [("game", "azul@99"), ("features", "7"), ("algorithm", "dqn")])
def test_a_checkpoint_of_another_game_or_version_is_refused_by_name(key: str, value: str, tmp_path: Path) -> None:
    whole(tmp_path)
    path = tmp_path / "checkpoint.json"
    document = json.loads(path.read_text())
    document["identity"][key] = value
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match=f"{key} .*{value}"):
        training(tmp_path).begin(resume=True)


@pytest.mark.parametrize("text", ["", "{}", "[1]", "[" * 100_000, '{"format": "ludens-training/1"}', "\x00\x01"])
def test_a_foreign_file_is_no_checkpoint(text: str, tmp_path: Path) -> None:
    whole(tmp_path)
    (tmp_path / "checkpoint.json").write_text(text)
    with pytest.raises(BadInput, match="no checkpoint"):
        training(tmp_path).begin(resume=True)


def test_a_cut_off_or_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    whole(tmp_path)
    path = tmp_path / "checkpoint.json"
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    with pytest.raises(BadInput, match="cut off"):
        training(tmp_path).begin(resume=True)
    document = json.loads(text)
    for damage in ({"data": "###"}, {"type": "object"}, {"shape": [7]}, {"data": base64.b64encode(b"12345").decode()}):
        document["arrays"]["at"] = {**json.loads(text)["arrays"]["at"], **damage}
        path.write_text(json.dumps(document))
        with pytest.raises(BadInput, match="damaged"):
            training(tmp_path).begin(resume=True)


def test_settings_that_differ_are_told_and_no_others(tmp_path: Path) -> None:
    whole(tmp_path)
    with pytest.raises(BadInput, match=r'has settings \{"size": 1\.0\}, this training has settings \{"size": 2\.0\}'):
        training(tmp_path, settings={"size": 2}).begin(resume=True)


def test_two_trainings_do_not_work_in_one_folder(tmp_path: Path) -> None:
    first = training(tmp_path)
    first.begin(resume=False)
    second = training(tmp_path)
    second.begin(resume=True)

    def interfere(_: Training) -> None:
        with pytest.raises(BadInput, match="Another training is at work in"):
            second.run()

    first.run(interfere, until=2)
    second.run()  # nobody is there any more
    assert second.step == second.plan.steps


def test_rows_of_other_figures_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    one = training(tmp_path)
    one.begin(resume=False)
    one.run(until=10)
    path = tmp_path / "checkpoint.json"
    document = json.loads(path.read_text())
    document["course"]["rows"] = [{"step": 1, "width": 2}]
    path.write_text(json.dumps(document))
    again = training(tmp_path)
    again.begin(resume=True)
    with pytest.raises(BadInput, match="have other figures than walk"):
        again.run()
    assert json.loads(path.read_text()) == document
    document["course"]["rows"] = [{"step": 1}, {"step": 2, "width": 2}]
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match="no checkpoint"):
        training(tmp_path).begin(resume=True)


@pytest.mark.parametrize(
    "damage", [{"step": "3"}, {"step": -1}, {"facts": []}, {"course": {}}, {"course": {"rows": [1], "since": []}}]
)
def test_a_checkpoint_with_parts_of_another_kind_is_refused(damage: dict, tmp_path: Path) -> None:
    whole(tmp_path)
    path = tmp_path / "checkpoint.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **damage}))
    with pytest.raises(BadInput, match="no checkpoint"):
        training(tmp_path).begin(resume=True)


def test_an_array_of_another_shape_or_without_numbers_is_refused_by_name() -> None:
    arrays = {"w": np.zeros((2, 3))}
    assert kept_array(arrays, "w", (2, 3)).shape == (2, 3)
    for bad in (np.zeros(6), np.zeros((2, 3), np.float32), np.full((2, 3), np.nan)):
        with pytest.raises(BadInput, match="'w' is not of 2 × 3 finite numbers"):
            kept_array({"w": bad}, "w", (2, 3))


def test_an_opponent_that_cannot_be_made_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="did you mean heuristic"):
        training(tmp_path / "new", opponents=["heuristc"]).begin(resume=False)
    assert not (tmp_path / "new").exists()


def test_a_learner_that_cannot_begin_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise BadInput("The file of an opponent is not there.")

    monkeypatch.setattr("tests.learn.toys.Walk.start", fail)
    with pytest.raises(BadInput, match="not there"):
        training(tmp_path / "a").begin(resume=False)
    assert not (tmp_path / "a").exists()


def test_a_full_disk_leaves_the_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = training(tmp_path)
    one.begin(resume=False)
    one.run(until=9)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(BadInput, match="No space left"):
            one.run()
    again = training(tmp_path)
    again.begin(resume=True)
    assert again.step == 9
    again.run()
    whole(tmp_path / "whole")
    assert (tmp_path / "curve.csv").read_bytes() == (tmp_path / "whole" / "curve.csv").read_bytes()
    assert not list(tmp_path.glob("*.part"))


def test_evaluations_come_at_fixed_points_with_intervals(tmp_path: Path) -> None:
    one = training(tmp_path, evaluate_games=4, evaluate_every=10, opponents=["random"])
    one.begin(resume=False)
    one.run()
    assert [(e.step, e.opponents, e.games) for e in one.evaluations] == [(10, "random", 4), (20, "random", 4)]
    assert all(0 <= e.low <= e.won <= e.high <= 1 for e in one.evaluations)
    again = training(tmp_path, evaluate_games=4, evaluate_every=10, opponents=["random"])
    again.begin(resume=True)
    assert again.evaluations == one.evaluations


def test_logs_for_tensorboard_hold_the_rows(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    one = whole(tmp_path)
    log = accumulator.EventAccumulator(str(tmp_path / "tensorboard"), {accumulator.TENSORS: 0})
    log.Reload()
    events = log.Tensors("height")
    values = [float(event.tensor_proto.float_val[0]) for event in events]
    assert [event.step for event in events] == [int(row["step"]) for row in one.rows]
    assert values == pytest.approx([row["height"] for row in one.rows], rel=1e-6)


def test_logs_that_cannot_be_written_do_not_end_a_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tensorboard = pytest.importorskip("tensorboard.summary")

    def full(self: object, *given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tensorboard.Writer, "add_scalar", full)
    assert whole(tmp_path).step == 20


def test_a_killed_training_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """The real command, ended by SIGKILL in the middle of its steps."""
    config = tmp_path / "config.toml"
    config.write_text(
        "steps = 6\nseed = 5\nreport_every = 2\ncheckpoint_every = 2\nevaluate_games = 0\n[settings]\nschedule = 6\n"
    )
    command = [sys.executable, "-m", "ludens", "train", "scotland_yard_grid", "q-learning", "--config", str(config)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def call(*more: str) -> None:
        done = subprocess.run([*command, *more], env=environment, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr

    call("--out", str(tmp_path / "whole"))
    broken = subprocess.Popen([*command, "--out", str(tmp_path / "broken")], env=environment, stderr=subprocess.DEVNULL)
    path = tmp_path / "broken" / "checkpoint.json"
    deadline = time.monotonic() + 600
    while not path.exists() or json.loads(path.read_text())["step"] < 2:
        assert broken.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    broken.send_signal(signal.SIGKILL)
    broken.wait()
    assert json.loads(path.read_text())["step"] < 6
    call("--out", str(tmp_path / "broken"), "--resume")
    for name in ("curve.csv", "checkpoint.json"):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_arrays_of_all_kinds_survive_a_checkpoint(tmp_path: Path) -> None:
    one = training(tmp_path)
    one.begin(resume=False)
    for array in (np.zeros((0, 3)), np.arange(6, dtype=np.int16).reshape(2, 3), np.array(2.5, np.float32)):
        one._learner.at = array  # type: ignore[attr-defined]
        one._keep()
        again = training(tmp_path)
        again.begin(resume=True)
        kept = again._learner.at  # type: ignore[attr-defined]
        assert kept.dtype == array.dtype
        assert kept.shape == array.shape
        assert (kept == array).all()
