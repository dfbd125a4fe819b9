"""Waiting for at most so long, again and again, by one timer a connection: a timeout a message costs as much as it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["Patience"]


class Patience:
    """Calls back whenever something has lasted for so many seconds: what lies between `begin` and `end`."""

    def __init__(self, seconds: float, over: Callable[[], None]) -> None:
        self._seconds = seconds
        self._over = over
        self._loop = asyncio.get_running_loop()
        self._since: float | None = None
        self._timer = self._loop.call_later(seconds, self._look)

    def begin(self) -> None:
        self._since = self._loop.time()

    def end(self) -> None:
        self._since = None

    def close(self) -> None:
        self._timer.cancel()

    def _look(self) -> None:
        left = self._seconds if self._since is None else self._since + self._seconds - self._loop.time()
        if left <= 0.001:  # clocks of loops go in milliseconds
            self.begin()
            self._over()
            left = self._seconds
        self._timer = self._loop.call_later(left, self._look)
