"""A game in the terminal, driven by lines on standard input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludens.core.match import Match
from tests.cli.conftest import Ludens

AZUL = ("play", "azul", "--seats", "human,heuristic", "--seed", "7")


def test_first_screen(ludens: Ludens) -> None:
    run = ludens(*AZUL)
    assert run.status == 0
    assert "› Heuristic starts" in run.out
    assert "› Heuristic takes 3 yellow from factory 4 to line 3" in run.out
    assert "gets yellow" not in run.out  # the deal is seen on the board
    assert "▶ Human: 0 points" in run.out
    assert "Human, your move (1 – 72, ? for help)" in run.out
    assert "not finished" in run.out  # the input has ended
    assert max(map(len, run.out.splitlines())) <= 80
    assert "\x1b" not in run.out


def test_a_whole_game_by_numbers(ludens: Ludens, tmp_path: Path) -> None:
    file = tmp_path / "done.json"
    run = ludens(*AZUL, "--save", str(file), lines=("1",) * 200)
    assert run.status == 0
    for told in ("tiles", "clears", "round 2 begins", "scores bonuses for", "the game is over", "Tiling", "Victory"):
        assert told in run.out
    match = Match.from_json(file.read_text())
    assert match.over
    best = max(match.scores())
    assert f"Victory for {match.names[match.scores().index(best)]}." in run.out


def test_moves_by_text_and_by_number_are_the_same(ludens: Ludens, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("number.json", "text.json", "letters.json")]
    for file, move in zip(files, ("1", "1 red 1", "1 R 1"), strict=True):
        ludens(*AZUL, lines=(move, f"save {file}"))
    first, *others = [json.loads(file.read_text())["log"] for file in files]
    assert all(log == first for log in others)


def test_refused_moves_give_the_reason_and_change_nothing(ludens: Ludens, tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    lines = (f"save {before}", "0", "73", "1 blue 1", "4 red 2", "nonsense", "", f"save {after}")
    run = ludens(*AZUL, lines=lines)
    assert "numbered 1 to 72, not 0" in run.out
    assert "numbered 1 to 72, not 73" in run.out
    assert "There is no blue tile in factory 1.\nsee rule AZ-15 (docs/rules/azul.md)" in run.out
    assert "'nonsense' is not a move" in run.out
    assert "Type a move, or ? for help." in run.out
    assert before.read_text() == after.read_text()


def test_help(ludens: Ludens) -> None:
    run = ludens(*AZUL, lines=("?",))
    assert "undo" in run.out
    assert "B blue, Y yellow, R red, K black, W white" in " ".join(run.out.split())


def test_undo_takes_back_the_answer_too(ludens: Ludens, tmp_path: Path) -> None:
    first, later, back = (tmp_path / f"{name}.json" for name in ("first", "later", "back"))
    run = ludens(*AZUL, lines=(f"save {first}", "1", f"save {later}", "undo", f"save {back}", "undo"))
    assert "Taken back." in run.out
    assert "There is no move of yours to undo." in run.out
    assert first.read_text() == back.read_text()
    assert len(json.loads(later.read_text())["log"]) == len(json.loads(first.read_text())["log"]) + 2


def test_after_undo_the_same_move_meets_the_same_answer(ludens: Ludens, tmp_path: Path) -> None:
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    ludens(*AZUL, lines=("1", "1", f"save {once}", "undo", "undo", "1", "1", f"save {twice}"))
    assert once.read_text() == twice.read_text()


def test_a_hint_tells_moves_with_their_worth_and_what_speaks_for_them(ludens: Ludens) -> None:
    run = ludens(*AZUL, lines=("hint",))
    hint = re.search(r"(\d+): ([^(]+)  \(result [+-]\d\.\d\d, points \d+ : \d+, \d+ visits\)", run.out)
    assert hint is not None and "behind, " in run.out and "    + " in run.out and "    then " in run.out
    number, text = hint.groups()
    by_number, by_text = (ludens(*AZUL, lines=(move,)).out for move in (number, text))
    assert by_number.split("? for help):")[1] == by_text.split("? for help):")[1]


def test_saving_and_continuing(ludens: Ludens, tmp_path: Path) -> None:
    file, later = tmp_path / "half.json", tmp_path / "later.json"
    run = ludens(*AZUL, lines=("1", "1", f"save {file}", "quit"))
    assert run.status == 0
    assert json.loads(file.read_text())["seats"] == ["human", "heuristic"]
    ludens("play", str(file), lines=("1", f"save {later}"))
    assert len(json.loads(later.read_text())["log"]) > len(json.loads(file.read_text())["log"])
    loaded = ludens("play", "--load", str(file), lines=("1", "save"))
    assert "Saved" in loaded.out
    assert file.read_text() == later.read_text()
    assert "Heuristic: " in ludens("play", str(file), "--seats", "random,human").out


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_agents_alone_play_to_the_end(ludens: Ludens, players: int, wall: str) -> None:
    seats = ",".join(["heuristic", "heuristic:ties=random", "random", "heuristic"][:players])
    run = ludens("play", "azul", "--seats", seats, "--seed", "1", "-o", f"wall={wall}")
    assert run.status == 0
    assert run.out.count("scores bonuses") == players
    assert max(map(len, run.out.splitlines())) <= 80


def test_the_owner_chooses_columns_on_the_grey_wall(ludens: Ludens) -> None:
    run = ludens("play", "azul", "--seed", "3", "-o", "wall=grey", lines=("1",) * 12)
    assert re.search(r"1 column \d", run.out)


def test_default_seats_are_a_person_against_the_strongest(ludens: Ludens, tmp_path: Path) -> None:
    file = tmp_path / "seats.json"
    ludens("play", "azul", "--option", "players=3", lines=(f"save {file}",))
    assert json.loads(file.read_text())["seats"] == ["human", "champion", "champion"]
    assert json.loads(file.read_text())["names"] == ["Human", "Champion", "Champion 2"]


def test_names(ludens: Ludens) -> None:
    run = ludens("play", "azul", "--names", "Ada,Ben", "--seed", "7")
    assert "Ben starts" in run.out
    assert "Ada, your move" in run.out


def test_a_game_without_a_drawing_shows_its_text(ludens: Ludens) -> None:
    run = ludens("play", "pig", "--seats", "human,random", "--seed", "1", lines=("roll", "hold"))
    assert re.search(r"1 +roll +2 +hold", run.out)
    assert "? for help" in run.out


def test_people_at_one_keyboard_do_not_see_each_others_cards(ludens: Ludens) -> None:
    run = ludens("play", "duel", "--seats", "human,human", "--seed", "5", lines=("1", "", "1", "", "quit"))
    assert "Pass the keyboard to Human 2 and press Enter." in run.out
    own, rest = run.out.split("Pass the keyboard to Human 2", 1)
    other = rest.split("Pass the keyboard to Human and", 1)[0]
    assert "'hands': [[None, None, None], [" in " ".join(other.split())
    assert "], [None, None, None]]" in " ".join(own.split())


def test_no_curtain_where_nothing_is_hidden(ludens: Ludens) -> None:
    run = ludens("play", "azul", "--seats", "human,human", lines=("1", "1", "1"))
    assert "Pass the keyboard" not in run.out
