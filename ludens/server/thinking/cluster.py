"""The thinking of agents on a Ray cluster: one actor a core of it, with the same budgets as a process here.

An actor that dies, with its node or alone, costs nothing: its question is asked again elsewhere, and another actor
takes its place as soon as the cluster has a core for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ludens.core import registry
from ludens.play.cluster import join_cluster
from ludens.server.settings import Settings
from ludens.server.thinking.local_worker import AgentFailed, LocalWorker, Overran, WorkerLost
from ludens.server.thinking.messages import Message
from ludens.server.thinking.pool import Pool
from ludens.server.thinking.worker import load_plugins

__all__ = ["Cluster", "ClusterWorker", "Thinker"]

_LOOK = 10.0  # seconds between two looks at how large the cluster is
_PAUSE = 5.0  # seconds before an actor that could not begin is tried again
_log = logging.getLogger("ludens.server")


class Thinker:
    """Runs on a node of the cluster: a process that thinks, ended when it is late or too large, as on the server."""

    def __init__(self, plugins: tuple[str, ...], memory: float) -> None:
        load_plugins(plugins)
        self._local = LocalWorker(ThreadPoolExecutor(1, "ludens-cluster"), plugins, memory)

    async def games(self) -> dict[str, str]:
        """The games that are known here, with their versions."""
        return {game.spec.name: game.spec.identity for game in registry.games()}

    async def ask(self, message: Message, limit: float) -> tuple[Any, str | None, bool]:
        """The answer, or what went wrong and whether it was late."""
        try:
            return (*await self._local.ask(message, limit), False)
        except AgentFailed as failure:
            return None, str(failure), isinstance(failure, Overran)


class ClusterWorker:
    """One actor, as the server sees it."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self.tables: set[str] = set()  # whose agents it keeps
        self._ray = ray
        self._actor = actor

    async def ask(self, message: Message, limit: float) -> tuple[Any, str | None]:
        """(answer, None) or (None, error); Overran if its process had to be ended, WorkerLost if it went away."""
        answer, error, late = await self._said(self._actor.ask.remote(message, limit))
        if late:
            self.tables.clear()
            raise Overran(error)
        return answer, error

    async def why_not(self) -> str | None:
        """Why it cannot think for this server, in a sentence."""
        there = await self._said(self._actor.games.remote())
        other = [game.spec.identity for game in registry.games() if there.get(game.spec.name) != game.spec.identity]
        return f"A node of the cluster knows other rules than {', '.join(other)}." if other else None

    async def _said(self, promised: Any) -> Any:
        try:
            return await asyncio.wrap_future(promised.future())
        except self._ray.exceptions.RayError as error:
            raise WorkerLost from error

    def memory(self) -> int:
        """It is another machine's."""
        return 0

    def close(self) -> None:
        with contextlib.suppress(Exception):  # it may be gone already, and the cluster with it
            self._ray.kill(self._actor)


class Cluster:
    """The workers of a server on a cluster: as many as it has cores, also when nodes come and go."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self._settings = settings
        self._pool = pool
        self._ray: Any = None
        self._begun = False
        self._tasks: list[asyncio.Task[None]] = []

    def join(self) -> None:
        """Joins the cluster that the settings name; one that is not there is one sentence."""
        if self._settings.cluster is not None and self._ray is None:
            self._ray, self._begun = join_cluster(self._settings.cluster, {"OMP_NUM_THREADS": "1"})

    def start(self) -> None:
        if self._ray is not None:
            self._tasks.append(asyncio.create_task(self._grow()))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._begun:
            await asyncio.to_thread(self._ray.shutdown)

    async def _grow(self) -> None:
        """Keeps one worker a core, the cores of nodes that join later included."""
        while True:
            cores = int((await asyncio.to_thread(self._ray.cluster_resources)).get("CPU", 0))
            while len(self._tasks) <= cores:  # this task is one of them
                self._tasks.append(asyncio.create_task(self._think()))
            await asyncio.sleep(_LOOK)

    async def _think(self) -> None:
        """One worker after the other, for ever."""
        kind = self._ray.remote(num_cpus=1, max_restarts=0)(Thinker)
        while True:
            worker = ClusterWorker(self._ray, kind.remote(self._settings.plugins, self._settings.worker_memory))
            try:
                refusal = await worker.why_not()
                if refusal is None:
                    _log.info("worker joined", extra={"facts": {"workers": len(self._pool.workers) + 1}})
                    await self._pool.lend(worker)
                else:
                    _log.error("worker refused", extra={"facts": {"reason": refusal}})
            except WorkerLost:
                _log.warning("worker lost before it could begin")
            finally:
                worker.close()
            await asyncio.sleep(_PAUSE)
