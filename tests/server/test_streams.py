"""Live tables: full view first, then deltas that add up; hot seat, resuming, heartbeats, server-sent events."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from ludens.client.asynchronous import Followed
from tests.server.conftest import PREFIX, Player

_MOST_BEATS = 60  # half a minute


class Socket:
    """A test's WebSocket that reads until a condition holds; what it waits for in vain is a failure, not a wait."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.followed = Followed()
        self.messages: list[dict[str, Any]] = []

    def send(self, message: Any) -> None:
        self._session.send_text(message if isinstance(message, str) else json.dumps(message))

    def next(self) -> dict[str, Any]:
        message = self._session.receive_json()
        self.messages.append(message)
        silent = all(earlier["type"] == "heartbeat" for earlier in self.messages[-_MOST_BEATS:])
        assert len(self.messages) < _MOST_BEATS or not silent, "nothing comes but heartbeats"
        if message["type"] in ("table", "view", "update"):
            self.followed.take(message)
        return message

    def until(self, kind: str) -> dict[str, Any]:
        while (message := self.next())["type"] != kind:
            opposite = {"accepted": "refused", "refused": "accepted"}.get(kind)
            assert message["type"] not in (opposite, "error"), message
        return message


def opened(player: Player, table: str) -> Any:
    return player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket")


@pytest.mark.parametrize("game", ["azul", "duel", "pig"])
def test_deltas_add_up_to_the_view_of_every_seat(player: Player, game: str) -> None:
    table, tokens, _ = player.make(game, "human", "human")
    with opened(player, table) as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": list(tokens.values()), "from": 0, "record": True, "positions": True})
        socket.until("view")
        socket.until("view")
        for turn in range(1000):
            actor = socket.followed.views[0]["actor"]
            view = socket.followed.views[actor]
            ply = view["ply"]
            action = view["legal"][turn % len(view["legal"])]["id"]
            socket.send({"type": "move", "id": f"m{turn}", "seat": actor, "ply": ply, "move": action})
            assert socket.until("accepted")["ply"] == ply
            while any(seen["ply"] == ply for seen in socket.followed.views.values()):
                socket.next()
            for seat, token in tokens.items():
                assert socket.followed.views[seat] == player.view(table, token, record=True)
            if socket.followed.views[0]["over"]:
                break
        for seat in tokens:
            plies = [step["ply"] for step in socket.followed.steps[seat]]
            assert plies == list(range(socket.followed.views[0]["ply"]))
    assert any(message["type"] == "update" for message in socket.messages)


def test_the_table_is_announced_when_it_fills_and_starts(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "open")
    with opened(player, table) as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": [tokens[0]]})
        assert socket.until("view")["view"]["position"] is None
        player.post(f"/tables/{table}/join", body={"name": "Grace"})
        while socket.followed.views[0]["position"] is None:
            socket.next()
        assert socket.followed.table["seats"][1]["name"] == "Grace"
        assert socket.followed.table["seats"][0]["online"]


def test_resuming_from_a_ply_brings_only_what_is_new_unless_moves_were_taken_back(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "random")
    view = player.view(table, tokens[0])
    while view["actor"] != 0:
        view = player.view(table, tokens[0], after=view["version"], wait=20)
    known = view["ply"]
    player.move(table, tokens[0], view)
    for hello, first in (({"from": known}, known), ({"from": known, "undos": 5}, 0), ({}, None)):
        with opened(player, table) as session:
            socket = Socket(session)
            socket.send({"type": "hello", "tokens": [tokens[0]], **hello})
            message = socket.until("view")
            if first is None:
                assert message["steps"] == []
            else:
                assert message["from"] == first
                assert message["steps"][0]["ply"] == first


def test_spectators_and_heartbeats(player: Player) -> None:
    table, _, _ = player.make("duel", "human", "human")
    with opened(player, table) as session:
        socket = Socket(session)
        socket.send({"type": "hello"})
        view = socket.until("view")
        assert view["seat"] is None
        assert view["view"]["legal"] == []
        socket.until("heartbeat")
        socket.send({"type": "ping"})
        socket.until("pong")
        assert player.get(f"/tables/{table}")["watchers"] == 1


