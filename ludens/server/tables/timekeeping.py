"""The timekeeper: looks a few times a second whose time has run out."""

from __future__ import annotations

import asyncio
import logging

from ludens.server.refusal import Refusal
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.moves import Moves
from ludens.server.tables.table import Table

__all__ = ["Timekeeper"]

_PAUSE = 0.2  # seconds between two looks
_log = logging.getLogger("ludens.server")


class Timekeeper:
    """Watches the tables that have clocks; one a server."""

    def __init__(self, tables: AllTables, moves: Moves) -> None:
        self._tables = tables
        self._moves = moves
        self._timed: dict[str, Table] = {}
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._work = asyncio.create_task(self._look_forever())

    async def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    def changed(self, table: Table) -> None:
        if table.times is not None and not table.ended:
            self._timed[table.id] = table

    def ended(self, table: Table) -> None:
        self._timed.pop(table.id, None)

    def needs(self, table: Table) -> bool:
        """The process that keeps the table watches its clocks."""
        return False

    async def look(self) -> None:
        """Ends the time of all who have none left."""
        for table in list(self._timed.values()):
            if self._tables.living.get(table.id) is not table:
                del self._timed[table.id]
                continue
            actor = table.actor if self._tables.keeps(table.id) else None
            if actor is None or table.times is None or table.seats[actor].kind == "agent":
                continue
            if table.times.remaining(actor, actor) <= 0:
                try:
                    await self._moves.run_out(table, actor)
                except Refusal as refusal:  # the storage is in trouble: the next look is soon
                    facts = {"table": table.id, "reason": refusal.message}
                    _log.error("time was not ended", extra={"facts": facts})

    async def _look_forever(self) -> None:
        while True:
            await asyncio.sleep(_PAUSE)
            await self.look()
