"""The laboratory: tournaments begun, watched, stopped and continued over the interface, and the ladders."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.cli.serve import _own
from ludens.core import registry
from ludens.core.match import Match
from ludens.lab.ladder import Ladder
from ludens.play.executors import ThisProcess
from ludens.server.app import create_app
from ludens.server.run import listen
from tests.examples import tiny
from tests.server.conftest import PATIENCE, Player, settings_for

TOURNAMENTS = "/laboratory/tournaments"
PIG = {"game": "pig", "agents": ["random", "flat:simulations=2"], "games": 6, "options": {"target": 20}}


@pytest.fixture
def open_laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Player]]:
    """Servers of one's own over the same folder, one after the other; their processes do not compile."""
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    match = Match("pig", {"target": 20}, seed=1)  # this process has compiled before it is told not to
    while not match.over:
        match.play(int(match.legal()[0]))
    Match.from_json(match.to_json())
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    clients: list[TestClient] = []

    def opened(**changed: Any) -> Player:
        for client in clients:
            client.__exit__(None, None, None)
        clients.clear()
        usual = {"laboratory": tmp_path / "laboratory"}
        client = TestClient(create_app(settings_for(tmp_path, **{**usual, **changed})))
        client.__enter__()
        clients.append(client)
        return Player(client)

    yield opened
    for client in clients:
        client.__exit__(None, None, None)


def until(player: Player, key: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        told = player.get(f"{TOURNAMENTS}/{key}")
        if wanted(told):
            return dict(told)
        time.sleep(0.05)
    raise AssertionError(f"The tournament does not come so far: {told}")


def refused(player: Player, code: str, method: str, path: str, body: Any = None) -> str:
    answer = player.call(method, path, **({} if body is None else {"json": body}))
    error = answer.json()["error"]
    assert error["code"] == code, error
    assert error["message"][-1] in ".?"
    return str(error["message"])


def test_a_tournament_is_played_reported_and_its_games_are_opened(open_laboratory: Callable[..., Player]) -> None:
    player = open_laboratory()
    begun = player.post(TOURNAMENTS, body={**PIG, "name": "First"}, status=201)
    key = begun["id"]
    assert (begun["games"], begun["status"], begun["name"]) == (6, "playing", "First")
    told = until(player, key, lambda one: one["status"] == "finished")
    assert (told["finished"], told["trouble"], told["in_flight"]) == (6, None, [])
    (cell,) = told["cross_table"]["unordered"]
    assert cell["wins"] + cell["draws"] + cell["losses"] == 6
    assert cell["interval"][0] <= cell["share"] <= cell["interval"][1]
    assert {one["agent"] for one in told["standings"]} == set(PIG["agents"])  # type: ignore[call-overload]
    (listed,) = player.get(TOURNAMENTS)["tournaments"]
    assert (listed["id"], listed["finished"], listed["status"]) == (key, 6, "finished")

    page = player.get(f"{TOURNAMENTS}/{key}/games", limit=4)
    assert [game["number"] for game in page["games"]] == [0, 1, 2, 3]
    rest = player.get(f"{TOURNAMENTS}/{key}/games", **{"from": page["next"]})
    assert ([game["number"] for game in rest["games"]], rest["next"]) == ([4, 5], None)
    opened = player.post(f"{TOURNAMENTS}/{key}/games/4/open", status=201)
    view = player.view(opened["table"]["id"], opened["invitation"])
    assert view["over"]
    assert view["scores"] == rest["games"][0]["scores"]
    assert "no game 6" in refused(player, "bad_request", "POST", f"{TOURNAMENTS}/{key}/games/6/open")

    report = player.call("GET", f"{TOURNAMENTS}/{key}/report")
    assert report.headers["content-type"].startswith("text/html")
    assert "sandbox allow-scripts" in report.headers["content-security-policy"]
    assert "x-frame-options" not in report.headers
    assert "Who won" in report.text
    assert player.call("DELETE", f"{TOURNAMENTS}/{key}").status_code == 204
    assert player.get(TOURNAMENTS)["tournaments"] == []
    refused(player, "not_found", "GET", f"{TOURNAMENTS}/{key}")


def test_a_tournament_is_stopped_survives_a_restart_and_goes_on(open_laboratory: Callable[..., Player]) -> None:
    player = open_laboratory()
    long = {**PIG, "games": 20_000}
    key = player.post(TOURNAMENTS, body=long, status=201)["id"]
    second = player.post(TOURNAMENTS, body=PIG, status=201)
    assert second["status"] == "waiting"
    assert player.post(f"{TOURNAMENTS}/{second['id']}/stop")["status"] == "stopped"
    assert "no finished game" in refused(player, "wrong_status", "GET", f"{TOURNAMENTS}/{second['id']}/report")
    before = until(player, key, lambda one: one["finished"] > 0 and one["seconds_left"] is not None)
    assert before["status"] == "playing"
    stopped = player.post(f"{TOURNAMENTS}/{key}/stop")
    assert stopped["status"] == "stopped"
    assert before["finished"] <= stopped["finished"] < 20_000
    assert player.get(f"{TOURNAMENTS}/{key}")["finished"] == stopped["finished"]
    player.post(f"{TOURNAMENTS}/{key}/continue")
    until(player, key, lambda one: one["finished"] > stopped["finished"])
    games = player.get(f"{TOURNAMENTS}/{key}/games", limit=3)["games"]

    player = open_laboratory()  # the server ends in the middle and is started again
    found = player.get(f"{TOURNAMENTS}/{key}")
    assert found["status"] == "stopped"
    assert found["finished"] >= stopped["finished"]
    assert player.get(f"{TOURNAMENTS}/{key}/games", limit=3)["games"] == games
    player.post(f"{TOURNAMENTS}/{second['id']}/continue")
    assert until(player, second["id"], lambda one: one["status"] == "finished")["finished"] == 6
    assert "All games" in refused(player, "wrong_status", "POST", f"{TOURNAMENTS}/{second['id']}/continue")


def test_a_server_for_everybody_has_no_laboratory(player: Player) -> None:
    for method, path, body in (
        ("GET", TOURNAMENTS, None),
        ("POST", TOURNAMENTS, PIG),
        ("GET", f"{TOURNAMENTS}/abc", None),
        ("POST", f"{TOURNAMENTS}/abc/stop", None),
        ("DELETE", f"{TOURNAMENTS}/abc", None),
    ):
        assert "servers of one's own" in refused(player, "laboratory_off", method, path, body)


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"game": "chess"}, "not_found", "chess"),
    ({"agents": ["random"]}, "bad_request", "two agents"),
    ({"agents": ["random", "random"]}, "bad_request", "twice"),
    ({"agents": ["random", "rundom"]}, "bad_request", "random"),
    ({"agents": ["random", "mcts:memory=10000"]}, "bad_request", "MiB"),
    ({"agents": ["random"] * 13}, "bad_request", "12 agents"),
    ({"games": 0}, "bad_request", "games"),
    ({"games": 100_000}, "bad_request", "20000"),
    ({"players": 1}, "bad_request", "players"),
    ({"players": 9}, "bad_request", "players"),
    ({"options": {"targit": 3}}, "bad_request", "target"),
    ({"seating": "anywhere"}, "bad_request", "seating"),
    ({"seed": -1}, "bad_request", "seed"),
    ({"colour": "blue"}, "bad_request", "colour"),
]


