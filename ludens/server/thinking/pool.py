"""The workers in which agents think and positions are analysed, behind one fair queue.

A bounded number think at once; where there are several workers one of them never analyses. A worker that dies or does
not answer is replaced; its question fails. A worker of another machine that goes away costs nothing: its question is
asked again elsewhere. A worker that compiles is not silent: the first move of an agent may take a minute.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludens.agents.codes import short_name
from ludens.server.thinking.local_worker import AgentFailed, Compiles, LocalWorker, Overran, WorkerLost
from ludens.server.thinking.messages import Farewell, Inquiry, Message, Question
from ludens.server.thinking.queue import FairQueue, Ticket

__all__ = ["AgentFailed", "Compiles", "Overran", "Pool", "Worker"]

_GOODBYE = 60.0  # seconds for agents to end
_FIRST_PATIENCE = 60.0  # seconds beyond its clock for an agent that nobody has seen answer: it loads its kernels
_FIRST_TIMES = 2  # so often an agent that never answers gets them
_MOST_LOST = 3  # workers that may go away with a question before it fails
_log = logging.getLogger("ludens.server")


class Worker(Protocol):
    """Whoever answers questions: a process here, or a program on another machine."""

    tables: set[str]  # whose agents it keeps

    async def ask(self, message: Message, limit: float) -> tuple[Any, str | None]:
        """(answer, None) or (None, error); AgentFailed if there is none, WorkerLost if somebody else must be asked."""
        ...

    def memory(self) -> int:
        """Resident bytes, 0 if unknown."""
        ...

    def close(self) -> None: ...


@dataclass(eq=False)
class _Place:
    """A worker at work."""

    worker: Worker
    analyses: bool
    farewells: deque[Farewell] = field(default_factory=deque)
    loop: asyncio.Task[None] | None = None


class Pool:
    """`workers` processes, started when first needed, and whoever else offers to think."""

    def __init__(self, workers: int, plugins: tuple[str, ...], patience: float, most_memory: float = 2048.0) -> None:
        self.patience = patience  # seconds beyond the clock
        self._threads = ThreadPoolExecutor(max(1, workers), "ludens-agents")
        last = workers - 1
        self._places = [
            _Place(LocalWorker(self._threads, plugins, most_memory), analyses=k == 0 or k < last)
            for k in range(workers)
        ]
        self._queue = FairQueue()
        self._seen: set[tuple[str, str]] = set()  # games and agents that have answered
        self._tried: Counter[tuple[str, str]] = Counter()
        self.thinking = 0
        self.answered = 0
        self.failed = 0

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def idle(self) -> int:
        """How many workers have nothing to do."""
        return 0 if self.waiting else max(0, len(self._places) - self.thinking)

    def waiting_for(self, seconds: float) -> list[str]:
        """The tables whose agents have waited for a worker for so long."""
        return self._queue.waiting_for(seconds)

    def has(self, owner: str, table_id: str) -> bool:
        """Does a question of the owner's table wait, or does a worker think about it?"""
        return self._queue.has(owner, table_id)

    @property
    def workers(self) -> list[Worker]:
        return [place.worker for place in self._places]

    def memory(self) -> int:
        """Resident bytes of all workers of this machine."""
        return sum(worker.memory() for worker in self.workers)

    def wake(self) -> None:
        """Starts a process that somebody will need soon: its imports take seconds."""
        for place in self._places[:1]:
            if isinstance(place.worker, LocalWorker):
                self._threads.submit(place.worker.wake)

    def start(self) -> None:
        for place in self._places:
            place.loop = asyncio.create_task(self._serve(place))

    async def close(self) -> None:
        loops = [place.loop for place in self._places if place.loop]
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
        for place in self._places:
            place.worker.close()
        self._threads.shutdown(wait=False)

    async def lend(self, worker: Worker) -> None:
        """Lets a further worker think until it goes away."""
        place = _Place(worker, analyses=True)
        self._places.append(place)
        place.loop = asyncio.create_task(self._serve(place))
        try:
            await asyncio.wait([place.loop])
        finally:
            place.loop.cancel()
            self._places.remove(place)
            worker.close()

    async def choose(self, owner: str, question: Question, may_compile: bool = True) -> dict[str, Any]:
        """The agent's answer, `action` and `thought`; AgentFailed if there is none. Cancelling gives the place up.

        Unless the worker may compile, `Compiles` says that the agent needs what is not compiled.
        """
        found: dict[str, Any] = await self._answer(owner, question, may_compile)
        return found

    async def analyse(self, owner: str, inquiry: Inquiry) -> dict[str, Any]:
        """The analysis of a position, under the same conditions."""
        found: dict[str, Any] = await self._answer(owner, inquiry)
        return found

    async def _answer(self, owner: str, question: Question | Inquiry, may_compile: bool = True) -> Any:
        ticket = Ticket(question, asyncio.get_running_loop().create_future(), may_compile=may_compile)
        await self._queue.put(owner, ticket)
        return await ticket.answer

    def farewell(self, farewell: Farewell) -> None:
        """Lets the workers that keep agents of a table end them, before their next question."""
        for place in self._places:
            if farewell.table in place.worker.tables:
                place.worker.tables.discard(farewell.table)
                place.farewells.append(farewell)

    async def _serve(self, place: _Place) -> None:
        while True:
            ticket = await self._queue.get(place.analyses)
            began, late = time.monotonic(), False
            self.thinking += 1
            try:
                answer, error = await self._ask(place, ticket.question, ticket.may_compile)
            except WorkerLost:
                await self._ask_again(ticket)
                return
            except asyncio.CancelledError:  # the worker went away in this very moment
                await self._ask_again(ticket)
                raise
            except AgentFailed as failure:
                answer, error, late = None, str(failure), isinstance(failure, Overran)
                if not ticket.answer.done():
                    ticket.answer.set_exception(failure)
            except Exception as failure:  # a worker that has a fault is no reason to stop working
                _log.error("worker failed", exc_info=failure)
                answer, error = None, f"{type(failure).__name__}: {failure}"
            finally:
                self.thinking -= 1
                await self._queue.done(ticket, time.monotonic() - began, late)
            self._settle(ticket, answer, error)

    async def _ask_again(self, ticket: Ticket) -> None:
        ticket.lost += 1
        if ticket.lost >= _MOST_LOST and not ticket.answer.done():
            ticket.answer.set_exception(AgentFailed("its workers went away"))
        elif not ticket.answer.done():
            await self._queue.put(ticket.owner, ticket, first=True)

    def _settle(self, ticket: Ticket, answer: Any, error: str | None) -> None:
        waits = (
            ticket.answer.done() and not ticket.answer.cancelled() and isinstance(ticket.answer.exception(), Compiles)
        )
        if error is None:
            self.answered += 1
        elif isinstance(ticket.question, Question) and not waits:
            self.failed += 1
        if ticket.answer.done():
            return
        if error is None and answer is not None:
            ticket.answer.set_result(answer)
        else:
            ticket.answer.set_exception(AgentFailed(error))

    async def _ask(self, place: _Place, question: Question | Inquiry, may_compile: bool) -> tuple[Any, str | None]:
        worker = place.worker
        if isinstance(worker, LocalWorker):
            worker.may_compile = may_compile
        while place.farewells:
            with contextlib.suppress(AgentFailed):  # the question is another table's: it is asked all the same
                await worker.ask(place.farewells.popleft(), _GOODBYE)
        if isinstance(question, Question):
            worker.tables.add(question.table)
        who = (question.game, short_name(question.code) if isinstance(question, Question) else "")
        new = who not in self._seen and self._tried[who] < _FIRST_TIMES
        self._tried[who] += 1
        patience = max(self.patience, _FIRST_PATIENCE) if new else self.patience
        answer = await worker.ask(question, question.seconds + patience)
        self._seen.add(who)
        return answer
