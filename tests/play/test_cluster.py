"""Tournaments, tuning and training on a Ray cluster of several nodes, one of which dies in the middle."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.agents.random import RandomAgent
from ludens.core import registry
from ludens.core.agent import Clock
from ludens.core.errors import BadInput
from ludens.lab.tune import TuningPlan, tune
from ludens.learn.algorithms import ALGORITHMS
from ludens.learn.plan import make_plan
from ludens.learn.training import Training
from ludens.play.engine import Progress
from ludens.play.executors import InFlight, executor_for
from ludens.play.tournament import play_tournament
from tests.play.test_tournament import all_games, plan

ray = pytest.importorskip("ray")
from ludens.play.cluster import RayCluster  # noqa: E402

pytestmark = pytest.mark.slow


class Slow(RandomAgent):
    """Takes its time."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        time.sleep(0.1)
        return super().choose(view, legal, clock)


@pytest.fixture
def cluster() -> Any:
    from ray.cluster_utils import Cluster

    root = str(Path(__file__).parents[2])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, before]))
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield found
    ray.shutdown()
    found.shutdown()
    if before is None:
        os.environ.pop("PYTHONPATH")
    else:
        os.environ["PYTHONPATH"] = before


def test_a_node_that_dies_costs_time_but_no_game(tmp_path: Path, cluster: Any) -> None:
    doomed = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    found = plan("mcts:simulations=60", "heuristic", games=30)
    killed = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.finished >= 6 and not killed.is_set():
            killed.set()
            cluster.remove_node(doomed, allow_graceful=False)

    with RayCluster(cluster.address) as executor:
        assert executor.workers == 2
        play_tournament(found, tmp_path / "cluster.db", executor=executor, report=watch)
    assert killed.is_set()
    play_tournament(found, tmp_path / "here.db", workers=1)
    assert all_games(tmp_path / "cluster.db") == all_games(tmp_path / "here.db")


def test_tuning_and_training_are_those_of_one_process_though_a_node_dies(tmp_path: Path, cluster: Any) -> None:
    doomed = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    settings: dict[str, Any] = {"games": 4, "generations": 2, "population": 4, "proof": 4, "seed": 3}
    azul, agent = registry.game("azul"), "mcts:simulations=20,rollout=cut"

    def kill(generation: Any) -> None:
        if generation.number == 1:
            threading.Timer(0.3, lambda: cluster.remove_node(doomed, allow_graceful=False)).start()

    there = tune(azul, TuningPlan(agent, **settings, cluster=cluster.address), report=kill)
    alone = tune(azul, TuningPlan(agent, **settings), report=lambda generation: None)
    assert np.array_equal(there.weights, alone.weights)
    assert there.standing == alone.standing
    for game, name, given in (
        ("discovery", "genetic", {"population": 3, "elite": 1, "games": 4}),
        ("catan", "true-online", {"tables": 3, "normalising_games": 4}),
    ):
        found, algorithm = registry.game(game), ALGORITHMS[name]
        config = {"steps": 2, "report_every": 1, "evaluate_games": 0, "settings": given}
        for place, executor in (("here", executor_for()), ("there", executor_for(cluster=cluster.address))):
            with executor as hired:
                one = Training(found, algorithm, *make_plan(found, algorithm, config), tmp_path / game / place, hired)
                one.begin(resume=False)
                one.run()
        for file in ("curve.csv", "checkpoint.json"):
            assert (tmp_path / game / "here" / file).read_bytes() == (tmp_path / game / "there" / file).read_bytes()


def test_nodes_tell_how_far_a_long_game_is(tmp_path: Path, cluster: Any) -> None:
    told: list[InFlight] = []
    found = plan("tests.play.test_cluster:Slow", "random", games=1)
    with RayCluster(cluster.address) as executor:
        play_tournament(
            found, tmp_path / "a.db", executor=executor, report=lambda progress: told.extend(progress.in_flight)
        )
    assert {game.number for game in told} <= {0, 1}
    assert any(game.decisions > 0 and game.seconds >= 1 for game in told)


def test_an_agent_that_ends_its_process_loses_on_a_cluster_too(tmp_path: Path, cluster: Any) -> None:
    found = plan("tests.play.test_tournament:Fatal", "random", games=1)
    with RayCluster(cluster.address) as executor:
        play_tournament(found, tmp_path / "a.db", executor=executor)
    assert [game.reason for game in all_games(tmp_path / "a.db")] == ["process ended"] * 2


_LEFT = """
import sys
from pathlib import Path
from ludens.play.cluster import RayCluster
from ludens.play.tournament import play_tournament
from ludens.core.errors import BadInput
from tests.play.test_cluster import plan
if __name__ == "__main__":
    try:
        with RayCluster(sys.argv[1]) as executor:
            Path(sys.argv[3]).touch()
            found = plan("tests.play.test_cluster:Slow", "random", games=500)
            play_tournament(found, Path(sys.argv[2]), executor=executor)
    except BadInput as error:
        print(error)
        sys.exit(2)
"""


def test_a_cluster_that_goes_away_is_one_sentence_and_loses_no_game(tmp_path: Path, cluster: Any) -> None:
    """In a process of its own: Ray ends programs whose cluster is gone."""
    script, path, joined = tmp_path / "left.py", tmp_path / "a.db", tmp_path / "joined"
    script.write_text(_LEFT)
    play_tournament(plan("tests.play.test_cluster:Slow", "random", games=1), path, workers=1)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])}
    command = [sys.executable, str(script), cluster.address, str(path), str(joined)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    for happened, patience in ((joined.exists, 110), (lambda: len(all_games(path)) > 2, 30)):  # on a busy machine: one
        end = time.monotonic() + patience
        while not happened() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
    before = all_games(path)
    assert len(before) >= 2
    cluster.remove_node(cluster.head_node, allow_graceful=False)
    out, _ = process.communicate(timeout=110)
    assert process.returncode == 2
    assert out.startswith("The cluster is gone or does not answer")
    assert out.count("\n") == 1
    after = all_games(path)
    assert all(game in after for game in before)


def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(BadInput, match=r"There is no Ray cluster at 127\.0\.0\.1:1"), RayCluster("127.0.0.1:1"):
        pass
    assert time.monotonic() - begun < 600
