"""Tournaments, tuning and training on a Ray cluster: the same games, one by one, as on a single machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludens.core.errors import BadInput
from ludens.play.cluster_news import News, NewsBoard
from ludens.play.cluster_tasks import ClusterGone, RayTasks, connected
from ludens.play.crew import InFlight
from ludens.play.plan import Plan
from ludens.play.processes import Players, Processes
from ludens.play.record import GameRecord, play_number
from ludens.play.spread import Spread

__all__ = ["ClusterGone", "cluster_players", "cluster_spread"]


@contextmanager
def cluster_players(address: str) -> Iterator[Players]:
    """Whoever plays the games of plans on the cluster at this address."""
    with connected(address) as ray:
        yield _RayPlayers(ray, address)


@contextmanager
def cluster_spread(address: str) -> Iterator[Spread]:
    """Calls spread over the cluster at this address."""
    with connected(address) as ray:
        yield _RaySpread(ray, address)


def _play(shared: tuple[Plan, Any], number: int) -> GameRecord:
    """Runs on a node."""
    plan, office = shared
    return play_number(plan, number, NewsBoard(office, number))


class _RayPlayers:
    """Plays batches of games as tasks."""

    def __init__(self, ray: Any, address: str) -> None:
        self._tasks, self._news = RayTasks(ray, address), News(ray)
        self.workers = self._tasks.workers
        self._numbers: Sequence[int] = ()

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        self._numbers = numbers
        jobs = [(number,) for number in numbers]
        for batch, records in self._tasks.call(_play, (plan, self._news.office), jobs):
            if records is None:
                yield from self._play_here(plan, [numbers[k] for k in batch])
            else:
                yield records

    def _play_here(self, plan: Plan, batch: list[int]) -> Iterator[list[GameRecord]]:
        """Games that end every process that plays them: processes of this machine find out by whose fault."""
        team = Processes(1)
        try:
            yield from team.play(plan, batch)
        finally:
            team.close()

    def in_flight(self) -> list[InFlight]:
        """Games that nodes have told of, which they do once a second."""
        return self._news.of({self._numbers[k] for batch in self._tasks.flying.values() for k in batch})

    def close(self) -> None:
        return


def _call(_: None, function: Callable[..., Any], *arguments: Any) -> Any:
    """Runs on a node."""
    return function(*arguments)


class _RaySpread:
    """Calls a function on the nodes; see `spread.Spread`."""

    def __init__(self, ray: Any, address: str) -> None:
        self._tasks = RayTasks(ray, address)

    def __call__(self, function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
        found: dict[int, Any] = {}
        for batch, results in self._tasks.call(_call, None, [(function, *job) for job in jobs]):
            if results is None:
                raise BadInput(f"{function.__name__} ended every process of the cluster that tried it.")
            found.update(zip(batch, results, strict=True))
        return [found[number] for number in range(len(jobs))]
