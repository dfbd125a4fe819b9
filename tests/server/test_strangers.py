"""What one stranger may try: each costs the stranger something, and nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse
from websockets.asyncio.client import connect

from ludens.core import registry
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.logs import set_up
from ludens.server.settings import Settings
from tests.server.conftest import PATIENCE, PREFIX, Player, live_server, settings_for


@contextlib.contextmanager
def player_of(settings: Settings) -> Iterator[Player]:
    with TestClient(create_app(settings)) as client:
        yield Player(client)


# --- sockets ------------------------------------------------------------------------------


def test_opening_sockets_is_asking(tmp_path: Path) -> None:
    statuses = []
    with player_of(settings_for(tmp_path, rate=0.001, burst=10.0)) as player:
        table, _, _ = player.make("pig", "human", "human")
        for _ in range(8):
            try:
                with player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket"):
                    statuses.append(101)
            except WebSocketDenialResponse as denied:
                statuses.append(denied.status_code)
    assert statuses == [101] * 5 + [429] * 3


def test_a_socket_never_inflates_what_it_gets(tmp_path: Path) -> None:
    async def offered(url: str, table: str) -> str | None:
        address = f"ws{url.removeprefix('http')}{PREFIX}/tables/{table}/socket"
        async with connect(address, proxy=None, compression="deflate") as wire:
            assert wire.response is not None
            return wire.response.headers.get("Sec-WebSocket-Extensions")

    with live_server(settings_for(tmp_path)) as url:
        with httpx.Client(base_url=url, timeout=PATIENCE) as http:
            table, _, _ = Player(http).make("pig", "human", "human")
        assert asyncio.run(offered(url, table)) is None


def test_sockets_of_workers_are_counted_before_their_token(tmp_path: Path) -> None:
    with (
        player_of(settings_for(tmp_path, worker_token="secret", sockets_per_address=3)) as player,
        contextlib.ExitStack() as held,
    ):
        for _ in range(3):
            held.enter_context(player.http.websocket_connect(f"{PREFIX}/worker"))
        with pytest.raises(WebSocketDenialResponse) as denied:
            held.enter_context(player.http.websocket_connect(f"{PREFIX}/worker"))
    assert denied.value.status_code == 503


def test_nonsense_of_a_worker_ends_its_socket(tmp_path: Path) -> None:
    with player_of(settings_for(tmp_path, worker_token="secret")) as player:
        for hello in ("[" * 9000, "1" * 9000, '{"token": "secret", "games": 5}', "null", "", None):
            with player.http.websocket_connect(f"{PREFIX}/worker") as wire:
                wire.send_bytes(b"\x00") if hello is None else wire.send_text(hello)
                said = wire.receive()
                if said["type"] == "websocket.send":  # that the token is wrong
                    said = wire.receive()
                assert said["type"] == "websocket.close", hello


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN"])
def test_a_number_of_a_worker_that_is_none_ends_its_socket_and_costs_no_move(tmp_path: Path, number: str) -> None:
    with player_of(settings_for(tmp_path, workers=0, worker_token="secret")) as player:
        games = {game.spec.name: game.spec.identity for game in registry.games()}
        table, tokens, _ = player.make("pig", "human", "random")
        player.move(table, tokens[0], player.view(table, tokens[0]), choice=1)
        for thought in (number, "0.5"):
            with player.http.websocket_connect(f"{PREFIX}/worker") as wire:
                wire.send_json({"token": "secret", "games": games})
                assert wire.receive_json() == {"welcome": True}
                asked = wire.receive_json()["id"]
                answer = f'{{"action": 1, "thought": {{"value": {thought}}}}}'
                wire.send_text(f'{{"id": {asked}, "answer": {answer}, "error": null}}')
                if thought == number:
                    assert wire.receive()["type"] == "websocket.close"
                    assert player.view(table)["actor"] == 1
                else:
                    version = player.view(table)["version"]
                    while player.view(table)["actor"] == 1:
                        player.view(table, after=version, wait=5)
        assert player.get(f"/tables/{table}")["stand_ins"] == []


# --- requests -----------------------------------------------------------------------------


def _raw(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    wire = socket.create_connection((host, int(port)), timeout=PATIENCE)
    wire.settimeout(0.1)
    return wire


def _trickle(wire: socket.socket, drop: bytes) -> bytes:
    """Sends drop after drop until the other end has had enough; what it said."""
    said = b""
    for _ in range(900):
        try:
            wire.sendall(drop)
            said += (more := wire.recv(4096))
            if not more:
                return said
        except TimeoutError:
            continue
        except OSError:
            return said
    raise AssertionError("it goes on for ever")


def test_a_body_in_drops_is_given_up(tmp_path: Path) -> None:
    with live_server(settings_for(tmp_path, body_seconds=1.0)) as url, _raw(url) as wire:
        wire.sendall(f"POST {PREFIX}/tables HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n".encode())
        assert b" 408 " in _trickle(wire, b" ").splitlines()[0]


def test_long_answers_cost_more(tmp_path: Path) -> None:
    with player_of(settings_for(tmp_path, rate=0.001, burst=32.0)) as player:
        for _ in range(3):
            player.make("pig", "human", "human")
        asked = [player.call("GET", path).status_code for path in ("/games", "/openapi.json", "/tables")]
        assert asked == [200, 200, 200]  # 15 + 5 + 5 + 1.15 of 32
        assert [player.call("GET", "/games").status_code for _ in range(2)] == [200, 429]


def test_other_sites_pages_may_not_act(player: Player) -> None:
    body = {"game": "pig"}
    for site, status in (("cross-site", 403), ("same-origin", 201), ("none", 201)):
        answer = player.http.post(f"{PREFIX}/tables", json=body, headers={"sec-fetch-site": site})
        assert answer.status_code == status, answer.text
    assert player.http.get(f"{PREFIX}/tables", headers={"sec-fetch-site": "cross-site"}).status_code == 200
    plain = {"content-type": "text/plain"}  # what a form of another site can send
    assert player.http.post(f"{PREFIX}/tables", content='{"game": "pig"}', headers=plain).status_code == 422


def test_another_sites_name_for_this_computer_opens_no_laboratory(tmp_path: Path) -> None:
    app = create_app(settings_for(tmp_path, laboratory=tmp_path / "laboratory"))
    wanted = {"localhost:8137": 200, "127.0.0.1:8137": 200, "[::1]:8137": 200, "evil.example:8137": 403, "": 403}
    with TestClient(app, client=("127.0.0.1", 5)) as client:
        for host, status in wanted.items():
            answer = client.get(f"{PREFIX}/laboratory/tournaments", headers={"host": host})
            assert answer.status_code == status, (host, answer.text)


MONSTERS = [
    '{"game": "pig", "seed": ' + "9" * 5000 + "}",
    '{"game": "pig", "options": {"target": ' + "9" * 5000 + "}}",
    '{"game": "pig", "options": ' + '{"a": ' * 9000 + "1" + "}" * 9000 + "}",
    "[" * 60_000,
    '{"game": "pig", "options": {"target": NaN}}',
    '{"game": "\\u0000"}',
    "\x00",
]


def test_monstrous_bodies_are_refused(player: Player) -> None:
    for body in MONSTERS:
        answer = player.http.post(f"{PREFIX}/tables", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (404, 422), (body[:80], answer.text)
        assert answer.json()["error"]["message"]


def test_a_compressed_body_is_not_inflated(player: Player) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    assert player.http.post(f"{PREFIX}/tables", content=b"\x1f\x8b\x08\x00" * 10, headers=headers).status_code == 422


def test_moves_of_any_length_are_read_quickly(player: Player) -> None:
    table, tokens, _ = player.make("discovery", "human", "human")
    seat = player.view(table)["actor"]
    for move in ("(" * 60_000, "1" + " " * 60_000 + "x", "tile" * 15_000):
        answer = player.post(f"/tables/{table}/check", tokens[seat], {"move": move})
        assert not answer["legal"]
        assert "at most 500 characters" in answer["reason"]


# --- files --------------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Player]:
    """A server with a page, and a file beside it that is nobody's business."""
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("the page")
    (folder / "assets" / "a.js").write_text("x" * 5000)
    (tmp_path / "secret.txt").write_text("the secret")
    with player_of(settings_for(tmp_path, static=folder)) as player:
        yield player


