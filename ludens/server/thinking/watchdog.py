"""The watchdog: every running table whose seat to move is an agent has an agent that thinks or waits.

It looks every few seconds. What stands still at two looks in a row is logged and repaired; what cannot be repaired is
told by `/health`. Living tables that could not be loaded are tried again.
"""

from __future__ import annotations

import asyncio
import logging

from ludens.server.metrics import Metrics
from ludens.server.storage.writer import Storage
from ludens.server.tables.all_tables import AllTables
from ludens.server.thinking.agent_turns import AgentTurns

__all__ = ["Watchdog"]

_SUSPECT, _STUCK = 2, 6  # looks at which a table stands still: then it is repaired, then it is told
_PIECE = 500  # tables that are looked at in a piece of the loop
_SEARCHES = 15  # looks between two searches for tables that are stored and not held
_log = logging.getLogger("ludens.server")


class Watchdog:
    """One a server."""

    def __init__(
        self, tables: AllTables, turns: AgentTurns, storage: Storage, metrics: Metrics, seconds: float
    ) -> None:
        self._tables = tables
        self._turns = turns
        self._storage = storage
        self._metrics = metrics
        self._seconds = seconds
        self._seen: dict[str, tuple[int, int]] = {}  # tables that stand still: their version, and at how many looks
        self._looks = 0
        self._work: asyncio.Task[None] | None = None

    @property
    def standing(self) -> int:
        """Tables that stood still at the last look."""
        return len(self._seen)

    @property
    def stuck(self) -> int:
        """Tables that stand still though they were repaired, or that cannot be loaded."""
        return sum(looks >= _STUCK for _, looks in self._seen.values()) + len(self._tables.missing)

    def start(self) -> None:
        self._work = asyncio.create_task(self._watch())

    async def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            try:
                await self.look()
            except Exception as error:  # the database is away, for one: the next look may do better
                _log.error("watching failed", exc_info=error)

    async def look(self) -> int:
        """Looks at all tables once; returns how many were repaired."""
        self._looks += 1
        repaired = 0
        if self._looks % _SEARCHES == 0:
            await self._tables.search_missing()
        for table_id in list(self._tables.missing):
            repaired += await self._tables.bring_back(table_id)
        seen: dict[str, tuple[int, int]] = {}
        for number, table in enumerate(self._tables.kept(), 1):
            if number % _PIECE == 0:
                await asyncio.sleep(0)
            if self._turns.stands_still(table):
                version, looks = self._seen.get(table.id, (table.version, 0))
                seen[table.id] = (table.version, looks + 1 if version == table.version else 1)
                if seen[table.id][1] >= _SUSPECT and self._storage.failed is None:
                    _log.error("game stood still", extra={"facts": {"table": table.id, "ply": table.ply}})
                    self._turns.begin_anew(table)
                    repaired += 1
        self._seen = seen
        self._metrics.count("watchdog_repairs", by=repaired)
        return repaired
