"""Games are prepared by a process of their own, the wanted ones first; the server answers at once and tells how far."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.server.app import create_app
from ludens.server.preparing import preparation, stamps
from ludens.server.preparing.estimate import Estimate
from tests.server.conftest import PREFIX, Player, settings_for
from tests.server.test_agents import until
from tests.server.test_streams import Socket

# Stands in for the process that compiles: every step waits for a file.
_PROGRAM = """
import json, os, sys, threading, time
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
folder, game = {folder!r}, sys.argv[1]
open(f"{{folder}}/began-{{game}}", "a").write(".")
for k in range(1, 5):
    while not os.path.exists(f"{{folder}}/{{game}}-{{k}}"):
        time.sleep(0.01)
    print(json.dumps({{"task": "x", "done": k, "total": 4, "playable": k >= 2}}), flush=True)
open(f"{{folder}}/done-{{game}}", "w").close()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the process is told what to do; games count as compiled when it has ended."""
    monkeypatch.setattr(preparation, "_PROGRAM", _PROGRAM.format(folder=str(tmp_path)))
    monkeypatch.setattr(preparation, "is_prepared", lambda game, _: (tmp_path / f"done-{game}").exists())
    monkeypatch.setattr(preparation, "match_tasks", lambda game: [])
    monkeypatch.setattr(preparation, "cache_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def player(folder: Path) -> Iterator[Player]:
    with TestClient(create_app(settings_for(folder, prepare=True))) as client:
        yield Player(client)


def allow(folder: Path, game: str, *steps: int) -> None:
    for step in steps:
        (folder / f"{game}-{step}").touch()


def preparing(player: Player, game: str) -> dict[str, Any]:
    return next(one["preparing"] for one in player.get("/games") if one["name"] == game)


def began(folder: Path, game: str) -> Callable[[], bool]:
    return lambda: (folder / f"began-{game}").exists()


def test_games_tell_how_far_they_are_and_tables_begin_when_they_can(player: Player, folder: Path) -> None:
    told = preparing(player, "catan")
    assert told.pop("seconds") > 1
    assert told == {
        "ready": False,
        "playable": False,
        "progress": 0.0,
        "text": "Preparing Catan, once on this computer",
    }
    table, tokens, made = player.make("pig", "human", "human")
    agents, mine, _ = player.make("pig", "human", "random")
    assert made["table"]["status"] == "waiting"  # it is set up meanwhile
    assert made["table"]["preparing"]["text"] == "Preparing Pig, once on this computer"
    until(began(folder, "pig"))
    with player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": list(tokens.values())})
        allow(folder, "pig", 1)
        while socket.followed.table.get("preparing", {}).get("progress") != 0.25:
            socket.next()
        assert socket.followed.table["status"] == "waiting"
        allow(folder, "pig", 2)
        while socket.followed.table["status"] != "running":
            socket.next()
        assert socket.followed.table["preparing"]["playable"]
        player.move(table, tokens[0], player.view(table, tokens[0]))
        player.move(agents, mine[0], player.view(agents, mine[0]), choice=1)
        assert player.http.app.state.services.pool.thinking == 0  # agents wait for their part
        allow(folder, "pig", 3, 4)
        while socket.followed.table["preparing"] is not None:
            socket.next()
    done = {"ready": True, "playable": True, "progress": 1.0, "seconds": None, "text": ""}
    assert preparing(player, "pig") == done
    while player.view(agents, mine[0])["actor"] != 0:
        time.sleep(0.02)


def test_the_wanted_game_comes_next(player: Player, folder: Path) -> None:
    first = next(one["name"] for one in player.get("/games"))
    until(began(folder, first))
    player.make("duel", "human", "open")
    until(began(folder, "duel"))  # though the first one was not finished
    player.get("/games/pig")
    until(began(folder, "pig"))
    allow(folder, "pig", 1, 2, 3, 4)
    until(lambda: preparing(player, "pig")["ready"])
    until(lambda: len((folder / "began-duel").read_text()) == 2)  # and back to the one before


def test_two_who_keep_asking_do_not_stop_each_others_game(player: Player, folder: Path) -> None:
    for _ in range(3):  # as two pages do that wait
        player.get("/games/duel")
        until(began(folder, "duel"))
        player.get("/games/pig")
        until(began(folder, "pig"))
    allow(folder, "pig", 1, 2, 3, 4)
    until(lambda: preparing(player, "pig")["ready"])
    until(lambda: len((folder / "began-duel").read_text()) == 2)
    assert len((folder / "began-pig").read_text()) == 1


def test_stored_tables_of_a_game_that_is_not_ready_say_so_and_come_back(folder: Path) -> None:
    with TestClient(create_app(settings_for(folder))) as client:
        player = Player(client)
        table, tokens, _ = player.make("pig", "human", "human")
        ended, others, _ = player.make("pig", "human", "human")
        player.post(f"/tables/{ended}/resign", others[0])
        saved = player.get(f"/tables/{ended}/game")
    with TestClient(create_app(settings_for(folder, prepare=True))) as client:
        player = Player(client)
        for path in (f"/tables/{table}/view", f"/tables/{ended}/view"):
            refused = player.call("GET", path)
            assert refused.status_code == 503
            assert refused.json()["error"]["message"].startswith("Preparing Pig, once on this computer")
            assert refused.json()["error"]["progress"] == 0.0  # the page shows it
        assert player.call("POST", "/tables/import", json=saved).status_code == 503
        assert {one["id"] for one in player.get("/tables")["tables"]} == {table}
        allow(folder, "pig", 1, 2, 3, 4)
        until(lambda: player.call("GET", f"/tables/{ended}/view").status_code == 200)
        until(lambda: player.call("GET", f"/tables/{table}/view").status_code == 200)
        assert player.play_out(table, tokens)["over"]


def test_a_game_whose_preparation_fails_can_be_played_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "_PROGRAM", "raise SystemExit(3)")
    with TestClient(create_app(settings_for(folder, prepare=True))) as client:
        until(lambda: all(one["preparing"]["ready"] for one in Player(client).get("/games")))


def test_the_process_prepares_a_game_and_notes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "LUDENS_CACHE": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", "from ludens.server.preparing.child import main; main()"]
    with subprocess.Popen(
        [*command, "pig", "tests.examples.tiny:GAME"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        said = [json.loads(line) for line in process.stdout]
    assert [line["done"] for line in said] == list(range(1, said[-1]["total"] + 1))
    assert [line["playable"] for line in said][:2] == [False, True]
    monkeypatch.setenv("LUDENS_CACHE", str(tmp_path))
    plugins = ("tests.examples.tiny:GAME",)
    assert stamps.is_prepared("pig", plugins)
    assert not stamps.is_prepared("azul", plugins)
    stamps.note("pig", plugins, ["gone.kernel"])
    assert not stamps.is_prepared("pig", plugins)


def test_the_process_ends_with_the_server(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "LUDENS_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", "from ludens.server.preparing.child import main; main()", "catan"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment) as process:
        assert process.stdin is not None
        process.stdin.close()  # as it happens when the server is killed
        assert process.wait(300) == 0


def test_an_estimate_learns_what_tasks_take_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("ludens.server.preparing.estimate.time.monotonic", lambda: clock[0])
    first = Estimate(tmp_path / "durations.json")
    usual = first.left("azul")
    assert 30 < usual < 300
    first.began("azul")
    assert first.left("azul", 4) < usual  # fewer tasks than usual
    for seconds in (8, 2, 2, 2):
        clock[0] += seconds
        first.done("azul")
    assert first.left("azul", 4) == 1.0
    first.finished("azul")
    assert first.left("catan", 10) == pytest.approx(10 * 3.5)  # by what azul's took
    again = Estimate(tmp_path / "durations.json")
    assert again.left("azul") == pytest.approx(14)
    again.began("azul")
    clock[0] += 16  # twice as slow as then
    again.done("azul")
    assert again.left("azul") == pytest.approx(2 * 6)
    clock[0] += 2
    assert again.left("azul") == pytest.approx(2 * 6 - 2)
    (tmp_path / "durations.json").write_text("[1")
    assert Estimate(tmp_path / "durations.json").left("azul") == usual
