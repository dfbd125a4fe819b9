"""A Ray cluster as an executor: batches are tasks of one core, done again elsewhere where a node dies."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludens.core.errors import BadInput
from ludens.core.extras import require
from ludens.play.executors import (
    DECISIONS,
    SINGLE_THREADED,
    BatchSize,
    Done,
    Executor,
    InFlight,
    Job,
    Processes,
    ThisProcess,
)
from ludens.version import __version__

__all__ = ["ClusterGone", "RayCluster", "executor_for", "join_cluster"]

_RETRIES = 5  # of a task whose process or node has died
_AHEAD = 2  # batches a core that wait at the cluster, so that no core waits for us
_KNOCKING = 2.0  # seconds between looks whether the cluster still answers; Ray itself would end this process
_SILENT = 3  # knocks without an answer after which it is gone
_EVERY = 1.0  # seconds between two messages of a process about its game, and between two questions of ours


class ClusterGone(BadInput):
    """The cluster does not answer any more; what was finished before is kept."""


def _gone(why: str) -> ClusterGone:
    return ClusterGone(
        f"The cluster is gone or does not answer ({why}); what was finished is kept, run the same again to go on."
    )


def join_cluster(address: str, variables: Mapping[str, str]) -> tuple[Any, bool]:
    """Ray, joined to the cluster at the address (`auto`: the one that this machine belongs to).

    Also whether it was joined just now, so that whoever did it leaves. `variables` are for the processes there.
    """
    require("cluster", "A cluster")
    import ray

    if ray.is_initialized():
        return ray, False
    try:
        _knock(address)
        ray.init(address=address, runtime_env={"env_vars": dict(variables)}, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError) as error:
        raise BadInput(f"There is no Ray cluster at {address}; start one with ray start --head.") from error
    # Whatever `log_to_driver` says, Ray prints complaints of nodes on standard output, among tables and JSON. This
    # switch of its own, the one that its debugger uses, has no public name; without it nothing but the silence is lost.
    ray._private.worker._worker_logs_enabled = False
    return ray, True


def _knock(address: str) -> None:
    """Fails at once where nobody listens; Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=5).close()


class RayCluster(Executor):
    """Works on the cores of a cluster. This machine alone writes files; nodes need no disk in common."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._ray, self._begun = join_cluster(address, dict.fromkeys(SINGLE_THREADED, "1"))
        self.workers = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._task = self._ray.remote(num_cpus=1, max_retries=_RETRIES, retry_exceptions=False)(_do_all)
        self._head = address if address.startswith("ray://") else self._ray.get_runtime_context().gcs_address
        self._heard, self._silences = time.monotonic(), 0
        self._flying: dict[Any, list[int]] = {}  # batches by their task
        self._progress = _Progress(self._ray)

    def share(self, job: Job[Done], numbers: Sequence[int]) -> Iterator[list[Done]]:
        try:
            yield from self._share(job, numbers)
        except self._ray.exceptions.RayError as error:
            raise _gone(type(error).__name__) from error
        finally:
            self._flying.clear()

    def _share(self, job: Job[Done], numbers: Sequence[int]) -> Iterator[list[Done]]:
        size, waiting = BatchSize(self.workers), list(reversed(numbers))
        stored: Any = None
        sent: dict[Any, float] = {}
        while waiting or self._flying:
            while waiting and len(self._flying) < _AHEAD * self.workers:
                batch = [waiting.pop() for _ in range(size.of(len(waiting)))]
                part: Any = job.part(batch)
                if part is job:  # sent once
                    part = stored = self._ray.put(job) if stored is None else stored
                task = self._task.remote(__version__, part, batch, self._progress.actor)
                self._flying[task], sent[task] = batch, time.monotonic()
            ready, _ = self._ray.wait(list(self._flying), num_returns=1, timeout=0.5)
            self._listen()
            if not ready:
                yield []
            for task in ready:
                batch, since = self._flying.pop(task), sent.pop(task)
                try:
                    done: list[Done] = self._ray.get(task)
                except self._ray.exceptions.WorkerCrashedError:
                    # It ended every process that tried it: one of this machine finds out by whose fault.
                    with Processes(1) as here:
                        yield from here.share(job, batch)
                    continue
                except self._ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from error
                size.note(len(batch), (time.monotonic() - since) / _AHEAD)
                yield done

    def _listen(self) -> None:
        """Is the head of the cluster still there?"""
        if time.monotonic() - self._heard < _KNOCKING:
            return
        try:
            _knock(self._head)
            self._silences = 0
        except OSError as error:
            self._silences += 1
            if self._silences >= _SILENT:
                raise _gone("its head does not answer") from error
        self._heard = time.monotonic()

    def in_flight(self) -> list[InFlight]:
        """Games that nodes have told of, which they do once a second."""
        return self._progress.of({number for batch in self._flying.values() for number in batch})

    def close(self) -> None:
        if self._begun:
            self._ray.shutdown()


def executor_for(processes: int = 1, cluster: str | None = None) -> Executor:
    """So many processes of this machine, or a Ray cluster at an address."""
    if processes < 1:
        raise BadInput(f"The number of processes must be at least 1, not {processes}.")
    if cluster is not None:
        return RayCluster(cluster)
    return ThisProcess() if processes == 1 else Processes(processes)


# --- on the nodes ----------------------------------------------------------------------------


def _do_all(version: str, job: Job[Done], numbers: Sequence[int], actor: Any) -> list[Done]:
    """A task."""
    if version != __version__:
        raise BadInput(f"A node of the cluster has ludens {__version__}, this machine has {version}.")
    return [job.do(number, _RemoteBoard(actor, number)) for number in numbers]


class _LatestProgress:
    """An actor of the cluster: the latest message of every process that plays."""

    def __init__(self) -> None:
        self._latest: dict[str, tuple[int, int, float]] = {}

    def tell(self, process: str, number: int, decisions: int, seconds: float) -> None:
        self._latest[process] = (number, decisions, seconds)

    def told(self) -> list[tuple[int, int, float]]:
        return list(self._latest.values())


class _RemoteBoard(dict[int, int]):
    """A board on a node: the number of decisions on it becomes a message now and then."""

    def __init__(self, actor: Any, number: int) -> None:
        import ray

        super().__init__()
        self._actor, self._number = actor, number
        self._process = ray.get_runtime_context().get_worker_id()
        self._begun = self._sent = time.monotonic()

    def __setitem__(self, key: int, value: int) -> None:
        super().__setitem__(key, value)
        if key == DECISIONS and time.monotonic() - self._sent >= _EVERY:
            self._sent = time.monotonic()
            self._actor.tell.remote(self._process, self._number, int(value), self._sent - self._begun)


class _Progress:
    """The actor, asked without waiting; where it is lost nothing is told, and nothing else is missing."""

    def __init__(self, ray: Any) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._ray = ray
        near = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        latest = ray.remote(num_cpus=0, max_restarts=-1)(_LatestProgress)
        self.actor = latest.options(scheduling_strategy=near).remote()
        self._question: Any = None
        self._asked = 0.0
        self._known: list[tuple[int, int, float]] = []

    def of(self, numbers: set[int]) -> list[InFlight]:
        """How far these games were when they were last heard of."""
        if self._question is None and time.monotonic() - self._asked >= _EVERY:
            self._question, self._asked = self.actor.told.remote(), time.monotonic()
        if self._question is not None and self._ray.wait([self._question], timeout=0)[0]:
            try:
                self._known = self._ray.get(self._question)
            except self._ray.exceptions.RayError:
                self._known = []
            self._question = None
        return [InFlight(*one) for one in self._known if one[0] in numbers]
