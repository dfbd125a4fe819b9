"""Threads for what takes long, heads of many lines, and games that are looked for once."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.server.asking import asking
from ludens.server.threads import FairThreads
from tests.server.conftest import PATIENCE, PREFIX, live_server, settings_for


def test_an_address_has_a_thread_at_a_time_and_others_come_between() -> None:
    order: list[str] = []
    begin = threading.Event()

    async def look_back() -> None:
        threads = FairThreads(1, "test")

        def work(name: str) -> None:
            assert begin.wait(PATIENCE)
            order.append(name)

        async def ask(name: str) -> None:
            asking.set(name)
            await threads.run(work, name)

        crowd = [asyncio.create_task(ask("crowd")) for _ in range(20)]
        await asyncio.sleep(0)
        crowd[0].cancel()  # its thread works on, and the next one waits for it …
        crowd[1].cancel()  # … and this one never begins
        other = asyncio.create_task(ask("other"))
        await asyncio.sleep(0)
        begin.set()
        await asyncio.gather(*crowd, other, return_exceptions=True)
        threads.shutdown()

    asyncio.run(look_back())
    assert order.count("crowd") == 19 and order.index("other") == 1


def test_what_the_server_asks_for_itself_waits_for_nobody() -> None:
    both = threading.Barrier(2)

    async def ask() -> None:
        threads = FairThreads(2, "test")
        await asyncio.gather(*(threads.run(both.wait, PATIENCE) for _ in range(2)))
        threads.shutdown()

    asyncio.run(ask())


def test_heads_of_many_lines_are_refused(tmp_path: Path) -> None:
    def asked(url: str, lines: int, line: bytes = b"a: b\r\n") -> bytes:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
            wire.sendall(f"GET {PREFIX}/limits HTTP/1.1\r\nhost: x\r\n".encode() + line * lines + b"\r\n")
            return wire.recv(4096).split(b" ")[1]

    with live_server(settings_for(tmp_path)) as url:
        assert [asked(url, 30), asked(url, 2000), asked(url, 200)] == [b"200", b"413", b"413"]
        assert httpx.get(f"{url}{PREFIX}/limits?" + "a&" * 200, timeout=PATIENCE).status_code == 413


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
