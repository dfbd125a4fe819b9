"""All tables of a server: finding them, changing them under their lock, starting, ending and sweeping them.

The order of every change is: check, store, publish. A change holds the table's lock from
the check to the publication and runs as a task of its own, so that a client that goes away
in the middle cannot leave a half-made move behind. It is made on copies: whoever reads sees
what is stored, and waits for nobody, however long the storage takes.

Several processes may serve one database. The table's next entry, of which the database takes one, decides who was
first; whoever was not takes over what is stored (`refresh`) and looks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
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
from ludens.server.storage.writer import Insert, Storage, Told, reason_of
from ludens.server.streaming.subscribers import in_thread
from ludens.server.tables.results import REASONS, over_result
from ludens.server.tables.seats import Seat
from ludens.server.tables.table import (
    ABANDONED,
    FINISHED,
    RUNNING,
    WAITING,
    Happened,
    Present,
    Table,
    knows,
    new_seed,
)

__all__ = ["AllTables", "Unreadable", "Watcher"]

Result = TypeVar("Result")
_log = logging.getLogger("ludens.server")
_ENDED_KEPT = 64  # ended tables held in memory for readers
_NOBODY = Present(frozenset(), 0)
_MOMENT = 0.5  # seconds
_NOT_STORED = "The server cannot store this now; send it again."


class Unreadable(Refusal):
    """A table of another version of its game: it can be listed, downloaded, closed and removed, nothing else."""

    def __init__(self, error: rows.UnreadableTable) -> None:
        super().__init__("not_readable", str(error))
        self.stored = error.stored


class Behind(Refusal):
    """Another process has changed the table meanwhile; what was to be done is checked again."""

    def __init__(self) -> None:
        super().__init__("unavailable", _NOT_STORED)


class Watcher(Protocol):
    """Whoever must know of changes of tables, such as the agents that play at them."""

    def changed(self, table: Table) -> None:
        """The table has changed; called without its lock."""
        ...

    def ended(self, table: Table) -> None:
        """The table has ended; called under its lock."""
        ...

    def needs(self, table: Table) -> bool:
        """Must the table stay in memory though another process keeps it?"""
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
        self.mine: set[str] | None = set() if storage.shared else None  # living tables of this process; None: all
        self.tell_presence: Callable[[Table], None] | None = None  # to the other processes
        self.arrived: list[str] = []  # tables that were loaded: the others may know who follows them
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
        for name in {game for _, game in await self.storage.read(self._living())}:
            if name not in registry.names() or self.preparation.progress(name).playable:
                await self._open_game(name)
        self._sweeper = asyncio.create_task(self._sweep_forever())

    async def _open_game(self, name: str) -> None:
        """Brings the living tables of a game back and lets their agents play on."""
        self._opened.add(name)
        for table_id, game in await self.storage.read(self._living()):
            if game == name and table_id not in self.living:
                await self.bring_back(table_id)

    def _living(self) -> Callable[[sa.Connection], rows.Kept]:
        """Reads the living tables that this process keeps."""
        return rows.living(None if self.mine is None else self.storage.process)

    async def count_living(self, address: str) -> tuple[int, int]:
        """How many tables wait or run: in all, and of the address."""
        if self.mine is not None:
            return await self.storage.read(rows.count_living(address))
        return len(self.living), sum(table.address == address for table in self.living.values())

    # --- which process keeps a table ------------------------------------------------------

    def keeps(self, table_id: str) -> bool:
        """Does this process let the table's agents think, and sweep it? Another may hold it in memory, too."""
        return self.mine is None or table_id in self.mine

    def kept(self) -> list[Table]:
        """The living tables that this process keeps."""
        return [table for table in self.living.values() if self.keeps(table.id)]

    async def take(self, tables: rows.Kept) -> None:
        """Keeps further tables, whose process has ended or is busy."""
        assert self.mine is not None
        self.mine.update(table_id for table_id, _ in tables)
        for table_id, name in tables:
            if name not in registry.names() or self.preparation.progress(name).playable:
                self._opened.add(name)
                await self.bring_back(table_id)

    def lose(self, table_ids: Iterable[str]) -> None:
        """Another process keeps these tables now."""
        assert self.mine is not None
        for table_id in self.mine & set(table_ids):
            self.mine.discard(table_id)
            table = self.living.get(table_id)
            if table is not None and table.thinking is not None:
                table.thinking.cancel()
                table.thinking = None

    async def tidy(self) -> None:
        """Lets tables of other processes go that nobody follows here, and looks at what has become of the own ones."""
        for table in list(self.living.values()):
            if not (self.keeps(table.id) or self._followed(table)):
                del self.living[table.id]
        await self._refresh_all([table for table in self.kept() if table.doubtful])

    # --- what other processes have stored -------------------------------------------------

    def held(self) -> list[str]:
        """The ids of all tables in memory."""
        return [*self._known.keys(), *self._arriving]

    async def news(self, table_ids: Iterable[str]) -> None:
        """Takes over what other processes have stored of the tables that are held here.

        What nobody follows here, and where no agent of this process sits, is read when somebody asks for it.
        """
        held = []
        for table_id in table_ids:
            table = await self._held(table_id)
            if table is not None and self._followed(table):
                held.append(table)
            elif table is not None:
                table.doubtful, table.updated = True, now()
        await self._refresh_all(held)

    async def _refresh_all(self, held: list[Table]) -> None:
        known = {table.id: table.entries for table in held}
        found = await self.storage.read(rows.since(known)) if known else {}
        tasks = [asyncio.create_task(self._take_over(table, found.get(table.id))) for table in held]
        if tasks:
            await asyncio.wait(tasks, timeout=_MOMENT)  # a table that is being changed keeps no other waiting

    def present(self, table_id: str, process: str, present: Present) -> None:
        """Others follow the table at another process."""
        table = self._known.get(table_id)
        if table is None or table.elsewhere.get(process, _NOBODY) == present:
            return
        if present == _NOBODY:
            del table.elsewhere[process]
        else:
            table.elsewhere[process] = present
        table.publish_table_soon()

    def _followed(self, table: Table) -> bool:
        """Does anybody here need to know at once what happens at the table?"""
        agents = self.keeps(table.id) and any(seat.kind == "agent" for seat in table.seats)
        here = table.subscribers or table.waiters or table.lock.locked() or agents
        return bool(here) or any(watcher.needs(table) for watcher in self._watchers)

    async def _held(self, table_id: str) -> Table | None:
        """The table, if it is in memory or about to be."""
        arriving = self._arriving.get(table_id)
        if arriving is not None:
            await asyncio.wait([arriving])
        return self._known.get(table_id)

    async def _take_over(self, table: Table, found: rows.Since | None) -> None:
        if found is None:
            if table.id in self._known:
                self.forget(table.id)
            return
        try:
            async with table.lock:
                await self.refresh(table, found)
        except Exception as error:
            table.doubtful = True
            _log.error("news were not taken over", exc_info=error, extra={"facts": {"table": table.id}})
        self._tell(table)

    async def refresh(self, table: Table, found: rows.Since | None = None) -> None:
        """Takes over what is stored of a table beyond what is known of it, and tells it; the caller holds the lock."""
        if found is None:
            found = (await self.storage.read(rows.since({table.id: table.entries}))).get(table.id)
        if found is None:
            raise self._removed(table)
        table.doubtful = False
        new = [entry for entry in found.entries if entry.number >= table.entries]
        for entry in new:
            last = entry is new[-1]
            happened = self._replayed(table, entry)
            if happened is None or (last and found.status != RUNNING and not (table.match and table.match.over)):
                await self._rebuild(table)
                return
            table.entries, table.moved = entry.number + 1, now()
            if last and found.status != RUNNING:
                table.status, table.result = found.status, found.result
            table.changed()
            table.publish(happened)
            if entry.kind == "standin":
                table.publish_table()
            if table.ended:
                self.retire(table, here=False)

    def _removed(self, table: Table) -> Refusal:
        self.forget(table.id)
        return Refusal("not_found", say("There is no table {table}.", table=repr(table.id)))

    def _replayed(self, table: Table, entry: Any) -> Happened | None:
        """Plays a stored move in the table's match; None if that is not what was stored, or no move at all."""
        if entry.kind not in ("move", "standin") or table.status != RUNNING or entry.ply != table.ply:
            return None
        match, happened = table.after(entry.log[0])
        if match.log[entry.ply :] != entry.log:
            return None
        table.match = match
        if table.times is not None:
            table.times.moved(entry.seat, table.times.left[entry.seat] if entry.clock is None else entry.clock)
        if entry.kind == "standin" or entry.thought is not None:
            table.note(entry.ply, entry.seat, entry.thought, entry.kind == "standin")
        if entry.kind == "standin":
            name = table.names[entry.seat]
            table.notice = say("The agent of {name} failed; a random move was played for it.", name=name)
        return happened

    async def _rebuild(self, table: Table) -> None:
        """Puts what is stored in the place of what is known; the caller holds the lock."""
        stored = await self.storage.read(rows.load(table.id))
        if stored is None:
            raise self._removed(table)
        lived, log = not table.ended, table.match.log if table.match else None
        for name in (
            "match",
            "entries",
            "undos",
            "notes",
            "seats",
            "status",
            "result",
            "rematch",
            "seed",
            "agent_seed",
            "times",
            "hinted",
            "profile",
        ):
            setattr(table, name, getattr(stored, name))
        table.past, table.moved = None, stored.moved
        table.changed()
        table.publish_table()
        if table.ended == lived or log != (table.match.log if table.match else None):
            await self.tell_anew(table)
        if lived and table.ended:
            self.retire(table, here=False)

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
        for table_id, game in await self.storage.read(self._living()):
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
        while (table := await self.storage.read(rows.load(table_id))) is not None:
            if not table.ended:
                table.loaded = now()
                table.preparing = self.preparation.progress(name)
                with contextlib.suppress(Behind):
                    async with table.lock:
                        await self._catch_up(table)
            if not table.doubtful:
                self._hold(table)
                if self.tell_presence is not None and not table.ended:
                    self.arrived.append(table_id)
                self._tell(table)
                break
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

    async def take_in(self, table: Table, after: Table | None = None) -> None:
        """Stores a new table, or the rematch after an ended one, and holds it.

        Whoever finds it in the storage first waits until it is held.
        """
        arriving: asyncio.Future[Table | None] = asyncio.get_running_loop().create_future()
        self._arriving[table.id] = arriving
        arriving.add_done_callback(partial(self._arrived, table.id))
        try:
            made = rows.create(table, None if self.mine is None else self.storage.process)
            if after is None:
                await self._store(table, made, Told(table.id))
            else:
                await self.store(after, made, rows.save(after, rematch=table.id), Told(table.id))
            if self.mine is not None and not table.ended:
                self.mine.add(table.id)
            self._hold(table)
            arriving.set_result(table)
        except Exception as error:
            arriving.set_exception(error)
            raise
        finally:
            arriving.cancel()  # if nothing else has happened: the server stops

    def _hold(self, table: Table) -> None:
        self._known[table.id] = table
        table.tell_presence = self.tell_presence
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
        """How many tables of this process wait and run."""
        found = {WAITING: 0, RUNNING: 0}
        for table in self.kept():
            found[table.status] = found.get(table.status, 0) + 1
        return found

    # --- finding -----------------------------------------------------------------------

    async def find(self, table_id: str, token: str | None = None, admin: bool = False) -> Table:
        """The table, from memory or storage; private ones exist only for those invited."""
        held = table_id in self._known
        try:
            table = await self._loaded(table_id)
        except rows.UnreadableTable as error:
            if not (admin or error.stored.may_see(token)):
                raise Refusal("not_found", say("There is no table {table}.", table=repr(table_id))) from None
            raise Unreadable(error) from error
        if table is not None and held and self.mine is not None:
            await self._current(table)
        if table is None or not (admin or table.may_see(token)):
            raise Refusal("not_found", say("There is no table {table}.", table=repr(table_id)))
        if token is not None and not (admin or knows(table, token)):
            raise Refusal("forbidden", "This token belongs to nobody at this table; without one you watch.")
        if table_id in self._ended:
            self._ended.move_to_end(table_id)
        return table

    async def _current(self, table: Table) -> None:
        """After this the table is what is stored: who changed it at another process sees it so here, too."""
        try:
            found = (await self.storage.read(rows.since({table.id: table.entries}))).get(table.id)
        except sa.exc.SQLAlchemyError as error:
            if table.doubtful:
                raise Refusal("unavailable", _NOT_STORED) from error
            return  # the database is away: what is known is shown
        if found is None:
            raise self._removed(table)
        if found.entries or table.doubtful:
            await self._take_over(table, found)

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
        if self.mine is not None:
            self.mine.discard(table_id)

    def forget_ended(self) -> None:
        """Reads ended tables anew: their seats have changed in the storage."""
        for table_id in self._ended:
            self._known.pop(table_id, None)
        self._ended.clear()

    async def settled(self, table: Table) -> None:
        """After this the table is what is stored; it waits only where a commit has failed."""
        if table.doubtful:
            async with table.lock:
                await self.refresh(table)

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
                    result = await self._decided(table, work)
                    if table.doubtful:
                        await self.refresh(table)
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

    async def _decided(self, table: Table, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Does the work on what is stored; where another process was first, again on what that has made of it."""
        while True:
            if table.doubtful:
                await self.refresh(table)
            known = table.entries
            try:
                return await work()
            except Behind:
                await self.refresh(table)
                if table.entries == known:
                    raise

    async def store(self, table: Table, *writes: Callable[[sa.Connection], None]) -> None:
        """Commits a change as the table's next entry, and counts it; what is no move becomes an entry without a log.

        Where another process has stored that entry already, nothing is committed and `Behind` says so.
        """
        if not any(isinstance(write, Insert) for write in writes):
            writes = (rows.append(table, "change", table.ply, []), *writes)
        await self._store(table, *writes)
        table.entries += 1

    async def _store(self, table: Table, *writes: Callable[[sa.Connection], None]) -> None:
        """Commits, or leaves the table to be read again and says that nothing can be stored now."""
        try:
            await self.storage.write(*writes)
        except Exception as error:
            table.doubtful = True
            if isinstance(error, self.storage.taken):
                raise Behind from error
            _log.error("commit failed", exc_info=error, extra={"facts": {"table": table.id}})
            raise Refusal("unavailable", _NOT_STORED) from error

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
        try:
            await self.store(table, start, rows.save(table, status=RUNNING))
        except Behind:  # another process has begun it, or somebody has left: `refresh` tells
            return
        table.status = RUNNING
        table.match, table.moved = match, now()
        if table.times is not None:
            table.times.begin()
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

    def retire(self, table: Table, here: bool = True) -> None:
        """Moves an ended table out of the living ones and tells everybody; `here` is where it is counted."""
        table.publish_table()
        for watcher in self._watchers:
            watcher.ended(table)
        self.living.pop(table.id, None)
        self.keep_ended(table)
        if self.mine is not None:
            self.mine.discard(table.id)
        if not here:
            return
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
        for table in self.kept():
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
