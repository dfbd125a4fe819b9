"""Stepping through a saved game."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ludens.core.match import Match
from tests.cli.conftest import Ludens


def test_stepping(ludens: Ludens, saved: Path) -> None:
    run = ludens("replay", str(saved), lines=("", "n", "p", "last", "n", "first", "p", "30", "?", "jump", "99999", "q"))
    last = Match.from_json(saved.read_text()).ply
    assert run.status == 0
    shown = [int(ply) for ply in re.findall(r"─ position (\d+) of", run.out)]
    assert shown == [0, 21, 22, 21, last, 0, 30]
    for told in ("This is the last position.", "This is the first position.", "'jump' is not a command", "Enter or n"):
        assert told in run.out
    assert f"positions 0 to {last}, not 99999" in run.out
    assert "Total" in run.out


def test_next_tells_what_happened(ludens: Ludens, saved: Path) -> None:
    run = ludens("replay", str(saved), lines=("", ""))
    assert "starts" in run.out
    assert " takes " in run.out


def test_one_position(ludens: Ludens, saved: Path) -> None:
    run = ludens("replay", str(saved), "--ply", "21")
    assert run.out.count("position ") == 1
    assert "Round 1" in run.out


def test_json_of_the_game(ludens: Ludens, saved: Path) -> None:
    document = json.loads(ludens("replay", str(saved), "--json").out)
    match = Match.from_json(saved.read_text())
    assert document["plies"] == len(document["steps"]) == match.ply
    assert [step["action"] for step in document["steps"]] == match.log
    assert document["over"] is True
    assert document["scores"] == match.scores()
    assert document["steps"][0]["text"].endswith("starts")
    choice = next(step for step in document["steps"] if step["actor"] >= 0)
    assert choice["text"] == match.at(choice["ply"]).text(choice["action"])
    assert choice["events"][0]["kind"] == "take"


def test_json_of_a_position(ludens: Ludens, saved: Path) -> None:
    document = json.loads(ludens("replay", str(saved), "--ply", "21", "--json").out)
    match = Match.from_json(saved.read_text()).at(21)
    assert document["ply"] == 21
    assert document["actor"] == match.actor
    assert [move["action"] for move in document["legal"]] == match.legal().tolist()
    assert len(document["position"]["factories"]) == 5
