"""The fair queue before the workers: time is shared by addresses, and the time of an address by its tables.

Whoever has used less of the workers' time goes first. Who comes after a pause has no credit: it begins where the
others are. Agents that play go before analyses. An address whose agents overran their time thinks with one worker at
a time until they answer in time again, so that it cannot hold all of them.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from ludens.server.thinking.messages import Inquiry, Question

__all__ = ["FairQueue", "Ticket"]

_MOST_LATE = 8  # overruns of an address that are remembered


@dataclass(eq=False)
class Ticket:
    """A question that waits, and the future of its answer; whoever gives up cancels the future."""

    question: Question | Inquiry
    answer: asyncio.Future[Any]
    owner: str = ""
    may_compile: bool = True
    lost: int = 0  # workers that went away with it
    came: float = field(default_factory=time.monotonic)

    @property
    def table(self) -> str:
        return self.question.table


class _Shares:
    """Used time by name; a name that was away begins where the others are."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._now = 0.0

    def enter(self, name: str) -> None:
        self._used[name] = max(self._used.get(name, 0.0), self._now)

    def least(self, names: list[str]) -> str:
        """Whose turn it is; of equals the first."""
        return min(names, key=lambda name: self._used.get(name, 0.0))

    def charge(self, name: str, seconds: float) -> None:
        self._used[name] = self._used.get(name, 0.0) + seconds

    def serve(self, name: str) -> None:
        self._now = max(self._now, self._used.get(name, 0.0))

    def forget(self, waiting: set[str]) -> None:
        """Drops names that wait for nothing and have no debt."""
        self._used = {name: used for name, used in self._used.items() if name in waiting or used > self._now}


@dataclass
class _Line:
    """Tickets by owner and table, in the order of arrival."""

    owners: dict[str, dict[str, deque[Ticket]]] = field(default_factory=dict)

    def put(self, ticket: Ticket, first: bool) -> None:
        tickets = self.owners.setdefault(ticket.owner, {}).setdefault(ticket.table, deque())
        tickets.appendleft(ticket) if first else tickets.append(ticket)

    def take(self, owner: str, table: str) -> Ticket:
        tables = self.owners[owner]
        ticket = tables[table].popleft()
        self._tidy(owner, table)
        return ticket

    def remove(self, ticket: Ticket) -> None:
        tickets = self.owners.get(ticket.owner, {}).get(ticket.table)
        if tickets is not None and ticket in tickets:
            tickets.remove(ticket)
            self._tidy(ticket.owner, ticket.table)

    def _tidy(self, owner: str, table: str) -> None:
        if not self.owners[owner][table]:
            del self.owners[owner][table]
        if not self.owners[owner]:
            del self.owners[owner]

    def __len__(self) -> int:
        return sum(len(tickets) for tables in self.owners.values() for tickets in tables.values())


class FairQueue:
    """All tickets; a ticket that is given up leaves at once."""

    def __init__(self) -> None:
        self._playing, self._asking = _Line(), _Line()
        self._owners, self._tables = _Shares(), _Shares()
        self._served: Counter[str] = Counter()  # questions that are being thought about, by owner
        self._thought: Counter[str] = Counter()  # the same, by table
        self._late: Counter[str] = Counter()  # overruns by owner
        self._filled = asyncio.Condition()

    def __len__(self) -> int:
        return len(self._playing) + len(self._asking)

    def has(self, owner: str, table: str) -> bool:
        """Does a question of an agent of the owner's table wait, or is it being thought about?"""
        return self._thought[table] > 0 or table in self._playing.owners.get(owner, ())

    def waiting_for(self, seconds: float) -> list[str]:
        """The tables whose agents have waited for so long."""
        before = time.monotonic() - seconds
        lines = self._playing.owners.values()
        return [table for tables in lines for table, tickets in tables.items() if tickets[0].came < before]

    async def put(self, owner: str, ticket: Ticket, first: bool = False) -> None:
        """Queues a ticket, `first` if it has waited already."""
        ticket.owner = owner
        self._owners.enter(owner)
        self._tables.enter(ticket.table)
        line = self._playing if isinstance(ticket.question, Question) else self._asking
        line.put(ticket, first)
        ticket.answer.add_done_callback(lambda _: line.remove(ticket))
        async with self._filled:
            self._filled.notify_all()  # not every worker takes every ticket

    async def get(self, analyses: bool = True) -> Ticket:
        """The next ticket; without `analyses` only those of agents that play. `done` must follow."""
        async with self._filled:
            await self._filled.wait_for(lambda: self._next(analyses) is not None)
            line, owner = self._next(analyses) or (self._playing, "")
            table = self._tables.least(list(line.owners[owner]))
            ticket = line.take(owner, table)
            for shares, name in ((self._owners, owner), (self._tables, table)):
                shares.serve(name)
                shares.charge(name, ticket.question.seconds)
                if not len(self) % 64:
                    shares.forget({*self._playing.owners, *self._asking.owners} if shares is self._owners else set())
            self._served[owner] += 1
            self._thought[table] += 1
            return ticket

    def _next(self, analyses: bool) -> tuple[_Line, str] | None:
        for line in (self._playing, self._asking) if analyses else (self._playing,):
            owners = [name for name in line.owners if not (self._late[name] and self._served[name])]
            if owners:
                return line, self._owners.least(owners)
        return None

    async def done(self, ticket: Ticket, seconds: float, late: bool = False) -> None:
        """The ticket was answered after so many seconds, or its worker was ended because it was late."""
        owner, owed = ticket.owner, seconds - ticket.question.seconds
        self._owners.charge(owner, owed)
        self._tables.charge(ticket.table, owed)
        self._served[owner] -= 1
        self._thought[ticket.table] -= 1
        for counted, name in ((self._served, owner), (self._thought, ticket.table)):
            if counted[name] <= 0:
                del counted[name]
        self._late[owner] = min(_MOST_LATE, self._late[owner] + 1) if late else max(0, self._late[owner] - 1)
        if not self._late[owner]:
            del self._late[owner]
        async with self._filled:
            self._filled.notify_all()
