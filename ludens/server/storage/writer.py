"""Storing without blocking: writes are gathered into common commits by one thread, reads use others.

A write is finished when its commit is: whoever awaits it may acknowledge. Writes that were
asked for while a commit was under way share the next one, so that two hundred tables do not
wait for two hundred disk flushes. While commits are shared, the next ones wait a moment for more to share
them: a crowd's moves cost less, and a single player waits for nobody. The thread and the loop wake each other
once a commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import secrets
import shutil
import threading
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.pool import PoolProxiedConnection

from ludens.core.errors import BadInput
from ludens.server.storage import database as db
from ludens.server.storage.database import connect, migrate
from ludens.server.storage.ownership import Ownership
from ludens.server.threads import FairThreads

__all__ = ["CHANNEL", "Insert", "Storage", "Told", "damaged", "reason_of", "tell"]

Result = TypeVar("Result")
_LOOKED_AT = (db.tables, db.seats, db.entries, db.imports, db.reviews)
_CROWDED = 0.5  # seconds after a shared commit in which others are expected to be shared
_MOMENT = 0.02  # seconds that such a commit waits
CHANNEL = "ludens"  # of PostgreSQL's notifications
_MOST_NAMED = 400  # tables in a notification, which may have 8,000 bytes


@dataclass(slots=True)
class Insert:
    """One row to be inserted; rows of the same table that share a commit go in together."""

    table: sa.Table
    row: dict[str, Any]

    def __call__(self, connection: sa.Connection) -> None:
        connection.execute(sa.insert(self.table), self.row)


@dataclass(slots=True)
class Told:
    """The other processes hear of a table of which no entry is stored: a new one, or one that is removed."""

    table: str

    def __call__(self, connection: sa.Connection) -> None:
        """Nothing is written."""


Work = Callable[[sa.Connection], Any]


@dataclass(slots=True)
class _Job:
    """Work that belongs together, and who waits for it."""

    work: tuple[Work, ...]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]  # of that loop

    def settle(self, result: Any, error: Exception | None) -> None:
        """Tells whoever waits; runs in the loop."""
        if self.done.done():  # nobody waits any more
            return
        if error is None:
            self.done.set_result(result)
        else:
            self.done.set_exception(error)


class Storage:
    """One database. `open` migrates it and starts the writing thread; `close` finishes what was asked for."""

    def __init__(self, url: str, most_at_once: int = 200) -> None:
        self.engine = connect(url)
        self.shared = self.engine.dialect.name == "postgresql"  # with other processes, which are told of every commit
        self.process = secrets.token_hex(6)  # the name of this one
        self._ownership = Ownership(self.engine, self.shared)
        self.failed: str | None = None  # why the last commit failed, until one succeeds
        driver = getattr(self.engine.dialect.dbapi, "OperationalError", OSError)
        self.taken = (sa.exc.IntegrityError, getattr(self.engine.dialect.dbapi, "IntegrityError", OSError))
        """What is raised where another process was first."""
        self._broken = (sa.exc.OperationalError, driver, OSError, BadInput)
        self._plain = self.engine.dialect.name == "sqlite"
        self._most_at_once = most_at_once
        self._crowded_until = 0.0
        self._jobs: deque[_Job] = deque()
        self._announced = False  # the thread will be woken for what waits
        self._signals: queue.SimpleQueue[None] = queue.SimpleQueue()  # one for whatever waits; cheaper than an event
        self._closing = False
        self._readers = FairThreads(2, "ludens-reader")
        self._kept: sa.Connection | None = None  # of the writing thread
        self._writer = threading.Thread(target=self._write_forever, name="ludens-writer", daemon=True)

    def open(self) -> None:
        """Takes the database, brings it up to date and begins to write; a second time does nothing."""
        if self._writer.is_alive():
            return
        migrate(self.engine)
        self._check()
        self._ownership.take()
        self._writer.start()

    def _check(self) -> None:
        """A damaged database is one clear sentence, as far as that can be seen quickly."""
        try:
            self.look(lambda connection: [connection.execute(sa.select(*one.c).limit(1)).all() for one in _LOOKED_AT])
        except sa.exc.SQLAlchemyError as error:
            raise BadInput(damaged(self.engine, error)) from error

    def close(self) -> None:
        if self._writer.is_alive():
            self._closing = True
            self._signals.put(None)
            self._writer.join()
        self._let_go()
        self._readers.shutdown()
        self._ownership.give_back()
        self.engine.dispose()

    def trouble(self, least_free: int) -> str | None:
        """Why nothing can be stored now, in a sentence; may take a while, so ask in a thread."""
        try:
            with self.engine.begin() as connection:  # nothing is changed, but it has to be allowed
                connection.execute(sa.text("UPDATE tables SET id = id WHERE 1 = 0"))
        except sa.exc.SQLAlchemyError as error:
            reason = reason_of(error)
            readonly = "readonly" in reason or "read-only" in reason
            return "The database may only be read." if readonly else "The database does not answer."
        if self.failed is not None:
            return f"The last commit failed: {self.failed}."
        if self.full(least_free):
            return "The disk of the database is full."
        return None

    def full(self, least_free: int) -> bool:
        """Is there less room on the disk than moves of the games that run may need?"""
        return any(free < least_free for free in self.room().values())

    def room(self) -> dict[str, float]:
        """Bytes that are free on the disk of the database, if it is a file here."""
        name = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        if not name or name == ":memory:":
            return {}
        try:
            return {"": float(shutil.disk_usage(Path(name).resolve().parent).free)}
        except OSError:
            return {}

    @property
    def waiting(self) -> int:
        """How many writes wait for a commit."""
        return len(self._jobs)

    async def write(self, *work: Work) -> Any:
        """Does all of the work in a transaction; returns the result of the last after the commit."""
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future())
        self._jobs.append(job)
        if not self._announced:
            self._announced = True
            loop.call_later(_MOMENT if time.monotonic() < self._crowded_until else 0, self._wake)
        return await job.done

    def _wake(self) -> None:
        self._announced = False
        self._signals.put(None)

    async def read(self, job: Callable[[sa.Connection], Result]) -> Result:
        """Runs the job in a thread with a connection of its own."""
        return await self._readers.run(self.look, job)

    def look(self, job: Callable[[sa.Connection], Result]) -> Result:
        """Runs the job here; it may take a while."""
        with self.engine.connect() as connection:
            return job(connection)

    def _write_forever(self) -> None:
        while not self._closing or self._jobs:
            if not self._closing:
                self._signals.get()
            for _ in range(0, len(self._jobs), self._most_at_once):
                self._write_together(min(len(self._jobs), self._most_at_once))

    def _write_together(self, count: int) -> None:
        """Takes so many jobs that wait, and does them in one commit; if that fails, each in its own."""
        jobs = [self._jobs.popleft() for _ in range(count)]
        if len(jobs) > 1:
            self._crowded_until = time.monotonic() + _CROWDED
        jobs = [job for job in jobs if not job.done.cancelled()]
        if not jobs:
            return
        if len(jobs) == 1 or not self._commit(jobs):
            for job in jobs:
                self._commit_alone(job)

    def _commit(self, jobs: list[_Job]) -> bool:
        """All in one transaction; false (and nothing done) if one of them fails."""
        try:
            results = self._transact(jobs)
        except Exception:
            return False
        self.failed = None
        _tell(jobs, results, None)
        return True

    def _commit_alone(self, job: _Job) -> None:
        try:
            results = self._transact([job])
        except Exception as error:
            if isinstance(error, self._broken):  # not the fault of what was to be written
                self.failed = reason_of(error)
            _tell([job], [None], error)
        else:
            self.failed = None
            _tell([job], results, None)

    def _transact(self, jobs: list[_Job]) -> list[Any]:
        """The results of the jobs after a common commit, on a connection that is kept until something fails."""
        kept = self._kept is not None
        try:
            return self._attempt(jobs)
        except sa.exc.DBAPIError as error:
            if not (kept and error.connection_invalidated):
                raise
        return self._attempt(jobs)  # the database was away since the last commit: it is asked anew

    def _attempt(self, jobs: list[_Job]) -> list[Any]:
        try:
            if self._kept is None:
                self._ownership.renew()
                self._kept = self.engine.connect()
            inserts = [one for job in jobs for one in job.work if isinstance(one, Insert)]
            if self._plain and len(inserts) == sum(len(job.work) for job in jobs):  # moves, as a rule
                _insert_plainly(self._kept.connection, inserts)
                self._kept.connection.commit()
                return [None] * len(jobs)
            with self._kept.begin():
                if self._plain:
                    _insert_plainly(self._kept.connection, inserts)
                else:
                    _insert_together(self._kept, inserts)
                results = [_rest(self._kept, job.work) for job in jobs]
                if self.shared:
                    self._tell_others(self._kept, jobs)
                return results
        except BaseException:
            self._let_go()
            raise

    def _tell_others(self, connection: sa.Connection, jobs: list[_Job]) -> None:
        """Names the tables of the commit to the other processes; they hear it if the commit succeeds."""
        work = [one for job in jobs for one in job.work]
        made = [one.table for one in work if isinstance(one, Told)]
        changed = [one.row["table_id"] for one in work if isinstance(one, Insert) and one.table is db.entries]
        for kind, named in (("made", made), ("news", list(dict.fromkeys(changed)))):
            for first in range(0, len(named), _MOST_NAMED):
                tell(connection, self.process, kind, named[first : first + _MOST_NAMED])

    @contextlib.asynccontextmanager
    async def once(self, what: str) -> AsyncIterator[bool]:
        """Is this the one process that does this now? If so, it is until the end of the block, or of the process."""
        if not self.shared:
            yield True
            return
        alone = self.engine.execution_options(isolation_level="AUTOCOMMIT")  # no transaction is open for hours
        connection = await asyncio.to_thread(alone.connect)
        try:
            given = {"what": what}
            take = sa.text("SELECT pg_try_advisory_lock(hashtext('ludens'), hashtext(:what))")
            yield bool((await asyncio.to_thread(connection.execute, take, given)).scalar())
        finally:
            await asyncio.to_thread(_end, connection)

    async def tell(self, kind: str, content: Any) -> None:
        """Tells the other processes what is not stored."""
        await self.write(lambda connection: tell(connection, self.process, kind, content))

    def _let_go(self) -> None:
        """The next commit looks for a connection that works."""
        kept, self._kept = self._kept, None
        if kept is not None:
            with contextlib.suppress(Exception):
                kept.close()


def _end(connection: sa.Connection) -> None:
    """Ends the connection itself, with the locks that it holds."""
    with contextlib.suppress(Exception):  # it may be lost
        connection.detach()
        connection.close()


def tell(connection: sa.Connection, process: str, kind: str, content: Any) -> None:
    """Notifies all processes, when the transaction is committed."""
    payload = json.dumps([process, kind, content], separators=(",", ":"))
    connection.execute(sa.text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})


def damaged(engine: sa.Engine, error: Exception) -> str:
    """What is said of a database that cannot be read."""
    where = engine.url.render_as_string()
    return f"The database {where} cannot be read: {reason_of(error)}. Restore a backup: ludens server restore."


def reason_of(error: Exception) -> str:
    """The first line of what the error says; some say nothing."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def _tell(jobs: list[_Job], results: list[Any], error: Exception | None) -> None:
    """Wakes the loop of those who wait, once for all of them."""

    def settle() -> None:
        for job, result in zip(jobs, results, strict=True):
            job.settle(result, error)

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
        jobs[0].loop.call_soon_threadsafe(settle)


