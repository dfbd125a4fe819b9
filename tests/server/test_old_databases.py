"""Databases of earlier versions: they are brought to the newest schema, and their tables are what they were.

`data/tables_at_0002.sql` was written by a server before saved games could be brought to it (schema 0002): a waiting
table, a running one with an undo, a finished one and one that ended by resignation. The JSON file beside it is what
that server answered about them; options that came later have their defaults.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.server.app import create_app
from tests.server.conftest import Player, settings_for

_DATA = Path(__file__).parent / "data"
_EXPECTED: dict[str, Any] = json.loads((_DATA / "tables_at_0002.json").read_text())
for _table in (_expected["table"] for _expected in _EXPECTED.values()):
    _later = {option.name: option.show(option.default) for option in registry.game(_table["game"]).spec.options}
    _table["options"] = _later | _table["options"]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    folder = tmp_path_factory.mktemp("old")
    connection = sqlite3.connect(folder / "test.sqlite3")
    connection.executescript((_DATA / "tables_at_0002.sql").read_text())
    connection.close()
    patient = settings_for(folder, waiting_hours=1e9, running_hours=1e9)
    with TestClient(create_app(patient)) as client:
        yield Player(client)


@pytest.mark.parametrize("which", _EXPECTED)
def test_old_tables_are_what_they_were(old: Player, which: str) -> None:
    expected = _EXPECTED[which]
    table = old.get(f"/tables/{expected['id']}")
    assert {key: table[key] for key in expected["table"]} == expected["table"]
    assert table["imported"] is False
    view = old.view(expected["id"], expected["token"])
    view["legal"] = [action["id"] for action in view["legal"]]
    assert {key: view[key] for key in expected["view"]} == expected["view"]


def test_old_tables_are_listed(old: Player) -> None:
    found = {
        table["id"]: table for status in ("living", "ended") for table in old.get("/tables", status=status)["tables"]
    }
    assert {table["id"] for table in _EXPECTED.values()} == set(found)
    for expected in _EXPECTED.values():
        listed = found[expected["id"]]
        if listed["ply"] is None:  # of an ended table the list says less
            continue
        assert {key: listed[key] for key in expected["table"]} == expected["table"]


def test_an_old_game_goes_on_and_can_be_taken_back(old: Player) -> None:
    table, token = _EXPECTED["running"]["id"], _EXPECTED["running"]["token"]
    view = old.view(table, token)
    undone = old.post(f"/tables/{table}/undo", token, {"ply": view["ply"]})
    assert undone["ply"] < view["ply"]
    again = old.view(table, token)
    assert again["undos"] == view["undos"] + 1
    old.move(table, token, again)
    assert old.view(table, token)["ply"] > undone["ply"]


def test_an_old_finished_game_can_be_downloaded_and_brought_back(old: Player) -> None:
    table = _EXPECTED["finished"]["id"]
    document = old.get(f"/tables/{table}/game")
    brought = old.post("/tables/import?private=false", body=document, status=201)["table"]
    assert brought["result"] == _EXPECTED["finished"]["table"]["result"]
