"""Where a function is called many times: in this process, in several, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ludens.core.errors import BadInput
from ludens.play.cluster import cluster_spread
from ludens.play.crew import Crew
from ludens.play.spread import Spread, here

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
        crew = Crew(processes)
        try:
            yield lambda function, jobs: _call_all(crew, function, jobs)
        finally:
            crew.close()


@dataclass(frozen=True)
class _Calls:
    """Calls of a function, by number."""

    function: Callable[..., Any]
    jobs: Mapping[int, tuple[Any, ...]]

    def part(self, numbers: Sequence[int]) -> _Calls:
        return _Calls(self.function, {number: self.jobs[number] for number in numbers})

    def play(self, number: int, board: Any) -> tuple[int, Any]:
        return number, self.function(*self.jobs[number])

    def ended(self, number: int, seat: int, decisions: int) -> tuple[int, Any]:
        raise BadInput(f"One of {len(self.jobs)} parts of the work ended two processes; is there memory enough?")


def _call_all(crew: Crew, function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    found: dict[int, Any] = {}
    for done in crew.share(_Calls(function, dict(enumerate(jobs))), range(len(jobs))):
        found.update(done)
    return [found[number] for number in range(len(jobs))]
