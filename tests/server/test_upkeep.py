"""Ended games go by age, kind, address and size; backups come back; what is damaged is told; a disk is full."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from ludens.cli import server
from ludens.core.errors import BadInput
from ludens.server.app import create_app
from ludens.server.settings import Retention, Settings
from ludens.server.storage import database as db
from ludens.server.storage.upkeep import back_up, faults, restore
from tests.server.conftest import Player, Postgres, settings_for
from tests.server.test_agents import until

_DAY = 86_400.0
_FOR_EVER = {"own": 0.0, "agents": 0.0, "abandoned": 0.0, "brought": 0.0, "per_address": 0, "size": 0.0}


class Club:
    """A server with one game of every kind, and a hand on their ages."""

    def __init__(self, client: TestClient) -> None:
        self.player, self._client = Player(client), client
        self.services = client.app.state.services  # type: ignore[attr-defined]
        self.games: dict[str, str] = {}

    def play_all(self) -> None:
        player = self.player
        self.games["own"], tokens, _ = player.make("pig", "human", "human", options={"target": 20})
        player.play_out(self.games["own"], tokens)
        self.games["agents"], _, _ = player.make("pig", "random", "random", options={"target": 20})
        until(lambda: player.get(f"/tables/{self.games['agents']}")["status"] == "finished")
        self.games["abandoned"], _, made = player.make("pig", "human", "open")
        player.post(f"/tables/{self.games['abandoned']}/close", made["owner_token"])
        saved = player.get(f"/tables/{self.games['own']}/game")
        self.games["brought"] = player.post("/tables/import?private=false", body=saved, status=201)["table"]["id"]
        self.games["running"], _, _ = player.make("pig", "human", "human")
        self.games["waiting"], _, _ = player.make("pig", "human", "open")

    def call(self, work: Any, *arguments: Any) -> Any:
        assert self._client.portal is not None
        return self._client.portal.call(work, *arguments)

    def age(self, days: float) -> None:
        """Everything happened so long ago."""
        older = sa.update(db.tables).values(updated=db.tables.c.updated - days * _DAY)
        self.call(self.services.storage.write, lambda connection: connection.execute(older) and None)

    def clean(self, **kept: float) -> set[str]:
        """The kinds that are left after a cleaning."""
        self.services.cleaning._kept = Retention(**{**_FOR_EVER, **kept})  # type: ignore[arg-type]
        self.call(self.services.cleaning.clean)
        known = self.player.call
        return {kind for kind, table in self.games.items() if known("GET", f"/tables/{table}").status_code == 200}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with TestClient(create_app(settings_for(tmp_path, cleaning=1e6))) as client:
        club = Club(client)
        club.play_all()
        yield club


@pytest.mark.parametrize("kind", ["own", "agents", "abandoned", "brought"])
def test_every_kind_of_game_has_its_age(club: Club, kind: str) -> None:
    every = set(club.games)
    club.age(10)
    assert club.clean(**{kind: 11.0}) == every
    assert club.clean(**{kind: 9.0}) == every - {kind}


def test_new_games_are_kept_whatever_is_asked(club: Club) -> None:
    every = set(club.games)
    assert club.clean(own=0.001, agents=0.001, abandoned=0.001, brought=0.001, per_address=1, size=0.001) == every


def test_the_oldest_go_where_there_is_no_room_and_living_games_stay(club: Club) -> None:
    club.age(3)
    assert club.clean(size=0.001) == {"running", "waiting"}
    assert club.player.call("GET", "/metrics").status_code in (200, 404)
    assert "ludens_tables_removed_total 4" in club.player.http.get("/metrics").text


def test_an_address_keeps_its_newest_games(club: Club) -> None:
    club.age(3)
    assert club.clean(per_address=2) == {"abandoned", "brought", "running", "waiting"}


def test_a_server_cleans_by_itself_with_sane_values() -> None:
    usual = Settings(database="sqlite://")
    assert 0 < usual.kept.agents < usual.kept.own and usual.kept.size > 0 and usual.kept.per_address > 0
    assert usual.cleaning < 3600


def test_a_full_disk_stops_new_tables_and_nothing_else(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    player = club.player
    table, tokens, _ = player.make("pig", "human", "human")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    refused = player.call("POST", "/tables", json={"game": "pig"})
    assert refused.status_code == 503 and "disk of the server is full" in refused.json()["error"]["message"]
    player.move(table, tokens[0], player.view(table, tokens[0]))
    assert player.get("/tables")["tables"]
    monkeypatch.undo()
    player.make("pig", "human", "human")


# --- the command ------------------------------------------------------------------------------


def ludens(*arguments: str) -> tuple[int, str]:
    import typer

    app = typer.Typer(pretty_exceptions_enable=False)
    app.add_typer(server.app, name="server")
    app.callback()(lambda: None)
    done = CliRunner().invoke(app, ["server", *arguments])
    if isinstance(done.exception, BadInput):
        return 2, str(done.exception)
    return done.exit_code, done.output


def test_a_backup_of_a_running_server_comes_back(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'test.sqlite3'}", tmp_path / "backup"
    plugins = ["--plugin", "tests.examples.tiny:GAME"]
    with TestClient(create_app(settings_for(tmp_path))) as client:
        player = Player(client)
        kept, tokens, _ = player.make("pig", "human", "human")
        player.move(kept, tokens[0], player.view(kept, tokens[0]))
        before = player.view(kept, tokens[0])
        assert ludens("backup", str(file), "--database", url)[0] == 0
        lost, _, _ = player.make("pig", "human", "human")
        code, said = ludens("restore", str(file), "--database", url)
        assert code == 2 and "Another server uses" in said
        assert ludens("backup", str(file), "--database", url) == (2, f"{file} exists already; name another file.")
        code, said = ludens("prune", "--database", url)
        assert code == 2 and "Another server uses" in said
    code, said = ludens("restore", str(file), "--database", url)
    assert code == 0 and "is kept as" in said
    assert ludens("check", "--games", "--database", url, *plugins) == (0, "All is well.\n")
    assert ludens("prune", "--database", url) == (0, "0 games were removed.\n")
    with TestClient(create_app(settings_for(tmp_path))) as client:
        player = Player(client)
        assert {**player.view(kept, tokens[0]), "version": 0} == {**before, "version": 0}
        assert player.call("GET", f"/tables/{lost}").status_code == 404


def test_what_is_no_backup_changes_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'test.sqlite3'}"
    with TestClient(create_app(settings_for(tmp_path))) as client:
        table, _, _ = Player(client).make("pig", "human", "human")
    other, empty = tmp_path / "other", tmp_path / "empty"
    other.write_bytes(b"no database" * 1000)
    sqlite3.connect(empty).close()
    for source, words in ((other, "no backup"), (empty, "no backup"), (tmp_path / "none", "There is no backup")):
        with pytest.raises(BadInput, match=words):
            restore(url, source)
    with TestClient(create_app(settings_for(tmp_path))) as client:
        assert Player(client).view(table)["ply"] == 0


def test_faults_of_a_database_are_told(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'test.sqlite3'}", tmp_path / "test.sqlite3"
    with TestClient(create_app(settings_for(tmp_path))) as client:
        table, _, _ = Player(client).make("pig", "human", "human")
    assert list(faults(url, games=True)) == []
    connection = sqlite3.connect(file)
    connection.execute("UPDATE entries SET log = '[99]'")
    connection.commit()
    connection.close()
    (fault,) = faults(url)
    assert table in fault
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    assert "damaged" in " ".join(faults(url)) or "cannot be read" in " ".join(faults(url))
    assert ludens("check", "--database", url)[0] == 1


def test_a_backup_of_postgresql_comes_back(tmp_path: Path, postgres: Postgres) -> None:
    settings, file = settings_for(tmp_path, database=postgres.url), tmp_path / "backup"
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        kept, _, _ = player.make("pig", "human", "human")
        back_up(postgres.url, file)
        lost, _, _ = player.make("pig", "human", "human")
    restore(postgres.url, file)
    assert list(faults(postgres.url, games=True)) == []
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        assert player.view(kept)["ply"] == 0
        assert player.call("GET", f"/tables/{lost}").status_code == 404
        club = Club(client)
        club.play_all()
        club.age(3)
        assert club.clean(size=0.001) == {"running", "waiting"}
