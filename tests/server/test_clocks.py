"""Clocks for people, by a simulated clock: minutes, increments, days a move, and what comes after the last second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ludens.server.app import create_app
from ludens.server.tables import time as tables_time
from ludens.server.tables import timekeeping
from tests.server.conftest import Player, settings_for

FIVE = {"minutes": 5, "increment": 3}


class World:
    """A server whose clock is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 1000.0
        self.app: FastAPI = create_app(settings_for(folder))
        self.client: Any = None

    def open(self) -> Player:
        self.app = create_app(settings_for(self.folder))
        self.client = TestClient(self.app).__enter__()
        return Player(self.client)

    def close(self) -> None:
        self.client.__exit__(None, None, None)

    def look(self) -> None:
        self.client.portal.call(self.app.state.services.timekeeper.look)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    made = World(tmp_path)
    monkeypatch.setattr(tables_time, "now", lambda: made.now)
    monkeypatch.setattr(timekeeping, "_PAUSE", 3600.0)  # it looks when the test says so
    yield made
    made.close()


def two(player: Player, **clock: Any) -> tuple[str, dict[int, str]]:
    """A table of two people, the first of whom begins."""
    table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"}, clock=clock)
    return table, tokens


def move(player: Player, table: str, token: str) -> None:
    player.move(table, token, player.view(table, token))


def times(player: Player, table: str) -> list[float | None]:
    found: list[float | None] = player.view(table)["times"]
    assert player.get(f"/tables/{table}")["times"] == found
    return found


def test_whoever_is_to_act_spends_time_and_earns_the_increment(world: World) -> None:
    player = world.open()
    table, tokens = two(player, **FIVE)
    assert player.get(f"/tables/{table}")["clock"] == {**FIVE, "days": None, "expired": "lose"}
    assert times(player, table) == [300, 300]
    world.now += 20
    assert times(player, table) == [280, 300]
    move(player, table, tokens[0])
    assert times(player, table) == [283, 300]
    world.now += 100
    move(player, table, tokens[1])
    assert times(player, table) == [283, 203]
    world.now += 3
    assert times(player, table) == [280, 203]


def test_days_are_for_a_move_and_begin_anew(world: World) -> None:
    player = world.open()
    table, tokens = two(player, days=2)
    world.now += 86_400
    assert times(player, table) == [86_400, 172_800]
    move(player, table, tokens[0])
    assert times(player, table) == [172_800, 172_800]


def test_time_that_runs_out_loses_the_game(world: World) -> None:
    player = world.open()
    table, tokens = two(player, **FIVE)
    world.now += 299.9
    world.look()
    assert player.get(f"/tables/{table}")["status"] == "running"
    world.now += 0.2
    refused = player.call(
        "POST", f"/tables/{table}/moves", tokens[0], json={"id": "late", "ply": player.view(table)["ply"], "move": 0}
    )
    assert refused.status_code in (409, 422)
    assert times(player, table) == [0, 300]
    world.look()
    ended = player.get(f"/tables/{table}")
    assert ended["status"] == "finished" and ended["result"]["reason"] == "time"
    assert ended["result"]["returns"] == [-1.0, 1.0]
    assert player.get(f"/tables/{table}/game")["result"]["reason"] == "time"


def test_time_that_runs_out_hands_the_seat_to_an_agent_where_that_was_agreed(world: World) -> None:
    player = world.open()
    table, tokens = two(player, minutes=1, expired="agent")
    world.now += 61
    world.look()
    told = player.get(f"/tables/{table}")
    assert told["status"] == "running" and told["seats"][0]["kind"] == "agent" and not told["seats"][0]["resigned"]
    assert player.call("POST", f"/tables/{table}/undo", tokens[0]).status_code == 403  # the seat is nobody's token
    view = player.view(table, tokens[1])
    while view["actor"] != 1:
        view = player.view(table, tokens[1], after=view["version"], wait=20)
    assert view["times"] == [None, 60]


def test_agents_have_no_clock_and_their_thinking_costs_nobody_time(world: World) -> None:
    player = world.open()
    table, tokens, _ = player.make("azul", "human", "random", options={"first": "1"}, clock=FIVE)
    world.now += 10
    move(player, table, tokens[0])
    view = player.view(table, tokens[0])
    while view["actor"] != 0:
        view = player.view(table, tokens[0], after=view["version"], wait=20)
    assert view["times"] == [293, None]


def test_a_restart_costs_nobody_time(world: World) -> None:
    player = world.open()
    table, tokens = two(player, **FIVE)
    world.now += 50
    move(player, table, tokens[0])
    world.now += 70
    move(player, table, tokens[1])
    before = times(player, table)
    assert before == [253, 233]
    world.close()
    world.now += 100_000
    player = world.open()
    assert times(player, table) == before
    world.look()
    world.now += 8
    assert times(player, table) == [245, 233]
    move(player, table, tokens[0])
    assert times(player, table) == [248, 233]


def test_a_clock_is_one_kind_and_bounded(world: World) -> None:
    player = world.open()
    for clock in ({}, {"minutes": 5, "days": 1}, {"minutes": 0}, {"days": 31}, {"minutes": 5, "increment": -1}):
        refused = player.call("POST", "/tables", json={"game": "azul", "clock": clock})
        assert refused.status_code == 422, clock
    table, tokens = two(player, **FIVE)
    player.post(f"/tables/{table}/resign", tokens[0])
    again = player.post(f"/tables/{table}/rematch", tokens[0], {"tokens": [tokens[1]]})["table"]
    assert again["clock"] == {**FIVE, "days": None, "expired": "lose"}
