"""Everything that a stranger can do, at once, while two others play: their game goes on as if they were alone."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludens.client import AsyncClient, calls
from tests.server.conftest import PATIENCE, ServerProcess
from tests.server.hostile import Hostile
from tests.server.proxies import nginx_before

_MOVES = 30
_REFUSALS = (403, 413, 422, 429, 503)  # a wrong token, too large, nonsense, too often, too many connections
_TURNS = 6  # things done for each of the stranger's hands that a request of others may wait for


class Pair:
    """Two people at one table; notes how much was done for the stranger while each request was under way."""

    def __init__(self, client: AsyncClient, hostile: Hostile) -> None:
        self._client = client
        self._hostile = hostile
        self.waited: list[int] = []

    async def _send(self, call: calls.Call) -> Any:
        before = self._hostile.served
        answer = await self._client.send(call)
        self.waited.append(self._hostile.served - before)
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


@pytest.mark.parametrize("behind", ["nothing", "nginx"])
def test_a_game_between_two_others_stays_playable_throughout(tmp_path: Path, behind: str) -> None:
    limits = {"--rate": "20", "--tables-per-address": "30", "--sockets-per-address": "40", "--agent-seconds": "0.5"}
    limits |= {"--worker-token": "a-secret", "--trust-proxy": "127.0.0.1"}
    given = [word for limit in limits.items() for word in limit]
    server = ServerProcess(f"sqlite:///{tmp_path / 'x.sqlite3'}", *given, "--no-laboratory")

    async def attacked(url: str) -> tuple[Hostile, Pair]:
        hostile = Hostile(url)
        await hostile.start()
        async with AsyncClient(url, PATIENCE) as client:
            async with asyncio.timeout(110):  # until it is in full swing and has met every limit
                while hostile.refused < 200 or not all(hostile.statuses[status] for status in _REFUSALS):
                    await asyncio.sleep(0.05)
            pair = Pair(client, hostile)
            await asyncio.wait_for(pair.play(_MOVES), PATIENCE)
        await hostile.stop()
        return hostile, pair

    with server, contextlib.ExitStack() as stack:
        url = server.url if behind == "nothing" else stack.enter_context(nginx_before(server.url)).plain_url
        hostile, pair = asyncio.run(attacked(url))
        assert len(pair.waited) > 3 * _MOVES
        assert max(pair.waited) <= _TURNS * hostile.hands, sorted(pair.waited)[-5:]
        assert not hostile.statuses[500] and not hostile.statuses[502]
        health = httpx.get(f"{server.url}/health", timeout=PATIENCE).json()
        assert health["status"] == "ok"
        metrics = httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text
        assert metrics.count("ludens_") > 10
        stored = {bound: int(count) for bound, count in re.findall(r'move_seconds_bucket{le="(.+)"} (\d+)', metrics)}
        assert stored["2.5"] >= 0.9 * stored["+Inf"] > 0, stored
