"""Azul's library interface: the course of a game in a file, AZ-64."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from ludens.core.errors import BadInput
from ludens.games.azul import GAME
from ludens.games.azul.board import Board, IllegalOperation, Phase
from ludens.games.azul.journal import Journal
from tests.games.azul.library import SETTINGS, fingerprint, random_step, until


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_64_a_journal_replays_to_the_same_game(players: int, grey: bool, tmp_path: Path) -> None:
    file, again, random = tmp_path / "game.log", tmp_path / "again.log", Random(19)
    board = Board(players, [f"Näme {seat}\n2" for seat in range(players)], grey, seed=19, round_limit=20, log=file)
    board.journal.write("before ")
    board.journal.write("the game\nsecond line")
    board.start()
    for _ in range(60):
        if board.phase is not Phase.OVER:
            random_step(board, random)
            board.journal.write_line("306 is no action, but a remark may say so")
    copy = Board.replay(file, log=again)
    assert fingerprint(copy) == fingerprint(board)
    assert copy.names == board.names
    for one in (board, copy):
        until(one, Phase.OVER, seed=20)
    assert fingerprint(copy) == fingerprint(board)
    assert fingerprint(Board.replay(file)) == fingerprint(Board.replay(again)) == fingerprint(board)


def test_az_64_a_journal_is_written_step_by_step_for_people_too(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    board = Board(2, ["Ada", "Ben"], seed=7, first=0, log=file)
    board.start()
    assert len(file.read_text().splitlines()) == 1 + 20
    board.move(board.valid_moves()[0])
    lines = file.read_text().splitlines()
    header = json.loads(lines[0])
    assert (header["game"], header["seed"], header["names"]) == (GAME.spec.identity, 7, ["Ada", "Ben"])
    assert lines[1].split(" ", 1)[1].startswith("factory 1 gets ")
    assert "Ada takes" in lines[21]
    with pytest.raises(IllegalOperation):
        board.journal.set_file(tmp_path / "other.log")


def test_az_64_a_journal_without_a_file_writes_nothing(tmp_path: Path) -> None:
    journal = Journal()
    journal.write_line("nowhere")
    assert journal.path is None
    with pytest.raises(IllegalOperation):
        journal.record([])
    journal.set_file(tmp_path / "named.log")
    journal.write_line("somewhere")
    assert (tmp_path / "named.log").read_text() == "# somewhere\n"


def test_az_64_an_interrupted_line_is_left_out_and_a_broken_journal_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    board = Board(seed=7, first=0, log=file)
    board.start()
    before = fingerprint(board)
    board.move(board.valid_moves()[0])
    text = file.read_text()
    file.write_text(text.rstrip("\n"))
    assert fingerprint(Board.replay(file)) == before
    for broken in ("", "# only a remark\n", "no journal\n", "[1]\n", text + "x\n", text + "305 step\n", text[1:]):
        file.write_text(broken)
        with pytest.raises(BadInput):
            Board.replay(file)
    file.write_text(text.replace(GAME.spec.identity, "azul@0"))
    with pytest.raises(BadInput, match="azul@"):
        Board.replay(file)
    with pytest.raises(BadInput):
        Board.replay(tmp_path / "missing.log")
