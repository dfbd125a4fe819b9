"""The benchmark of self-play runs on any machine and tells what it is for."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "selfplay.py"
TINY = ["--set", "games=16", "horizon=2", "width=16", "blocks=1", "minibatches=2", "random_decisions=4"]


def test_every_variant_is_measured_and_a_broken_one_stops_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    torch.set_num_threads(1)
    names = ["magic", "recorded,joined"]
    runpy.run_path(str(BENCHMARK))["main"](
        [*TINY, "--without", *names, "--seconds", "0.05", "--device", "cpu", "--profile"]
    )
    said = capsys.readouterr().out
    assert said.count("M decisions/s") == 2
    assert "a step of playing" in said and "an update" in said
    assert "failed" in said and "not without magic" in said
