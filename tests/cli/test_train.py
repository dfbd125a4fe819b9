"""`ludens train`: lists of algorithms, a whole training, resumption, and bad input in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from ludens.cli.train import _picture
from ludens.core import registry
from ludens.learn import algorithms
from ludens.learn.plan import make_plan
from ludens.learn.training import Training
from tests.cli.conftest import Ludens
from tests.learn.toys import WALK


@pytest.fixture(autouse=True)
def walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy learner is an algorithm of every game."""
    monkeypatch.setitem(algorithms.ALGORITHMS, "walk", WALK)


def test_without_an_algorithm_those_of_the_game_are_listed(ludens: Ludens) -> None:
    run = ludens("train", "discovery")
    assert run.status == 0
    assert "gradient: " in run.out
    assert "genetic: " in run.out
    assert "q-learning" not in run.out


def test_a_training_tells_its_curve_and_how_to_play_the_agent(ludens: Ludens, tmp_path: Path) -> None:
    config = tmp_path / "walk.toml"
    config.write_text("report_every = 5\nevaluate_games = 2\nevaluate_every = 10\n")
    arguments = ("train", "azul", "walk", "--config", str(config), "-s", "size=0.5", "--seed", "4")
    run = ludens(*arguments, "--steps", "10", "--out", str(tmp_path / "a"))
    assert run.status == 0, run.err
    assert run.err.count("height ") == 2
    assert "after 10: " in run.out
    assert "ludens arena azul heuristic random" in run.out
    refused = ludens(*arguments, "--steps", "10", "--out", str(tmp_path / "a"))
    assert refused.status == 2
    assert "--resume" in refused.err
    longer = ludens(*arguments, "--steps", "20", "--out", str(tmp_path / "a"), "--resume", "--json")
    assert longer.status == 0, longer.err
    document = json.loads(longer.out)
    assert [row["step"] for row in document["curve"]] == [5, 10, 15, 20]
    assert document["identity"]["settings"]["size"] == 0.5


def test_the_live_picture_shows_progress_and_curve(tmp_path: Path) -> None:
    game = registry.game("azul")
    one = Training(game, WALK, *make_plan(game, WALK, {"steps": 20, "evaluate_games": 0}), tmp_path / "a")
    one.begin(resume=False)
    one.run()
    text = Console(width=100)
    with text.capture() as shown:
        text.print(_picture(one, 100.0))
    assert "20 of 20 games, 2 min left" in shown.get()
    assert shown.get().splitlines()[2].startswith("height")
    assert "height, mean of 1 games" in shown.get()
    assert "█" in shown.get()


def test_a_training_goes_on_for_more_steps_than_it_began_with(ludens: Ludens, tmp_path: Path) -> None:
    """How many steps a row stands for hangs on all of them unless it is said; what is kept decides then."""
    command = ("train", "azul", "walk", "--out", str(tmp_path / "a"), "--opponents", "random")
    assert ludens(*command, "--steps", "4").status == 0
    longer = ludens(*command, "--steps", "200", "--resume", "--json")
    assert longer.status == 0, longer.err
    assert json.loads(longer.out)["identity"]["report_every"] == 1


def test_bad_input_is_one_sentence(ludens: Ludens, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.toml"
    foreign.write_text("stepps = 3\n")
    flat = tmp_path / "flat.toml"
    flat.write_text("settings = 3\n")
    broken = tmp_path / "broken.toml"
    broken.write_text("a = = 3\n")
    (tmp_path / "file").write_text("")
    out = ("--out", str(tmp_path / "out"))
    cases = [
        (("azul", "wlak"), "did you mean walk"),
        (("chess", "walk"), "Unknown game"),
        (("azul", "walk", "-s", "siz=1"), "did you mean size"),
        (("azul", "walk", "-s", "size=big"), "size must be a number"),
        (("azul", "walk", "-o", "wal=grey"), "did you mean wall"),
        (("azul", "walk", "--steps", "-1"), "steps must be at least 1"),
        (
            ("azul", "walk", "--config", str(foreign)),
            "foreign.toml, line 1: Unknown key of a training 'stepps'",
        ),
        (("azul", "walk", "--config", str(flat), "-s", "size=1"), "flat.toml, line 1: [settings] must be a table"),
        (("azul", "walk", "--config", str(broken)), "is not TOML"),
        (("azul", "walk", "--config", str(tmp_path / "none.toml")), "Cannot read"),
        (("azul", "walk", "--resume"), "no checkpoint.json"),
    ]
    for arguments, sentence in cases:
        run = ludens("train", *arguments, *out)
        assert run.status == 2, arguments
        assert sentence in run.err
        assert not (tmp_path / "out").exists()
    run = ludens("train", "azul", "walk", "--out", str(tmp_path / "file" / "x"))
    assert run.status == 2
    assert "Cannot make the folder" in run.err


def test_processes_that_a_learner_cannot_use_are_refused(ludens: Ludens, tmp_path: Path) -> None:
    run = ludens("train", "azul", "walk", "--steps", "2", "--processes", "2", "--out", str(tmp_path / "a"))
    assert run.status == 2
    assert run.err == "walk learns in one process: leave out --processes and --cluster.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_callback_is_told_every_figure_and_the_folder_who_made_it(
    ludens: Ludens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    told = tmp_path / "told.txt"
    (tmp_path / "my_figures.py").write_text(
        f"def note(step, figures):\n    with open({str(told)!r}, 'a') as file:\n"
        "        print(step, *sorted(figures), file=file)\n"
    )
    command = ("train", "azul", "walk", "--out", str(tmp_path / "a"), "--opponents", "random")
    run = ludens(*command, "--steps", "2", "--callback", "my_figures:note")
    assert run.status == 0, run.err
    assert "1 first height" in told.read_text().splitlines()
    (session,) = json.loads((tmp_path / "a" / "sessions.json").read_text())
    assert {"command", "commit", "dirty", "machine", "versions", "seed", "from_step"} <= session.keys()
    refused = ludens(*command, "--steps", "2", "--callback", "my_figures:nothing")
    assert refused.status == 2
    assert refused.err == "Callback my_figures:nothing cannot be loaded: module my_figures has no nothing.\n"
