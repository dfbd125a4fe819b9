"""All tables of a server: finding them, changing them under their lock, starting, ending and sweeping them.

The order of every change is: check, store, publish. A change holds the table's lock from
the check to the publication and runs as a task of its own, so that a client that goes away
in the middle cannot leave a half-made move behind. It is made on copies: whoever reads sees
what is stored, and waits for nobody, however long the storage takes.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

import sqlalchemy as sa

from ludens.core import registry
from ludens.core.match import Match
from ludens.i18n.messages import say
from ludens.server.clock import now
from ludens.server.metrics import Metrics
from ludens.server.preparing.preparation import Preparation
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings
from ludens.server.storage import rows
from ludens.server.storage.writer import Storage, reason_of
from ludens.server.streaming.subscribers import in_thread
from ludens.server.tables.results import REASONS, over_result
from ludens.server.tables.seats import Seat
from ludens.server.tables.table import ABANDONED, FINISHED, RUNNING, WAITING, Table, knows, new_seed

__all__ = ["AllTables", "Unreadable", "Watcher"]

Result = TypeVar("Result")
_log = logging.getLogger("ludens.server")
_ENDED_KEPT = 64  # ended tables held in memory for readers


class Unreadable(Refusal):
    """A table of another version of its game: it can be listed, downloaded, closed and removed, nothing else."""

    def __init__(self, error: rows.UnreadableTable) -> None:
        super().__init__("not_readable", str(error))
        self.stored = error.stored


class Watcher(Protocol):
    """Whoever must know of changes of tables, such as the agents that play at them."""

    def changed(self, table: Table) -> None:
        """The table has changed; called without its lock."""
        ...

    def ended(self, table: Table) -> None:
        """The table has ended; called under its lock."""
        ...


class AllTables:
    """The waiting and running tables in memory, the ended ones that somebody reads, and the storage behind them."""

    def __init__(self, settings: Settings, storage: Storage, metrics: Metrics, preparation: Preparation) -> None:
        self.settings = settings
        self.storage = storage
        self.metrics = metrics
        self.preparation = preparation
        self.closing = False
        self.living: dict[str, Table] = {}  # waiting and running
        self._ended: OrderedDict[str, Table] = OrderedDict()
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()  # all that anybody still holds
        self._arriving: dict[str, asyncio.Future[Table | None]] = {}  # tables that are being loaded or made
        self.missing: set[str] = set()  # living tables that could not be loaded yet
        self._unreadable: set[str] = set()  # living tables of other rules
        self._watchers: list[Watcher] = []
        self._changes: set[asyncio.Task[Any]] = set()
        self._opened: set[str] = set()  # games whose living tables are back
        self._sweeper: asyncio.Task[None] | None = None

    def watch(self, watcher: Watcher) -> None:
        """Tells the watcher of all changes from now on."""
        self._watchers.append(watcher)

    # --- life --------------------------------------------------------------------------

    async def open(self) -> None:
        """Brings the living tables back of all games that can be played now; the others follow (`prepared`)."""
        for name in {game for _, game in await self.storage.read(rows.living)}:
            if name not in registry.names() or self.preparation.progress(name).playable:
                await self._open_game(name)
        self._sweeper = asyncio.create_task(self._sweep_forever())

    async def _open_game(self, name: str) -> None:
        """Brings the living tables of a game back and lets their agents play on."""
        self._opened.add(name)
        for table_id, game in await self.storage.read(rows.living):
            if game == name and table_id not in self.living:
                await self.bring_back(table_id)

    async def bring_back(self, table_id: str) -> bool:
        """Loads a table that nobody has asked for; what fails is tried again by the watchdog."""
        known = table_id in self.missing
        self.missing.discard(table_id)
        try:
            await self._loaded(table_id)
        except rows.UnreadableTable as error:
            self._unreadable.add(table_id)
            _log.error("table cannot continue", extra={"facts": {"table": table_id, "reason": str(error)}})
            if error.outdated:  # of a newer version, or of a game that is not loaded: it may go on another day
                await self.storage.write(rows.close_stored(table_id, str(error)))
        except Exception as error:
            if not known:
                _log.error("table was not loaded", extra={"facts": {"table": table_id, "reason": reason_of(error)}})
            self.missing.add(table_id)
            return False
        return True

    async def search_missing(self) -> None:
        """Notes the living tables of open games that are stored and not held."""
        for table_id, game in await self.storage.read(rows.living):
            if game in self._opened and table_id not in self._known and table_id not in self._unreadable:
                self.missing.add(table_id)

    async def prepared(self, name: str) -> None:
        """A game is further prepared: its tables come back, begin, or tell how far it is."""
        if self.preparation.progress(name).playable and name not in self._opened:
            await self._open_game(name)
        for table in [table for table in self.living.values() if table.game.spec.name == name]:
            if table.status == WAITING:
                await self.change(table, partial(self.start_if_full, table))
            table.changed()
            table.publish_table()

    # --- one way into memory -----------------------------------------------------------

    async def _loaded(self, table_id: str) -> Table | None:
        """The table as it is stored, caught up: there is one object of it, however many ask for it at once."""
        held = self._known.get(table_id)
        if held is not None:
            return held
        arriving = self._arriving.get(table_id)
        if arriving is None:
            arriving = self._arriving[table_id] = asyncio.create_task(self._load(table_id))
            arriving.add_done_callback(partial(self._arrived, table_id))
        return await asyncio.shield(arriving)

    def _arrived(self, table_id: str, arriving: asyncio.Future[Table | None]) -> None:
        del self._arriving[table_id]
        if not arriving.cancelled():
            arriving.exception()  # whoever has asked has seen it

    async def _load(self, table_id: str) -> Table | None:
        name = await self.storage.read(rows.game_name(table_id))
        if name is None:
            return None
        if name in registry.names():
            self.preparation.require(name)
        table = await self.storage.read(rows.load(table_id))
        if table is None:
            return None
        if not table.ended:
            table.loaded = now()
            table.preparing = self.preparation.progress(name)
            async with table.lock:
                await self._catch_up(table)
        self._hold(table)
        self._tell(table)
        return table

    async def _catch_up(self, table: Table) -> None:
        """Starts a table that was about to start, or ends one that was about to end, when the server fell.

        The caller holds the lock, and nobody else knows the table yet.
        """
        if table.made_with is not None and table.match is None:
            await self.store(table, rows.bring_up_to_date(table))
            table.made_with = None
        if table.made_with is not None:
            made, today = table.made_with, table.game.spec.version
            reason = say(REASONS[2], made=made, today=today)
            await self.finish(table, {"reason": reason, "scores": None, "returns": None}, ABANDONED)
        elif table.status == WAITING:
            await self.start_if_full(table)
        elif table.match is not None and table.match.over:
            await self.finish(table, over_result(table.match))

    async def take_in(self, table: Table, *writes: Callable[[sa.Connection], None]) -> None:
        """Stores a new table and holds it; whoever finds it in the storage first waits until it is held."""
        arriving: asyncio.Future[Table | None] = asyncio.get_running_loop().create_future()
        self._arriving[table.id] = arriving
        arriving.add_done_callback(partial(self._arrived, table.id))
        try:
            await self.store(table, rows.create(table), *writes)
            self._hold(table)
            arriving.set_result(table)
        except Exception as error:
            arriving.set_exception(error)
            raise
        finally:
            arriving.cancel()  # if nothing else has happened: the server stops

    def _hold(self, table: Table) -> None:
        self._known[table.id] = table
        if table.ended:
            self.keep_ended(table)
        else:
            self.living[table.id] = table

    def stop_accepting(self) -> None:
        """The first step of a graceful end: streams close, so that nothing holds the server up."""
        self.closing = True
        for table in list(self._known.values()):
            for subscriber in tuple(table.subscribers):
                subscriber.end()
            for waiter in table.waiters:
                if not waiter.done():
                    waiter.set_result(None)

    async def close(self) -> None:
        """Finishes the changes that are under way."""
        if self._sweeper:
            self._sweeper.cancel()
        for table in self.living.values():
            if table.thinking:
                table.thinking.cancel()
        if self._changes:
            await asyncio.wait(self._changes, timeout=10)

    def count_by_status(self) -> dict[str, int]:
        """How many tables in memory wait and run."""
        found = {WAITING: 0, RUNNING: 0}
        for table in self.living.values():
            found[table.status] = found.get(table.status, 0) + 1
        return found

    # --- finding -----------------------------------------------------------------------

    async def find(self, table_id: str, token: str | None = None, admin: bool = False) -> Table:
        """The table, from memory or storage; private ones exist only for those invited."""
        try:
            table = await self._loaded(table_id)
        except rows.UnreadableTable as error:
            if not (admin or error.stored.may_see(token)):
                raise Refusal("not_found", say("There is no table {table}.", table=repr(table_id))) from None
            raise Unreadable(error) from error
        if table is None or not (admin or table.may_see(token)):
            raise Refusal("not_found", say("There is no table {table}.", table=repr(table_id)))
        if token is not None and not (admin or knows(table, token)):
            raise Refusal("forbidden", "This token belongs to nobody at this table; without one you watch.")
        if table_id in self._ended:
            self._ended.move_to_end(table_id)
        return table

    async def close_unreadable(self, stored: rows.StoredTable, reason: str) -> None:
        """Ends a table that this version cannot rebuild."""
        if stored.ended:
            raise Refusal("wrong_status", say("The table is {status} already.", status=stored.status))
        await self.storage.write(rows.close_stored(stored.id, reason))

    def keep_ended(self, table: Table) -> Table:
        """Keeps an ended table in memory for readers, and lets the longest unread one go."""
        self._known[table.id] = self._ended[table.id] = table
        while len(self._ended) > _ENDED_KEPT:
            self._ended.popitem(last=False)
        return table

    def forget(self, table_id: str) -> None:
        """Drops a table that was removed from the storage."""
        self.living.pop(table_id, None)
        self._ended.pop(table_id, None)
        self._known.pop(table_id, None)

    def forget_ended(self) -> None:
        """Reads ended tables anew: their seats have changed in the storage."""
        for table_id in self._ended:
            self._known.pop(table_id, None)
        self._ended.clear()

    async def settled(self, table: Table) -> None:
        """After this the table is what is stored; it waits only where a commit has failed."""
        if table.doubtful:
            async with table.lock:
                await self._settle_doubt(table)

    async def wait(self, table: Table, after: int, seconds: float) -> None:
        """Returns when the table's version is beyond `after`, or after so many seconds."""
        if table.version > after or self.closing:
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        table.waiters.add(waiter)
        try:
            await asyncio.wait_for(waiter, seconds)
        except TimeoutError:
            pass
        finally:
            table.waiters.discard(waiter)

    # --- changes: the frame ------------------------------------------------------------

    async def change(self, table: Table, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Runs a change under the table's lock, in a task that outlives its client."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()  # cancelled with whoever asked

        async def locked() -> None:
            try:
                async with table.lock:
                    await self._settle_doubt(table)
                    result = await work()
                self._tell(table)
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)
            finally:
                done.cancel()  # if nothing else has happened: the server stops

        task = asyncio.create_task(locked())
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await done

    def _tell(self, table: Table) -> None:
        for watcher in self._watchers:
            watcher.changed(table)

    async def _settle_doubt(self, table: Table) -> None:
        """After a failed commit, what is stored is the truth."""
        if not table.doubtful:
            return
        stored = await self.storage.read(rows.load(table.id))
        if stored is None:
            raise Refusal("unavailable", "The table could not be stored; please make a new one.")
        table.match, table.past = stored.match, None
        table.entries, table.undos, table.notes = stored.entries, stored.undos, stored.notes
        table.times = stored.times
        table.seats, table.status, table.result, table.rematch = (
            stored.seats,
            stored.status,
            stored.result,
            stored.rematch,
        )
        table.doubtful = False
        table.changed()

    async def store(self, table: Table, *writes: Callable[[sa.Connection], None]) -> None:
        """Commits, or leaves the table to be read again and says that nothing can be stored now."""
        try:
            await self.storage.write(*writes)
        except Exception as error:
            table.doubtful = True
            _log.error("commit failed", exc_info=error, extra={"facts": {"table": table.id}})
            raise Refusal("unavailable", "The server cannot store this now; send it again.") from error

    # --- changes: what several share ----------------------------------------------------

    async def start_if_full(self, table: Table) -> None:
        """Begins the game once every seat is taken; the caller holds the lock."""
        if table.status != WAITING or not all(seat.taken for seat in table.seats):
            return
        if not self.preparation.progress(table.game.spec.name).playable:
            self.preparation.want(table.game.spec.name)
            return
        match = Match(table.game, table.game.show_options(table.options), table.seed, table.names)
        start = rows.append(table, "start", 0, list(match.log))
        await self.store(table, start, rows.save(table, status=RUNNING))
        table.status = RUNNING
        table.match, table.moved = match, now()
        if table.times is not None:
            table.times.begin()
        table.entries += 1
        table.changed()
        table.publish_table()
        await self.tell_anew(table)

    async def note_hint(self, table: Table) -> None:
        """Remembers that somebody was shown a good move: such a game is not rated."""
        if table.hinted:
            return

        async def work() -> None:
            await self.store(table, rows.save(table, hinted=True))
            table.hinted = True

        await self.change(table, work)

    async def draw_seeds(self, table: Table) -> None:
        """New seeds that nobody knows, for a table that waits; the caller holds the lock."""
        seed, agent_seed = new_seed(), new_seed()
        await self.store(table, rows.save(table, seed=seed, agent_seed=agent_seed))
        table.seed, table.agent_seed = seed, agent_seed

    async def seats_changed(self, table: Table, seats: list[Seat]) -> None:
        """Stores the new seats and begins the game if they are all taken; the caller holds the lock."""
        await self.store(table, rows.save(table, seats))
        table.seats, table.moved = seats, now()
        if table.match is not None:
            table.match.names = tuple(table.names)
        table.changed()
        table.publish_table()
        await self.start_if_full(table)

    async def tell_anew(self, table: Table) -> None:
        """Full views for all subscribers, with the last steps, which are told outside the loop.

        The caller holds the lock.
        """
        cache: dict[Any, Any] = {}
        subscribers = tuple(table.subscribers)

        def recall_last() -> None:
            for subscriber in subscribers:
                subscriber.recall_last(table, cache)

        if subscribers and table.match is not None:
            await in_thread(recall_last)
        table.publish(None, cache)

    async def finish(
        self, table: Table, result: dict[str, Any], status: str = FINISHED, seats: list[Seat] | None = None
    ) -> None:
        """Ends a table, with other seats if they changed; the caller holds the lock."""
        await self.store(table, rows.save(table, seats or (), status=status, result=result))
        table.status, table.result, table.seats = status, result, seats or table.seats
        table.changed()
        await self.tell_anew(table)
        self.retire(table)

    def retire(self, table: Table) -> None:
        """Moves an ended table out of the living ones and tells everybody."""
        table.publish_table()
        for watcher in self._watchers:
            watcher.ended(table)
        self.living.pop(table.id, None)
        self.keep_ended(table)
        self.metrics.count("tables_ended", f'status="{table.status}"')
        _log.info("table ended", extra={"facts": {"table": table.id, "status": table.status}})

    async def abandon(self, table: Table, reason: str) -> None:
        """Ends a waiting or running table without a result."""

        async def work() -> None:
            if table.ended:
                raise Refusal("wrong_status", say("The table is {status} already.", status=table.status))
            await self.finish(table, {"reason": reason, "scores": None, "returns": None}, ABANDONED)

        await self.change(table, work)

    # --- time --------------------------------------------------------------------------

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(self.settings.sweep)
            await self.sweep()

    async def sweep(self) -> int:
        """Abandons tables where nothing has happened for too long; returns how many."""
        swept = 0
        hours = {WAITING: self.settings.waiting_hours, RUNNING: self.settings.running_hours}
        for table in list(self.living.values()):
            timed = table.times is not None and table.status == RUNNING  # it ends by its clocks
            idle = not timed and table.thinking is None and now() - table.updated > 3600 * hours.get(table.status, 0.0)
            if table.loaded is not None and now() - table.loaded < self.settings.grace:
                continue  # the clock may have been wrong when it was written, or when this server began
            if idle and not table.ended:
                try:
                    await self.abandon(table, say(REASONS[0], hours=f"{hours[table.status]:g}"))
                    swept += 1
                except Refusal:
                    continue
        return swept
