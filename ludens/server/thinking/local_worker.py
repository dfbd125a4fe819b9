"""A worker process of this machine: started when first needed, ended when it is late or too large."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import threading
from concurrent.futures import Executor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from ludens.server.thinking.messages import COMPILING, READY, Message
from ludens.server.thinking.worker import work

__all__ = ["AgentFailed", "Compiles", "LocalWorker", "Overran", "WorkerLost"]

_START = 120.0  # seconds for a new process and its imports
_COMPILE = 1200.0  # seconds for one kernel that is not in the cache yet
_GLANCE = 1.0  # seconds that a worker may compile where others compile for it: less than a new process takes
_MIB = 1 << 20
_log = logging.getLogger("ludens.server")


class AgentFailed(Exception):
    """An agent or an analysis raised, died or did not answer in time."""


class Overran(AgentFailed):
    """It did not answer in time, and its process was ended."""


class Compiles(AgentFailed):
    """What it needs is not compiled: the preparing process does that, so that nobody waits for this worker."""


class WorkerLost(Exception):
    """The worker went away through no fault of the agent's: somebody else must be asked."""


class LocalWorker:
    """One process; `ask` may be called by one task at a time."""

    def __init__(self, threads: Executor, plugins: tuple[str, ...], most_memory: float) -> None:
        self.tables: set[str] = set()  # whose agents it keeps
        self.may_compile = True
        self.process: BaseProcess | None = None
        self._threads = threads
        self._plugins = plugins
        self._most = most_memory * _MIB
        self._context = multiprocessing.get_context("spawn")
        self._connection: Connection | None = None
        self._closed = False
        self._waking = threading.Lock()

    async def ask(self, message: Message, limit: float) -> tuple[Any, str | None]:
        """(answer, None) or (None, what the agent raised); AgentFailed if the process had to be ended."""
        loop = asyncio.get_running_loop()
        try:
            answer = await loop.run_in_executor(self._threads, self._exchange, message, limit)
        except (Compiles, EOFError, OSError, TimeoutError) as error:
            self.end()
            if isinstance(error, Compiles):
                raise
            if isinstance(error, TimeoutError):
                raise Overran("it did not answer in time") from error
            raise AgentFailed("its process ended") from error
        if self.memory() > self._most / 2:  # the other half is for the next thought
            _log.warning("worker too large", extra={"facts": {"bytes": self.memory()}})
            self.end()
        return answer

    def wake(self) -> None:
        """Starts the process before the first question; takes seconds."""
        with contextlib.suppress(EOFError, OSError, TimeoutError):  # the first question tries again
            self._begin()

    def memory(self) -> int:
        """Resident bytes of the process; 0 where that cannot be known."""
        if self.process is None:
            return 0
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0
        return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0)

    def end(self) -> None:
        """Ends the process; the next question starts another."""
        if self._connection is not None:
            self._connection.close()
        if self.process is not None and self.process.is_alive():
            self.process.kill()
        self.process = self._connection = None
        self.tables.clear()

    def close(self) -> None:
        """Ends the process for good."""
        self._closed = True
        self.end()

    def _exchange(self, message: Message, limit: float) -> tuple[Any, str | None]:
        self._begin()
        connection = self._connection
        assert connection is not None
        connection.send(message)
        patience, compiles = limit, False
        while True:
            if not connection.poll(patience):
                raise Compiles("it is not compiled") if compiles and not self.may_compile else TimeoutError
            answer: tuple[Any, str | None] = connection.recv()
            if answer[0] != COMPILING:
                return answer
            compiles = bool(answer[1])
            patience = (_COMPILE if self.may_compile else _GLANCE) if compiles else limit

    def _begin(self) -> None:
        with self._waking:
            if self.process is None or not self.process.is_alive():
                self._start()

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        arguments = (theirs, self._plugins, int(self._most))
        process = self._context.Process(target=work, args=arguments, daemon=True, name="ludens-agent")
        process.start()
        theirs.close()
        self.process, self._connection = process, ours
        if self._closed:  # meanwhile, and whoever closed did not see this process yet
            process.kill()
            raise EOFError
        if not ours.poll(_START) or ours.recv() != READY:
            raise TimeoutError
        _log.info("agent worker started", extra={"facts": {"pid": process.pid}})
