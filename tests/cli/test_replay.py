"""Stepping through a saved game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludens.cli.console import output_console
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


def test_before_a_draw_no_player_is_said_to_move(ludens: Ludens, saved: Path) -> None:
    assert "A draw comes next." in ludens("replay", str(saved), "--ply", "0").out
    assert "A draw comes next." not in ludens("replay", str(saved), "--ply", "21").out


def test_a_result_that_contradicts_the_log_is_refused(ludens: Ludens, saved: Path, tmp_path: Path) -> None:
    document = json.loads(saved.read_text())
    true, file = document["result"]["scores"], tmp_path / "changed.json"
    broken_off = {"reason": "resigned", "scores": true, "returns": [-1.0, 1.0]}
    for result, refusal in (
        ({**document["result"], "scores": [1.0, 2.0]}, f"which gives scores {true}"),
        ({**document["result"], "returns": [0.0, 0.0]}, "contradicts the log"),
        ({**broken_off, "scores": [1.0, 2.0]}, "contradicts the log"),
        ("won", "must be an object with scores and returns"),
        (broken_off, ""),
        (None, ""),
    ):
        file.write_text(json.dumps({**document, "result": result}))
        run = ludens("replay", str(file), "--ply", "0")
        assert (run.status, run.err.count("\n")) == ((2, 1) if refusal else (0, 0))
        assert refusal in run.err
    file.write_text(json.dumps({**document, "log": document["log"][:30]}))
    assert "its log does not end the game" in ludens("replay", str(file)).err


def test_what_is_no_terminal_has_room_for_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert output_console().height > 10_000
