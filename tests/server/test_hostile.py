"""Everything that a stranger can do, at once, while two others play: their game goes on as if they were alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from ludens.client import AsyncClient, calls
from tests.server.conftest import PATIENCE, ServerProcess
from tests.server.hostile import Hostile

_MOVES = 30
_REFUSALS = (403, 413, 422, 429, 503)  # a wrong token, too large, nonsense, too often, too many connections
# Answers of each of the stranger's hands that a request of others may wait for. What is stored waits for the disk
# besides, during which a stranger is refused again and again: of those requests the usual one is bounded.
_TURNS = 6


class Pair:
    """Two people at one table; notes how many answers the stranger got while each request was under way."""

    def __init__(self, client: AsyncClient, hostile: Hostile) -> None:
        self._client = client
        self._hostile = hostile
        self.read: list[int] = []
        self.stored: list[int] = []

    async def _send(self, call: calls.Call) -> Any:
        before = self._hostile.answers
        answer = await self._client.send(call)
        waited = self.read if call.method == "GET" else self.stored
        waited.append(self._hostile.answers - before)
        return answer

    async def play(self, moves: int) -> None:
        made = await self._send(calls.make_table("azul", [{"kind": "human"}] * 2))
        table, tokens = made["table"]["id"], {given["seat"]: given["token"] for given in made["tokens"]}
        view = await self._send(calls.view(table, tokens[0]))
        for turn in range(moves):
            if view["over"]:
                break
            token = tokens[view["actor"]]
            mine = await self._send(calls.view(table, token))
            action = mine["legal"][turn % len(mine["legal"])]["id"]
            answer = await self._send(calls.move(table, token, action, mine["ply"]))
            assert not answer["repeated"]
            view = await self._send(calls.view(table, tokens[0]))
            assert view["ply"] == answer["next_ply"]


def test_a_game_between_two_others_stays_playable_throughout(tmp_path: Path) -> None:
    limits: tuple[str, ...] = (
        "--rate",
        "20",
        "--tables-per-address",
        "30",
        "--sockets-per-address",
        "40",
        "--agent-seconds",
        "0.5",
    )
    limits += ("--no-laboratory", "--worker-token", "a-secret")
    server = ServerProcess(f"sqlite:///{tmp_path / 'x.sqlite3'}", *limits)

    async def attacked() -> tuple[Hostile, Pair]:
        hostile = Hostile(server.url)
        await hostile.start()
        async with AsyncClient(server.url, PATIENCE) as client:
            async with asyncio.timeout(110):  # until it is in full swing and has met every limit
                while hostile.refused < 200 or not all(hostile.statuses[status] for status in _REFUSALS):
                    await asyncio.sleep(0.05)
            pair = Pair(client, hostile)
            await asyncio.wait_for(pair.play(_MOVES), PATIENCE)
        await hostile.stop()
        return hostile, pair

    with server:
        hostile, pair = asyncio.run(attacked())
        assert len(pair.read) > 2 * _MOVES and len(pair.stored) > _MOVES
        assert max(pair.read) <= _TURNS * hostile.hands, sorted(pair.read)[-5:]
        assert median(pair.stored) <= _TURNS * hostile.hands, sorted(pair.stored)
        assert not hostile.statuses[500]
        health = httpx.get(f"{server.url}/health", timeout=PATIENCE).json()
        assert health["status"] == "ok"
        assert httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text.count("ludens_") > 10
