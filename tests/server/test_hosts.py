"""Several servers on one PostgreSQL: whoever sits at one plays with those at the others, and nobody notices."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.core.match import Match
from ludens.server.app import create_app
from tests.examples import tiny
from tests.server.conftest import PREFIX, Player, Postgres, settings_for
from tests.server.test_agents import until
from tests.server.test_laboratory import TOURNAMENTS
from tests.server.test_streams import Socket


class Host(Player):
    """A server of several, in this process."""

    def __init__(self, client: TestClient) -> None:
        super().__init__(client)
        self.services: Any = client.app.state.services  # type: ignore[attr-defined]
        self.tables: Any = self.services.tables

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        """Runs a coroutine function in the server's loop."""
        return self.http.portal.call(work, *given)

    @contextlib.contextmanager
    def socket(self, table: str, *tokens: str, **hello: Any) -> Iterator[Socket]:
        with self.http.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
            socket = Socket(session)
            socket.send({"type": "hello", "tokens": list(tokens), **hello})
            while not socket.followed.views:
                socket.next()
            yield socket


@pytest.fixture
def start(tmp_path: Path, postgres: Postgres) -> Iterator[Callable[..., Host]]:
    """Starts one server after the other; a game of theirs needs no worker unless it is said."""
    with contextlib.ExitStack() as stack:

        def started(**changed: Any) -> Host:
            settings = settings_for(tmp_path, database=postgres.url, **{"workers": 0, **changed})
            return Host(stack.enter_context(TestClient(create_app(settings))))

        yield started


def test_two_people_at_two_hosts_play_a_game_to_its_end(start: Callable[..., Host]) -> None:
    hosts = [start(), start()]
    table, tokens, made = hosts[0].make("pig", "human", "open", options={"target": 20})
    joined = hosts[1].post(f"/tables/{table}/join", made["owner_token"], {"name": "Ben"})
    tokens[1] = joined["token"]
    ours, theirs, third = hosts[0].socket(table, tokens[0]), hosts[1].socket(table, tokens[1]), hosts[1].socket(table)
    with ours as first, theirs as second, third as watcher:
        sockets = {0: first, 1: second}
        while first.followed.views[0]["actor"] is None:  # that the other has sat down
            first.next()
        for turn in range(500):
            view = sockets[0].followed.views[0]
            if view["over"]:
                break
            seat, ply = view["actor"], view["ply"]
            legal = sockets[seat].followed.views[seat]["legal"]
            action = legal[-1 if turn % 5 == 4 else 0]["id"]
            sockets[seat].send({"type": "move", "id": f"m{ply}", "seat": seat, "ply": ply, "move": action})
            for one, key in ((first, 0), (second, 1), (watcher, None)):
                while one.followed.views[key]["ply"] <= ply:
                    assert one.next()["type"] not in ("refused", "error")
        assert view["over"]
        versions = set()
        for host in hosts:
            seen = host.view(table)
            versions.add((seen["version"], seen["ply"], str(seen["position"]), str(seen["returns"])))
        assert len(versions) == 1
        assert watcher.followed.views[None]["over"] and second.followed.views[1]["over"]
    assert hosts[1].tables.mine == set() and hosts[0].tables.mine == set()


def test_of_two_moves_for_one_ply_one_is_played_and_one_refused(start: Callable[..., Host]) -> None:
    hosts = [start(), start()]
    table, tokens, _ = hosts[0].make("pig", "human", "human", options={"target": 500})
    for turn in range(10):
        until(lambda: hosts[0].view(table)["version"] == hosts[1].view(table)["version"])
        seat = hosts[0].view(table)["actor"]
        view = hosts[0].view(table, tokens[seat])
        bodies = [{"id": f"t{turn}-{k}", "ply": view["ply"], "move": view["legal"][0]["id"]} for k in (0, 1)]
        answers = at_once(hosts, f"/tables/{table}/moves", tokens[seat], bodies)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        late = next(answer for answer in answers if answer.status_code == 409).json()["error"]
        assert late["code"] == "stale_move" and late["view"]["ply"] > view["ply"]


def at_once(hosts: list[Host], path: str, token: str, bodies: list[dict[str, Any]]) -> list[Any]:
    """Posts one body to each host, all at the same time."""
    with ThreadPoolExecutor(len(hosts)) as threads:
        return list(threads.map(lambda host, body: host.call("POST", path, token, json=body), hosts, bodies))


def test_the_same_move_sent_to_both_hosts_is_played_once(start: Callable[..., Host]) -> None:
    hosts = [start(), start()]
    table, tokens, _ = hosts[0].make("pig", "human", "human", options={"target": 500})
    view = hosts[0].view(table, tokens[hosts[0].view(table)["actor"]])
    body = {"id": "one", "ply": view["ply"], "move": view["legal"][0]["id"]}
    hosts[1].view(table)
    said = [host.call("POST", f"/tables/{table}/moves", tokens[view["actor"]], json=body).json() for host in hosts]
    assert [answer["repeated"] for answer in said] == [False, True]
    assert said[0]["next_ply"] == said[1]["next_ply"]


