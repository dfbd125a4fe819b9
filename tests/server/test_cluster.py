"""The thinking of agents on a Ray cluster: killing a node loses no move, and budgets hold there too."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludens.client import Client
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.server.thinking.cluster import Cluster, ClusterWorker, Thinker
from ludens.server.thinking.local_worker import AgentFailed, Overran, WorkerLost
from ludens.server.thinking.messages import Farewell, Question
from ludens.server.thinking.pool import Pool
from tests.server.conftest import PATIENCE, PLUGINS, live_server, settings_for
from tests.server.test_time_and_disk import serve
from tests.server.test_workers import finished

ODD = (*PLUGINS, "tests.server.odd_agents:GAME")


class Broken(Exception):
    """What Ray raises, here."""


def worker_that(says: Any) -> ClusterWorker:
    """A worker whose actor gives an answer, or raises it."""

    def remote(*_: Any) -> Future[Any]:
        promised: Future[Any] = Future()
        if isinstance(says, Exception):
            promised.set_exception(says)
        else:
            promised.set_result(says)
        return SimpleNamespace(future=lambda: promised)  # type: ignore[return-value]

    actor = SimpleNamespace(ask=SimpleNamespace(remote=remote), games=SimpleNamespace(remote=remote))
    return ClusterWorker(SimpleNamespace(exceptions=SimpleNamespace(RayError=Broken)), actor)


def test_what_an_actor_says_is_what_the_pool_hears() -> None:
    goodbye = Farewell("t", "pig", {})
    assert asyncio.run(worker_that(({"action": 1}, None, False)).ask(goodbye, 1.0)) == ({"action": 1}, None)
    assert asyncio.run(worker_that((None, "it raised", False)).ask(goodbye, 1.0)) == (None, "it raised")
    with pytest.raises(Overran, match="in time"):
        asyncio.run(worker_that((None, "not in time", True)).ask(goodbye, 1.0))
    with pytest.raises(WorkerLost):
        asyncio.run(worker_that(Broken()).ask(goodbye, 1.0))


def test_a_node_with_other_rules_is_refused() -> None:
    same = {game.spec.name: game.spec.identity for game in registry.games()}
    assert asyncio.run(worker_that(same).why_not()) is None
    refusal = asyncio.run(worker_that({**same, "azul": "azul@0"}).why_not())
    assert refusal is not None and "other rules than azul@" in refusal


class FakeRay:
    """A cluster of one core: the actors that it gives one after the other, and those that were ended."""

    exceptions = SimpleNamespace(RayError=Broken)

    def __init__(self, *actors: Any) -> None:
        self._actors = iter(actors)
        self.ended: list[Any] = []

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def remote(self, **_: Any) -> Any:
        return lambda kind: SimpleNamespace(remote=lambda *_: next(self._actors))

    def kill(self, actor: Any) -> None:
        self.ended.append(actor)


def actor_that(games: Any, says: Any) -> Any:
    """An actor that knows these games and answers so."""
    return SimpleNamespace(games=worker_that(games)._actor.games, ask=worker_that(says)._actor.ask)


QUESTION = Question("t", 0, "pig", "random", b"", 1, b"", b"", 1.0)


def test_a_question_outlives_the_nodes_that_it_was_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.server.thinking.cluster._PAUSE", 0.0)
    here = {game.spec.name: game.spec.identity for game in registry.games()}
    answer = ({"action": 7}, None, False)
    stranger = actor_that({**here, "azul": "azul@0"}, ({"action": 1}, None, False))  # it would answer, and wrongly
    unborn, dying, good = actor_that(Broken(), answer), actor_that(here, Broken()), actor_that(here, answer)
    ray = FakeRay(stranger, unborn, dying, good)

    async def ask() -> Any:
        pool = Pool(0, (), 1.0)
        cluster = Cluster(settings_for(tmp_path, cluster="auto"), pool)
        cluster._ray = ray
        cluster.start()
        try:
            return await asyncio.wait_for(pool.choose("somebody", QUESTION), PATIENCE)
        finally:
            await cluster.close()
            await pool.close()

    assert asyncio.run(ask()) == {"action": 7}
    assert list({id(actor): None for actor in ray.ended}) == [id(actor) for actor in (stranger, unborn, dying, good)]


def test_a_question_that_ends_every_worker_is_given_up() -> None:
    asked = 0

    async def ask() -> Any:
        nonlocal asked
        pool = Pool(0, (), 1.0)
        answer = asyncio.create_task(pool.choose("somebody", QUESTION))
        while not answer.done() and asked < 10:
            await asyncio.wait_for(pool.lend(worker_that(Broken())), PATIENCE)  # until it goes away
            asked += 1
            await asyncio.sleep(0)
        answer.cancel()
        return await answer

    with pytest.raises(AgentFailed, match="went away"):
        asyncio.run(ask())
    assert asked == 3


def test_a_thinker_knows_the_games_of_this_version() -> None:
    there = asyncio.run(Thinker((), 512.0).games())
    assert there["azul"] == registry.game("azul").spec.identity


def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    done = serve("--database", f"sqlite:///{tmp_path / 'x.sqlite3'}", "--cluster", "127.0.0.1:1")
    assert done.returncode == 2
    assert done.stderr.strip() == "There is no Ray cluster at 127.0.0.1:1; start one with ray start --head."


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of one core on this machine."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    root = str(Path(__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")])))
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.mark.slow
def test_games_go_on_when_a_node_dies(tmp_path: Path, cluster: Any) -> None:
    doomed = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    settings = settings_for(tmp_path, workers=0, cluster=cluster.address, plugins=ODD)
    with live_server(settings) as url, Client(url) as client:
        tables = [
            client.make_table("odd", [{"kind": "agent", "agent": "random"}] * 2, {"target": 60})["table"]["id"]
            for _ in range(4)
        ]
        end = time.monotonic() + 600
        while sum(client.view(table)["ply"] for table in tables) < 40:
            assert time.monotonic() < end
            time.sleep(0.05)
        cluster.remove_node(doomed, allow_graceful=False)
        while not all(finished(client, table) for table in tables):
            assert time.monotonic() < end
            time.sleep(0.1)
        for table in tables:
            assert client.table(table)["stand_ins"] == []  # every move is the agent's own
            assert Match.from_json(client.download(table)).over
        greedy = [{"kind": "agent", "agent": "hungry:mib=4000"}, {"kind": "agent", "agent": "random"}]
        table = client.make_table("odd", greedy, {"target": 20})["table"]["id"]
        while not finished(client, table):
            assert time.monotonic() < end
            time.sleep(0.1)
        assert client.table(table)["stand_ins"]  # the bound on memory holds there


def test_without_ray_the_reason_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from ludens.play.cluster import join_cluster

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadInput, match=r"needs ray: pip install 'ludens\[cluster\]'"):
        join_cluster("auto", {})
