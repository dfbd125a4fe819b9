"""Storing without blocking: writes are gathered into common commits by one thread, reads use others.

A write is finished when its commit is: whoever awaits it may acknowledge. Writes that were
asked for while a commit was under way share the next one, so that two hundred tables do not
wait for two hundred disk flushes.
"""

from __future__ import annotations

import asyncio
import queue
import shutil
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from ludens.server.storage.database import connect, migrate
from ludens.server.storage.ownership import Ownership

__all__ = ["Insert", "Storage"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class Insert:
    """One row to be inserted; rows of the same table that share a commit go in together."""

    table: sa.Table
    row: dict[str, Any]

    def __call__(self, connection: sa.Connection) -> None:
        connection.execute(sa.insert(self.table), self.row)


Work = Callable[[sa.Connection], Any]
Job = tuple[tuple[Work, ...], "Future[Any]"]


class Storage:
    """One database. `open` migrates it and starts the writing thread; `close` finishes what was asked for."""

    def __init__(self, url: str, most_at_once: int = 200) -> None:
        self.engine = connect(url)
        self._ownership = Ownership(self.engine)
        self.failed: str | None = None  # why the last commit failed, until one succeeds
        self._most_at_once = most_at_once
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(2, "ludens-reader")
        self._writer = threading.Thread(target=self._write_forever, name="ludens-writer", daemon=True)

    def open(self) -> None:
        """Takes the database, brings it up to date and begins to write; a second time does nothing."""
        if self._writer.is_alive():
            return
        migrate(self.engine)
        self._ownership.take()
        self._writer.start()

    def close(self) -> None:
        if self._writer.is_alive():
            self._jobs.put(None)
            self._writer.join()
        self._readers.shutdown()
        self._ownership.give_back()
        self.engine.dispose()

    def trouble(self, least_free: int) -> str | None:
        """Why nothing can be stored now, in a sentence; may take a while, so ask in a thread."""
        try:
            self._read(lambda connection: connection.execute(sa.text("SELECT 1")).scalar())
        except sa.exc.SQLAlchemyError:
            return "The database does not answer."
        if self.failed is not None:
            return f"The last commit failed: {self.failed}."
        name = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        if name and name != ":memory:" and shutil.disk_usage(Path(name).resolve().parent).free < least_free:
            return "The disk of the database is full."
        return None

    @property
    def waiting(self) -> int:
        """How many writes wait for a commit."""
        return self._jobs.qsize()

    async def write(self, *work: Work) -> Any:
        """Does all of the work in a transaction; returns the result of the last after the commit."""
        future: Future[Any] = Future()
        self._jobs.put((work, future))
        return await asyncio.wrap_future(future)

    async def read(self, job: Callable[[sa.Connection], Result]) -> Result:
        """Runs the job in a thread with a connection of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, job)

    def _read(self, job: Callable[[sa.Connection], Result]) -> Result:
        with self.engine.connect() as connection:
            return job(connection)

    def _write_forever(self) -> None:
        while (first := self._jobs.get()) is not None:
            jobs = [first]
            stop = False
            while len(jobs) < self._most_at_once and not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    stop = True
                    break
                jobs.append(following)
            jobs = [job for job in jobs if job[1].set_running_or_notify_cancel()]
            if len(jobs) == 1 or not self._commit(jobs):
                for job in jobs:
                    self._commit_alone(job)
            if stop:
                return

    def _commit(self, jobs: list[Job]) -> bool:
        """All in one transaction; false (and nothing done) if one of them fails."""
        try:
            with self.engine.begin() as connection:
                _insert_together(connection, [one for work, _ in jobs for one in work if isinstance(one, Insert)])
                results = [_rest(connection, work) for work, _ in jobs]
        except Exception:
            return False
        self.failed = None
        for (_, future), result in zip(jobs, results, strict=True):
            future.set_result(result)
        return True

    def _commit_alone(self, job: Job) -> None:
        work, future = job
        try:
            with self.engine.begin() as connection:
                _insert_together(connection, [one for one in work if isinstance(one, Insert)])
                result = _rest(connection, work)
        except Exception as error:
            if isinstance(error, sa.exc.OperationalError | OSError):  # not the fault of what was to be written
                self.failed = str(getattr(error, "orig", None) or error).strip().splitlines()[0].rstrip(".")
            future.set_exception(error)
        else:
            self.failed = None
            future.set_result(result)


def _insert_together(connection: sa.Connection, inserts: list[Insert]) -> None:
    rows: defaultdict[sa.Table, list[dict[str, Any]]] = defaultdict(list)
    for insert in inserts:
        rows[insert.table].append(insert.row)
    for table, together in rows.items():
        connection.execute(sa.insert(table), together)


def _rest(connection: sa.Connection, work: tuple[Work, ...]) -> Any:
    result = None
    for one in work:
        if not isinstance(one, Insert):
            result = one(connection)
    return result
