"""Tournaments on a Ray cluster of several nodes, one of which dies in the middle."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ludens.arena.tournament import Progress, play_tournament
from ludens.core.errors import BadInput
from tests.arena.test_tournament import all_games, plan

ray = pytest.importorskip("ray")
from ludens.arena.cluster import cluster_players  # noqa: E402

pytestmark = pytest.mark.slow


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

    with cluster_players(cluster.address) as players:
        assert players.workers == 2
        play_tournament(found, tmp_path / "cluster.db", players=players, report=watch)
    assert killed.is_set()
    play_tournament(found, tmp_path / "here.db", workers=1)
    assert all_games(tmp_path / "cluster.db") == all_games(tmp_path / "here.db")


def test_an_agent_that_ends_its_process_loses_on_a_cluster_too(tmp_path: Path, cluster: Any) -> None:
    found = plan("tests.arena.test_tournament:Fatal", "random", games=1)
    with cluster_players(cluster.address) as players:
        play_tournament(found, tmp_path / "a.db", players=players)
    assert [game.reason for game in all_games(tmp_path / "a.db")] == ["process ended"] * 2


def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(BadInput, match=r"There is no Ray cluster at 127\.0\.0\.1:1"), cluster_players("127.0.0.1:1"):
        pass
    assert time.monotonic() - begun < 600
