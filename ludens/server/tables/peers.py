"""The other processes on one PostgreSQL database: what they store is taken over, and what they leave is kept.

Every commit notifies all processes in its own transaction (`LISTEN ludens`), on a connection that is for nothing else.
Once a second a process says that it lives, and takes the tables of those that do not, or that have offered them because
their agents wait. Nothing here decides who is right: that is the number of a table's next entry. A process that was
thought dead loses its tables, and no move.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from typing import Any

from ludens.server.laboratory.playing import Playing
from ludens.server.storage import allowances, claims, rows
from ludens.server.storage.writer import CHANNEL, Storage
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.news import News
from ludens.server.tables.table import Present, Table
from ludens.server.thinking.pool import Pool

__all__ = ["LEASE", "Peers"]

LEASE = 3.0  # seconds without a word after which others keep the tables of a process
_EVERY = 1.0  # seconds between two words
_SILENT = 5.0  # seconds without even the own word after which the listening connection is opened anew
_PAUSE = 0.3  # seconds after a failure
_WAITED = 0.5  # seconds that an agent waits before its table is offered to others
_MOST = 100  # tables that are taken at once: others take the next ones
_CHECK = 30  # words between two looks at what the database says of the own tables
_TIDY = 10  # words between two looks at tables that nobody follows
_MOST_TOLD = 100  # tables in a message
_log = logging.getLogger("ludens.server")


class Peers:
    """One a server, where its database is PostgreSQL."""

    def __init__(self, storage: Storage, tables: AllTables, news: News, pool: Pool) -> None:
        self._storage = storage
        self._tables = tables
        self._news = news
        self._pool = pool
        self._heard: dict[str, float] = {}  # when the others were heard last
        self._fresh: set[str] = set()  # tables of which others have stored something
        self._made: set[str] = set()  # and those that they have made, or removed
        self._came: dict[str, Table] = {}  # tables here whose followers have changed
        self._more, self._now, self._listening = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._playing: Playing | None = None
        self._said: dict[str, Any] | None = None  # of the laboratory
        self._stopping: asyncio.Task[None] | None = None
        tables.tell_presence = self._tell_presence

    def share(self, playing: Playing) -> None:
        """Tells what is played in the laboratory, and hears it of others."""
        self._playing = playing
        playing.stop_elsewhere = lambda key: self._storage.tell("stop", key)

    @property
    def others(self) -> int:
        """How many other processes live."""
        return len(self._heard)

    async def open(self) -> None:
        """Returns when what others store is heard: what is loaded from then on stays true."""
        work = (self._listen(), self._take_over(), self._live())
        self._tasks = [asyncio.create_task(one) for one in work]
        await self._listening.wait()

    async def close(self) -> None:
        """Leaves its tables to the others."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(Exception):  # the database is away: they wait for the end of the lease
            await self._storage.write(claims.give_up(self._storage.process))

    # --- hearing -----------------------------------------------------------------------

    async def _listen(self) -> None:
        import psycopg

        address = self._storage.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                wire = await psycopg.AsyncConnection.connect(address, autocommit=True, connect_timeout=10)
                async with wire:
                    await wire.execute(f"LISTEN {CHANNEL}")
                    self._fresh.update(self._tables.held())  # whatever was told meanwhile
                    self._more.set()
                    self._listening.set()
                    while await self._hear(wire):
                        pass
            except (psycopg.Error, OSError) as error:
                _log.error("not hearing other processes", extra={"facts": {"reason": str(error).strip()}})
            self._listening.clear()
            await asyncio.sleep(_PAUSE)

    async def _hear(self, wire: Any) -> bool:
        """Takes what comes within a while; false if that is nothing."""
        heard = False
        async for notification in wire.notifies(timeout=_SILENT, stop_after=1):
            heard = True
            process, kind, content = json.loads(notification.payload)
            if process != self._storage.process:
                self._received(process, kind, content)
        return heard

    def _received(self, process: str, kind: str, content: Any) -> None:
        self._heard[process] = time.monotonic()
        if kind == "news":
            self._fresh.update(content)
            self._more.set()
        elif kind == "made":
            self._made.update(content)
            self._more.set()
        elif kind == "alive":
            self._tables.lose(content)
        elif kind == "laboratory" and self._playing is not None:
            self._playing.heard(process, content)
        elif kind == "stop" and self._playing is not None:
            self._stopping = asyncio.create_task(self._playing.stop_here(content))
            self._stopping.add_done_callback(lambda _: self._now.set())
        elif kind == "gone":
            self._gone(process)
            self._now.set()
        elif kind == "present":
            for table_id, (seats, watchers) in content.items():
                self._tables.present(table_id, process, Present(frozenset(seats), watchers))
        elif kind == "who":
            for table_id in content:
                table = self._tables.living.get(table_id)
                if table is not None and table.subscribers:
                    self._came[table_id] = table

    async def _take_over(self) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            fresh, self._fresh = self._fresh, set()
            made, self._made = self._made, set()
            try:
                await self._tables.news([*fresh, *made])
                await self._news.made(made)
            except Exception as error:  # the database is away, for one
                _log.error("news were not taken over", exc_info=error)
                self._fresh |= fresh
                self._made |= made
                await asyncio.sleep(_PAUSE)
                self._more.set()

    # --- living ------------------------------------------------------------------------

    async def _live(self) -> None:
        words = 0
        while True:
            words += 1
            try:
                while len(await self._renew()) >= _MOST:
                    pass
                await self._tell_all()
                if words % _TIDY == 0:
                    await self._tables.tidy()
                if words % _CHECK == 0:
                    mine = {table_id for table_id, _ in await self._storage.read(rows.living(self._storage.process))}
                    self._tables.lose((self._tables.mine or set()) - mine)
                    await self._storage.write(allowances.forget_full)
            except Exception as error:
                _log.error("not keeping tables", exc_info=error)
            for process in [one for one, heard in self._heard.items() if time.monotonic() - heard > 2 * LEASE]:
                self._gone(process)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._now.wait(), _EVERY)
            self._now.clear()

    async def _renew(self) -> rows.Kept:
        room = self._pool.idle
        offered = [] if room else self._pool.waiting_for(_WAITED)
        taken: rows.Kept = await self._storage.write(
            claims.renew(self._storage.process, LEASE, _MOST, room, [one for one in offered if self._tables.keeps(one)])
        )
        if taken:
            _log.info("tables are kept here now", extra={"facts": {"tables": len(taken)}})
            await self._tables.take(taken)
        return taken

    def _tell_presence(self, table: Table) -> None:
        self._came[table.id] = table

    async def _tell_all(self) -> None:
        """Tells who follows tables here, and asks who follows those that were loaded, all at once."""
        came, self._came = self._came, {}
        told = {table_id: (sorted(table.here.seats), table.here.watchers) for table_id, table in came.items()}
        asked, self._tables.arrived = self._tables.arrived, []
        said = self._playing.said() if self._playing is not None else None
        if said or self._said:
            await self._storage.tell("laboratory", said)
            self._said = said
        for first in range(0, len(told), _MOST_TOLD):
            await self._storage.tell("present", dict(list(told.items())[first : first + _MOST_TOLD]))
        for first in range(0, len(asked), _MOST_TOLD):
            await self._storage.tell("who", asked[first : first + _MOST_TOLD])

    def _gone(self, process: str) -> None:
        """A process has ended: nobody follows a table there any more."""
        self._heard.pop(process, None)
        if self._playing is not None:
            self._playing.heard(process, None, ended=True)
        for table in list(self._tables.living.values()):
            self._tables.present(table.id, process, Present(frozenset(), 0))
