"""Whose turn it is to be played: one tournament at a time, in a process of its own, the others wait."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import Any

__all__ = ["Playing"]

_PROGRAM = "from ludens.server.laboratory.child import main; main()"
_PATIENCE = 10.0  # seconds for the process to store what it has
_log = logging.getLogger("ludens.server")


class Playing:
    """The queue of tournaments; one a server. What was played is in the files, so nothing here needs to be kept."""

    def __init__(self, workers: int, plugins: tuple[str, ...]) -> None:
        self._workers = max(1, workers)
        self._plugins = plugins
        self._waiting: dict[str, Path] = {}
        self._now: str | None = None
        self._process: Process | None = None
        self._work: asyncio.Task[None] | None = None
        self._told: dict[str, Any] = {}  # the last line of the process
        self._trouble: dict[str, str] = {}  # why a tournament ended before its last game

    def state(self, key: str) -> str | None:
        """Is it being played, does it wait, or neither?"""
        next_one = self._now or next(iter(self._waiting), None)  # where none is played yet, the first is about to be
        return "playing" if key == next_one else "waiting" if key in self._waiting else None

    def progress(self, key: str) -> dict[str, Any]:
        """The estimate of the time left and the games in flight, while it is played."""
        return dict(self._told) if key == self._now else {}

    def trouble(self, key: str) -> str | None:
        return self._trouble.get(key)

    def add(self, key: str, path: Path) -> None:
        """It is played when those before it are through."""
        self._trouble.pop(key, None)
        if self.state(key) is None:
            self._waiting[key] = path
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._play_all())

    async def stop(self, key: str) -> None:
        """It is played no further; returns when its finished games are stored."""
        self._waiting.pop(key, None)
        if key == self._now and self._process is not None:
            await self._end(self._process)
            while self._now == key:
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        self._waiting.clear()
        if self._now is not None:
            await self.stop(self._now)
        if self._work is not None:
            await asyncio.gather(self._work, return_exceptions=True)

    async def _play_all(self) -> None:
        while self._waiting:
            key = next(iter(self._waiting))
            path, self._now = self._waiting.pop(key), key
            try:
                await self._play(key, path)
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
