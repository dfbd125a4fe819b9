"""`ludens tune`: progress, a file that can be used, bad input."""

from __future__ import annotations

import json
from pathlib import Path

from ludens.core.weights import read_weights
from tests.cli.conftest import Ludens

QUICK = (
    "--agent", "mcts:simulations=4,rollout=cut", "--games", "1", "--generations", "2", "--population", "4",
    "--proof", "2",
)  # fmt: skip


def test_writes_weights_with_the_command_and_shows_progress(ludens: Ludens, tmp_path: Path) -> None:
    file = tmp_path / "azul.json"
    run = ludens("tune", "azul", *QUICK, "--out", str(file))
    assert run.status == 0, run.err
    assert run.err.count("generation ") == 2
    assert "After 2 generations the favourite wins" in run.out
    document = json.loads(file.read_text())
    assert document["command"].startswith("ludens")
    assert document["proof"]["games"] == 2
    assert len(read_weights(file, "azul")) == 48
    again = ludens("tune", "azul", *QUICK, "--start", str(file), "--json")
    assert json.loads(again.out)["generations"] == 2


def test_bad_input_is_one_sentence(ludens: Ludens, tmp_path: Path) -> None:
    cases = [
        (("azul", "--start", str(tmp_path / "none.json")), "Cannot read"),
        (("azul", "--out", str(tmp_path / "none" / "x.json")), "does not exist"),
        (("azul", "--games", "0"), "number of games"),
        (("azul", "--players", "9"), "is for 2, 3, 4 players"),
        (("chess",), "Unknown game"),
    ]
    for arguments, sentence in cases:
        run = ludens("tune", *arguments)
        assert run.status == 2
        assert sentence in run.err
        assert run.err.count("\n") == 1
