"""Work on a Ray cluster: batches of calls as tasks of one core, played again elsewhere where a node dies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludens import __version__
from ludens.core.errors import BadInput
from ludens.play.batch_size import BatchSize
from ludens.play.ray_cluster import join_cluster, knock
from ludens.play.workers import SINGLE_THREADED

__all__ = ["ClusterGone", "RayTasks", "connected"]

_RETRIES = 5  # of a task whose process or node has died
_AHEAD = 2  # batches a core that wait at the cluster, so that no core waits for us
_KNOCKING = 2.0  # seconds between looks whether the cluster still answers; Ray itself would end this process
_SILENT = 3  # knocks without an answer after which it is gone


class ClusterGone(BadInput):
    """The cluster does not answer any more; what was finished before is kept."""


def _call_all(version: str, function: Callable[..., Any], shared: Any, jobs: list[tuple[Any, ...]]) -> list[Any]:
    """Runs on a node."""
    if version != __version__:
        raise BadInput(f"A node of the cluster has ludens {__version__}, this machine has {version}.")
    return [function(shared, *job) for job in jobs]


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """The module `ray`, connected to the cluster at this address (`auto`: the one that this machine belongs to)."""
    ray, begun = join_cluster(address, dict.fromkeys(SINGLE_THREADED, "1"))
    try:
        yield ray
    finally:
        if begun:
            ray.shutdown()


class RayTasks:
    """Calls spread over the cores of a cluster."""

    def __init__(self, ray: Any, address: str) -> None:
        self._ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._task = ray.remote(num_cpus=1, max_retries=_RETRIES, retry_exceptions=False)(_call_all)
        self._head = address if address.startswith("ray://") else ray.get_runtime_context().gcs_address
        self._heard, self._silences = time.monotonic(), 0
        self.flying: dict[Any, list[int]] = {}  # batches by their task: the numbers of their jobs

    def call(
        self, function: Callable[..., Any], shared: Any, jobs: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[list[int], list[Any] | None]]:
        """Calls function(shared, *job) for all jobs; yields the numbers of a batch and its results, in any order.

        An empty batch is a moment to look around; None in place of results says that the batch ended every process
        that tried it.
        """
        try:
            yield from self._call(function, shared, jobs)
        except self._ray.exceptions.RayError as error:
            raise _gone(type(error).__name__) from error
        finally:
            self.flying.clear()

    def _call(
        self, function: Callable[..., Any], shared: Any, jobs: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[list[int], list[Any] | None]]:
        size, waiting = BatchSize(self.workers), list(reversed(range(len(jobs))))
        stored = self._ray.put(shared)
        sent: dict[Any, float] = {}
        while waiting or self.flying:
            while waiting and len(self.flying) < _AHEAD * self.workers:
                batch = [waiting.pop() for _ in range(size.of(len(waiting)))]
                task = self._task.remote(__version__, function, stored, [jobs[number] for number in batch])
                self.flying[task], sent[task] = batch, time.monotonic()
            ready, _ = self._ray.wait(list(self.flying), num_returns=1, timeout=0.5)
            self._listen()
            if not ready:
                yield [], []
            for task in ready:
                batch, since = self.flying.pop(task), sent.pop(task)
                try:
                    results: list[Any] = self._ray.get(task)
                except self._ray.exceptions.WorkerCrashedError:
                    yield batch, None
                    continue
                except self._ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from error
                size.note(len(batch), (time.monotonic() - since) / _AHEAD)
                yield batch, results

    def _listen(self) -> None:
        """Is the head of the cluster still there?"""
        if time.monotonic() - self._heard < _KNOCKING:
            return
        try:
            knock(self._head)
            self._silences = 0
        except OSError as error:
            self._silences += 1
            if self._silences >= _SILENT:
                raise _gone("its head does not answer") from error
        self._heard = time.monotonic()


def _gone(why: str) -> ClusterGone:
    return ClusterGone(
        f"The cluster is gone or does not answer ({why}); what was finished is kept, run the same again to go on."
    )