def test_refusals_come_back_under_the_moves_id(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
    with opened(player, table) as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": [tokens[1]]})
        view = socket.until("view")["view"]
        for move, code in (
            ({"ply": view["ply"]}, "not_your_turn"),
            ({"ply": 1}, "stale_move"),
            ({"ply": view["ply"], "seat": 0}, "forbidden"),
        ):
            socket.send({"type": "move", "id": "mine", "move": 0, **move})
            refused = socket.until("refused")
            assert refused["id"] == "mine"
            assert refused["error"]["code"] == code


@pytest.mark.parametrize("first", ["garbage", "[]", '{"type": "move"}', '{"type": "hello", "tokens": "x"}', "[" * 5000])
def test_a_bad_hello_gets_an_error_and_is_dropped(player: Player, first: str) -> None:
    table, _, _ = player.make("pig", "human", "human")
    with opened(player, table) as session:
        session.send_text(first)
        assert session.receive_json()["error"]["code"] == "bad_request"
        with pytest.raises(WebSocketDisconnect):
            session.receive_json()


def test_unknown_and_private_tables_are_not_found(player: Player) -> None:
    private, tokens, made = player.make("pig", "human", "open", private=True)
    for table in ("nowhere", private):
        with opened(player, table) as session:
            session.send_text('{"type": "hello", "tokens": ["wrong"]}')
            assert session.receive_json()["error"]["code"] == "not_found"
    for token in (tokens[0], made["invitation"]):
        with opened(player, private) as session:
            socket = Socket(session)
            socket.send({"type": "hello", "tokens": [token]})
            socket.until("view")
        with opened(player, private) as session:
            session.send_text(json.dumps({"type": "hello", "tokens": ["wrong", token]}))
            assert session.receive_json()["error"]["code"] == "forbidden"


def test_other_sites_pages_may_not_open_sockets(player: Player) -> None:
    table, _, _ = player.make("pig", "human", "human")
    path = f"{PREFIX}/tables/{table}/socket"
    with (
        pytest.raises(WebSocketDisconnect),
        player.http.websocket_connect(path, headers={"origin": "https://evil.org"}),
    ):
        pass
    with player.http.websocket_connect(path, headers={"origin": "http://testserver"}) as session:
        session.send_text('{"type": "hello"}')
        assert session.receive_json()["type"] == "table"


def test_garbage_is_answered_and_after_too_much_of_it_dropped(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    with opened(player, table) as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": [tokens[0]]})
        socket.until("view")
        for garbage in ("{", "1", '{"type": "dance"}', '{"type": "move", "id": 7}', "null"):
            socket.send(garbage)
            assert socket.until("refused")["error"]["code"] == "bad_request"
        session.send_bytes(b"\x00\xff")
        assert socket.until("refused")["error"]["code"] == "bad_request"
        for _ in range(20):
            socket.send("}")
        with pytest.raises(WebSocketDisconnect):
            socket.until("nothing of the kind")
    assert player.view(table)["status"] == "running"


def test_server_sent_events_have_the_same_messages(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "human")
    response = player.call("GET", f"/tables/{table}/stream", tokens[0], params={"from": 0, "once": True})
    assert response.headers["content-type"].startswith("text/event-stream")
    events = [block.split("\n") for block in response.text.strip().split("\n\n")]
    assert [lines[0] for lines in events] == ["event: table", "event: view"]
    message = json.loads(events[1][1].removeprefix("data: "))
    assert message["view"] == player.view(table, tokens[0])
    assert [step["ply"] for step in message["steps"]] == list(range(message["view"]["ply"]))


def test_long_polling_waits_for_the_next_version(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
    view = player.view(table, tokens[0])
    assert player.view(table, tokens[0], after=view["version"], wait=0.1) == view
    player.move(table, tokens[0], view)
    assert player.view(table, tokens[0], after=view["version"], wait=20)["ply"] > view["ply"]