def test_what_is_no_move_is_known_to_both(start: Callable[..., Host]) -> None:
    one, other = start(), start()
    table, tokens, made = one.make("pig", "human", "open", "open", options={"target": 500})
    with other.socket(table) as watcher:
        joined = other.post(f"/tables/{table}/join", made["owner_token"], {"name": "Ben", "seat": 1})
        taken = one.call("POST", f"/tables/{table}/join", made["owner_token"], json={"seat": 1})
        assert taken.status_code == 409 and taken.json()["error"]["code"] == "seat_taken"
        one.http.patch(f"{PREFIX}/tables/{table}/seats/0", json={"name": "Anna"}, headers=bearer(tokens[0]))
        while watcher.followed.table["seats"][0]["name"] != "Anna":
            watcher.next()
        one.post(f"/tables/{table}/join", made["owner_token"], {"name": "Carla", "seat": 2})
        while watcher.followed.table["status"] != "running":
            watcher.next()
        with one.socket(table, tokens[0]):  # who follows at one is online at the other
            while not watcher.followed.table["seats"][0]["online"]:
                watcher.next()
        while watcher.followed.table["seats"][0]["online"]:
            watcher.next()
        other.post(f"/tables/{table}/leave", joined["token"])
        until(lambda: not one.get(f"/tables/{table}")["seats"][1]["taken"])
        one.post(f"/tables/{table}/close", "the-admin")
        while watcher.followed.table["status"] != "abandoned":
            watcher.next()
    until(lambda: other.view(table)["over"])
    one.call("DELETE", f"/admin/tables/{table}", "the-admin")
    until(lambda: other.call("GET", f"/tables/{table}").status_code == 404)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_client_sees_its_own_moves_at_once_whoever_answers(start: Callable[..., Host]) -> None:
    hosts = [start(), start()]
    table, tokens, _ = hosts[0].make("pig", "human", "human", options={"target": 500})
    with hosts[0].socket(table), hosts[1].socket(table):
        for turn in range(20):
            view = hosts[turn % 2].view(table)
            token = tokens[view["actor"]]
            next_ply = hosts[turn % 2].move(table, token, hosts[turn % 2].view(table, token))["next_ply"]
            assert hosts[1 - turn % 2].view(table)["ply"] == next_ply


def test_taking_back_is_seen_by_the_other_host(start: Callable[..., Host]) -> None:
    one, other = start(workers=1), start()
    table, tokens, _ = one.make("pig", "human", "random", options={"target": 500})
    with other.socket(table, tokens[0]) as socket:
        until(lambda: one.view(table)["actor"] == 0)
        for _ in range(2):
            view = one.view(table, tokens[0])
            one.move(table, tokens[0], view, choice=0)
            until(lambda: one.view(table)["actor"] == 0)
        one.post(f"/tables/{table}/undo", tokens[0])
        while socket.followed.views[0]["undos"] != 1:
            socket.next()
        assert socket.followed.views[0]["ply"] == one.view(table)["ply"]


def test_a_host_that_is_gone_leaves_its_agents_to_the_other(start: Callable[..., Host], postgres: Postgres) -> None:
    one, other = start(), start(workers=1)
    one.services.agent_turns.stop()  # it has died as far as its agents can tell
    one.http.portal.call(fall_silent, one)
    table, tokens, _ = one.make("pig", "random", "human", options={"target": 500})
    until(lambda: other.view(table)["actor"] == 1 and other.view(table)["ply"] > 0, 30)
    assert table in other.tables.mine
    other.move(table, tokens[1], other.view(table, tokens[1]), choice=1)
    until(lambda: other.view(table)["actor"] == 1, 30)


async def fall_silent(host: Host) -> None:
    host.services.peers._tasks[2].cancel()


def test_an_agent_that_waits_is_lent_to_whoever_has_time(start: Callable[..., Host]) -> None:
    one, other = start(workers=0), start(workers=1)
    table, tokens, _ = one.make("pig", "human", "random", options={"target": 500})
    view = one.view(table, tokens[0])
    one.move(table, tokens[0], view, choice=len(view["legal"]) - 1)
    until(lambda: one.view(table, tokens[0])["actor"] == 0, 30)
    assert table in other.tables.mine and table not in one.tables.mine


def test_a_lost_listening_connection_costs_nothing(start: Callable[..., Host], postgres: Postgres) -> None:
    one, other = start(), start()
    table, tokens, _ = one.make("pig", "human", "human", options={"target": 500})
    with other.socket(table) as watcher:
        postgres.stop()
        postgres.start()
        view = one.view(table, tokens[one.view(table)["actor"]])
        until(
            lambda: (
                one.call(
                    "POST",
                    f"/tables/{table}/moves",
                    tokens[view["actor"]],
                    json={"id": "x", "ply": view["ply"], "move": view["legal"][0]["id"]},
                ).status_code
                == 200
            ),
            30,
        )
        while watcher.followed.views[None]["ply"] <= view["ply"]:
            watcher.next()


