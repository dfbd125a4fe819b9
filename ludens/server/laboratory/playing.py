"""Whose turn it is to be played: one tournament at a time, in a process of its own, the others wait.

Several servers may share the folder: they tell each other what they play and what waits (`tables/peers.py`), one of
them plays at a time, and what was left by one that has ended is played by another.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

__all__ = ["Playing"]

_PROGRAM = "from ludens.server.laboratory.child import main; main()"
_PATIENCE = 10.0  # seconds for the process to store what it has
_TURN = 1.0  # seconds until it is asked again whether another server still plays
Once = Callable[[str], AbstractAsyncContextManager[bool]]
_log = logging.getLogger("ludens.server")


class Playing:
    """The queue of tournaments; one a server. What was played is in the files, so nothing here needs to be kept."""

    def __init__(self, workers: int, plugins: tuple[str, ...], once: Once) -> None:
        self._once = once
        self._elsewhere: dict[str, dict[str, Any]] = {}  # what other servers play, as `said` tells it
        self.stop_elsewhere: Callable[[str], Awaitable[None]] | None = None
        self._workers = max(1, workers)
        self._plugins = plugins
        self._waiting: dict[str, Path] = {}
        self._now: str | None = None
        self._path = Path()  # of that one
        self._process: Process | None = None
        self._work: asyncio.Task[None] | None = None
        self._told: dict[str, Any] = {}  # the last line of the process
        self._trouble: dict[str, str] = {}  # why a tournament ended before its last game

    def state(self, key: str) -> str | None:
        """Is it being played, does it wait, or neither?"""
        others = list(self._elsewhere.values())
        played = [other["now"] for other in others if other["now"]]
        if not played:  # where none is played yet, the first is about to be
            played = [self._now or next(iter(self._waiting), None)]
        if key in (self._now, *played):
            return "playing"
        return "waiting" if key in self._waiting or any(key in other["waiting"] for other in others) else None

    def progress(self, key: str) -> dict[str, Any]:
        """The estimate of the time left and the games in flight, while it is played."""
        others = [other["told"] for other in list(self._elsewhere.values()) if other["now"] == key]
        return dict(self._told if key == self._now else next(iter(others), {}))

    def trouble(self, key: str) -> str | None:
        troubles = (self._trouble, *(other["trouble"] for other in list(self._elsewhere.values())))
        return next((trouble[key] for trouble in troubles if key in trouble), None)

    # --- with other servers --------------------------------------------------------------

    def said(self) -> dict[str, Any] | None:
        """What the others must know; None where nothing is played here and nothing waits."""
        waiting = {key: str(path) for key, path in self._waiting.items()}
        if self._now is None and not waiting and not self._trouble:
            return None
        now = {self._now: str(self._path)} if self._now else {}
        return {"now": self._now, "waiting": {**now, **waiting}, "told": self._told, "trouble": self._trouble}

    def heard(self, server: str, said: dict[str, Any] | None, ended: bool = False) -> None:
        """Another server plays, plays nothing any more, or has ended: then what it has left is played here."""
        before = self._elsewhere.pop(server, None)
        if said is not None:
            self._elsewhere[server] = said
        elif before is not None and ended:
            for key, path in before["waiting"].items():
                if Path(path).is_file():
                    self.add(key, Path(path))

    def add(self, key: str, path: Path) -> None:
        """It is played when those before it are through."""
        self._trouble.pop(key, None)
        if key != self._now:
            self._waiting[key] = path
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._play_all())

    async def stop(self, key: str) -> None:
        """It is played no further, wherever; returns when its finished games are stored."""
        if self.stop_elsewhere is not None:
            await self.stop_elsewhere(key)
            end = time.monotonic() + 2 * _PATIENCE
            while time.monotonic() < end and any(key in other["waiting"] for other in self._elsewhere.values()):
                await asyncio.sleep(0.05)
        await self.stop_here(key)

    async def stop_here(self, key: str) -> None:
        """The same at this server alone."""
        self._waiting.pop(key, None)
        if key == self._now and self._process is not None:
            await self._end(self._process)
            while self._now == key:
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        self._waiting.clear()
        if self._now is not None:
            await self.stop_here(self._now)
        if self._work is not None:
            await asyncio.gather(self._work, return_exceptions=True)

    async def _play_all(self) -> None:
        while self._waiting:
            async with self._once("laboratory") as mine:
                while mine and self._waiting:
                    await self._play_next()
            if self._waiting:
                await asyncio.sleep(_TURN)

    async def _play_next(self) -> None:
        key = next(iter(self._waiting))
        self._path, self._now = self._waiting.pop(key), key
        try:
            await self._play(key, self._path)
        except Exception as error:
            self._trouble[key] = "The process that played could not be started; the reason is in the server's log."
            _log.error("tournament failed", exc_info=error, extra={"facts": {"tournament": key}})
        finally:
            self._now, self._process, self._told = None, None, {}

    async def _play(self, key: str, path: Path) -> None:
        command = [sys.executable, "-c", _PROGRAM, str(path), str(self._workers), *self._plugins]
        process = self._process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        assert process.stdout is not None
        async for line in process.stdout:
            told = json.loads(line)
            if "trouble" in told:
                self._trouble[key] = told["trouble"]
            else:
                self._told = told
        status = await process.wait()
        if status > 0:
            self._trouble.setdefault(key, "The process that played has failed; continue it to try again.")
            _log.error("tournament failed", extra={"facts": {"tournament": key, "status": status}})

    async def _end(self, process: Process) -> None:
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), _PATIENCE)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
