"""Clocks that jump, disks that fill, databases that are locked, lost or taken: what is told, and whom it delays."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from anyio.from_thread import BlockingPortal
from fastapi.testclient import TestClient

from ludens.core.errors import BadInput
from ludens.server.app import create_app
from ludens.server.settings import default_database
from ludens.server.storage.database import connect
from ludens.server.storage.upkeep import restore
from ludens.server.storage.writer import Storage
from tests.ports import free_port
from tests.server.conftest import PATIENCE, Player, Postgres, settings_for


def test_a_clock_that_jumps_abandons_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_for(tmp_path, waiting_hours=1, running_hours=1)
    real = time.time
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        tables = client.app.state.services.tables  # type: ignore[attr-defined]
        table, tokens, _ = player.make("pig", "human", "human")
        waiting, _, _ = player.make("pig", "human", "open")
        for jump in (1e9, -1e9):
            monkeypatch.setattr(time, "time", lambda by=jump: real() + by)
            assert _portal(client).call(tables.sweep) == 0
            view = player.view(table, tokens[player.view(table)["actor"]])
            player.move(table, tokens[view["actor"]], view, move_id=f"at{jump}")
        monkeypatch.undo()
        assert _portal(client).call(tables.sweep) == 0
        assert set(tables.living) == {table, waiting}


def test_a_server_that_starts_with_a_wrong_clock_abandons_nothing_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path, waiting_hours=1, running_hours=1)
    with TestClient(create_app(settings)) as client:
        table, _, _ = Player(client).make("pig", "human", "human")
    from ludens.server import clock

    monkeypatch.setattr(clock, "_offset", clock._offset + 1e7)
    with TestClient(create_app(settings)) as client:
        tables = client.app.state.services.tables  # type: ignore[attr-defined]
        assert _portal(client).call(tables.sweep) == 0
        tables.living[table].loaded -= settings.grace  # an hour later nobody has come
        assert _portal(client).call(tables.sweep) == 1


def test_health_tells_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(settings_for(tmp_path))) as client:
        assert client.get("/health").status_code == 200
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
        full = client.get("/health")
        assert full.status_code == 503 and full.json()["error"]["message"] == "The disk of the database is full."


def test_a_full_disk_is_told_and_costs_no_move(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path))) as client:
        player = Player(client)
        table, tokens, _ = player.make("pig", "human", "human", options={"target": 500})
        storage = client.app.state.services.storage  # type: ignore[attr-defined]
        _portal(client).call(storage.write, _pages(1))  # not one page more than it has
        last: dict[str, Any] = {}
        for turn in range(1000):
            moved = player.view(table)
            body = {"id": f"m{turn}", "ply": moved["ply"], "move": 1}
            answer = player.call("POST", f"/tables/{table}/moves", tokens[moved["actor"]], json=body)
            if answer.status_code != 200:
                break
            last = answer.json()
        assert answer.status_code == 503 and answer.json()["error"]["code"] == "unavailable"
        sick = client.get("/health")
        assert sick.status_code == 503 and "full" in sick.json()["error"]["message"]
        assert player.view(table)["ply"] == last["next_ply"]  # whoever reads sees what is stored
        _portal(client).call(storage.write, _pages(1 << 30))
        assert player.call("POST", f"/tables/{table}/moves", tokens[moved["actor"]], json=body).status_code == 200
        assert client.get("/health").status_code == 200


def _one(connection: sa.Connection) -> Any:
    return connection.execute(sa.text("SELECT 1")).scalar()


def _pages(most: int) -> Any:
    """Bounds the file of the database, as a disk without room does."""
    return lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={most}").scalar()


def serve(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludens", "serve", "--port", str(free_port()), "--no-warm", *arguments]
    root = str(Path(__file__).resolve().parents[2])
    known = {**os.environ, "PYTHONPATH": root, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=known)


def test_a_folder_or_database_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a database, not a folder")
    for done, words in (
        (serve(LUDENS_DATA=str(file / "data")), "cannot be made"),
        (serve("--database", f"sqlite:///{file}"), "cannot be used"),
        (serve("--database", f"postgresql://nobody@127.0.0.1:{free_port()}/x"), "cannot be used"),
    ):
        assert done.returncode == 2
        assert words in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path))) as client:
        done = serve("--database", f"sqlite:///{tmp_path / 'test.sqlite3'}")
        assert done.returncode == 2
        assert "Another server uses the database" in done.stderr
        assert client.get("/health").status_code == 200
    again = Storage(f"sqlite:///{tmp_path / 'test.sqlite3'}")
    again.open()  # it was given back
    again.close()


def test_a_file_has_one_server_whatever_it_is_called(tmp_path: Path) -> None:
    first, link = Storage(f"sqlite:///{tmp_path / 'test.sqlite3'}"), tmp_path / "elsewhere.sqlite3"
    first.open()
    link.symlink_to(tmp_path / "test.sqlite3")
    second = Storage(f"sqlite:///{link}")
    with pytest.raises(BadInput, match="Another server uses"):
        second.open()
    second.close()
    first.close()


def test_servers_share_postgresql_but_not_with_a_backup_that_comes_back(tmp_path: Path, postgres: Postgres) -> None:
    first, second = Storage(postgres.url), Storage(postgres.url)
    first.open()
    second.open()
    asyncio.run(first.write(_one))
    postgres.stop()
    postgres.start()
    assert asyncio.run(first.write(_one)) == 1  # the database is back, and still the first one's
    backup = tmp_path / "backup"
    backup.touch()
    with pytest.raises(BadInput, match="Another server uses"):
        restore(postgres.url, backup)
    second.close()
    first.close()


def test_a_statement_of_postgresql_does_not_wait_for_ever(postgres: Postgres) -> None:
    engine = connect(postgres.url)
    with engine.connect() as connection:
        assert connection.execute(sa.text("SHOW statement_timeout")).scalar() == "30s"
    engine.dispose()


def test_a_database_that_goes_away_and_comes_back_costs_no_move(tmp_path: Path, postgres: Postgres) -> None:
    settings = settings_for(tmp_path, database=postgres.url)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, _ = player.make("pig", "human", "human")
        first = player.view(table, tokens[0])
        player.move(table, tokens[first["actor"]], first, choice=1, move_id="first")
        view = player.view(table, tokens[0])
        with client.websocket_connect(f"/api/v1/tables/{table}/socket") as socket:
            socket.send_json({"type": "hello"})
            assert [socket.receive_json()["type"] for _ in range(2)] == ["table", "view"]
            postgres.stop()
            body = {"id": "second", "ply": view["ply"], "move": 1}
            away = player.call("POST", f"/tables/{table}/moves", tokens[view["actor"]], json=body)
            assert away.status_code == 503 and away.json()["error"]["code"] == "unavailable"
            sick = client.get("/health")
            assert sick.status_code == 503 and sick.json()["error"]["message"] == "The database does not answer."
            made = player.call("POST", "/tables", json={"game": "pig", "seats": [{"kind": "human"}] * 2})
            assert made.status_code == 503
            postgres.start()
            played = player.call("POST", f"/tables/{table}/moves", tokens[view["actor"]], json=body)
            assert played.status_code == 200 and not played.json()["repeated"]
            while (message := socket.receive_json())["type"] != "update":  # whoever watches was not cut off
                assert message["type"] in ("table", "heartbeat")
            assert message["from"] == view["ply"]
            again = player.call("POST", f"/tables/{table}/moves", tokens[view["actor"]], json=body)
            assert again.json()["repeated"]
        assert client.get("/health").status_code == 200
        now = player.view(table)
    with TestClient(create_app(settings)) as client:
        assert Player(client).view(table)["ply"] == now["ply"]


def test_the_data_folder_is_named_in_the_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_text("")
    monkeypatch.setenv("LUDENS_DATA", str(tmp_path / "x" / "y"))
    with pytest.raises(BadInput, match=r"The data folder .* cannot be made"):
        default_database()


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[tuple[Player, sqlite3.Connection]]:
    """A server, and a second hand on its database that can hold everybody else's writes up."""
    with TestClient(create_app(settings_for(tmp_path))) as client:
        other = sqlite3.connect(tmp_path / "test.sqlite3", isolation_level=None, check_same_thread=False)
        yield Player(client), other
        other.close()


