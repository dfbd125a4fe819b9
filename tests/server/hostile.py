"""A hostile client: everything that a stranger with one address can do to a server, all at once.

    python -m tests.server.hostile http://localhost:8137

It connects from 127.0.0.2, so that a server on this machine can tell it from others. `answers` counts what the server
has answered to it, `refused` what of that was a refusal, `served` what was asked of the server and done.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.frames import Frame, Opcode

from tests.server.conftest import PATIENCE

STRANGER = "127.0.0.2"
PREFIX = "/api/v1"
GREEDY = [
    "mcts:memory=65536",
    "mcts:threads=256",
    "alphabeta:memory=3000",
    "alphabeta:depth=200",
    "mcts:seconds=86400",
    "hard",
    "mcts:simulations=1000000000",
]
GARBAGE: list[str | bytes] = [
    "garbage",
    b"\x00" * 100,
    "[" * 9000,
    '{"type": "move", "id": "x", "ply": 0, "move": true}',
    '{"type": "move", "id": "\\ud800", "ply": 0, "move": "\\ud800"}',
    '{"type": "hello", "tokens": ["wrong"]}',
    "x" * 100_000,
]


class Hostile:
    """Runs all attacks until `stop`."""

    def __init__(self, url: str, address: str = STRANGER) -> None:
        self._url = url.rstrip("/")
        self._from = address
        self._random = random.Random(1)
        self._tasks: list[asyncio.Task[None]] = []
        self.tables: list[dict[str, Any]] = []
        self.answers = 0
        self.refused = 0
        self.served = 0
        self.statuses: Counter[int] = Counter()

    @property
    def hands(self) -> int:
        """How many things it does at the same time."""
        return len(self._tasks)

    async def start(self) -> None:
        """Begins all attacks."""
        transport = httpx.AsyncHTTPTransport(local_address=self._from, limits=httpx.Limits(max_connections=None))
        self._http = httpx.AsyncClient(base_url=self._url + PREFIX, transport=transport, timeout=PATIENCE)
        attacks: list[tuple[Callable[[], Awaitable[None]], int]] = [
            (self._make_tables, 4),
            (self._look_back, 8),
            (self._greet_from_the_start, 4),
            (self._poll, 60),
            (self._hold_idle_connections, 1),
            (self._send_slowly, 10),
            (self._shout, 8),
            (self._send_nonsense, 8),
            (self._bring_games, 2),
            (self._flood, 16),
            (self._ping, 4),
            (self._open_and_close, 4),
            (self._ask_for_work, 4),
        ]
        self._tasks = [asyncio.create_task(self._again(attack)) for attack, times in attacks for _ in range(times)]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._http.aclose()

    async def _again(self, attack: Callable[[], Awaitable[None]]) -> None:
        """For ever; whatever the server does to us, we come back at once."""
        while True:
            with contextlib.suppress(httpx.HTTPError, OSError, WebSocketException, EOFError, TimeoutError):
                await attack()
            await asyncio.sleep(0)

    async def _ask(self, method: str, path: str, **given: Any) -> httpx.Response:
        """A request; `Retry-After` is of course ignored."""
        answer = await self._http.request(method, path, **given)
        self.answers += 1
        self.statuses[answer.status_code] += 1
        self.refused += answer.status_code >= 400
        self.served += answer.status_code not in (413, 429, 503)
        return answer

    def _some_table(self) -> str:
        return self._random.choice(self.tables)["table"]["id"] if self.tables else "nowhere"

    async def _socket(self, table: str) -> Any:
        address = f"ws{self._url.removeprefix('http')}{PREFIX}/tables/{table}/socket"
        return await connect(address, proxy=None, max_size=None, local_addr=(self._from, 0), open_timeout=PATIENCE)

    # --- the attacks -------------------------------------------------------------------

    async def _make_tables(self) -> None:
        """Tables of agents that want everything; some are closed while their agents wait."""
        agent = self._random.choice(GREEDY)
        seats = [{"kind": "agent", "agent": agent}, {"kind": "agent", "agent": "random"}]
        answer = await self._ask("POST", "/tables", json={"game": "azul", "seats": seats})
        if answer.status_code == 201:
            self.tables.append(answer.json())
        if len(self.tables) > 20:
            old = self.tables.pop(0)
            await self._ask(
                "POST", f"/tables/{old['table']['id']}/close", headers={"Authorization": f"Bearer {old['owner_token']}"}
            )

    async def _look_back(self) -> None:
        await self._ask("GET", f"/tables/{self._some_table()}/steps?positions=true")

    async def _greet_from_the_start(self) -> None:
        socket = await self._socket(self._some_table())
        await socket.send(json.dumps({"type": "hello", "from": 0, "positions": True, "record": True}))
        while json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["type"] not in ("view", "error"):
            pass
        self.answers += 1
        await asyncio.sleep(1)  # and it never reads again
        socket.transport.abort()

    async def _poll(self) -> None:
        await self._ask("GET", f"/tables/{self._some_table()}/view?after=9999999&wait=60")

    async def _hold_idle_connections(self) -> None:
        host, port = self._url.removeprefix("http://").split(":")
        held = []
        for _ in range(400):
            held.append(await asyncio.open_connection(host, int(port), local_addr=(self._from, 0)))
        await asyncio.sleep(5)
        for _, writer in held:
            writer.transport.abort()

    async def _send_slowly(self) -> None:
        host, port = self._url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port), local_addr=(self._from, 0))
        writer.write(f"POST {PREFIX}/tables HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n".encode())
        for _ in range(20):
            writer.write(b"{")
            await writer.drain()
            await asyncio.sleep(0.5)
        writer.transport.abort()

    async def _shout(self) -> None:
        socket = await self._socket(self._some_table())
        await socket.send('{"type": "hello"}')
        for _ in range(50):
            await socket.send(self._random.choice(GARBAGE))
        self.answers += 1
        socket.transport.abort()

    async def _send_nonsense(self) -> None:
        table = self._some_table()
        wrong = {"Authorization": "Bearer wrong"}
        odd = json.dumps({"id": "\ud800", "ply": 0, "move": {"\ud800": ["\ud800"]}})
        for method, path, given in (
            ("GET", f"/tables/{table}/view", {"headers": wrong}),
            ("POST", f"/tables/{table}/moves", {"content": odd, "headers": wrong}),
            ("POST", "/tables", {"content": b"\xff\xfe"}),
            ("POST", "/tables", {"content": b"x" * 200_000}),
            ("POST", f"/tables/{table}/join", {"json": {"name": "\u3164"}}),
            ("PUT", "/tables", {}),
            ("GET", f"/tables/{table}/view?ply=9999999", {}),
        ):
            await self._ask(method, path, **given)

    async def _bring_games(self) -> None:
        document = {"format": "ludens-match/1", "game": "azul@1", "options": {}, "seed": 1, "log": [0] * 20_000}
        await self._ask("POST", "/tables/import", json=document)

    async def _flood(self) -> None:
        long = ["/games", "/games/catan", "/tables?limit=200", "/openapi.json", "/puzzles/discovery/0", "/%00"]
        await self._ask("GET", self._random.choice(long))

    async def _ping(self) -> None:
        """Frames that no program ever reads."""
        socket = await self._socket(self._some_table())
        socket.transport.write(Frame(Opcode.PING, b"").serialize(mask=True) * 3000)
        await asyncio.sleep(0.2)
        socket.transport.abort()

    async def _open_and_close(self) -> None:
        for path in (f"/tables/{self._some_table()}/socket", "/worker"):
            address = f"ws{self._url.removeprefix('http')}{PREFIX}{path}"
            with contextlib.suppress(WebSocketException):
                socket = await connect(address, proxy=None, local_addr=(self._from, 0), open_timeout=PATIENCE)
                socket.transport.abort()
            self.answers += 1

    async def _ask_for_work(self) -> None:
        """Hints, reviews, films, tournaments and long words."""
        table, site = self._some_table(), {"Sec-Fetch-Site": "cross-site"}
        for path in (f"{table}/analysis", f"{table}/review", f"{table}/review/9", f"{table}/embed"):
            await self._ask("GET", f"/tables/{path}")
        await self._ask("POST", f"/tables/{table}/check", json={"move": "(" * 60_000})
        await self._ask("POST", "/laboratory/tournaments", json={"game": "azul", "agents": ["random"] * 2})
        await self._ask("POST", "/tables", json={"game": "azul"}, headers=site)


async def _main(url: str) -> None:
    hostile = Hostile(url)
    await hostile.start()
    try:
        while True:
            await asyncio.sleep(5)
            print(hostile.answers, "answers", dict(hostile.statuses), flush=True)
    finally:
        await hostile.stop()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
