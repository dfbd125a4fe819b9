"""Azul's library interface: the course of a game in a file, AZ-64."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from ludens.core.errors import BadInput
from ludens.games.azul import GAME
from ludens.games.azul.library import AzulGame, GameLog, IllegalOperation, Phase
from tests.games.azul.library_games import SETTINGS, fingerprint, random_step, until


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_64_a_log_replays_to_the_same_game(players: int, grey: bool, tmp_path: Path) -> None:
    file, again, random = tmp_path / "game.log", tmp_path / "again.log", Random(19)
    game = AzulGame(players, [f"Näme {seat}\n2" for seat in range(players)], grey, seed=19, round_limit=20, log=file)
    game.log.write("before ")
    game.log.write("the game\nsecond line")
    game.start()
    for _ in range(60):
        if game.phase is not Phase.OVER:
            random_step(game, random)
            game.log.write_line("306 is no action, but a remark may say so")
    copy = AzulGame.replay(file, log=again)
    assert fingerprint(copy) == fingerprint(game)
    assert copy.names == game.names
    for one in (game, copy):
        until(one, Phase.OVER, seed=20)
    assert fingerprint(copy) == fingerprint(game)
    assert fingerprint(AzulGame.replay(file)) == fingerprint(AzulGame.replay(again)) == fingerprint(game)


def test_az_64_a_log_is_written_step_by_step_for_people_too(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    game = AzulGame(2, ["Ada", "Ben"], seed=7, first=0, log=file)
    game.start()
    assert len(file.read_text().splitlines()) == 1 + 20
    game.move(game.valid_moves()[0])
    lines = file.read_text().splitlines()
    header = json.loads(lines[0])
    assert (header["game"], header["seed"], header["names"]) == (GAME.spec.identity, 7, ["Ada", "Ben"])
    assert lines[1].split(" ", 1)[1].startswith("factory 1 gets ")
    assert "Ada takes" in lines[21]
    with pytest.raises(IllegalOperation):
        game.log.set_file(tmp_path / "other.log")


def test_az_64_a_log_without_a_file_writes_nothing(tmp_path: Path) -> None:
    log = GameLog()
    log.write_line("nowhere")
    assert log.path is None
    with pytest.raises(IllegalOperation):
        log.record([])
    log.set_file(tmp_path / "named.log")
    log.write_line("somewhere")
    assert (tmp_path / "named.log").read_text() == "# somewhere\n"


def test_az_64_an_interrupted_line_is_left_out_and_a_broken_one_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    game = AzulGame(seed=7, first=0, log=file)
    game.start()
    before = fingerprint(game)
    game.move(game.valid_moves()[0])
    text = file.read_text()
    file.write_text(text.rstrip("\n"))
    assert fingerprint(AzulGame.replay(file)) == before
    for broken in ("", "# only a remark\n", "no log\n", "[1]\n", text + "x\n", text + "305 step\n", text[1:]):
        file.write_text(broken)
        with pytest.raises(BadInput):
            AzulGame.replay(file)
    file.write_text(text.replace(GAME.spec.identity, "azul@0"))
    with pytest.raises(BadInput, match="azul@"):
        AzulGame.replay(file)
    with pytest.raises(BadInput):
        AzulGame.replay(tmp_path / "missing.log")
