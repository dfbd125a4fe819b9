"""The worker processes in which agents think and positions are analysed, and the fair queue before them.

A bounded number think at once. Owners take turns: whoever has fifty tables waits as long
as whoever has one. Agents that play go before analyses, and where there are several workers
one of them never analyses. A worker that dies or does not answer is replaced; its question fails.
A worker that compiles is not silent: the first move of an agent may take a minute on a slow machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from ludens.server.thinking.worker import COMPILING, READY, Farewell, Inquiry, Question, work

__all__ = ["AgentFailed", "FairQueue", "Pool"]

Message = Question | Inquiry | Farewell
_START = 120.0  # seconds for a new process and its imports
_COMPILE = 1200.0  # seconds for one kernel that is not in the cache yet
_GOODBYE = 60.0  # seconds for agents to end
_log = logging.getLogger("ludens.server")


class AgentFailed(Exception):
    """An agent or an analysis raised, died or did not answer in time."""


@dataclass
class _Ticket:
    question: Question | Inquiry
    answer: asyncio.Future[Any]


class FairQueue:
    """Tickets by owner; owners are served in turn. Whoever plays goes before whoever asks for an analysis."""

    def __init__(self) -> None:
        self._playing: OrderedDict[str, deque[_Ticket]] = OrderedDict()
        self._asking: OrderedDict[str, deque[_Ticket]] = OrderedDict()
        self._filled = asyncio.Condition()

    def __len__(self) -> int:
        return sum(len(tickets) for line in (self._playing, self._asking) for tickets in line.values())

    async def put(self, owner: str, ticket: _Ticket) -> None:
        line = self._playing if isinstance(ticket.question, Question) else self._asking
        async with self._filled:
            line.setdefault(owner, deque()).append(ticket)
            self._filled.notify_all()  # not every worker takes every ticket

    async def get(self, analyses: bool = True) -> _Ticket:
        """The next ticket; without `analyses` only those of agents that play."""
        async with self._filled:
            await self._filled.wait_for(lambda: bool(self._playing) or (analyses and bool(self._asking)))
            line = self._playing or self._asking
            owner, tickets = line.popitem(last=False)
            ticket = tickets.popleft()
            if tickets:
                line[owner] = tickets  # to the end: the next owner first
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
        self._closed = False
        self.thinking = 0
        self.answered = 0
        self.failed = 0

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def start(self) -> None:
        self._loops = [asyncio.create_task(self._serve(k)) for k in range(len(self._workers))]

    async def close(self) -> None:
        self._closed = True
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        for worker in self._workers:
            self._end(worker)
        self._threads.shutdown(wait=False)

    async def choose(self, owner: str, question: Question) -> int:
        """The agent's answer; AgentFailed if there is none. Cancelling gives the place in the queue up."""
        return int(await self._answer(owner, question))

    async def analyse(self, owner: str, inquiry: Inquiry) -> dict[str, Any]:
        """The analysis of a position, under the same conditions."""
        found: dict[str, Any] = await self._answer(owner, inquiry)
        return found

    async def _answer(self, owner: str, question: Question | Inquiry) -> Any:
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
        analyses = k == 0 or k < len(self._workers) - 1  # the last of several is kept for those who play
        while True:
            ticket = await self._queue.get(analyses)
            if ticket.answer.done():
                continue
            question = ticket.question
            self.thinking += 1
            try:
                while self._farewells[k]:
                    with contextlib.suppress(AgentFailed):  # the question is another table's: it is asked all the same
                        await self._ask(worker, self._farewells[k].popleft(), _GOODBYE)
                if isinstance(question, Question):
                    worker.tables.add(question.table)
                answer, error = await self._ask(worker, question, question.seconds + self._patience)
            except AgentFailed as failure:
                answer, error = None, str(failure)
            finally:
                self.thinking -= 1
            if error is None:
                self.answered += 1
            elif isinstance(question, Question):
                self.failed += 1
            if not ticket.answer.done():
                if error is None and answer is not None:
                    ticket.answer.set_result(answer)
                else:
                    ticket.answer.set_exception(AgentFailed(error))

    async def _ask(self, worker: _Worker, message: Message, limit: float) -> tuple[Any, str | None]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._exchange, worker, message, limit)
        except (EOFError, OSError, TimeoutError) as error:
            self._end(worker)
            late = isinstance(error, TimeoutError)
            raise AgentFailed("it did not answer in time" if late else "its process ended") from error

    def _exchange(self, worker: _Worker, message: Message, limit: float) -> tuple[Any, str | None]:
        if worker.process is None or not worker.process.is_alive():
            self._begin(worker)
        connection = worker.connection
        assert connection is not None
        connection.send(message)
        patience = limit
        while True:
            if not connection.poll(patience):
                raise TimeoutError
            answer = connection.recv()
            if answer[0] != COMPILING:
                return answer
            patience = _COMPILE if answer[1] else limit

    def _begin(self, worker: _Worker) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self._plugins), daemon=True, name="ludens-agent")
        process.start()
        theirs.close()
        worker.process, worker.connection = process, ours
        if self._closed:  # meanwhile, and whoever closed did not see this process yet
            process.kill()
            raise EOFError
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