def _by_table(inserts: list[Insert]) -> dict[sa.Table, list[dict[str, Any]]]:
    rows: defaultdict[sa.Table, list[dict[str, Any]]] = defaultdict(list)
    for insert in inserts:
        rows[insert.table].append(insert.row)
    return rows


def _insert_together(connection: sa.Connection, inserts: list[Insert]) -> None:
    for table, rows in _by_table(inserts).items():
        if table is db.entries:  # in one order, so that no two processes wait for each other
            rows.sort(key=lambda row: (row["table_id"], row["number"]))
        connection.execute(sa.insert(table), rows)


def _insert_plainly(connection: PoolProxiedConnection, inserts: list[Insert]) -> None:
    """The same without SQLAlchemy's part in it, which costs SQLite's writes as much again."""
    for table, rows in _by_table(inserts).items():
        statement, columns = _statement(table, tuple(rows[0]))
        values = [[row[name] if plain is None else plain(row[name]) for name, plain in columns] for row in rows]
        cursor = connection.cursor()
        try:
            cursor.executemany(statement, values)
        finally:
            cursor.close()


Column = tuple[str, Callable[[Any], Any] | None]


@cache
def _statement(table: sa.Table, names: tuple[str, ...]) -> tuple[str, list[Column]]:
    """The insert of these columns, and how SQLite keeps what is not kept as it is."""
    columns: list[Column] = []
    for name in names:
        kind = table.c[name].type
        optional = isinstance(kind, sa.JSON) and kind.none_as_null
        columns.append((name, _json_or_null if optional else json.dumps if isinstance(kind, sa.JSON) else None))
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", columns


def _json_or_null(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _rest(connection: sa.Connection, work: tuple[Work, ...]) -> Any:
    result = None
    for one in work:
        if not isinstance(one, Insert):
            result = one(connection)
    return result
