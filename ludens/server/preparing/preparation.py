"""The preparation of all games: one process at a time, the most wanted game first; the server never compiles.

A game whose kernels are in the cache needs no process: they are loaded in a thread. Whoever waits for a game is told
how far it is, and when it is ready.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from typing import Protocol

from ludens.agents.warming import match_tasks
from ludens.core import registry
from ludens.i18n.messages import say
from ludens.server.preparing.progress import Progress
from ludens.server.preparing.stamps import is_prepared
from ludens.server.refusal import Refusal

__all__ = ["Preparation"]

_PROGRAM = "from ludens.server.preparing.child import main; main()"
_TRIES = 2
_log = logging.getLogger("ludens.server")


class Listener(Protocol):
    """Whoever must know of games that are prepared."""

    async def prepared(self, game: str) -> None:
        """The game is further than before: its `Progress` has changed."""
        ...


class Preparation:
    """One a server; where `active` is false every game is ready, and whoever needs a kernel compiles it."""

    def __init__(self, plugins: tuple[str, ...], active: bool) -> None:
        self._plugins = plugins
        self._active = active
        self._progress = {
            name: Progress(registry.game(name).spec.title, playable=not active, ready=not active)
            for name in registry.names()
        }
        self._wanted: list[str] = []  # the latest wish last
        self._failed: dict[str, int] = {}
        self._listeners: list[Listener] = []
        self._work: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._at: str | None = None  # the game that is compiled now
        self._changed = asyncio.Condition()

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def progress(self, game: str) -> Progress:
        """How far a game is; one that was registered later is ready."""
        return self._progress.setdefault(game, Progress(game, 1.0, playable=True, ready=True))

    def start(self) -> None:
        if self._active:
            self._work = asyncio.create_task(self._prepare_all())

    async def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        self._end_process()

    def want(self, game: str) -> None:
        """Somebody waits for this game: it comes next. Whoever asks again does not overtake who asked later."""
        if self.progress(game).ready or game in self._wanted:
            return
        self._wanted.append(game)
        if self._at not in (None, game):
            self._end_process()  # what it has compiled so far is kept

    def require(self, game: str) -> None:
        """Refuses what needs the rules of a game that are not there yet."""
        progress = self.progress(game)
        if not progress.playable:
            self.want(game)
            raise Refusal(
                "unavailable",
                say("{game}: {n} % so far.", game=progress.text, n=f"{100 * progress.part:.0f}"),
                retry_after=2.0,
                progress=progress.to_json()["progress"],
            )

    async def wait_for_agents(self, game: str) -> None:
        """Returns when the agents of the game are ready."""
        if not self.progress(game).ready:
            self.want(game)
            async with self._changed:
                await self._changed.wait_for(lambda: self.progress(game).ready)

    # --- inside ------------------------------------------------------------------------

    def _next(self) -> str | None:
        left = [name for name, progress in self._progress.items() if not progress.ready]
        known = [name for name in left if is_prepared(name, self._plugins)]  # these take no time
        wished = [name for name in reversed(self._wanted) if name in left]
        return next(iter([*wished, *known, *left]), None)

    async def _prepare_all(self) -> None:
        while (name := self._next()) is not None:
            self._at = name
            try:
                compiled = is_prepared(name, self._plugins) or await self._compile(name)
                if compiled or self._failed.get(name, 0) >= _TRIES:
                    await self._load(name)
                    self._progress[name].ready = True
                    _log.info("game ready", extra={"facts": {"game": name}})
                    await self._tell(name)
            except Exception as error:  # the next game, or the next try, may do better
                self._failed[name] = self._failed.get(name, 0) + 1
                _log.error("preparing failed", exc_info=error, extra={"facts": {"game": name}})
                if self._failed[name] > _TRIES:
                    self._progress[name].playable = self._progress[name].ready = True
                    await self._tell(name)
            finally:
                self._at = None

    async def _compile(self, name: str) -> bool:
        """Runs the process to its end; false if it was ended for a game that is wanted more."""
        command = [sys.executable, "-c", _PROGRAM, name, *self._plugins]
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._process = process
        assert process.stdout is not None
        progress = self._progress[name]
        try:
            async for line in process.stdout:
                said = json.loads(line)
                progress.part = said["done"] / said["total"]
                if said["playable"] and not progress.playable:
                    await self._load(name)
                await self._tell(name)
            status = await process.wait()
        finally:
            self._end_process()
        if status > 0:
            self._failed[name] = self._failed.get(name, 0) + 1
            _log.error("preparing failed", extra={"facts": {"game": name, "status": status}})
        return status == 0

    async def _load(self, name: str) -> None:
        """Brings what a match needs from the cache into this process, outside the loop."""
        if not self._progress[name].playable:
            await asyncio.to_thread(lambda: [run() for _, run in match_tasks(registry.game(name))])
            self._progress[name].playable = True

    async def _tell(self, name: str) -> None:
        for listener in self._listeners:
            try:
                await listener.prepared(name)
            except (
                Exception
            ) as error:  # the database is away, for one; whoever waits for the game waits for no listener
                _log.error("not all was told of a game", exc_info=error, extra={"facts": {"game": name}})
        async with self._changed:
            self._changed.notify_all()

    def _end_process(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        self._process = None
