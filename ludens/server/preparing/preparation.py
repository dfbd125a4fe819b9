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
from collections.abc import Mapping
from typing import Any, Protocol

from ludens.agents.warming import match_tasks
from ludens.core import registry
from ludens.core.kernel_cache import cache_folder
from ludens.i18n.messages import say
from ludens.server.preparing.estimate import Estimate
from ludens.server.preparing.progress import Progress
from ludens.server.preparing.stamps import is_prepared
from ludens.server.preparing.variants import Variants
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
        self._estimate = Estimate(cache_folder() / "durations.json")
        self._totals: dict[str, int] = {}  # tasks of a game, once its process has told
        self._wanted: list[str] = []  # the latest wish last
        self._failed: dict[str, int] = {}
        self._listeners: list[Listener] = []
        self._work: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._at: str | None = None  # the game that is compiled now
        self._changed = asyncio.Condition()
        self._variants = Variants(plugins, self._all_ready)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def progress(self, game: str) -> Progress:
        """How far a game is; one that was registered later is ready."""
        self._estimate_all()
        return self._progress.setdefault(game, Progress(game, 1.0, playable=True, ready=True))

    def start(self) -> None:
        if self._active:
            self._work = asyncio.create_task(self._prepare_all())

    async def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        self._end_process()
        await self._variants.close()

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

    @property
    def ready(self) -> int:
        """How many games are ready."""
        return sum(progress.ready for progress in self._progress.values())

    @property
    def active(self) -> bool:
        """Is there a process that compiles for everybody?"""
        return self._active

    async def prepare_agent(self, owner: str, game: str, code: str, options: Mapping[str, Any]) -> None:
        """Returns when the agent was compiled by a process of its own, or could not be.

        One at a time, after the games; owners take turns, so that who wants many waits for them.
        """
        await self._variants.prepare(owner, game, code, options)

    # --- inside ------------------------------------------------------------------------

    async def _all_ready(self) -> None:
        """Returns when no game is waited for: they go before single agents."""
        async with self._changed:
            await self._changed.wait_for(lambda: all(self.progress(name).ready for name in self._wanted))

    def _next(self) -> str | None:
        left = [name for name, progress in self._progress.items() if not progress.ready]
        known = [name for name in left if is_prepared(name, self._plugins)]  # these take no time
        wished = [name for name in reversed(self._wanted) if name in left]
        return next(iter([*wished, *known, *left]), None)

    def _estimate_all(self) -> None:
        """How long every game will take, with those that come before it."""
        left = [name for name, progress in self._progress.items() if not progress.ready]
        wished = [name for name in reversed(self._wanted) if name in left]
        before = 0.0
        for name in dict.fromkeys([*wished, *([self._at] if self._at in left else []), *left]):
            before += self._estimate.left(name, self._totals.get(name))
            self._progress[name].seconds = before

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
        self._estimate.began(name)
        try:
            async for line in process.stdout:
                said = json.loads(line)
                progress.part, self._totals[name] = said["done"] / said["total"], said["total"]
                self._estimate.done(name)
                if said["playable"] and not progress.playable:
                    await self._load(name)
                await self._tell(name)
            status = await process.wait()
        finally:
            self._end_process()
        if status > 0:
            self._failed[name] = self._failed.get(name, 0) + 1
            _log.error("preparing failed", extra={"facts": {"game": name, "status": status}})
        if status == 0:
            self._estimate.finished(name)
        return status == 0

    async def _load(self, name: str) -> None:
        """Brings what a match needs from the cache into this process, outside the loop."""
        if not self._progress[name].playable:
            await asyncio.to_thread(lambda: [run() for _, run in match_tasks(registry.game(name))])
            self._progress[name].playable = True

    async def _tell(self, name: str) -> None:
        self._estimate_all()
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
