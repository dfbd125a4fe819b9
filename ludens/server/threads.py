"""Threads for what takes long: an address has one of them at a time, so that others' work comes between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from ludens.server.asking import NOBODY, asking

__all__ = ["FairThreads"]

Result = TypeVar("Result")


class FairThreads:
    """So many threads; each address waits for its own work before it gets one again."""

    def __init__(self, count: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(count, name)
        self._working: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, work: Callable[..., Result], *given: Any) -> Result:
        """The result of the work, done by a thread when its turn has come."""
        address, new = asking.get(), asyncio.Lock()
        lock = new if address == NOBODY else self._working.setdefault(address, new)
        await lock.acquire()
        doing = asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        doing.add_done_callback(lambda _: lock.release())
        return await asyncio.shield(doing)  # a thread is not free before it has done its work

    def shutdown(self) -> None:
        self._threads.shutdown()
