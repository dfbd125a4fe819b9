"""A club's week in fast motion: its server is upgraded, killed, stopped, starved of room and restored from a backup.

    LUDENS_WEEK=10000,100 pytest -n0 -s -m slow tests/server/test_week.py      10,000 games, 100 kills

Nothing is lost, no game stands still, and at the end every game can be read and played through.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludens.client import AsyncClient, Followed, ServerError, ServerRefusal, calls
from ludens.server.storage.upkeep import faults
from ludens.server.thinking.worker import load_plugins
from tests.server.conftest import PATIENCE, PLUGINS, ServerProcess
from tests.server.quiet import QuietClock
from tests.server.test_kills import Club, Watched

_OLD = Path(__file__).parent / "data" / "tables_at_0002.sql"
_AT_ONCE = 12  # games
_FULL = 2.0  # seconds that the disk has no room


class _Week:
    """So many games, one after another at some tables, and what happens to the server meanwhile."""

    def __init__(self, folder: Path, games: int) -> None:
        self.file, self._games = folder / "club.sqlite3", games
        self.url = f"sqlite:///{self.file}"
        self.ended: dict[str, list[int]] = {}  # logs of the games that are over
        self.took: list[float] = []  # seconds until each game went on after a start
        self._sitting = asyncio.Lock()  # held while somebody sits down or leaves, and during a restore
        with sqlite3.connect(self.file) as connection:  # the week begins with an upgrade
            connection.executescript(_OLD.read_text())
        connection.close()
        hours = ("--abandon-waiting", "1e9", "--abandon-running", "1e9", "--keep-abandoned", "0", "--keep-own", "0")
        self.server = ServerProcess(self.url, *hours, warm=True)

    async def live(self, clock: QuietClock, ends: list[str]) -> None:
        async with AsyncClient(self.server.url, PATIENCE) as client:
            self._club = Club(self.server, clock, client, target=30)
            tables = [asyncio.create_task(self._play()) for _ in range(_AT_ONCE)]
            for number, end in enumerate(ends, 1):
                while len(self.ended) < self._games * number // (len(ends) + 1):
                    await asyncio.sleep(0.02)
                    for table in tables:
                        if table.done():
                            table.result()  # raises what went wrong there
                if end == "disk":
                    await self._fill_the_disk()
                elif end == "backup":
                    await self._restore()
                else:
                    self.took += await self._club.restart(end)
                print(f"{len(self.ended)} games, {end}: went on after {max(self.took, default=0):.2f} s", flush=True)
            await asyncio.gather(*tables)
            for table_id, log in self.ended.items():
                assert (await client.send(calls.download(table_id)))["log"] == log
        self.server.stop()
        load_plugins(PLUGINS)
        assert list(faults(self.url, games=True)) == []
        assert "game stood still" not in self.server.said(everything=True)

    async def _play(self) -> None:
        while len(self.ended) + len(self._club.watched) < self._games:
            try:
                async with self._sitting:
                    one = await self._club.sit_down()
            except (ServerError, ServerRefusal) as error:  # it is away, or its disk is full
                if getattr(error, "code", "unavailable") != "unavailable":
                    raise
                await asyncio.sleep(0.1)
                continue
            while one in self._club.watched:  # until it has ended, or was made after the backup
                await asyncio.sleep(0.05)
                async with self._sitting:
                    if one in self._club.watched and one.over:
                        self.ended[one.table] = await self._club.leave(one)

    async def _fill_the_disk(self) -> None:
        """No file of the server may grow for a while: moves are refused, the server says why, and all goes on."""
        assert self.server.process is not None
        pid, room = self.server.process.pid, resource.RLIM_INFINITY
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, room))
        end = time.monotonic() + _FULL
        async with httpx.AsyncClient(verify=False) as http:
            while (sick := await http.get(f"{self.server.url}/health")).status_code == 200 or time.monotonic() < end:
                await asyncio.sleep(0.05)
        assert sick.status_code == 503, sick.text
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (room, room))
        self.took += await self._club.go_on()

    async def _restore(self) -> None:
        """A backup of the running server; then its database is damaged, and the backup takes its place."""
        club, before, copy = self._club, dict(self.ended), self.file.with_suffix(".backup")
        await self._ludens("backup", str(copy), "--database", self.url)
        await asyncio.sleep(random.uniform(0.5, 1.5))  # what happens now is lost
        async with self._sitting:
            await self._put_back(copy, before)
        self.took += await club.go_on()

    async def _put_back(self, copy: Path, before: dict[str, list[int]]) -> None:
        """The backup in the place of the database; what came after it is forgotten here too."""
        club = self._club
        for one in club.watched:
            await club.pause(one)
        await asyncio.to_thread(self.server.stop)
        with self.file.open("r+b") as file:
            file.write(b"no database")
        await self._ludens("restore", str(copy), "--database", self.url)
        await asyncio.to_thread(self.server.start)
        for table in [table for table in self.ended if table not in before]:
            view = await self._view(Watched(club.clock, self.server.url, table, ""))
            if view is None or not view["over"]:
                del self.ended[table]
        for one in tuple(club.watched):
            view = await self._view(one)
            if view is None or view["over"]:
                club.watched.remove(one)
                continue
            one.acknowledged = {ply: move for ply, move in one.acknowledged.items() if ply < view["ply"]}
            one.sent = {ply for ply in one.sent if ply < view["ply"]}
            one.followed = Followed()  # what it knew may be of later
            club.play(one)

    async def _view(self, one: Watched) -> dict[str, Any] | None:
        try:
            return dict(await self._club.client.send(calls.view(one.table, one.token or None)))
        except ServerRefusal:
            return None

    async def _ludens(self, *words: str) -> None:
        command = [sys.executable, "-m", "ludens", "server", *words]
        root = str(Path(__file__).resolve().parents[2])
        done = await asyncio.to_thread(
            subprocess.run, command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": root}
        )
        assert done.returncode == 0, done.stdout + done.stderr


def _lived(folder: Path, games: int, kills: int) -> None:
    ends = ["kill"] * kills + ["stop"] * (kills // 4) + ["disk", "backup"]
    random.Random(1).shuffle(ends)
    week = _Week(folder, games)
    with week.server, QuietClock() as clock:
        asyncio.run(week.live(clock, ends))
    took = sorted(week.took)
    print(f"\n{len(week.ended)} games, {', '.join(ends)}")
    print(f"{len(took)} games went on, median {took[len(took) // 2]:.2f} s, most {took[-1]:.2f} s of a quiet machine")


@pytest.mark.slow
def test_a_clubs_server_survives_a_day(tmp_path: Path) -> None:
    _lived(tmp_path, games=40, kills=1)


@pytest.mark.slow
@pytest.mark.timeout(12 * 3600)
def test_a_clubs_server_survives_a_week(tmp_path: Path) -> None:
    """10,000 games and 100 kills, or as many as LUDENS_WEEK says."""
    games, kills = (int(word) for word in os.environ.get("LUDENS_WEEK", "10000,100").split(","))
    _lived(tmp_path, games, kills)
