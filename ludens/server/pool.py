"""The worker processes in which agents think, and the fair queue before them.

A bounded number think at once. Owners take turns: whoever has fifty tables waits as long
as whoever has one. A worker that dies or does not answer is replaced; its question fails.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ludens.server.thinking import READY, Farewell, Question, work

__all__ = ["AgentFailed", "FairQueue", "Pool"]

_START = 120.0  # seconds for a new process and its imports
_log = logging.getLogger("ludens.server")


class AgentFailed(Exception):
    """An agent raised, died or did not answer in time."""


@dataclass
class _Ticket:
    question: Question
    answer: asyncio.Future[int]


class FairQueue:
    """Tickets by owner; owners are served in turn."""

    def __init__(self) -> None:
        self._by_owner: OrderedDict[str, deque[_Ticket]] = OrderedDict()
        self._filled = asyncio.Condition()

    def __len__(self) -> int:
        return sum(map(len, self._by_owner.values()))

    async def put(self, owner: str, ticket: _Ticket) -> None:
        async with self._filled:
            self._by_owner.setdefault(owner, deque()).append(ticket)
            self._filled.notify()

    async def get(self) -> _Ticket:
        async with self._filled:
            await self._filled.wait_for(lambda: bool(self._by_owner))
            owner, tickets = self._by_owner.popitem(last=False)
            ticket = tickets.popleft()
            if tickets:
                self._by_owner[owner] = tickets  # to the end: the next owner first
            return ticket


@dataclass
class _Worker:
    process: BaseProcess | None = None
    connection: Connection | None = None
    tables: set[str] = field(default_factory=set)  # whose agents it keeps


class Pool:
    """`workers` processes, started when first needed."""

    def __init__(self, workers: int, plugins: tuple[str, ...], patience: float) -> None:
        self._plugins = plugins
        self._patience = patience
        self._context = multiprocessing.get_context("spawn")
        self._threads = ThreadPoolExecutor(workers, "ludens-agents")
        self._workers = [_Worker() for _ in range(workers)]
        self._queue = FairQueue()
        self._loops: list[asyncio.Task[None]] = []
        self._farewells: list[deque[Farewell]] = [deque() for _ in range(workers)]
        self.thinking = 0
        self.answered = 0
        self.failed = 0

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def start(self) -> None:
        self._loops = [asyncio.create_task(self._serve(k)) for k in range(len(self._workers))]

    async def close(self) -> None:
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        for worker in self._workers:
            self._end(worker)
        self._threads.shutdown(wait=False)

    async def choose(self, owner: str, question: Question) -> int:
        """The agent's answer; AgentFailed if there is none. Cancelling gives the place in the queue up."""
        ticket = _Ticket(question, asyncio.get_running_loop().create_future())
        await self._queue.put(owner, ticket)
        return await ticket.answer

    def farewell(self, farewell: Farewell) -> None:
        """Lets the workers that keep agents of a table end them, before their next question."""
        for worker, farewells in zip(self._workers, self._farewells, strict=True):
            if farewell.table in worker.tables:
                worker.tables.discard(farewell.table)
                farewells.append(farewell)

    async def _serve(self, k: int) -> None:
        worker = self._workers[k]
        while True:
            ticket = await self._queue.get()
            if ticket.answer.done():
                continue
            self.thinking += 1
            try:
                while self._farewells[k]:
                    await self._ask(worker, self._farewells[k].popleft(), 5.0)
                worker.tables.add(ticket.question.table)
                answer, error = await self._ask(worker, ticket.question, ticket.question.seconds + self._patience)
            except AgentFailed as failure:
                answer, error = None, str(failure)
            finally:
                self.thinking -= 1
            if error is None:
                self.answered += 1
            else:
                self.failed += 1
            if not ticket.answer.done():
                if error is None and answer is not None:
                    ticket.answer.set_result(answer)
                else:
                    ticket.answer.set_exception(AgentFailed(error))

    async def _ask(self, worker: _Worker, message: Question | Farewell, limit: float) -> tuple[int | None, str | None]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._exchange, worker, message, limit)
        except (EOFError, OSError, TimeoutError) as error:
            self._end(worker)
            late = isinstance(error, TimeoutError)
            raise AgentFailed("it did not answer in time" if late else "its process ended") from error

    def _exchange(self, worker: _Worker, message: Question | Farewell, limit: float) -> tuple[int | None, str | None]:
        if worker.process is None or not worker.process.is_alive():
            self._begin(worker)
        assert worker.connection is not None
        worker.connection.send(message)
        if not worker.connection.poll(limit):
            raise TimeoutError
        return worker.connection.recv()

    def _begin(self, worker: _Worker) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self._plugins), daemon=True, name="ludens-agent")
        process.start()
        theirs.close()
        worker.process, worker.connection = process, ours
        if not ours.poll(_START) or ours.recv() != READY:
            raise TimeoutError
        _log.info("agent worker started", extra={"facts": {"pid": process.pid}})

    def _end(self, worker: _Worker) -> None:
        if worker.connection is not None:
            worker.connection.close()
        if worker.process is not None and worker.process.is_alive():
            worker.process.kill()
        worker.process = worker.connection = None
        worker.tables.clear()
