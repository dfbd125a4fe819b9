"""Calls on a cluster without a cluster: a stand-in for Ray shows what is done when nodes and clusters fail."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.lab.tune import TuningPlan, tune
from ludens.play.cluster import RayCluster
from ludens.play.executors import ThisProcess, executor_for
from ludens.play.tournament import play_tournament
from tests.play.test_tournament import all_games, plan


class RayError(Exception):
    pass


class WorkerCrashedError(RayError):
    pass


class RayTaskError(RayError):
    def as_instanceof_cause(self) -> Exception:
        return self.args[0]


class Standin(ModuleType):
    """As much of Ray as is used here: tasks are made when they are asked for, the last one first."""

    exceptions = SimpleNamespace(RayError=RayError, WorkerCrashedError=WorkerCrashedError, RayTaskError=RayTaskError)

    def __init__(self, head: str) -> None:
        super().__init__("ray")
        self._head = head
        self.failures: list[Exception] = []  # of the next tasks
        self.made = 0

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def get_runtime_context(self) -> Any:
        return SimpleNamespace(gcs_address=self._head, get_node_id=lambda: "here", get_worker_id=lambda: "worker")

    def remote(self, **_: Any) -> Callable[[Any], Any]:
        def wrap(thing: Any) -> Any:
            if isinstance(thing, type):
                return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=lambda: _actor(thing())))
            return SimpleNamespace(remote=lambda *arguments: _Task(lambda: thing(*arguments)))

        return wrap

    def put(self, value: Any) -> Any:
        return value

    def wait(self, tasks: Sequence[Any], **_: Any) -> tuple[list[Any], list[Any]]:
        return [tasks[-1]], list(tasks[:-1])

    def get(self, task: Any) -> Any:
        self.made += 1
        if self.failures:
            raise self.failures.pop(0)
        return task.call()


class _Task:
    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call


def _actor(thing: Any) -> Any:
    def method(name: str) -> Any:
        return SimpleNamespace(remote=lambda *arguments: _Task(lambda: getattr(thing, name)(*arguments)))

    return SimpleNamespace(tell=method("tell"), told=method("told"))


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Any:
    listening = socket.create_server(("127.0.0.1", 0))
    found = Standin(f"127.0.0.1:{listening.getsockname()[1]}")
    strategies = ModuleType("ray.util.scheduling_strategies")
    strategies.NodeAffinitySchedulingStrategy = lambda *_, **__: None  # type: ignore[attr-defined]
    for name, module in {"ray": found, "ray.util": ModuleType("ray.util"), strategies.__name__: strategies}.items():
        monkeypatch.setitem(sys.modules, name, module)
    found.hang_up = listening.close  # type: ignore[attr-defined]
    yield found
    listening.close()


def double(number: int) -> int:
    return 2 * number


def test_results_come_in_order_whatever_finishes_first(ray: Any) -> None:
    jobs = [(number,) for number in range(40)]
    with RayCluster("auto") as executor:
        assert executor.map(double, jobs) == ThisProcess().map(double, jobs)
    with executor_for(cluster="auto") as executor:
        assert executor.map(double, jobs[:3]) == [0, 2, 4]
    with pytest.raises(BadInput, match="at least 1, not 0"), executor_for(0):
        pass


def test_games_are_those_of_one_machine(ray: Any, tmp_path: Path) -> None:
    found = plan("heuristic", "random", games=6)
    with RayCluster("auto") as executor:
        play_tournament(found, tmp_path / "cluster.db", executor=executor)
        assert executor.in_flight() == []
    play_tournament(found, tmp_path / "here.db", workers=1)
    assert all_games(tmp_path / "cluster.db") == all_games(tmp_path / "here.db")


@pytest.mark.parametrize("silent", [False, True])
def test_a_cluster_that_goes_away_is_one_sentence_and_loses_no_game(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, silent: bool
) -> None:
    """Either a call tells of it, or its head no longer answers."""
    monkeypatch.setattr("ludens.play.cluster._KNOCKING", 0.0)
    monkeypatch.setattr("ludens.play.tournament._COMMIT", 0.0)
    found = plan("heuristic", "random", games=20)

    def leave(progress: Any) -> None:
        if progress.finished >= 5:
            if silent:
                ray.hang_up()
            else:
                ray.failures = [RayError("lost")] * 9

    with (
        pytest.raises(BadInput, match=r"^The cluster is gone or does not answer \(.+\); what was finished is kept"),
        RayCluster("auto") as executor,
    ):
        play_tournament(found, tmp_path / "a.db", executor=executor, report=leave)
    stored = all_games(tmp_path / "a.db")
    assert 5 <= len(stored) < 40
    play_tournament(found, tmp_path / "a.db", workers=1)
    play_tournament(found, tmp_path / "here.db", workers=1)
    assert all_games(tmp_path / "a.db") == all_games(tmp_path / "here.db")


def test_what_ends_every_process_and_what_fails_is_said(ray: Any) -> None:
    with RayCluster("auto") as executor:
        ray.failures = [WorkerCrashedError()]
        assert executor.map(double, [(1,)]) == [2]  # a process of this machine has tried it
        ray.failures = [RayTaskError(BadInput("A node of the cluster has ludens 0, this machine has 1."))]
        with pytest.raises(BadInput, match="A node of the cluster has ludens 0"):
            executor.map(double, [(1,)])


def test_a_tuning_is_the_same_and_goes_on_when_the_cluster_went_away(ray: Any, tmp_path: Path) -> None:
    azul, kept = registry.game("azul"), tmp_path / "azul.json.part"
    settings: dict[str, Any] = {"games": 2, "generations": 3, "population": 4, "proof": 2, "seed": 3}
    agent = "mcts:simulations=6,rollout=cut"
    alone = tune(azul, TuningPlan(agent, **settings), report=lambda generation: None)

    def leave(generation: Any) -> None:
        if generation.number == 2:
            ray.failures = [RayError("lost")] * 9

    with pytest.raises(BadInput, match="run the same again to go on"):
        tune(azul, TuningPlan(agent, **settings, cluster="auto"), report=leave, kept=kept)
    ray.failures, ray.made = [], 0
    again = tune(azul, TuningPlan(agent, **settings, cluster="auto"), report=lambda generation: None, kept=kept)
    assert ray.made <= 4 * 2 + 2 + 1  # the games of one generation and of the proof, and how far the proof is
    assert np.array_equal(again.weights, alone.weights)
    assert again.standing == alone.standing
    with pytest.raises(BadInput, match="holds a tuning with other seed; delete it"):
        tune(azul, TuningPlan(agent, **{**settings, "seed": 4}), kept=kept)
    kept.write_text("{}")
    with pytest.raises(BadInput, match="is no tuning to go on with"):
        tune(azul, TuningPlan(agent, **settings), kept=kept)