def test_a_locked_database_delays_writers_but_no_reader(locked: tuple[Player, sqlite3.Connection]) -> None:
    player, other = locked
    table, tokens, _ = player.make("pig", "human", "human")
    view = player.view(table, tokens[0])
    token, body = tokens[view["actor"]], {"id": "m", "ply": view["ply"], "move": 1}
    other.execute("BEGIN IMMEDIATE")
    services = player.http.app.state.services
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as threads:
        moving = threads.submit(player.call, "POST", f"/tables/{table}/moves", token, json=body)
        while not services.tables.living[table].lock.locked():
            time.sleep(0.01)
        for _ in range(5):  # everything that only reads is answered, and shows what is stored
            assert player.view(table, token)["ply"] == view["ply"]
            assert player.get(f"/tables/{table}/steps")["ply"] == view["ply"]
            assert player.get(f"/tables/{table}")["status"] == "running"
        with player.http.websocket_connect(f"/api/v1/tables/{table}/socket") as socket:
            socket.send_json({"type": "hello"})
            assert socket.receive_json()["type"] == "table"
        assert not moving.done()
        other.execute("ROLLBACK")
        assert moving.result().status_code == 200
    assert player.view(table)["ply"] > view["ply"]


def test_what_is_not_stored_yet_is_not_told(locked: tuple[Player, sqlite3.Connection]) -> None:
    player, other = locked
    table, _, _ = player.make("pig", "human", "open")
    other.execute("BEGIN IMMEDIATE")
    tables = player.http.app.state.services.tables

    async def join_and_look() -> tuple[bool, Any]:
        joining = asyncio.create_task(player.http.app.state.services.seating.join(tables.living[table], None, "Eve"))
        while not tables.living[table].lock.locked():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        seen = tables.living[table].seats[1].taken
        other.execute("ROLLBACK")
        return seen, await joining

    seen, (seat, _) = player.http.portal.call(join_and_look)
    assert (seen, seat) == (False, 1)
    assert tables.living[table].seats[1].taken


def _portal(client: TestClient) -> BlockingPortal:
    """The way into the loop of a client that has been entered."""
    assert client.portal is not None
    return client.portal
