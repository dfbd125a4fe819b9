"""Storing without blocking: writes are gathered into common commits by one thread, reads use others.

A write is finished when its commit is: whoever awaits it may acknowledge. Writes that were
asked for while a commit was under way share the next one, so that two hundred tables do not
wait for two hundred disk flushes.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy as sa

from ludens.server.storage.database import connect, migrate

__all__ = ["Storage"]

Result = TypeVar("Result")
Job = tuple[Callable[[sa.Connection], Any], "Future[Any]"]


class Storage:
    """One database. `open` migrates it and starts the writing thread; `close` finishes what was asked for."""

    def __init__(self, url: str, most_at_once: int = 200) -> None:
        self.engine = connect(url)
        self._most_at_once = most_at_once
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(2, "ludens-reader")
        self._writer = threading.Thread(target=self._write_forever, name="ludens-writer", daemon=True)

    def open(self) -> None:
        migrate(self.engine)
        self._writer.start()

    def close(self) -> None:
        if self._writer.is_alive():
            self._jobs.put(None)
            self._writer.join()
        self._readers.shutdown()
        self.engine.dispose()

    @property
    def waiting(self) -> int:
        """How many writes wait for a commit."""
        return self._jobs.qsize()

    async def write(self, job: Callable[[sa.Connection], Result]) -> Result:
        """Runs the job in a transaction; returns its result after the commit."""
        future: Future[Result] = Future()
        self._jobs.put((job, future))
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
                results = [job(connection) for job, _ in jobs]
        except Exception:
            return False
        for (_, future), result in zip(jobs, results, strict=True):
            future.set_result(result)
        return True

    def _commit_alone(self, job: Job) -> None:
        run, future = job
        try:
            with self.engine.begin() as connection:
                result = run(connection)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)
