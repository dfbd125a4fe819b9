"""Turns: the requests of an address follow each other, so that however many it sends at once, others come in between.

One loop answers everybody, and a request may take ten milliseconds of it. What an address may ask for in the long run
is a matter of `limits`; here it is seen to that others wait for one of its requests, not for all that lie there. After
a request its address rests for as long as that has taken of the loop's time, so that it never gets more than half of
it. What threads do for a request is waited for; whatever waits, for a commit, a poll or an agent, takes no time.
"""

from __future__ import annotations

import asyncio
import time
import types
from collections import OrderedDict
from collections.abc import Coroutine, Generator
from dataclasses import dataclass, field
from typing import Any

from ludens.server.spending import account

__all__ = ["Turns", "timed"]

_KEPT = 10_000  # addresses that are remembered
_SHARE = 2  # of so many parts of the loop's time an address gets one
_LONGEST = 0.1  # seconds: a game's first table loads its rules, which is nobody's fault
_LEAST = 0.0005  # seconds: less is not worth waiting for


@dataclass(eq=False)
class _Turn:
    """What is known of an address."""

    free: float = 0.0  # when its next request may begin
    expected: float = 0.0  # seconds that its last request kept the next one waiting
    waiting: asyncio.Lock = field(default_factory=asyncio.Lock)


class Turns:
    """The turns of all addresses."""

    def __init__(self) -> None:
        self._turns: OrderedDict[str, _Turn] = OrderedDict()

    def owed(self, address: str) -> float:
        """Seconds until the address has rested."""
        turn = self._turns.get(address)
        return 0.0 if turn is None else turn.free - time.monotonic()

    def spend(self, address: str, seconds: float) -> None:
        """Charges an address for what was spent on it outside its requests."""
        turn = self._of(address)
        turn.free = max(turn.free, time.monotonic()) + _SHARE * seconds

    async def take(self, address: str, request: Coroutine[Any, Any, None]) -> None:
        """Answers the request when its address has rested from the earlier ones."""
        turn = self._of(address)
        try:
            async with turn.waiting:
                while (rest := turn.free - time.monotonic()) > _LEAST:
                    await asyncio.sleep(rest)
                expected = turn.expected
                turn.free = time.monotonic() + expected
        except BaseException:
            request.close()
            raise
        in_loop: list[float] = []
        in_threads: list[float] = []
        account.set(in_threads)
        try:
            await timed(request, in_loop)
        finally:
            turn.expected = min(_LONGEST, _SHARE * sum(in_loop) + sum(in_threads))
            turn.free += turn.expected - expected

    def _of(self, address: str) -> _Turn:
        turn = self._turns.setdefault(address, _Turn())
        self._turns.move_to_end(address)
        if len(self._turns) > _KEPT:
            self._turns.popitem(last=False)
        return turn


@types.coroutine
def timed(work: Coroutine[Any, Any, None], used: list[float]) -> Generator[Any, Any, None]:
    """Runs the work as if it were awaited, and notes the processor seconds of every piece of it."""
    thrown: BaseException | None = None
    while True:
        began = time.thread_time()
        try:
            waited_for = work.send(None) if thrown is None else work.throw(thrown)
        except StopIteration:
            return
        finally:
            used.append(time.thread_time() - began)
        try:
            yield waited_for
            thrown = None
        except GeneratorExit:
            work.close()
            raise
        except BaseException as error:
            thrown = error
