"""What the nodes of a Ray cluster tell of games that take long: how many decisions they have made."""

from __future__ import annotations

import time
from collections.abc import MutableSequence
from typing import Any

from ludens.play.crew import InFlight

__all__ = ["News", "NewsBoard"]

_EVERY = 1.0  # seconds between two messages of a process, and between two questions of ours


class _Office:
    """An actor of the cluster: the latest message of every process that plays."""

    def __init__(self) -> None:
        self._latest: dict[str, tuple[int, int, float]] = {}

    def tell(self, process: str, number: int, decisions: int, seconds: float) -> None:
        self._latest[process] = (number, decisions, seconds)

    def told(self) -> list[tuple[int, int, float]]:
        return list(self._latest.values())


class NewsBoard(MutableSequence[int]):
    """A board (see `referee.Referee`) on a node: what is written on it becomes a message now and then."""

    def __init__(self, office: Any, number: int) -> None:
        import ray

        self._office, self._number = office, number
        self._process = ray.get_runtime_context().get_worker_id()
        self._begun = self._sent = time.monotonic()
        self._fields = [0, 0, number]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._fields[key] = value
        if key == 0 and time.monotonic() - self._sent >= _EVERY:
            self._sent = time.monotonic()
            self._office.tell.remote(self._process, self._number, int(value), self._sent - self._begun)

    def __getitem__(self, key: Any) -> Any:
        return self._fields[key]

    def __delitem__(self, key: Any) -> None:
        raise TypeError("A board has a fixed number of fields.")

    def insert(self, index: int, value: int) -> None:
        raise TypeError("A board has a fixed number of fields.")

    def __len__(self) -> int:
        return len(self._fields)


class News:
    """The actor, asked without waiting; where it is lost there are no news, and nothing else is missing."""

    def __init__(self, ray: Any) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._ray = ray
        near = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        self.office = ray.remote(num_cpus=0, max_restarts=-1)(_Office).options(scheduling_strategy=near).remote()
        self._question: Any = None
        self._asked = 0.0
        self._known: list[tuple[int, int, float]] = []

    def of(self, numbers: set[int]) -> list[InFlight]:
        """How far these games were when they were last heard of."""
        if self._question is None and time.monotonic() - self._asked >= _EVERY:
            self._question, self._asked = self.office.told.remote(), time.monotonic()
        if self._question is not None and self._ray.wait([self._question], timeout=0)[0]:
            try:
                self._known = self._ray.get(self._question)
            except self._ray.exceptions.RayError:
                self._known = []
            self._question = None
        return [InFlight(*one) for one in self._known if one[0] in numbers]
