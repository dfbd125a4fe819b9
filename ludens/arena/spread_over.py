"""Who is called for work that can be spread: this process, several, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludens.arena.cluster import cluster_spread
from ludens.arena.spread import Spread, here
from ludens.arena.workers import chunk, process_pool
from ludens.core.errors import BadInput

__all__ = ["spread_over"]


@contextmanager
def spread_over(processes: int = 1, cluster: str | None = None) -> Iterator[Spread]:
    """So many processes of this machine, or a Ray cluster at an address."""
    if processes < 1:
        raise BadInput(f"The number of processes must be at least 1, not {processes}.")
    if cluster is not None:
        with cluster_spread(cluster) as spread:
            yield spread
    elif processes == 1:
        yield here
    else:
        with process_pool(processes) as pool:
            yield lambda function, jobs: pool.starmap(function, jobs, chunk(len(jobs), processes))
