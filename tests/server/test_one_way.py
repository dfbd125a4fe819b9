"""One way to a table: after a restart every game goes on and every table is one, whoever asks for it first."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.server.app import create_app
from ludens.server.preparing import preparation
from ludens.server.storage import rows
from ludens.server.tables.all_tables import AllTables
from ludens.server.thinking.worker import load_plugins
from tests.server.conftest import PATIENCE, PLUGINS, PREFIX, Player, settings_for
from tests.server.test_agents import until
from tests.server.test_streams import Socket

load_plugins(PLUGINS)


@pytest.fixture(autouse=True)
def warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games are compiled already: a server that prepares them listens first and loads its tables then."""
    monkeypatch.setattr(preparation, "is_prepared", lambda *_: True)
    monkeypatch.setattr(preparation, "match_tasks", lambda _: [])


@pytest.fixture
def left(tmp_path: Path) -> tuple[str, dict[int, str]]:
    """A table where an agent was to move when the server stopped."""
    with TestClient(create_app(settings_for(tmp_path, workers=0))) as client:
        player = Player(client)
        table, tokens, _ = player.make("pig", "human", "random", options={"target": 500})
        player.move(table, tokens[0], player.view(table, tokens[0]), choice=1)
        assert player.view(table)["actor"] == 1
        return table, tokens


class Gate:
    """Holds a server up that is about to bring the tables of pig back, until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self._open = threading.Event(), threading.Event()
        real = AllTables._open_game

        async def held(tables: AllTables, name: str) -> None:
            if name == "pig":
                self.reached.set()
                await asyncio.to_thread(self._open.wait, 20)
            await real(tables, name)

        monkeypatch.setattr(AllTables, "_open_game", held)

    def open(self) -> None:
        self._open.set()


def goes_on(player: Player, table: str, token: str) -> None:
    until(lambda: player.view(table, token)["actor"] == 0, 15)


def test_a_table_that_a_client_asks_for_first_goes_on_too(
    tmp_path: Path, left: tuple[str, dict[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tokens = left
    gate = Gate(monkeypatch)
    with TestClient(create_app(settings_for(tmp_path, prepare=True))) as client:
        player = Player(client)
        assert gate.reached.wait(PATIENCE)  # it is about to load its tables
        until(lambda: player.call("GET", f"/tables/{table}/view").status_code == 200)
        gate.open()
        goes_on(player, table, tokens[0])


class SlowLoad:
    """The first load of a table takes until somebody else asks for it, or for a second."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.go_on, self.loads = threading.Event(), threading.Event(), 0
        self._real = rows.load
        monkeypatch.setattr(rows, "load", self)

    def __call__(self, table_id: str) -> Any:
        read = self._real(table_id)

        def slowly(connection: Any) -> Any:
            self.loads += 1
            if self.loads == 1:
                found = read(connection)
                self.began.set()
                self.go_on.wait(1.0)
                return found
            return read(connection)

        return slowly


def test_a_table_that_two_load_at_once_is_one(
    tmp_path: Path, left: tuple[str, dict[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tokens = left
    slow = SlowLoad(monkeypatch)
    with TestClient(create_app(settings_for(tmp_path, prepare=True))) as client:
        player = Player(client)
        assert slow.began.wait(PATIENCE)
        with client.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
            socket = Socket(session)
            socket.send({"type": "hello", "tokens": [tokens[0]]})
            while not socket.followed.views:
                socket.next()
            slow.go_on.set()
            goes_on(player, table, tokens[0])
            while socket.followed.views[0]["actor"] != 0:  # a deaf socket would wait here for ever
                socket.next()
            view = player.view(table, tokens[0])
            player.move(table, tokens[0], view, choice=1)
            while socket.followed.views[0]["ply"] <= view["ply"]:
                socket.next()
        assert slow.loads == 1


def test_the_watchdog_finds_what_stands_still_and_repairs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("ERROR", "ludens")
    with TestClient(create_app(settings_for(tmp_path, watch=1000.0))) as client:
        player, services = Player(client), client.app.state.services  # type: ignore[attr-defined]
        look = partial(client.portal.call, services.watchdog.look)  # type: ignore[union-attr]
        table, tokens, _ = player.make("pig", "human", "random", options={"target": 500})
        monkeypatch.setattr(services.agent_turns, "changed", lambda _: None)  # a fault: nobody lets the agent think
        player.move(table, tokens[0], player.view(table, tokens[0]), choice=1)
        monkeypatch.undo()
        assert look() == 0  # it may be so for a moment
        assert client.get("/health").json()["standing_still"] == 1
        assert look() == 1
        until(lambda: player.view(table, tokens[0])["actor"] == 0, 15)
        assert look() == 0 and client.get("/health").json()["standing_still"] == 0
        assert "ludens_watchdog_repairs_total 1" in client.get("/metrics").text
        assert table in str([getattr(record, "facts", "") for record in caplog.records])


def test_tables_that_could_not_be_loaded_are_told_and_tried_again(
    tmp_path: Path, left: tuple[str, dict[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tokens = left

    def broken(_: str) -> Any:
        raise OSError("the disk does not answer")

    monkeypatch.setattr(rows, "load", broken)
    with TestClient(create_app(settings_for(tmp_path, watch=1000.0))) as client:
        player, services = Player(client), client.app.state.services  # type: ignore[attr-defined]
        sick = client.get("/health")
        assert sick.status_code == 503 and "Games that stand still: 1" in sick.json()["error"]["message"]
        monkeypatch.undo()
        assert client.portal.call(services.watchdog.look) == 1  # type: ignore[union-attr]
        goes_on(player, table, tokens[0])
        assert client.get("/health").status_code == 200


@pytest.mark.parametrize("answer", [None, {}, {"action": float("inf"), "thought": None}, {"action": [1]}, 7])
def test_a_worker_that_answers_nonsense_stops_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    with TestClient(create_app(settings_for(tmp_path))) as client:
        player, services = Player(client), client.app.state.services  # type: ignore[attr-defined]

        async def choose(*_: Any) -> Any:
            return answer

        monkeypatch.setattr(services.pool, "choose", choose)
        table, tokens, _ = player.make("pig", "human", "random", options={"target": 500})
        player.move(table, tokens[0], player.view(table, tokens[0]), choice=1)
        goes_on(player, table, tokens[0])
