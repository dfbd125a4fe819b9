"""Calling a function many times, wherever: the results do not depend on it (see `spread_over.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

__all__ = ["Spread", "here"]


class Spread(Protocol):
    """Calls a function of some module with each of these arguments; the results are in the order of the jobs."""

    def __call__(self, function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]], /) -> list[Any]: ...


def here(function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """In this process, one after the other."""
    return [function(*job) for job in jobs]
