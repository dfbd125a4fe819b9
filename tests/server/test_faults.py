"""Clients that misbehave get an error or are dropped; the others notice nothing. The command's own faults too."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ludens.client import AsyncClient, Client, calls
from tests.server.conftest import PATIENCE, ServerProcess, live_server, settings_for


def address(url: str, table: str) -> str:
    return f"ws{url.removeprefix('http')}/api/v1/tables/{table}/socket"


# Things that bad clients may get done while somebody's move is under way. Refusing costs next to nothing and a move
# is written to the disk, so a slow disk makes single moves longer: the usual one is bounded, each by half the flood.
_TURNS, _HALF = 20, 500


class Abusers:
    """All kinds of bad clients at one table, while others play."""

    def __init__(self, url: str, table: str) -> None:
        self._url = url
        self._table = table
        self.refused = 0
        self.held = 0
        self.answered: list[str] = []

    @property
    def events(self) -> int:
        """What the server has done for them so far."""
        return self.refused + self.held + len(self.answered)

    async def open_many(self, count: int) -> None:
        """Opens sockets and keeps them, as many as the server lets."""
        held = []
        for _ in range(count):
            try:
                held.append(await connect(address(self._url, self._table), proxy=None, open_timeout=PATIENCE))
                self.held += 1
            except (InvalidHandshake, OSError):
                self.refused += 1
        for one in held:
            one.transport.abort()

    async def shout(self, message: str | bytes) -> None:
        """Says hello, then something bad, and reads until it is answered or dropped."""
        async with connect(address(self._url, self._table), proxy=None, max_size=None) as one:
            await one.send('{"type": "hello"}')
            await one.send(message)
            try:
                while True:
                    answer = json.loads(await asyncio.wait_for(one.recv(), PATIENCE))
                    if answer["type"] in ("refused", "error"):
                        self.answered.append(answer["error"]["code"])
                        return
            except ConnectionClosed as closed:
                self.answered.append(f"dropped {closed.rcvd.code if closed.rcvd else 'rudely'}")

    async def vanish(self) -> None:
        """Disconnects in the middle of a request and in the middle of a hello."""
        host, port = self._url.removeprefix("http://").split(":")
        for text in (
            b"POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n{",
            b"\x00\x01\x02",
            b"GET",
        ):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(text)
            await writer.drain()
            writer.transport.abort()
        one = await connect(address(self._url, self._table), proxy=None)
        await one.send('{"type": "hello"}')
        one.transport.abort()


async def _play_quietly(client: AsyncClient, abusers: Abusers, enough: Callable[[int], bool]) -> list[int]:
    """Plays pig tables in a row until so many moves are enough; what the others were answered during each move."""
    waited: list[int] = []
    while not enough(len(waited)):
        made = await client.send(calls.make_table("pig", [{"kind": "human"}] * 2, {"target": 20}))
        table, tokens = made["table"]["id"], {t["seat"]: t["token"] for t in made["tokens"]}
        view = await client.send(calls.view(table, tokens[0]))
        while not view["over"] and not enough(len(waited)):
            before = abusers.events
            await client.send(calls.move(table, tokens[view["actor"]], len(waited) % 2, view["ply"]))
            waited.append(abusers.events - before)
            view = await client.send(calls.view(table, tokens[0]))
    return waited


async def _sockets(url: str) -> int:
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        return int((await http.get(f"{url}/health")).json()["sockets"])


async def _until_nobody_is_connected(url: str) -> None:
    """Waits until the server has let every socket go."""
    for _ in range(1000):
        if await _sockets(url) == 0:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("a dropped socket is kept")


def test_bad_clients_disturb_nobody(tmp_path: Path) -> None:
    settings = settings_for(
        tmp_path, sockets_per_address=60, max_body=20_000, tables_per_address=1000, hello_seconds=PATIENCE
    )
    with live_server(settings) as url:

        async def all_at_once() -> tuple[Abusers, list[int]]:
            async with AsyncClient(url) as client:
                made = await client.send(calls.make_table("pig", [{"kind": "human"}] * 2))
                abusers = Abusers(url, made["table"]["id"])
                ended = False
                quiet = asyncio.create_task(_play_quietly(client, abusers, lambda moves: ended and moves > 20))
                for bad in ("garbage", b"\x00" * 100, '{"type": "move", "id": "x", "ply": 0, "move": 0}', "[" * 9000):
                    await abusers.shout(bad)
                await abusers.shout("x" * 100_000)  # a huge frame
                await abusers.shout(json.dumps({"type": "move", "id": "x" * 9000, "ply": 0, "move": {"a": [[]] * 99}}))
                await abusers.vanish()
                await _until_nobody_is_connected(url)
                await abusers.open_many(1000)
                ended = True
                await _until_nobody_is_connected(url)  # every dropped one was let go
                return abusers, await quiet

        abusers, waited = asyncio.run(all_at_once())
        assert abusers.answered == [
            "bad_request",
            "bad_request",
            "forbidden",
            "bad_request",
            "dropped 1009",
            "bad_request",
        ]
        assert abusers.refused == 940
        assert median(waited) <= _TURNS and max(waited) <= _HALF
        assert httpx.get(f"{url}/health", timeout=PATIENCE).json()["status"] == "ok"


async def deaf(url: str, table: str) -> ClientConnection:
    """A connection whose owner takes nothing from it, with next to no room for what comes."""
    host, port = url.removeprefix("http://").split(":")
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.setblocking(False)
    await asyncio.get_running_loop().sock_connect(wire, (host, int(port)))
    return await connect(address(url, table), sock=wire, proxy=None, max_queue=1, ping_interval=None)


def test_a_client_that_never_reads_is_let_go_and_nobody_waits_for_it(tmp_path: Path) -> None:
    async def ask_until_dropped(
        url: str, one: ClientConnection, client: AsyncClient, table: str, tokens: list[str]
    ) -> None:
        """Asks for more and more; a few at a time, so that what is full first is the wire, not the queue."""
        await one.send(json.dumps({"type": "hello", "tokens": tokens}))
        old = json.dumps({"type": "move", "id": "x", "seat": 0, "ply": 0, "move": 0})  # answered with the whole view
        with contextlib.suppress(ConnectionClosed):
            while await _sockets(url) > 1:  # the other one is the spectator's
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        for _ in range(5):
                            await one.send(old)
                await client.send(calls.table(table))  # when this is answered, those are written, or stuck

    async def play(url: str) -> list[int]:
        async with AsyncClient(url) as client:
            made = await client.send(calls.make_table("azul", [{"kind": "human"}] * 2, {"first": "1"}))
            table, tokens = made["table"]["id"], [given["token"] for given in made["tokens"]]
            one = await deaf(url, table)
            between: list[int] = []  # messages that a spectator got from a move to its update
            async with connect(address(url, table), proxy=None, max_size=None) as watching:
                await watching.send('{"type": "hello"}')
                while json.loads(await watching.recv())["type"] != "view":
                    pass
                asking = asyncio.create_task(ask_until_dropped(url, one, client, table, tokens))
                while not asking.done() or len(between) < 10:
                    view = await client.send(calls.view(table))
                    if view["over"]:
                        break
                    token = tokens[view["actor"]]
                    mine = await client.send(calls.view(table, token))
                    await client.send(calls.move(table, token, mine["legal"][0]["id"], mine["ply"]))
                    between.append(0)
                    while (message := json.loads(await watching.recv()))["type"] not in ("update", "view"):
                        between[-1] += message["type"] != "heartbeat"
                await asyncio.wait_for(asking, PATIENCE)
            await _until_nobody_is_connected(url)
            one.transport.abort()
            return between

    with live_server(settings_for(tmp_path, idle_seconds=1.0), narrow=True) as url:
        between = asyncio.run(play(url))
    assert len(between) >= 10
    assert max(between) <= 2  # that somebody came or went, and nothing else


def test_old_moves_and_moves_out_of_turn_change_nothing(tmp_path: Path) -> None:
    with live_server(settings_for(tmp_path)) as url, Client(url) as client:
        made = client.make_table("azul", [{"kind": "human"}] * 2, {"first": "1"})
        table, tokens = made["table"]["id"], {t["seat"]: t["token"] for t in made["tokens"]}
        sent: list[dict[str, Any]] = []
        for _ in range(6):
            actor = client.view(table)["actor"]
            view = client.view(table, tokens[actor])
            sent.append({"seat": actor, "id": f"m{view['ply']}", "ply": view["ply"], "move": view["legal"][0]["id"]})
            client.move(table, tokens[actor], sent[-1]["move"], view["ply"], sent[-1]["id"])
        before = client.view(table)
        for old in sent:
            again = client.move(table, tokens[old["seat"]], old["move"], old["ply"], old["id"])
            assert again["repeated"]
            for seat, token in tokens.items():
                body = {"id": f"new{seat}", "ply": old["ply"], "move": old["move"]}
                bearer = {"Authorization": f"Bearer {token}"}
                response = httpx.post(f"{url}/api/v1/tables/{table}/moves", json=body, headers=bearer, timeout=PATIENCE)
                assert response.status_code == 409
        assert client.view(table) == before


# --- the command --------------------------------------------------------------------------


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    program = (
        "import sys, typer; from ludens.cli import serve; from ludens.core.errors import BadInput\n"
        "app = typer.Typer(pretty_exceptions_enable=False); app.command()(serve.serve)\n"
        "try:\n    app()\nexcept BadInput as error:\n    print(error, file=sys.stderr); sys.exit(2)"
    )
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-c", program, "--port", port], capture_output=True, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == f"Port {port} of 127.0.0.1 is taken by another program; choose another with --port.\n"


def test_the_server_stops_gracefully_with_open_streams(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'x.sqlite3'}")

    async def watch() -> int | None:
        async with AsyncClient(server.url) as client:
            made = await client.send(calls.make_table("pig"))
            async with connect(address(server.url, made["table"]["id"]), proxy=None) as one:
                await one.send('{"type": "hello"}')
                await one.recv()
                began = time.monotonic()
                polling = asyncio.create_task(client.send(calls.view(made["table"]["id"], after=99, wait=60)))
                for _ in range(20):  # what is asked later is answered: so the server waits for the first by now
                    await client.send(calls.table(made["table"]["id"]))
                stopped = asyncio.create_task(asyncio.to_thread(server.stop))
                try:
                    while True:
                        await asyncio.wait_for(one.recv(), PATIENCE)
                except ConnectionClosed as closed:
                    code = closed.rcvd.code if closed.rcvd else None
                assert (await polling)["status"] == "waiting"
                assert await stopped in (0, -signal.SIGTERM)
                assert time.monotonic() - began < 60  # it did not wait for those who wait
                return code

    with server:
        assert asyncio.run(watch()) == 1012
