"""The page on learning is true: its commands work as written, and its notebook runs from top to bottom."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludens.cli.main import app
from ludens.core import registry
from ludens.learn.algorithms import algorithm_for, algorithms_of
from ludens.learn.plan import make_plan, read_config

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "learning.md").read_text()
COMMANDS = [
    shlex.split(line)
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("ludens ")
]


def tiny(command: list[str]) -> list[str]:
    """The command with few steps and games."""
    few = {"--steps": "1", "--games": "2"}
    return [few.get(before, word) for before, word in zip(["", *command], command, strict=False)][1:]


def test_the_first_training_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = [command for command in COMMANDS if any("training/mine" in word for word in command)]
    assert [command[1] for command in first] == ["train", "train", "arena", "play", "join"]
    for command in first[:3]:
        done = CliRunner().invoke(app, tiny(command))
        assert done.exit_code == 0, done.output
    assert (tmp_path / "training" / "mine" / "curve.csv").read_text().startswith("step,rounds,won,")


def test_every_training_on_the_page_is_one_that_would_begin() -> None:
    document = tomllib.loads(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])
    trainings = [command for command in COMMANDS if command[1] == "train" and not command[2].endswith(".toml")]
    assert len(trainings) >= 6
    for command in trainings:
        game = registry.game(command[2])
        algorithm = algorithm_for(game, command[3])
        config = {}
        if "--config" in command:
            file = ROOT / command[command.index("--config") + 1]  # one of the repository, or the page's own
            config = read_config(file) if file.exists() else dict(document)
        settings = [word for before, word in pairwise(command) if before == "--set"]
        given = {word.split("=")[0]: tomllib.loads(word.replace("=", " = "))[word.split("=")[0]] for word in settings}
        make_plan(game, algorithm, {**config, "settings": {**config.get("settings", {}), **given}})


def test_every_algorithm_is_on_the_page() -> None:
    for game in registry.games():
        for name in algorithms_of(game):
            assert f"`{name}`" in PAGE, name


def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_BUDGET", "1")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    notebook = json.loads((ROOT / "examples" / "learning.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell.get("outputs") for cell in notebook["cells"])
    scope: dict[str, object] = {"__name__": "notebook"}
    for number, cell in enumerate(cells):
        exec(compile(cell, f"cell {number}", "exec"), scope)
    assert scope["match"].over  # type: ignore[attr-defined]
    assert set(scope["shares"]) == {"random", "improved", "result only", "thesis"}  # type: ignore[call-overload]
