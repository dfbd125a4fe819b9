"""Turns: where many want the loop's time at once, an address that has had less of it comes first.

One loop answers everybody. What is done for an address (its requests, the messages on its sockets, the changes they
make) goes on in pieces, from one wait to the next, and every piece is charged to the address. While the loop has time
for all, nobody waits. In a round of the loop that had its share of work the next pieces line up, and one of them
follows a round, or a few short ones: so others wait for a piece of a crowd, not for all that lie there. What an address
may ask for in the long run is a matter of `limits`.
"""

from __future__ import annotations

import asyncio
import time
import types
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from ludens.server.line import Line

__all__ = ["FairThreads", "Turns", "in_turns"]

Result = TypeVar("Result")
_ROUND = 0.005  # seconds of work in a round of the loop, after which others line up
_CALLED = 0.001  # seconds that short pieces take which follow a round together
_SHORTEST = 0.0001  # no piece counts as shorter


class _Payer(NamedTuple):
    """Who pays for what is being done."""

    turns: Turns
    address: str


_payer: ContextVar[_Payer | None] = ContextVar("payer", default=None)


class Turns:
    """The turns of all addresses in one loop."""

    def __init__(self) -> None:
        self._line = Line()
        self._done = 0.0  # seconds of work in this round
        self._ending = False  # the end of this round will be noticed
        self._long = 0.0  # seconds of the longest piece lately

    def owed(self, address: str) -> float:
        """Seconds of the loop that the address has had beyond others."""
        return self._line.owed(address)

    def spend(self, address: str, seconds: float) -> None:
        """Charges an address for what was done for it outside its pieces."""
        self._line.charge(address, seconds)

    async def take(self, address: str, work: Coroutine[Any, Any, Result]) -> Result:
        """Does the work for the address, in pieces; what it begins by `in_turns` is paid by the address too."""
        _payer.set(_Payer(self, address))
        return await self._in_pieces(address, work)

    def place(self, address: str) -> asyncio.Future[None] | None:
        """Where the next piece of work for the address has to wait, if it has to."""
        if not self._ending:
            self._ending = True
            asyncio.get_running_loop().call_soon(self._next_round)
        return self._line.wait(address) if self._done >= _ROUND or not self._line.empty else None

    def piece(self, address: str, seconds: float) -> None:
        """A piece of work for the address took so long."""
        self._done += seconds
        self._long = max(seconds, 0.95 * self._long)
        self._line.serve(address, seconds)

    def _next_round(self) -> None:
        self._done = 0.0
        self._ending = self._line.call()
        if self._ending:
            for _ in range(int(_CALLED / max(self._long, _SHORTEST)) - 1):
                self._line.call()
            asyncio.get_running_loop().call_soon(self._next_round)  # after the pieces that were called

    @types.coroutine
    def _in_pieces(self, address: str, work: Coroutine[Any, Any, Result]) -> Generator[Any, Any, Result]:
        """Runs the work as if it were awaited, every piece of it when its turn has come."""
        thrown: BaseException | None = None
        while True:
            place = self.place(address)
            if place is not None:
                try:
                    yield from place
                except GeneratorExit:
                    work.close()
                    raise
                except BaseException as error:
                    place.cancel()
                    thrown = error
            began = time.perf_counter()
            try:
                waited_for = work.send(None) if thrown is None else work.throw(thrown)
            except StopIteration as end:
                result: Result = end.value
                return result
            finally:
                self.piece(address, time.perf_counter() - began)
            try:
                yield waited_for
                thrown = None
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:
                thrown = error


def in_turns(work: Coroutine[Any, Any, Result]) -> Coroutine[Any, Any, Result]:
    """The work, paid by whoever is being answered: for a task that is begun on somebody's behalf."""
    payer = _payer.get()
    return work if payer is None else payer.turns.take(payer.address, work)


class FairThreads:
    """So many threads; their time is shared by addresses, and counts as time of the loop, which it is taken from."""

    def __init__(self, count: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(count, name)
        self._free = count
        self._line = Line()

    async def run(self, work: Callable[..., Result], *given: Any) -> Result:
        """The result of the work, done by a thread when its turn has come."""
        payer = _payer.get()
        address = payer.address if payer else ""
        if self._free and self._line.empty:
            self._free -= 1
            self._line.serve(address)
        else:
            place = self._line.wait(address)
            try:
                await place
            except asyncio.CancelledError:
                if not place.cancelled():  # its turn had come
                    self._leave()
                raise
        used: list[float] = []

        def measured() -> Result:
            began = time.thread_time()
            try:
                return work(*given)
            finally:
                used.append(time.thread_time() - began)

        def left(_: asyncio.Future[Result]) -> None:
            self._line.charge(address, sum(used))
            if payer is not None:
                payer.turns.spend(address, sum(used))
            self._leave()

        doing = asyncio.get_running_loop().run_in_executor(self._threads, measured)
        doing.add_done_callback(left)
        return await asyncio.shield(doing)  # a thread is not free before it has done its work

    def _leave(self) -> None:
        if not self._line.call():
            self._free += 1

    def shutdown(self) -> None:
        self._threads.shutdown()
