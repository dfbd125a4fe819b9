"""Removing ended games that are not kept any longer, some at a time, so that nobody's move waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from ludens.server.metrics import Metrics
from ludens.server.settings import Retention
from ludens.server.storage import people, retention
from ludens.server.storage.writer import Storage, Told

__all__ = ["Cleaning"]

_PIECE = 50  # games in a commit
_PAUSE = 0.2  # seconds between two
_MIB = 1 << 20
_log = logging.getLogger("ludens.server")


class Cleaning:
    """One a server; `ludens server prune` does the same while none runs."""

    def __init__(
        self,
        storage: Storage,
        kept: Retention,
        metrics: Metrics,
        forget: Callable[[str], object],
        seconds: float,
        remove_person: Callable[[str], Awaitable[None]],
    ) -> None:
        self._storage = storage
        self._kept = kept
        self._metrics = metrics
        self._forget = forget  # whoever holds a game in memory lets it go
        self._seconds = seconds
        self._remove_person = remove_person
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._work = asyncio.create_task(self._clean_forever())

    async def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _clean_forever(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            try:
                await self.clean()
            except Exception as error:  # the database is away, for one: the next time may do better
                _log.error("ended games were not removed", exc_info=error)

    async def clean(self) -> int:
        """Removes what is not kept, unless another process does; returns how many games."""
        async with self._storage.once("cleaning") as mine:
            return await self._clean() if mine else 0

    async def _clean(self) -> int:
        removed = 0
        while gone := await self._storage.read(people.outlived(self._kept.people)):
            for profile in gone:
                await self._remove_person(profile)
        while doomed := await self._doomed():
            removed += await self._storage.write(*map(Told, doomed), retention.remove(doomed))
            for table_id in doomed:
                self._forget(table_id)
            await asyncio.sleep(_PAUSE)
        if removed:
            self._metrics.count("tables_removed", by=removed)
            _log.info("ended games removed", extra={"facts": {"games": removed}})
        return removed

    async def _doomed(self) -> list[str]:
        doomed = await self._storage.read(retention.outlived(self._kept, _PIECE))
        if (
            not doomed
            and self._kept.size > 0
            and await self._storage.read(retention.used_bytes) > self._kept.size * _MIB
        ):
            doomed = await self._storage.read(retention.oldest(_PIECE))
        return doomed
