"""Long games: pages of bounded size, any position from a few steps, and nothing of it in the event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.core import kernels
from ludens.core.match import Match
from ludens.core.record import to_json
from ludens.server.app import create_app
from ludens.server.streaming import views
from ludens.server.streaming.subscribers import Subscriber
from ludens.server.tables.snapshots import EVERY
from tests.server.conftest import PATIENCE, PREFIX, Player, settings_for
from tests.server.test_leaks import running_table
from tests.server.test_streams import Socket

LENGTH = 4000


@pytest.fixture(scope="module")
def long_match() -> Match:
    """Four players of pig who always roll."""
    match = Match("pig", {"target": 500, "players": 4}, seed=1)
    while match.ply < LENGTH:
        match.commit(0)
    assert match.ply == LENGTH
    return match


@pytest.fixture
def player(tmp_path: Path, long_match: Match) -> Iterator[Player]:
    with TestClient(create_app(settings_for(tmp_path))) as client:
        table = running_table(long_match.copy())
        client.app.state.services.tables._hold(table)  # type: ignore[attr-defined]
        yield Player(client)


def test_steps_come_in_pages_of_bounded_size(player: Player, long_match: Match) -> None:
    for positions, most in ((False, 1000), (True, 100)):
        page = player.get("/tables/leak/steps", positions=positions)
        assert len(page["steps"]) == most and page["next"] == most and page["ply"] == LENGTH
    beyond = player.call("GET", "/tables/leak/steps", params={"from": LENGTH + 5}).json()
    assert beyond["steps"] == [] and beyond["next"] is None
    plies, start = [], 0
    while start is not None:
        page = player.call("GET", "/tables/leak/steps", params={"from": start}).json()
        plies += [step["ply"] for step in page["steps"]]
        start = page["next"]
    assert plies == list(range(LENGTH))


def test_positions_of_pages_are_those_of_the_game(player: Player, long_match: Match) -> None:
    page = player.call("GET", "/tables/leak/steps", params={"from": 3950, "positions": True}).json()
    text = long_match.game.text
    for step in page["steps"][::13]:
        assert step["position"] == text.position_to_json(long_match.at(step["ply"] + 1).state()[0])
    for ply in (0, 1, EVERY, EVERY + 1, 2222, LENGTH):
        view = player.view("leak", ply=ply, record=True)
        assert view["record"] == to_json(long_match.at(ply).state()) and view["ply"] == ply


def test_any_ply_takes_a_few_steps(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.view("leak", ply=LENGTH - 1)  # the states on the way are kept
    applied, real = [], kernels.apply_at

    def counted(*given: Any) -> Any:
        applied.append(1)
        return real(*given)

    monkeypatch.setattr(kernels, "apply_at", counted)
    player.view("leak", ply=LENGTH - 2)
    assert 0 < len(applied) < EVERY
    applied.clear()
    player.call("GET", "/tables/leak/steps", params={"from": LENGTH - 10})
    assert len(applied) < EVERY + 10


def test_a_hello_gets_a_bounded_number_of_steps(player: Player) -> None:
    for positions, most in ((False, 1000), (True, 100)):
        with player.http.websocket_connect(f"{PREFIX}/tables/leak/socket") as session:
            socket = Socket(session)
            socket.send({"type": "hello", "from": 0, "positions": positions})
            message = socket.until("view")
            assert (message["from"], len(message["steps"])) == (LENGTH - most, most)
            assert message["steps"][-1]["ply"] == LENGTH - 1


def noting_threads(noted: set[int], work: Callable[..., Any]) -> Callable[..., Any]:
    def run(*given: Any, **named: Any) -> Any:
        noted.add(threading.get_ident())
        return work(*given, **named)

    return run


def test_looking_back_happens_outside_the_loop(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    looking: set[int] = set()
    for name in ("history", "earlier_view_payload"):
        monkeypatch.setattr(views, name, noting_threads(looking, getattr(views, name)))
    loop = player.http.portal.call(threading.get_ident)
    player.get("/tables/leak/steps", positions=True)
    player.view("leak", ply=3000)
    with player.http.websocket_connect(f"{PREFIX}/tables/leak/socket") as session:
        socket = Socket(session)
        socket.send({"type": "hello", "from": 3900, "positions": True})
        socket.until("view")
        recalled = set(looking)
    assert len(recalled) == 1 and loop not in recalled


def test_what_is_told_again_is_worked_out_outside_the_loop(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an undo and at an end all get the last steps anew, which takes as long as looking back."""
    looking: set[int] = set()
    for owner, name in ((views, "history"), (Match, "last_choice"), (Match, "undo")):
        monkeypatch.setattr(owner, name, noting_threads(looking, getattr(owner, name)))
    loop = player.http.portal.call(threading.get_ident)
    table, tokens, _ = player.make("azul", "human", "random")
    with player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": [tokens[0]], "positions": True})
        socket.until("view")
        while not (view := player.view(table, tokens[0]))["legal"]:
            player.view(table, after=view["version"], wait=20)
        player.move(table, tokens[0], view)
        player.post(f"/tables/{table}/undo", tokens[0])
        assert socket.until("view")["steps"][-1]["ply"] == view["ply"] - 1
        assert len(looking) == 1
        player.post(f"/tables/{table}/resign", tokens[0])
        assert socket.until("view")["view"]["status"] == "finished"
    assert len(looking) == 1 and loop not in looking