def settled(host: Host) -> None:
    """Returns when the host has asked the database for all that it wants."""
    shares = [host.services.buckets, host.services.table_buckets, host.services.admin_guesses._wrong]
    until(lambda: not any(share.asking for one in shares for share in one._shares.values()))


def test_requests_of_an_address_are_counted_together(start: Callable[..., Host]) -> None:
    hosts = [start(rate=0.001, burst=40.0) for _ in range(2)]
    answered = 0
    for number in range(80):
        answered += hosts[number % 2].call("GET", "/limits").status_code == 200
        settled(hosts[number % 2])
    assert 40 <= answered <= 40 + 2 * 5  # what each had lent before it knew


def test_wrong_tokens_are_counted_together(start: Callable[..., Host]) -> None:
    hosts = [start(wrong_tokens=8.0) for _ in range(2)]
    said = []
    for number in range(24):
        said.append(hosts[number % 2].call("GET", "/admin/tables", "a guess").status_code)
        settled(hosts[number % 2])
    assert said[:8] == [403] * 8 and said[-10:] == [429] * 10


def test_tables_of_an_address_are_counted_together(start: Callable[..., Host]) -> None:
    hosts = [start(tables_per_address=3) for _ in range(2)]
    for number in range(3):
        hosts[number % 2].make("pig", "human", "human")
    for host in hosts:
        refused = host.call("POST", "/tables", json={"game": "pig", "seats": [{"kind": "human"}] * 2})
        assert refused.status_code == 429 and "3 tables" in refused.json()["error"]["message"]


def test_a_program_that_wants_games_hears_of_those_at_the_other_host(start: Callable[..., Host]) -> None:
    one, other = start(), start()
    before, _, _ = one.make("pig", "human", "open")
    with other.http.websocket_connect(f"{PREFIX}/events") as session:
        session.send_json({"type": "hello", "games": ["pig"]})
        assert session.receive_json()["table"]["id"] == before
        after, _, made = one.make("pig", "human", "open")
        while (message := session.receive_json())["type"] != "wanted":
            assert message["type"] == "heartbeat"
        assert message["table"]["id"] == after
        one.post(f"/tables/{after}/join", made["owner_token"])
        while (message := session.receive_json())["type"] != "gone":
            assert message["type"] == "heartbeat"
        assert message["table"] == after


def test_one_host_plays_in_the_laboratory_at_a_time_and_both_know_it(
    start: Callable[..., Host], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    Match("pig", {"target": 20}, seed=1).play(0)  # this process has compiled before the others are told not to
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    one, other = (start(workers=1, laboratory=tmp_path / "laboratory") for _ in range(2))
    wish = {"game": "pig", "agents": ["random", "flat:simulations=2"], "games": 20_000, "options": {"target": 20}}
    long = one.post(TOURNAMENTS, body=wish, status=201)["id"]

    def status(host: Host, key: str) -> str:
        return str(host.get(f"{TOURNAMENTS}/{key}")["status"])

    until(lambda: status(other, long) == "playing")
    short = other.post(TOURNAMENTS, body={**wish, "games": 4}, status=201)["id"]
    assert status(other, short) == "waiting" and other.services.laboratory.playing._process is None
    until(lambda: status(one, short) == "waiting")
    assert other.post(f"{TOURNAMENTS}/{long}/stop")["status"] == "stopped" and status(one, long) == "stopped"
    until(lambda: status(one, short) == "finished" and status(other, short) == "finished")


def test_what_a_host_leaves_in_the_laboratory_is_played_by_another(
    start: Callable[..., Host], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, added = start(), []
    playing = host.services.laboratory.playing
    monkeypatch.setattr(playing, "add", lambda key, path: added.append(key))
    (tmp_path / "left.db").touch()
    left = {"left": str(tmp_path / "left.db"), "away": str(tmp_path / "away.db")}
    playing.heard("gone", {"now": "left", "waiting": left, "told": {}, "trouble": {}})
    assert playing.state("left") == "playing" and playing.state("away") == "waiting"
    playing.heard("gone", None, ended=True)
    assert added == ["left"] and playing.state("left") is None


def test_ended_games_are_removed_by_one_host_at_a_time(start: Callable[..., Host]) -> None:
    one, other = start(), start()
    table, _, made = one.make("pig", "human", "human")
    one.post(f"/tables/{table}/close", made["owner_token"])
    removed = []

    async def both() -> None:
        async with one.services.storage.once("cleaning") as mine:
            assert mine
            removed.append(await other.services.cleaning.clean())

    monkey = [f"{table}"]

    async def doomed() -> list[str]:
        return [monkey.pop()] if monkey else []

    other.services.cleaning._doomed = doomed
    one.do(both)
    assert removed == [0]
    assert other.do(other.services.cleaning.clean) == 1
    until(lambda: one.call("GET", f"/tables/{table}").status_code == 404)  # it has let go of what it had in memory
