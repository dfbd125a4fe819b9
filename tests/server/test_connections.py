"""Connections: limits of an address for all kinds together, and a clear answer beyond."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludens.client import Client
from ludens.server.http.limits import Connections
from ludens.server.refusal import Refusal
from tests.server.conftest import PATIENCE, live_server, settings_for

STRANGER = "127.0.0.2"  # another address of this machine
MOST = 20


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with live_server(settings_for(tmp_path, sockets_per_address=MOST, idle_seconds=1.0, body_seconds=1.0)) as address:
        yield address


def place(url: str) -> tuple[str, int]:
    host, port = url.removeprefix("http://").split(":")
    return host, int(port)


async def opened(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = place(url)
    return await asyncio.open_connection(host, port, local_addr=(STRANGER, 0))


def test_polls_streams_and_sockets_of_an_address_share_one_limit(url: str) -> None:
    with Client(url) as client:
        table = client.make_table("pig")["table"]["id"]
    path = f"{url}/api/v1/tables/{table}"

    async def hold() -> tuple[list[int], int, dict[str, Any]]:
        stranger = httpx.AsyncHTTPTransport(local_address=STRANGER, limits=httpx.Limits(max_connections=None))
        async with httpx.AsyncClient(transport=stranger, timeout=PATIENCE) as http:
            polls = [asyncio.create_task(http.get(f"{path}/view?after=99&wait=60")) for _ in range(MOST - 2)]
            socket = f"ws{path.removeprefix('http')}/socket"
            held = [await connect(socket, proxy=None, local_addr=(STRANGER, 0)) for _ in range(2)]
            while (await http.get(f"{url}/health")).json()["sockets"] < MOST:
                await asyncio.sleep(0.02)
            beyond = [(await http.get(f"{path}/view?after=99&wait=60")).status_code for _ in range(3)]
            beyond.append((await http.get(f"{path}/stream")).status_code)
            with pytest.raises(InvalidStatus) as denied:
                await connect(socket, proxy=None, local_addr=(STRANGER, 0))
            assert (await http.get(f"{path}/view")).status_code == 200  # what does not wait is answered
            async with connect(socket, proxy=None), httpx.AsyncClient(timeout=PATIENCE) as other:
                status = (await other.get(f"{path}/view?after=99&wait=0.01")).status_code
            for poll in polls:
                poll.cancel()
            for one in held:
                await one.close()
            return beyond, status, json.loads(denied.value.response.body)

    beyond, status, denied = asyncio.run(asyncio.wait_for(hold(), PATIENCE))
    httpx.post(f"{path}/join", json={"name": "Ada"}, timeout=PATIENCE)  # a change: the server need not wait for polls
    assert beyond == [503] * 4
    assert status == 200
    assert denied["error"]["code"] == "unavailable"


def test_a_body_that_does_not_come_is_given_up(url: str) -> None:
    async def slow() -> bytes:
        reader, writer = await opened(url)
        writer.write(b"POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n")
        writer.write(b"content-length: 500\r\n\r\n{")
        answer = await reader.readuntil(b"}}")
        writer.close()
        return answer

    answer = asyncio.run(asyncio.wait_for(slow(), PATIENCE))
    assert answer.startswith(b"HTTP/1.1 408") and b'"code":"too_slow"' in answer


def test_what_is_held_is_counted_by_address(tmp_path: Path) -> None:
    connections = Connections(settings_for(tmp_path, sockets_per_address=2))
    with connections.holding("a"), connections.holding("a"):
        with pytest.raises(Refusal):
            connections.holding("a").__enter__()
        with connections.holding("b"):
            assert connections.held == 3
    assert connections.held == 0


def test_an_address_has_a_bounded_number_of_requests_answered_at_once(tmp_path: Path) -> None:
    connections = Connections(settings_for(tmp_path, sockets_per_address=2))
    with contextlib.ExitStack() as answered:
        for _ in range(102):
            answered.enter_context(connections.answering("a"))
        with pytest.raises(Refusal, match="2 connections"):
            connections.answering("a").__enter__()
        answered.enter_context(connections.answering("b"))
    with connections.answering("a"):
        pass


def test_clients_wait_as_long_as_they_are_told(tmp_path: Path) -> None:
    """Three bots' worth of requests beyond the rate: all are answered, none is refused to the caller."""
    with live_server(settings_for(tmp_path, rate=20.0, burst=5.0)) as url, Client(url) as client:
        began = time.monotonic()
        for _ in range(25):
            client.games()
        assert time.monotonic() - began > 0.5  # it had to wait, and did
