"""Tournaments on a Ray cluster: games as tasks, results in the same file; a node that dies costs time, not games."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludens import __version__
from ludens.arena.batch_size import BatchSize
from ludens.arena.plan import Plan
from ludens.arena.processes import InFlight, Players, Processes
from ludens.arena.record import GameRecord, play_number
from ludens.arena.workers import SINGLE_THREADED
from ludens.core.errors import BadInput
from ludens.core.ray_cluster import join_cluster

__all__ = ["RayPlayers", "cluster_players"]

_RETRIES = 5  # of a task whose process or node has died
_AHEAD = 2  # batches a core that wait at the cluster, so that no core waits for us


def _play_batch(version: str, plan: Plan, numbers: list[int]) -> list[GameRecord]:
    """Runs on a node."""
    if version != __version__:
        raise BadInput(f"A node of the cluster has ludens {__version__}, this machine has {version}.")
    return [play_number(plan, number) for number in numbers]


@contextmanager
def cluster_players(address: str) -> Iterator[Players]:
    """Whoever plays on the cluster at this address (`auto`: the one that this machine belongs to)."""
    ray, begun = join_cluster(address, dict.fromkeys(SINGLE_THREADED, "1"))
    try:
        yield RayPlayers(ray)
    finally:
        if begun:
            ray.shutdown()


class RayPlayers:
    """Plays batches of games as tasks."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._task = ray.remote(num_cpus=1, max_retries=_RETRIES, retry_exceptions=False)(_play_batch)
        self._flying: dict[Any, tuple[list[int], float]] = {}

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        try:
            yield from self._play(plan, numbers)
        except self._ray.exceptions.RayError as error:
            raise BadInput(
                "The cluster is gone or does not answer; what was finished is stored, run the same again "
                f"({type(error).__name__})."
            ) from error
        finally:
            self._flying.clear()

    def _play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        size, waiting = BatchSize(self.workers), list(reversed(numbers))
        shared = self._ray.put(plan)
        while waiting or self._flying:
            while waiting and len(self._flying) < _AHEAD * self.workers:
                batch = [waiting.pop() for _ in range(size.of(len(waiting)))]
                self._flying[self._task.remote(__version__, shared, batch)] = (batch, time.monotonic())
            ready, _ = self._ray.wait(list(self._flying), num_returns=1, timeout=0.5)
            if not ready:
                yield []
            for task in ready:
                batch, since = self._flying.pop(task)
                try:
                    records: list[GameRecord] = self._ray.get(task)
                except self._ray.exceptions.WorkerCrashedError:
                    yield from self._play_here(plan, batch)
                    continue
                except self._ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from error
                size.note(len(batch), (time.monotonic() - since) / _AHEAD)
                yield records

    def _play_here(self, plan: Plan, batch: list[int]) -> Iterator[list[GameRecord]]:
        """Games that end every process that plays them: processes of this machine find out by whose fault."""
        team = Processes(1)
        try:
            yield from team.play(plan, batch)
        finally:
            team.close()

    def in_flight(self) -> list[InFlight]:
        """Nodes do not tell how far their games are, only for how long they have been at them."""
        now = time.monotonic()
        return [InFlight(batch[0], 0, now - since) for batch, since in self._flying.values()]

    def close(self) -> None:
        return
