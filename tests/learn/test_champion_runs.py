"""The runs that make the champions: their files are sound, and the networks small enough to ship."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from experiments.champions.all import RUNS, pack
from experiments.champions.train import Run, read
from experiments.strength.champions import champion_lines
from ludens.agents.codes import parse_code
from ludens.core.errors import BadInput
from ludens.core.registry import BUILT_IN, game
from ludens.learn.ppo import PPO
from ludens.networks import shipped as champions
from ludens.networks.network import load

FOLDER = Path(__file__).parents[2] / "experiments" / "champions"
FILES = sorted(FOLDER.glob("*.toml"))


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    return [read(path) for path in FILES]


def test_every_run_is_trained_by_one_command_or_on_a_cpu(runs: list[Run]) -> None:
    names = {run.name for run in runs}
    assert set(RUNS) == {name for name in names if not name.endswith("_cpu")}
    assert len(set(RUNS)) == len(RUNS)
    for run in runs:
        for other in (run.start, run.rival):
            assert other is None or RUNS.index(other) < RUNS.index(run.name)


def test_every_run_is_evaluated_by_agents_that_exist_on_every_seat(runs: list[Run]) -> None:
    for run in runs:
        found = game(run.game)
        players = int(found.options(run.options)[0])
        assert run.against
        for entry in run.against:
            words = entry["agents"].split()
            assert {"NET", "RIVAL"} & set(words) and len(words) == players
            assert run.rival or "RIVAL" not in words
            for word in words:
                parse_code(found, "net:FILE" if word in ("NET", "RIVAL") else word)
        for key, values in run.covers.items():
            for value in values:
                found.options({key: value})
        assert run.covers["players"] == [players]


def test_the_networks_are_small(runs: list[Run]) -> None:
    sizes = {}
    for run in runs:
        changes: dict[str, Any] = {"against": ("self",)} if run.rival else {}
        learner = PPO(run.setup(games=1, horizon=1, minibatches=1, **changes))
        sizes[run.name] = 2 * learner.network.parameters + 8192
    assert max(sizes.values()) <= 6 * 2**20
    shipped = {name for name in RUNS if not name.endswith(("_rival", "_start", "_middle"))}
    assert sum(size for name, size in sizes.items() if name in shipped) <= 25e6


def test_a_run_begins_with_what_fits_of_another(runs: list[Run], tmp_path: Path) -> None:
    tiny: dict[str, Any] = {"games": 1, "horizon": 1, "minibatches": 1, "width": 32, "against": ("self",)}
    by_name = {run.name: run for run in runs}
    for run in runs:
        if run.start is not None:
            first = by_name[run.start]
            start = PPO(replace(first.setup(**tiny), seed=5)).network
            start = replace(start, options=first.covers)  # as its file tells
            file = start.save(tmp_path / f"{run.start}.safetensors")
            start = load(file)  # which keeps half of the digits
            learner = PPO(run.setup(**tiny, start=str(file)))
            for name in ("policy.weight", "blocks.1.0.weight"):
                assert (learner.network.arrays[name] == start.arrays[name]).all()
            inputs, first_inputs = (found.arrays["input.weight"] for found in (learner.network, start))
            assert (inputs.shape != first_inputs.shape) or (inputs == first_inputs).all()
            assert np.isin(first_inputs, inputs).all() or run.name == "azul2_grey_start"  # its walls are other inputs
            assert learner.network.layout.seats == int(game(run.game).options(run.options)[0])
            with pytest.raises(BadInput, match="another width"):
                PPO(run.setup(**{**tiny, "width": 16}, start=str(file)))


def test_a_setting_can_be_changed_and_an_unknown_one_is_refused() -> None:
    assert read(FOLDER / "grid.toml", ["games=7", "endings='walls'"]).settings.games == 7
    with pytest.raises(BadInput, match="setting of ppo"):
        read(FOLDER / "grid.toml", ["gmes=7"])
    with pytest.raises(BadInput, match="parts is called minibatches now"):
        read(FOLDER / "grid.toml", ["parts=7"])


def test_what_came_out_is_packed_into_three_files(tmp_path: Path) -> None:
    run = read(FOLDER / "grid.toml")
    work = tmp_path / "work"
    work.mkdir()
    (work / "grid.safetensors").write_bytes(b"weights")
    lines = [f"{k},{k * 10}" for k in range(200)]
    (work / "grid.csv").write_text("\n".join(["iteration,decisions", *lines]) + "\n")
    (work / "azul2.csv").touch()  # a run that has just begun
    out = tmp_path / "out"
    pack(out, work, [run, read(FOLDER / "azul2.toml")], [{"run": "grid", "share": 0.5}])
    assert sorted(path.name for path in out.iterdir()) == ["curves.csv", "evaluations.json", "networks.zip"]
    assert zipfile.ZipFile(out / "networks.zip").namelist() == ["grid.safetensors"]
    assert json.loads((out / "evaluations.json").read_text())[0]["share"] == 0.5
    assert 60 <= len((out / "curves.csv").read_text().splitlines()) <= 80


def test_every_line_of_the_proof_has_agents_that_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(champion_lines(["azul"])) == [] or champions.shipped(game("azul"))
    monkeypatch.setattr(champions, "FOLDER", tmp_path)
    for name in BUILT_IN:
        (tmp_path / f"{name}-2.safetensors").touch()
    found_lines = [*champion_lines(list(BUILT_IN)), *champion_lines(["azul", "catan"], "learner.safetensors")]
    assert len({line.name for line in found_lines}) == len(found_lines) >= 35
    for line in found_lines:
        for code in line.agents:
            parse_code(game(line.game), code)
        assert line.games >= 100
