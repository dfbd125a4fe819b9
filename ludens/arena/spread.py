"""Calling a function many times: in this process, in several, or on a cluster; the results do not depend on where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from ludens.arena.workers import chunk, process_pool
from ludens.core.errors import BadInput

__all__ = ["Spread", "here", "spread_over"]


class Spread(Protocol):
    """Calls a function of some module with each of these arguments; the results are in the order of the jobs."""

    def __call__(self, function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]], /) -> list[Any]: ...


def here(function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    """In this process, one after the other."""
    return [function(*job) for job in jobs]


@contextmanager
def spread_over(processes: int = 1, cluster: str | None = None) -> Iterator[Spread]:
    """So many processes of this machine, or a Ray cluster at an address."""
    if processes < 1:
        raise BadInput(f"The number of processes must be at least 1, not {processes}.")
    if cluster is not None:
        from ludens.arena.cluster import cluster_spread

        with cluster_spread(cluster) as spread:
            yield spread
    elif processes == 1:
        yield here
    else:
        with process_pool(processes) as pool:
            yield lambda function, jobs: pool.starmap(function, jobs, chunk(len(jobs), processes))
