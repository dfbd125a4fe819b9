"""`ludens import`: the examples of the page, what follows from them, and what is wrong in others."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Ludens

PAGE = Path(__file__).parents[2] / "docs" / "importing.md"
EXAMPLES = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
]


def test_every_game_has_an_example() -> None:
    from ludens.core.registry import BUILT_IN

    assert {example["game"] for example in EXAMPLES} == set(BUILT_IN)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["game"])
def test_an_example_becomes_a_saved_match(example: dict, ludens: Ludens, tmp_path: Path) -> None:
    source, target = tmp_path / "source.json", tmp_path / "game.json"
    source.write_text(json.dumps(example))
    run = ludens("import", str(source), "--save", str(target))
    assert (run.status, run.err) == (0, "")
    assert f"{len(example['log'])} entries" in run.out
    document = json.loads(target.read_text())
    assert document["chance"] == "recorded" and "seed" not in document
    assert json.loads(ludens("import", str(source)).out) == document
    told = json.loads(ludens("replay", str(target), "--json").out)
    assert (told["chance"], told["seed"], told["plies"]) == ("recorded", None, len(example["log"]))
    assert ludens("replay", str(target), "--ply", "3").status == 0


def test_an_imported_game_is_analysed_and_played_on(ludens: Ludens, tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    example = next(example for example in EXAMPLES if example["game"] == "azul")
    (tmp_path / "source.json").write_text(json.dumps(example))
    ludens("import", str(tmp_path / "source.json"), "--save", str(target))
    found = json.loads(ludens("analyse", str(target), "--simulations", "5", "--json").out)
    assert found["candidates"]
    run = ludens("play", str(target), "--seats", "human,random", lines=("1", "quit"))
    assert "recorded chance" in run.out


def test_a_game_without_a_seed_asks_what_is_drawn(ludens: Ludens, tmp_path: Path) -> None:
    (tmp_path / "source.json").write_text(json.dumps({"game": "pig", "log": []}))
    ludens("import", str(tmp_path / "source.json"), "--save", str(tmp_path / "game.json"))
    lines = ("roll", "a 9", "a 3", "hold", "quit")
    run = ludens("play", str(tmp_path / "game.json"), "--seats", "human,human", lines=lines)
    assert "What is drawn?" in run.out
    assert "Unknown draw 'a 9'" in run.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1, column 2"),
        ("[]", "JSON object"),
        ('{"game": "azul", "log": ["draw pink"]}', "Entry 0 of the log"),
        ('{"game": "azul", "options": {"first": "1"}, "log": ["draw red", "?"]}', "full information"),
        ('{"game": "azul", "logg": []}', "did you mean log"),
    ],
)
def test_what_is_wrong_is_named(text: str, words: str, ludens: Ludens, tmp_path: Path) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(text)
    run = ludens("import", str(file), "--save", str(tmp_path / "game.json"))
    assert run.status == 2
    assert words in run.err and run.err.count("\n") == 1
    assert not (tmp_path / "game.json").exists()


def test_a_wrong_move_names_entry_and_rule(ludens: Ludens, tmp_path: Path) -> None:
    example = next(example for example in EXAMPLES if example["game"] == "azul")
    (tmp_path / "wrong.json").write_text(json.dumps({**example, "log": [*example["log"][:20], "5 black 1"]}))
    run = ludens("import", str(tmp_path / "wrong.json"))
    assert run.err == (
        'Entry 20 of the log, "5 black 1": There is no black tile in factory 5. See rule AZ-15 (docs/rules/azul.md).\n'
    )


def test_thoughts_are_shown_where_nothing_is_hidden(ludens: Ludens) -> None:
    run = ludens(
        "play", "azul", "--seats", "human,flat:simulations=2", "--seed", "3", "--thoughts", lines=("1", "quit")
    )
    assert re.search(r"Flat thought: value [+-]\d\.\d\d; \d+ simulations; line ", run.out)
    run = ludens("play", "duel", "--seats", "human,random", "--thoughts")
    assert run.status == 2 and "hidden" in run.err


def test_the_arena_reports_thoughts(ludens: Ludens) -> None:
    code = "flat:simulations=2,rollout=random"
    run = ludens("arena", "pig", code, "random", "--games", "2", "--thoughts", "--json")
    flat, plain = (agent["thoughts"] for agent in json.loads(run.out)["agents"])
    assert flat["decisions"] > 0 and flat["simulations"] >= 2
    assert plain["decisions"] == 0
    table = ludens("arena", "pig", code, "random", "--games", "2", "--thoughts").out
    assert re.search(r"flat:\S+: value [+-]\d\.\d\d, simulations \d+ \(means over \d+ decisions\)", table)