ELSEWHERE = [
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "//secret.txt",
    "/%00",
    "/assets/%00.js",
    "/assets/a.js%00",
    "/" + "a" * 3000,
    "/" + "a/" * 1500,
    "/%ff%fe",
    "/api/v1/rules/images/..%2f..%2f..%2fsecret.txt",
    "/api/v1/rules/images/%00.png",
    "/api/v1/games/..%2f..%2fsecret/rules",
    "/api/v1/games/%00/ladder",
    "/api/v1/puzzles/..%2f..%2fsecret",
    "/api/v1/puzzles/%00/0",
    "/api/v1/tables/..%2fsecret/view",
    "/api/v1/laboratory/tournaments/..%2f..%2fsecret/report",
    "/rules/..%2f..%2fsecret",
]


def test_paths_lead_nowhere_else(page: Player) -> None:
    for path in ELSEWHERE:
        answer = page.http.get(path)
        assert answer.status_code < 500, path
        assert "the secret" not in answer.text, path


def test_many_ranges_are_no_more_than_the_file(page: Player) -> None:
    for ranges in (",".join(["0-"] * 3000), ",".join(f"{k}-{k}" for k in range(0, 5000, 2)), "0-,-1,5-2,x"):
        answer = page.http.get("/assets/a.js", headers={"range": f"bytes={ranges}", "accept-encoding": "identity"})
        assert answer.status_code < 500
        assert len(answer.content) < 500_000