def test_what_cannot_be_played_is_refused_before_any_game(open_laboratory: Callable[..., Player]) -> None:
    player = open_laboratory()
    for wrong, code, words in WRONG:
        assert words in refused(player, code, "POST", TOURNAMENTS, {**PIG, **wrong}), wrong
    assert player.get(TOURNAMENTS)["tournaments"] == []


def test_only_a_server_of_this_computer_alone_is_ones_own() -> None:
    with listen("127.0.0.1", 0) as here, listen("0.0.0.0", 0) as everywhere:
        assert _own(None, here, None)
        assert not _own(None, everywhere, None)
        assert not _own(None, here, "127.0.0.1")  # a proxy before it serves others
        assert _own(True, everywhere, None)
        assert not _own(False, here, None)


def test_without_games_on_this_computer_the_ladder_that_ships_is_told(player: Player) -> None:
    told = player.get("/games/azul/ladder")
    assert told["shipped"] and told["commit"]
    levels = [rung for rung in told["rungs"] if rung["level"]]
    assert {"beginner", "easy"} <= {rung["agent"] for rung in levels}
    assert all(rung["low"] <= rung["rating"] <= rung["high"] and rung["games"] for rung in told["rungs"])
    assert {"level", "below", "games", "share", "low", "high", "even"} <= set(told["steps"][0])
    london = player.get("/games/scotland_yard/ladder")
    assert all(one["low"] <= one["share"] <= one["high"] and one["games"] for one in london["pairings"])


def test_the_ladder_of_a_game_is_told(player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert player.get("/games/pig/ladder")["rungs"] == []
    (tmp_path / "ladders").mkdir()
    ladder = Ladder(registry.game("pig"), tmp_path / "ladders" / "pig.db", ["random", "flat"])
    monkeypatch.setattr("ludens.lab.ladder.ladder_agents", lambda game: ["random", "flat"])
    ladder.play(2, executor=ThisProcess())
    told = player.get("/games/pig/ladder")
    assert not told["shipped"]
    assert {rung["agent"] for rung in told["rungs"]} == {"random", "flat"}
    assert all(rung["low"] < rung["rating"] < rung["high"] and rung["games"] for rung in told["rungs"])
    refused(player, "not_found", "GET", "/games/chess/ladder")
