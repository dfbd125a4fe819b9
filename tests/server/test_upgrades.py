"""Tables of other versions of their rules: readable where the log allows it, closed with a reason otherwise."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.storage import database
from ludens.server.thinking.worker import load_plugins
from tests.server.conftest import PLUGINS, Player, settings_for

load_plugins(PLUGINS)


@pytest.fixture
def newer() -> Iterator[Any]:
    """Lets the rules of pig become a newer version, with or without reading the older one."""

    def become(**changed: Any) -> None:
        pig = registry.game("pig")
        spec = dataclasses.replace(pig.spec, version=pig.spec.version + 1, **changed)
        object.__setattr__(pig, "spec", spec)

    before = registry.game("pig").spec
    yield become
    object.__setattr__(registry.game("pig"), "spec", before)


def rewrite(settings: Any, table: str, **values: Any) -> None:
    engine = database.connect(settings.database)
    with engine.begin() as connection:
        connection.execute(sa.update(database.tables).where(database.tables.c.id == table).values(**values))
    engine.dispose()


def spoil(settings: Any, table: str) -> None:
    """Makes the log one that today's rules do not lead through."""
    engine = database.connect(settings.database)
    columns = database.entries.c
    with engine.begin() as connection:
        connection.execute(sa.update(database.entries).where(columns.table_id == table).values(log=[5]))
    engine.dispose()


def code_of(response: Any) -> str:
    return response.json()["error"]["code"]


def begun(player: Player) -> tuple[str, dict[int, str], dict[str, Any]]:
    table, tokens, made = player.make("pig", "human", "human", options={"target": 20})
    for _ in range(3):
        view = player.view(table, tokens[player.view(table)["actor"]])
        player.move(table, tokens[view["actor"]], view, choice=0)
    return table, tokens, made


def test_a_running_table_goes_on_where_the_rules_read_its_version(tmp_path: Path, newer: Any) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        table, tokens, _ = begun(Player(client))
    newer(reads=(registry.game("pig").spec.version,))
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        assert player.play_out(table, tokens)["over"]
        assert Match.from_json(player.get(f"/tables/{table}/game")).over


def test_a_table_of_older_rules_is_closed_with_a_reason_and_stays_readable(tmp_path: Path, newer: Any) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, _ = begun(player)
        waiting, mine, _ = player.make("pig", "human", "open")
        before = player.view(table, tokens[0])
    newer()
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        shown = player.get(f"/tables/{table}")
        assert shown["status"] == "abandoned"
        assert shown["version"] == registry.game("pig").spec.version - 1
        assert "the rules have changed since it was begun" in shown["result"]["reason"]
        assert player.view(table)["position"] == before["position"]
        assert len(player.get(f"/tables/{table}/steps")["steps"]) == before["ply"]
        assert player.get(f"/tables/{table}/game")["game"] == f"pig@{shown['version']}"
        joined = player.post(f"/tables/{waiting}/join")  # nothing was played there: it is one of today's
        assert player.play_out(waiting, {0: mine[0], 1: joined["token"]})["over"]
        assert player.call("DELETE", f"/admin/tables/{table}", "the-admin").status_code == 204


def test_a_log_that_the_rules_do_not_lead_through_is_kept_as_it_is(tmp_path: Path, newer: Any) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, _ = begun(player)
        private, secret, _ = player.make("pig", "human", "human", private=True)
    for one in (table, private):
        spoil(settings, one)
    newer()
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        shown = player.get(f"/tables/{table}")
        assert shown["status"] == "abandoned" and "not possible" in shown["notice"]
        assert code_of(player.call("GET", f"/tables/{table}/view", tokens[0])) == "not_readable"
        assert player.get(f"/tables/{table}/game")["log"] == [5] * 3
        assert table in {one["id"] for one in player.get("/tables", status="ended")["tables"]}
        assert code_of(player.call("GET", f"/tables/{private}")) == "not_found"
        assert player.get(f"/tables/{private}", secret[0])["private"]
        assert code_of(player.call("POST", f"/tables/{table}/close", "the-admin")) == "wrong_status"
        assert player.call("DELETE", f"/admin/tables/{table}", "the-admin").status_code == 204
        assert code_of(player.call("GET", f"/tables/{table}")) == "not_found"


@pytest.mark.parametrize("identity", ["pig@99", "chess@1"])
def test_tables_of_newer_rules_and_of_missing_games_are_left_alone(tmp_path: Path, identity: str) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, _, _ = player.make("pig", "human", "human")
        other, tokens, made = player.make("pig", "human", "human")
    rewrite(settings, table, game=identity)
    rewrite(settings, other, game=identity)
    spoil(settings, other)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        shown = player.get(f"/tables/{table}")
        assert shown["status"] == "running" and shown["notice"]
        assert code_of(player.call("GET", f"/tables/{table}/game")) == "not_readable"  # its seed is a secret still
        assert code_of(player.call("POST", f"/tables/{table}/close", tokens[0])) == "forbidden"
        assert player.post(f"/tables/{other}/close", made["owner_token"])["status"] == "abandoned"
        assert player.post(f"/tables/{table}/close", "the-admin")["status"] == "abandoned"
        for one in (table, other):
            assert player.call("DELETE", f"/admin/tables/{one}", "the-admin").status_code == 204
