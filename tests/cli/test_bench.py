"""`ludens bench --adapters`: every adapter beside the plain batch, in one run."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Ludens


def test_every_adapter_is_measured_beside_the_batch(ludens: Ludens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.bench._SECONDS", 0.02)
    monkeypatch.setattr("ludens.bench._REPLAYED", 2)
    run = ludens("bench", "azul", "--players", "2", "--adapters", "--json")
    assert run.status == 0, run.err
    rows = {row["measure"]: row["value"] for row in json.loads(run.out)}
    assert set(rows) == {"Batch", "Match", "PettingZoo", "Gymnasium", "Gymnasium, vector", "OpenSpiel"}
    assert all(value is None or value > 0 for value in rows.values())
    assert rows["Batch"] > rows["Match"] > 0