# --- logs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("as_json", [False, True])
def test_what_a_stranger_sends_stays_on_its_line_of_the_log(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    handlers = {name: logging.getLogger(name).handlers[:] for name in ("ludens", "uvicorn", "alembic")}
    try:
        set_up(as_json)
        path = "/x\n2026-01-01 ERROR the server is yours\r\x1b[2J\u2028\ud800"
        logging.getLogger("ludens.server").error("request failed", extra={"facts": {"path": path}})
    finally:
        for name, earlier in handlers.items():
            logging.getLogger(name).handlers[:] = earlier
            logging.getLogger(name).propagate = True
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.endswith("\n")
    assert "\x1b" not in said and "\r" not in said


# --- what takes long ----------------------------------------------------------------------


def _saved(seed: int) -> dict[str, object]:
    match = Match("pig", {"target": 20}, seed)
    while not match.over:
        match.play(match.ply % 2)
    return match.to_json()


def test_an_address_has_a_few_games_reviewed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.server.thinking.analyses.MOST_AN_ADDRESS", 2)
    statuses = []
    with player_of(settings_for(tmp_path, workers=0)) as player:  # nobody computes them
        for seed in range(3):
            brought = player.call("POST", "/tables/import?private=false", json=_saved(seed)).json()
            statuses.append(player.call("GET", f"/tables/{brought['table']['id']}/review").status_code)
    assert statuses == [202, 202, 429]


def test_very_long_games_are_not_shown_elsewhere(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    brought = player.call("POST", "/tables/import?private=false", json=_saved(1)).json()
    monkeypatch.setattr("ludens.server.http.routes.embed._LONGEST", 3)
    assert player.call("GET", f"/tables/{brought['table']['id']}/embed").status_code == 413


def test_a_puzzle_is_made_once(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    first = player.get("/puzzles/azul/0")
    monkeypatch.setattr("ludens.server.http.routes.puzzles.shown", None)
    assert player.get("/puzzles/azul/0") == first