def test_others_are_answered_while_eight_look_back(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    release, begun, real = threading.Event(), threading.Event(), views.history

    def endless(*given: Any, **named: Any) -> Any:
        begun.set()
        assert release.wait(PATIENCE)
        return real(*given, **named)

    monkeypatch.setattr(views, "history", endless)
    with ThreadPoolExecutor(8) as threads:
        looking = [threads.submit(player.call, "GET", "/tables/leak/steps?positions=true") for _ in range(8)]
        assert begun.wait(PATIENCE)
        assert not player.http.app.state.services.tables.living["leak"].lock.locked()  # its own players wait for nobody
        table, tokens, _ = player.make("pig", "human", "human")
        for _ in range(20):  # though none of the eight is done
            view = player.view(table, tokens[player.view(table)["actor"]])
            player.move(table, tokens[view["actor"]], view, choice=1)
        assert not any(one.done() for one in looking)
        release.set()
        assert [one.result().status_code for one in looking] == [200] * 8


def test_looking_back_costs_more_than_a_move(tmp_path: Path, long_match: Match) -> None:
    with TestClient(create_app(settings_for(tmp_path, rate=0.1, burst=50.0))) as client:
        table = running_table(long_match.copy())
        client.app.state.services.tables._hold(table)  # type: ignore[attr-defined]
        asked = [client.get(f"{PREFIX}/tables/leak/steps?positions=true") for _ in range(4)]
        assert [answer.status_code for answer in asked] == [200, 200, 429, 429]
        assert int(asked[-1].headers["retry-after"]) > 50
        assert asked[-1].json()["error"]["retry_after"] > 50
        assert client.get(f"{PREFIX}/tables/leak").status_code == 200  # cheap things are still possible


def test_greetings_that_look_back_cost_as_much(tmp_path: Path, long_match: Match) -> None:
    with TestClient(create_app(settings_for(tmp_path, rate=0.1, burst=50.0))) as client:
        table = running_table(long_match.copy())
        client.app.state.services.tables._hold(table)  # type: ignore[attr-defined]
        answers = []
        for _ in range(3):
            with client.websocket_connect(f"{PREFIX}/tables/leak/socket") as wire:
                wire.send_json({"type": "hello", "from": 0, "positions": True})
                answers.append(wire.receive_json())
        assert [answer["type"] for answer in answers] == ["table", "table", "error"]
        assert answers[-1]["error"]["code"] == "too_many"
        assert client.get(f"{PREFIX}/tables/leak/stream?from=0&positions=true&once=true").status_code == 429


def test_history_of_a_game_that_began_with_a_position(tmp_path: Path) -> None:
    begun = Match("pig", {"target": 30}, seed=4)
    for _ in range(7):
        begun.commit(int(begun.legal()[-1]))
    match = Match.from_position("pig", {"target": 30}, begun.state(), seed=9)
    match.commit(int(match.legal()[-1]))
    with TestClient(create_app(settings_for(tmp_path))) as client:
        brought = Player(client).post("/tables/import?private=false", body=match.to_json(), status=201)["table"]["id"]
        steps = Player(client).get(f"/tables/{brought}/steps", positions=True)["steps"]
        assert [step["position"] for step in steps] == [
            match.game.text.position_to_json(match.at(k + 1).state()[0]) for k in range(match.ply)
        ]


def test_no_game_grows_for_ever(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path, longest_game=12))) as client:
        player = Player(client)
        table, tokens, _ = player.make("azul", "human", "human")
        moves = 0
        while (view := player.view(table))["status"] == "running":
            token = tokens[view["actor"]]
            player.move(table, token, player.view(table, token))
            moves += 1
        assert moves and view["ply"] >= 12
        told = player.get(f"/tables/{table}")
        assert told["status"] == "abandoned"
        assert told["result"]["reason"] == f"the game had {view['ply']} steps without an end"
        assert len(player.get(f"/tables/{table}/game")["log"]) == view["ply"]
        late = player.call(
            "POST", f"/tables/{table}/moves", tokens[0], json={"id": "late", "ply": view["ply"], "move": 0}
        )
        assert late.json()["error"]["code"] == "wrong_status"


def test_a_large_crowd_is_told_in_order_after_the_players() -> None:
    told: list[tuple[str, int]] = []  # who, and the ply of the update

    async def watch() -> None:
        table = running_table(Match("pig", seed=1))

        async def follow(name: str, seats: list[int]) -> None:
            subscriber = Subscriber(seats)
            subscriber.greet(table, {})
            table.subscribers.add(subscriber)
            while True:
                for message in await subscriber.take(60.0):
                    said = json.loads(str(message))
                    if said["type"] == "update":
                        told.append((name, said["ply"]))

        names = [*((f"watcher {k}", []) for k in range(500)), ("player", [0]), *((f"more {k}", []) for k in range(500))]
        tasks = [asyncio.create_task(follow(name, seats)) for name, seats in names]
        await asyncio.sleep(0.01)
        for _ in range(2):
            match, happened = table.after(0)
            table.match = match
            table.changed()
            table.publish(happened)
        for _ in range(10):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(watch())
    plies = [ply for name, ply in told if name == "player"]
    assert told[:2] == [("player", ply) for ply in plies]
    seen: dict[str, list[int]] = {}
    for name, ply in told:
        seen.setdefault(name, []).append(ply)
    assert len(seen) == 1001 and all(each == plies for each in seen.values())
