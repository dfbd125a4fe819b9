"""Turns: however many requests an address sends at once, others come in between; nothing here depends on speed."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.server.http.turns import Turns, timed
from ludens.server.spending import account, metered
from tests.server.conftest import PATIENCE, PREFIX, live_server, settings_for


def burn(seconds: float) -> None:
    """Takes processor time, as describing a game does."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def request(name: str, order: list[str], seconds: float = 0.003) -> None:
    await asyncio.sleep(0)  # as if a body had to be read
    burn(seconds)
    order.append(name)


def test_others_come_between_the_requests_of_a_crowd() -> None:
    order: list[str] = []

    async def answer() -> None:
        turns = Turns()
        await turns.take("crowd", request("crowd", order))
        crowd = [asyncio.create_task(turns.take("crowd", request("crowd", order))) for _ in range(20)]
        others = [asyncio.create_task(turns.take(f"other {k}", request("other", order))) for k in range(3)]
        await asyncio.gather(*crowd, *others)

    asyncio.run(answer())
    assert order.count("crowd") == 21
    assert order[1:].index("other") <= 1
    last = len(order) - 1 - order[::-1].index("other")
    assert order[:last].count("crowd") <= 4


def test_what_waits_takes_no_time_and_what_threads_do_does() -> None:
    async def poll() -> None:
        await asyncio.sleep(0.05)

    async def look_back() -> None:
        await asyncio.get_running_loop().run_in_executor(None, metered(burn), 0.03)

    async def expected(work: Any) -> float:
        turns = Turns()
        await turns.take("somebody", work)
        assert turns.owed("somebody else") == 0.0
        return turns._turns["somebody"].expected

    assert asyncio.run(expected(poll())) < 0.03 <= asyncio.run(expected(look_back()))
    assert account.get() is None and metered(burn) is burn  # nobody asks outside a request


def test_a_request_is_run_as_if_it_were_awaited() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise BadInput("no")

    async def given_up(closed: list[str]) -> None:
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            closed.append("cancelled")
            raise

    async def run() -> list[str]:
        with pytest.raises(BadInput):
            await timed(fail(), [])
        closed: list[str] = []
        turns = Turns()
        task = asyncio.create_task(turns.take("a", given_up(closed)))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await turns.take("a", request("next", closed))
        return closed

    assert asyncio.run(run()) == ["cancelled", "next"]


def test_heads_of_many_lines_are_short_and_cost_more(tmp_path: Path) -> None:
    def asked(url: str, lines: int) -> bytes:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
            wire.sendall(f"GET {PREFIX}/limits HTTP/1.1\r\nhost: x\r\n".encode() + b"a: b\r\n" * lines + b"\r\n")
            return wire.recv(4096).split(b" ")[1]

    with live_server(settings_for(tmp_path, rate=0.001, burst=100.0)) as url:
        assert [asked(url, 30), asked(url, 5000)] == [b"200", b"413"]
        assert [asked(url, 1500) for _ in range(2)] == [b"200", b"429"]


def test_an_address_that_owes_much_opens_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turns, "owed", lambda self, address: 60.0 if address == "127.0.0.2" else 0.0)

    def answer(url: str, address: str) -> bytes:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), PATIENCE, (address, 0)) as wire:
            wire.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            return wire.recv(4096)

    with live_server(settings_for(tmp_path)) as url:
        refused = answer(url, "127.0.0.2")
        assert b" 503 " in refused and b"retry-after" in refused and b'"unavailable"' in refused
        assert b" 200 " in answer(url, "127.0.0.1")


def test_installed_games_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def entry_points(group: str) -> list[Any]:
        looked.append(group)
        return []

    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry._installed.cache_clear()
    try:
        for _ in range(3):
            registry.names()
            with pytest.raises(BadInput):
                registry.game("nothing of that name")
        assert looked == ["ludens.games"]
    finally:
        registry._installed.cache_clear()
