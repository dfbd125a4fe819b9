"""Agents on the server: they never block others, take turns fairly, and their failures cost only their own move."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.server.app import create_app
from ludens.server.tables.table import Table
from ludens.server.thinking.local_worker import LocalWorker
from ludens.server.thinking.messages import Question
from ludens.server.thinking.pool import Pool
from ludens.server.thinking.queue import FairQueue, Ticket
from ludens.server.thinking.worker import load_plugins
from tests.server.conftest import PATIENCE, PLUGINS, Player, settings_for

SEED = 1  # of games that must not end at once: Mr. X may be caught before he could hide

load_plugins(PLUGINS)


@pytest.fixture
def odd(tmp_path: Path) -> Iterator[Player]:
    """A server with the misbehaving agents, little patience and one worker."""
    plugins = (*PLUGINS, "tests.server.odd_agents:GAME")
    with TestClient(create_app(settings_for(tmp_path, plugins=plugins, agent_seconds=0.1))) as client:
        yield Player(client)


@pytest.mark.parametrize("kind", ["crashing", "nonsense", "dying"])
def test_a_failing_agent_is_replaced_by_a_random_move_and_the_table_is_told(
    odd: Player, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "ludens")
    table, _, _ = odd.make("odd", kind, "random", options={"target": 10})
    held: Table = odd.http.app.state.services.tables.living[table]
    while not (view := odd.view(table))["over"]:
        odd.view(table, after=view["version"], wait=20)
    assert "failed; a random move was played" in odd.get(f"/tables/{table}")["notice"]
    assert "ludens_agents_failed" in odd.http.get("/metrics").text
    logged = "".join(str(getattr(record, "facts", "")) for record in caplog.records)
    assert table in logged and str(held.seed) not in logged and str(held.agent_seed) not in logged


@pytest.mark.parametrize("name", [name for name in registry.names() if registry.game(name).spec.hidden])
def test_agents_get_what_their_seat_sees_and_a_seed_of_their_own(player: Player, name: str) -> None:
    services, game = player.http.app.state.services, registry.game(name)
    seats = ["human"] * game.spec.default_players
    made, tokens, _ = player.make(name, *seats, options=dict(game.spec.tournament), seed=SEED, token="the-admin")
    table: Table = services.tables.living[made]
    hidden = 0
    for turn in range(20):
        match = table.match
        assert match is not None
        if match.over:
            break
        question = services.agent_turns._question(table, match.actor)
        assert question.view == match.view(match.actor).tobytes()
        hidden += question.view != match.state().tobytes()
        assert question.seed not in (table.seed, table.agent_seed)
        player.move(made, tokens[match.actor], player.view(made, tokens[match.actor]), choice=turn)
    assert hidden


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Waits for something that happens in the server's thread."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "It does not happen."
        time.sleep(0.02)


def after_one_answer(player: Player, table: str, token: str) -> dict[str, Any]:
    """Holds at once, and returns the view at the next turn of ours."""
    player.move(table, token, player.view(table, token), choice=1)
    view = player.view(table, token)
    while view["actor"] != 0:
        view = player.view(table, token, after=view["version"], wait=20)
    return view


def test_an_agent_that_does_not_answer_is_ended_but_not_one_that_compiles(odd: Player) -> None:
    pool: Pool = odd.http.app.state.services.pool
    table, tokens, _ = odd.make("odd", "human", "random")
    after_one_answer(odd, table, tokens[0])
    first = _process(pool)
    assert first is not None
    for kind in ("compiling", "sleeping"):  # an agent that nobody has seen answer is given longer
        known, tokens, _ = odd.make("odd", "human", f"{kind}:seconds=0")
        after_one_answer(odd, known, tokens[0])
    pool.patience = 3.0  # now that the worker has started, however long that took
    busy, tokens, _ = odd.make("odd", "human", "compiling:seconds=8")
    after_one_answer(odd, busy, tokens[0])
    assert odd.get(f"/tables/{busy}")["notice"] is None
    assert _process(pool) is first
    stuck, tokens, _ = odd.make("odd", "human", "sleeping:seconds=1000")
    after_one_answer(odd, stuck, tokens[0])
    assert "random move" in odd.get(f"/tables/{stuck}")["notice"]
    first.join(PATIENCE)
    assert not first.is_alive()


def test_an_agent_that_does_not_end_costs_the_next_table_nothing(odd: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.server.thinking.pool._GOODBYE", 0.5)
    table, tokens, _ = odd.make("odd", "human", "lingering")
    after_one_answer(odd, table, tokens[0])
    odd.post(f"/tables/{table}/resign", tokens[0])
    workers = odd.http.app.state.services.pool.workers
    first = workers[0].process
    table, tokens, _ = odd.make("odd", "human", "lingering")
    after_one_answer(odd, table, tokens[0])
    assert odd.get(f"/tables/{table}")["notice"] is None
    assert workers[0].process is not first


def test_a_thinking_agent_blocks_nobody(odd: Player) -> None:
    slow, slow_tokens, _ = odd.make("odd", "human", "sleeping:seconds=1000")
    odd.move(slow, slow_tokens[0], odd.view(slow, slow_tokens[0]), choice=1)
    until(lambda: odd.http.app.state.services.pool.thinking == 1)
    table, tokens, _ = odd.make("pig", "human", "human")
    for _ in range(20):
        view = odd.view(table, tokens[odd.view(table)["actor"]])
        odd.move(table, tokens[view["actor"]], view, choice=1)
    assert odd.view(slow)["actor"] == 1


def test_oracles_and_parameters_that_name_files_are_refused(odd: Player) -> None:
    for code, words in (("seeing", "hidden cards"), ("reading:path=/etc/passwd", "may not be set")):
        body = {"game": "odd", "seats": [{"kind": "human"}, {"kind": "agent", "agent": code}]}
        response = odd.call("POST", "/tables", json=body)
        assert response.status_code == 403
        assert words in response.json()["error"]["message"]
    assert "seeing" not in {agent["name"] for agent in odd.get("/games/odd")["agents"]}


def test_owners_take_turns_in_the_queue() -> None:
    def ticket(name: str) -> Ticket:
        question = Question(name, 0, "pig", "random", b"", 0, b"", b"", 1.0)
        return Ticket(question, asyncio.get_running_loop().create_future())

    async def served() -> list[str]:
        queue = FairQueue()
        for k in range(4):
            await queue.put("many", ticket(f"many{k}"))
        await queue.put("one", ticket("one"))
        await queue.put("two", ticket("two"))
        questions = [(await queue.get()).question for _ in range(6)]
        return [question.table for question in questions if isinstance(question, Question)]

    assert asyncio.run(served()) == ["many0", "one", "two", "many1", "many2", "many3"]


def test_no_more_agents_think_at_once_than_there_are_workers(tmp_path: Path) -> None:
    plugins = (*PLUGINS, "tests.server.odd_agents:GAME")
    with TestClient(create_app(settings_for(tmp_path, plugins=plugins, workers=2))) as client:
        player = Player(client)
        for _ in range(6):
            player.make("odd", "sleeping:seconds=1000", "sleeping:seconds=1000")
        pool: Pool = client.app.state.services.pool  # type: ignore[attr-defined]
        until(lambda: pool.thinking + pool.waiting == 6)
        until(lambda: all(getattr(worker, "process", None) for worker in pool.workers))
        assert (pool.thinking, pool.waiting) == (2, 4)


def _process(pool: Pool) -> Any:
    """The process of the first worker, which is one of this machine."""
    worker = pool.workers[0]
    assert isinstance(worker, LocalWorker)
    return worker.process
