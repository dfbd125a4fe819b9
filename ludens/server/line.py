"""A line before something that all share: of those who wait, whoever has used less of it comes next.

Who comes after a pause has no credit: it begins where the others are. So a newcomer waits for one turn of each of the
others, however many turns they want.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque

__all__ = ["Line"]

_KEPT = 10_000  # addresses whose use is remembered, at least


class Line:
    """Those who wait, by address, and the seconds that each address has used. Belongs to one loop."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._most = _KEPT
        self._now = 0.0  # what whoever was served last had used
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._order: list[tuple[float, int, str]] = []  # a heap: (used, number, address) of those who wait
        self._numbers = itertools.count()

    @property
    def empty(self) -> bool:
        return not self._waiting

    def owed(self, address: str) -> float:
        """Seconds that the address has used beyond whoever was served last."""
        return max(0.0, self._used.get(address, 0.0) - self._now)

    def charge(self, address: str, seconds: float) -> None:
        """The address has used so much."""
        before = self._used.get(address, 0.0)
        self._used[address] = (before if before > self._now else self._now) + seconds
        if len(self._used) > self._most:
            self._forget()

    def serve(self, address: str, seconds: float = 0.0) -> None:
        """The address was served for so long."""
        before = self._used.get(address, 0.0)
        if before > self._now:
            self._now = before
        self._used[address] = self._now + seconds
        if len(self._used) > self._most:
            self._forget()

    def _forget(self) -> None:
        """Who has used no more than others may be forgotten."""
        self._used = {known: used for known, used in self._used.items() if used > self._now}
        self._most = max(_KEPT, 2 * len(self._used))

    def wait(self, address: str) -> asyncio.Future[None]:
        """A place behind the others of the address; it is done when its turn has come. Cancelling gives it up."""
        place = asyncio.get_running_loop().create_future()
        places = self._waiting.setdefault(address, deque())
        if not places:
            used = max(self._used.get(address, 0.0), self._now)
            heapq.heappush(self._order, (used, next(self._numbers), address))
        places.append(place)
        return place

    def call(self) -> bool:
        """Lets the next one go; false if nobody waits."""
        while self._order:
            used, _, address = heapq.heappop(self._order)
            places = self._waiting[address]
            while places and places[0].done():
                places.popleft()  # given up
            called = bool(places) and self._used.get(address, 0.0) <= used
            if called:
                self._now = max(self._now, used)
                places.popleft().set_result(None)
            if places:  # behind its equals, and where it belongs if it was charged while it waited
                used = max(used, self._used.get(address, 0.0))
                heapq.heappush(self._order, (used, next(self._numbers), address))
            else:
                del self._waiting[address]
            if called:
                return True
        return False
