"""A server that is killed and stopped at random moments, as users run it: every game goes on, nobody is deaf.

The server prepares its games (`--warm`), agents are to move, and sockets of players and spectators come back at once.
After a start the server loads kernels and starts a worker, which is all the time that a game waits: it is measured by a
clock that goes as fast as processes get a core here, else the test would measure what else the machine does.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from ludens.client import AsyncClient, Followed, calls
from tests.server.conftest import PATIENCE, ServerProcess
from tests.server.quiet import QuietClock

_ROLL, _HOLD = 0, 1
_AT_ONCE = 0.1  # seconds until a socket that was cut off comes back
_MOST = 5.0  # seconds in which a game goes on, on a machine that has nothing else to do
_BUSY = 240.0  # and on any


@dataclass(eq=False)
class Watched:
    """A table of a person and an agent, by the sockets of the person and of a spectator."""

    clock: QuietClock
    url: str
    table: str
    token: str
    followed: Followed = field(default_factory=Followed)
    seen: Followed = field(default_factory=Followed)  # by the spectator
    sent: set[int] = field(default_factory=set)  # plies that the person has moved at
    acknowledged: dict[int, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    agent_moved: float = -1.0  # when the agent had answered last, by the clock

    @property
    def over(self) -> bool:
        return bool(self.followed.views.get(0, {}).get("over"))

    async def play(self) -> None:
        """Moves whenever it can, and comes back whenever it is cut off."""
        while True:
            try:
                await self._play()
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(_AT_ONCE)

    async def _play(self) -> None:
        async with connect(self._address(), proxy=None, max_size=None, open_timeout=5, close_timeout=1) as wire:
            self.followed = Followed()
            await wire.send(json.dumps({"type": "hello", "tokens": [self.token]}))
            sent: tuple[int, int] | None = None
            agents_turn = False
            while True:
                message = json.loads(await wire.recv())
                if message["type"] == "accepted" and sent is not None:
                    self.acknowledged[sent[0]] = sent[1]
                if message["type"] in ("refused", "error"):
                    self.refused.append(message["error"]["code"])
                    raise TimeoutError  # it comes back, and asks anew
                if message["type"] not in ("table", "view", "update"):
                    continue
                self.followed.take(message)
                view = self.followed.views.get(0)
                agents_turn = agents_turn or (view is not None and view["actor"] == 1)
                if view is None or view["over"] or view["actor"] != 0 or (sent and sent[0] == view["ply"]):
                    continue
                if agents_turn:
                    self.agent_moved, agents_turn = self.clock.seconds(), False
                await asyncio.sleep(random.uniform(0, 0.2))
                sent = (view["ply"], _HOLD)
                self.sent.add(view["ply"])
                move = {"type": "move", "id": f"m{view['ply']}", "seat": 0, "ply": view["ply"], "move": _HOLD}
                await wire.send(json.dumps(move))

    async def watch(self) -> None:
        """Follows as a spectator, and comes back whenever it is cut off."""
        while True:
            try:
                async with connect(self._address(), proxy=None, max_size=None, open_timeout=5, close_timeout=1) as wire:
                    self.seen = Followed()
                    await wire.send('{"type": "hello"}')
                    while True:
                        message = json.loads(await wire.recv())
                        if message["type"] in ("table", "view", "update"):
                            self.seen.take(message)
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(_AT_ONCE)

    def _address(self) -> str:
        return f"ws{self.url.removeprefix('http')}/api/v1/tables/{self.table}/socket"


def _ply(followed: Followed) -> int:
    return next((view["ply"] for view in followed.views.values()), -1)


class Club:
    """Games of a person and an agent on one server, with their sockets."""

    def __init__(self, server: ServerProcess, clock: QuietClock, client: AsyncClient, target: int) -> None:
        self.server, self.clock, self.client, self._target = server, clock, client, target
        self.watched: list[Watched] = []
        self._tasks: dict[str, list[asyncio.Task[None]]] = {}

    async def sit_down(self) -> Watched:
        """A new game, which is played and watched from now on."""
        seats = [{"kind": "human"}, {"kind": "agent", "agent": "random"}]
        made = await self.client.send(calls.make_table("pig", seats, {"target": self._target}))
        one = Watched(self.clock, self.server.url, made["table"]["id"], made["tokens"][0]["token"])
        self.watched.append(one)
        self.play(one)
        return one

    def play(self, one: Watched) -> None:
        self._tasks[one.table] = [asyncio.create_task(one.play()), asyncio.create_task(one.watch())]

    async def pause(self, one: Watched) -> None:
        """Ends its sockets."""
        tasks = self._tasks.pop(one.table, [])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def leave(self, one: Watched) -> list[int]:
        """Ends its sockets, and the game if it goes on; its log, after a look at it."""
        await self.pause(one)
        self.watched.remove(one)
        return await check(self.client, one)

    async def restart(self, end: str) -> list[float]:
        """Ends the server in this way; after how many seconds of its next answer each game went on."""
        await asyncio.to_thread(self.server.kill if end == "kill" else self.server.stop)
        await asyncio.to_thread(self.server.start)
        return await self.go_on()

    async def go_on(self) -> list[float]:
        """Waits until all games go on and all spectators know it; after how many seconds from now each did."""
        began, limit, took = self.clock.seconds(), time.monotonic() + _BUSY, []
        for one in [one for one in self.watched if not one.over]:
            while one.agent_moved < began and not one.over:
                assert time.monotonic() < limit, f"table {one.table} stands still: {self.server.said()}"
                await asyncio.sleep(0.02)
            took.append(max(0.0, one.agent_moved - began))
        marks = [(one, _ply(one.followed)) for one in self.watched]
        for one, mark in marks:  # whoever watches is told what the player was told
            while _ply(one.seen) < mark and one in self.watched:
                assert time.monotonic() < limit, f"a spectator of {one.table} is deaf"
                await asyncio.sleep(0.02)
        return took


async def _attack(server: ServerProcess, clock: QuietClock, tables: int, ends: list[str]) -> list[float]:
    """Ends the server in these ways; returns after how many seconds of its answer each game had gone on."""
    took: list[float] = []
    async with AsyncClient(server.url, PATIENCE) as client:
        club = Club(server, clock, client, target=500)
        for _ in range(tables):
            await club.sit_down()
        for number, end in enumerate(ends, 1):
            await asyncio.sleep(random.uniform(0.0, 1.5))
            took += (now := await club.restart(end))
            print(f"{number} of {len(ends)} ({end}): all games went on, the last after {max(now):.2f} s", flush=True)
            for one in [one for one in club.watched if one.over]:  # a game that has ended is followed by another
                await club.leave(one)
                await club.sit_down()
        for one in tuple(club.watched):
            await club.leave(one)
    return took


async def check(client: AsyncClient, one: Watched) -> list[int]:
    """Every acknowledged move is in the log where it was played, and none is there that was not made; the log."""
    view = await client.send(calls.view(one.table, one.token))
    if not view["over"]:
        await client.send(calls.resign(one.table, one.token))
    saved: dict[str, Any] = await client.send(calls.download(one.table))
    assert [saved["log"][ply] for ply in one.acknowledged] == list(one.acknowledged.values())
    assert one.acknowledged or one.agent_moved < 0  # it has just begun
    steps = (await client.send(calls.steps(one.table, one.token)))["steps"]
    assert {step["ply"] for step in steps if step["actor"] == 0} <= one.sent
    assert set(one.refused) <= {"unavailable"}, one.refused
    return list(saved["log"])


def _survives(server: ServerProcess, tables: int, kills: int, stops: int, most: float = _BUSY) -> None:
    """Every game goes on within so many seconds."""
    ends = ["kill"] * kills + ["stop"] * stops
    random.shuffle(ends)
    began = time.monotonic()
    with server, QuietClock() as clock:
        took = sorted(asyncio.run(_attack(server, clock, tables, ends)))
        rate = clock.seconds() / (time.monotonic() - began)
    print(f"\n{kills} kills, {stops} terminations, {tables} tables: {len(took)} games went on")
    print(f"median {took[len(took) // 2]:.2f} s, most {took[-1]:.2f} s of a quiet machine; got {rate:.0%} of a core")
    assert took[-1] < most, f"{sum(seconds >= most for seconds in took)} games went on after more than {most:g} s"


def test_every_game_goes_on_after_kills_and_terminations(tmp_path: Path) -> None:
    _survives(ServerProcess(f"sqlite:///{tmp_path / 'x.sqlite3'}", warm=True), tables=12, kills=2, stops=2)


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("where", ["sqlite", "postgresql"])
def test_every_game_goes_on_after_a_hundred_kills(tmp_path: Path, where: str, request: pytest.FixtureRequest) -> None:
    """A hundred kills and fifty terminations, or as many as LUDENS_KILLS says; `-s` shows how long games took."""
    url = f"sqlite:///{tmp_path / 'x.sqlite3'}" if where == "sqlite" else request.getfixturevalue("postgres").url
    kills = int(os.environ.get("LUDENS_KILLS", "100"))
    _survives(ServerProcess(url, warm=True), tables=40, kills=kills, stops=kills // 2, most=_MOST)
