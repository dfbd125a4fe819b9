"""Bad input: one sentence, exit status 2, nothing changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ludens


def _refused(ludens: Ludens, sentence: str, *arguments: str) -> None:
    run = ludens(*arguments)
    assert run.status == 2
    assert sentence in run.err
    assert run.err.count("\n") == 1
    assert run.err.rstrip().endswith((".", "?"))
    assert run.out == ""


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("Unknown game 'azil'; did you mean azul?", "play azil"),
        ("Unknown game 'azil'; did you mean azul?", "arena azil random random"),
        ("Unknown game 'chess'; known: azul", "agents chess"),
        ("Unknown game 'chess'; known: azul", "warm chess"),
        ("Name a game to play (azul", "play"),
        ("Unknown agent of azul 'heuristik'; did you mean heuristic?", "play azul --seats human,heuristik"),
        ("Unknown agent of azul 'heuristik'", "arena azul heuristik random"),
        ("Unknown agent of azul 'human'", "arena azul human random"),
        ("Unknown parameter of agent heuristic 'tie'; did you mean ties?", "arena azul heuristic:tie=first random"),
        ("heuristic:ties must be one of first, random, not 'last'", "arena azul heuristic:ties=last random"),
        ("must read key=value", "arena azul heuristic:ties random"),
        ("ends with a colon", "arena azul heuristic: random"),
        ("Unknown option of azul 'wal'; did you mean wall?", "play azul --option wal=grey"),
        ("Option wall must be one of coloured, grey, not 'blue'.", "play azul --option wall=blue"),
        ("Option round_limit must be a whole number", "arena azul random random --option round_limit=many"),
        ("Option first names seat 4, but there are 2 players.", "play azul --option first=4"),
        ("Option 'wall' must read key=value.", "play azul --option wall"),
        ("Option wall is given twice.", "play azul --option wall=grey --option wall=grey"),
        ("Azul is for 2, 3, 4 players, not '9'.", "play azul --option players=9"),
        ("There are 2 seats, but the option says x players.", "play azul --seats human,random --option players=x"),
        ("This game of Azul has 3 seats, not 2.", "play azul --seats human,random --option players=3"),
        ("This game of Azul has 2 or 3 or 4 seats, not 1.", "play azul --seats human"),
        ("A seed is a whole number", "play azul --seed -1"),
        ("A seed is a whole number", "arena azul random random --seed -1"),
        ("2 players need 2 names, not 1.", "play azul --names Ada"),
        ("The number of games must be at least 1, not 0.", "arena azul random random --games 0"),
        ("Azul is for 2, 3, 4 players, not 5.", "arena azul random random --players 5"),
        ("room for 4 agents at most, not 5", "arena azul random random random random random"),
        ("Cannot write nowhere/x.json: the folder", "play azul --save nowhere/x.json"),
        ("Cannot read nowhere.json: No such file or directory.", "replay nowhere.json"),
        ("Cannot read nowhere.json: No such file or directory.", "play nowhere.json"),
        ("Cannot read .: Is a directory.", "replay ."),
    ],
)
def test_commands_refuse(
    ludens: Ludens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sentence: str, arguments: str
) -> None:
    monkeypatch.chdir(tmp_path)
    _refused(ludens, sentence, *arguments.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", ["arena azul random --games x", "play azul --nonsense", "nonsense", "replay"])
def test_usage_errors_have_the_same_status(ludens: Ludens, arguments: str) -> None:
    run = ludens(*arguments.split())
    assert run.status == 2
    assert run.out == ""
    assert "Traceback" not in run.err


def _changed(saved: Path, **changes: Any) -> None:
    document = json.loads(saved.read_text())
    for key, value in changes.items():
        if value is None:
            del document[key]
        else:
            document[key] = value
    saved.write_text(json.dumps(document))


def _other_entry(saved: Path, ply: int, value: Any) -> list[Any]:
    log = json.loads(saved.read_text())["log"]
    log[ply] = value
    return log


@pytest.mark.parametrize("command", ["replay", "play"])
class TestFiles:
    """Files that are no sound saved game."""

    def test_not_json(self, ludens: Ludens, saved: Path, command: str) -> None:
        saved.write_text("one, two, three")
        _refused(ludens, "is not a saved match: it is not JSON.", command, str(saved))

    def test_cut_off(self, ludens: Ludens, saved: Path, command: str) -> None:
        saved.write_text(saved.read_text()[:100])
        _refused(ludens, "it is not JSON.", command, str(saved))

    def test_not_text(self, ludens: Ludens, saved: Path, command: str) -> None:
        saved.write_bytes(b"\xff\xfe\x00")
        _refused(ludens, "it is not a text file.", command, str(saved))

    def test_other_json(self, ludens: Ludens, saved: Path, command: str) -> None:
        saved.write_text("[1, 2]")
        _refused(ludens, "its format is not ludens-match/1", command, str(saved))

    def test_missing_part(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, seed=None)
        _refused(ludens, "The saved match lacks seed.", command, str(saved))

    def test_other_version(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, game="azul@999")
        _refused(ludens, "This was made with azul, version 999; here is azul@", command, str(saved))

    def test_unknown_game(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, game="ludo@1")
        _refused(ludens, "Unknown game 'ludo'", command, str(saved))

    def test_malformed_log(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, log=_other_entry(saved, 30, "blue"))
        _refused(ludens, "must be a list of whole numbers", command, str(saved))

    def test_impossible_log(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, log=_other_entry(saved, 21, 299))
        _refused(ludens, "Entry 21 of the log (299) is not possible", command, str(saved))

    def test_draws_of_another_seed(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, seed=8)
        _refused(ludens, "is not the draw that follows from the seed", command, str(saved))

    def test_bad_option(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, options={"players": 2, "wall": "red"})
        _refused(ludens, "Option wall must be one of", command, str(saved))

    def test_file_is_left_alone(self, ludens: Ludens, saved: Path, command: str) -> None:
        _changed(saved, game="azul@999")
        before = saved.read_bytes()
        ludens(command, str(saved))
        assert saved.read_bytes() == before
        assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_position_outside_the_game(ludens: Ludens, saved: Path) -> None:
    _refused(ludens, "The game has positions 0 to", "replay", str(saved), "--ply", "99999")
    _refused(ludens, "The game has positions 0 to", "replay", str(saved), "--ply", "-1", "--json")


def test_seats_in_a_file_are_checked(ludens: Ludens, saved: Path) -> None:
    _changed(saved, seats=["human", "nobody"])
    _refused(ludens, "Unknown agent of azul 'nobody'", "play", str(saved))
    _changed(saved, seats=3)
    _refused(ludens, "must be a list of words", "play", str(saved))


def test_a_saved_game_keeps_its_own_settings(ludens: Ludens, saved: Path) -> None:
    _refused(ludens, "keeps its own seed, options and names", "play", str(saved), "--seed", "3")
    _refused(ludens, "is a game of azul, not of pig", "play", "pig", "--load", str(saved))


def test_saving_to_a_missing_folder_lets_the_game_go_on(ludens: Ludens, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "x.json"
    run = ludens("play", "azul", "--seed", "7", lines=(f"save {missing}", "save", f"save {tmp_path}", "1", "quit"))
    assert run.status == 0
    said = " ".join(run.out.split())
    assert f"the folder {tmp_path / 'nowhere'} does not exist." in said.replace("- ", "-")
    assert "Name a file: save FILE." in said
    assert "it exists and is not a file." in said
    assert said.count("your move") == 5
    assert list(tmp_path.iterdir()) == []
