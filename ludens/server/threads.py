"""Threads for what takes long: an address has one of them at a time, so that others' work comes between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, TypeVar
from weakref import WeakValueDictionary

__all__ = ["FairThreads", "asked_by"]

Result = TypeVar("Result")
asked_by: ContextVar[str | None] = ContextVar("asked_by", default=None)  # the address that is being answered


class FairThreads:
    """So many threads; each address waits for its own work before it gets one again."""

    def __init__(self, count: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(count, name)
        self._working: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, work: Callable[..., Result], *given: Any) -> Result:
        """The result of the work, done by a thread when its turn has come."""
        address = asked_by.get()
        lock = asyncio.Lock() if address is None else self._working.setdefault(address, asyncio.Lock())
        await lock.acquire()
        doing = asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        doing.add_done_callback(lambda _: lock.release())
        return await asyncio.shield(doing)  # a thread is not free before it has done its work

    def shutdown(self) -> None:
        self._threads.shutdown()
