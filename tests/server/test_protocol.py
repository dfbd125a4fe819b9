"""The protocol, exactly: what is no move, no id, no name and no token gets an answer that says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludens.core.errors import BadInput
from ludens.server.encoding import encode_bytes
from ludens.server.tables.seats import clean_name
from tests.server.conftest import PREFIX, Player
from tests.server.test_streams import Socket


def error_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


@pytest.mark.parametrize("move", [True, False, 1.0, None, [1]])
def test_a_truth_value_is_no_move(player: Player, move: Any) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    view = player.view(table, tokens[0])
    token = tokens[view["actor"]]
    body = {"id": "m", "ply": view["ply"], "move": move}
    assert error_of(player.call("POST", f"/tables/{table}/moves", token, json=body)) == (422, "bad_request")
    assert error_of(player.call("POST", f"/tables/{table}/check", token, json={"move": move})) == (422, "bad_request")
    with player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": [token]})
        socket.until("view")
        socket.send({"type": "move", **body})
        refused = socket.until("refused")
        assert (refused["id"], refused["error"]["code"]) == ("m", "bad_request")
        socket.send({"type": "move", "id": "p", "ply": True, "move": 1})
        assert socket.until("refused")["error"]["code"] == "bad_request"
    assert player.view(table)["ply"] == view["ply"]


ODD_TEXTS = ["\ud800", "x\udfff", "\x00", "\u3164", "\u2800", "\u202e", "🂡" * 40, "\U000e0100"]


@pytest.mark.parametrize("odd", ODD_TEXTS)
def test_odd_texts_get_an_answer_not_a_dead_socket(player: Player, odd: str) -> None:
    table, tokens, _ = player.make("pig", "human", "open")
    token = tokens[0]
    path = f"/tables/{table}"
    headers = {"content-type": "application/json", "Authorization": f"Bearer {token}"}

    def post(where: str, body: Any, method: str = "POST") -> int:
        answer = player.http.request(method, f"{PREFIX}{where}", content=json.dumps(body), headers=headers)
        assert answer.json() is not None
        return answer.status_code

    assert post(f"{path}/moves", {"id": odd, "ply": 0, "move": 1}) in (422, 409)
    assert post(f"{path}/moves", {"id": "m", "ply": 0, "move": odd}) in (422, 409)
    assert post(f"{path}/moves", {"id": "m", "ply": 0, "move": {odd: odd}}) in (422, 409)
    assert post(f"{path}/moves", {"id": "m", odd: 1}) == 422
    assert post(f"{path}/join", {"name": odd}) in (422, 403)
    assert post(f"{path}/seats/0", {"name": odd}, "PATCH") == 422
    assert post(f"{path}/rematch", {"tokens": [odd]}) in (409, 422)
    headers.pop("Authorization")
    assert post("/tables", {"game": odd}) in (404, 422)
    assert post("/tables", {"game": "pig", "options": {odd: odd}}) == 422
    assert post("/tables", {"game": "pig", "seats": [{"kind": "agent", "agent": odd}] * 2}) == 422
    assert post("/tables/import", {"format": odd, "game": odd, "log": [odd], "names": [odd]}) == 422
    player.post(f"{path}/join")
    with player.http.websocket_connect(f"{PREFIX}{path}/socket") as session:
        socket = Socket(session)
        socket.send({"type": "hello", "tokens": [token]})
        view = socket.until("view")["view"]
        for message in (
            {"type": "move", "id": odd, "ply": view["ply"], "move": 1},
            {"type": "move", "id": "m", "ply": view["ply"], "move": odd},
            {"type": "move", "id": "m", "ply": view["ply"], "move": {odd: odd}},
            {"type": odd},
            {odd: odd},
        ):
            socket.send(message)
            assert socket.until("refused")["error"]["message"]
        socket.send({"type": "ping"})
        socket.until("pong")
    with player.http.websocket_connect(f"{PREFIX}{path}/socket") as session:
        session.send_text(json.dumps({"type": "hello", "tokens": [odd]}))
        assert session.receive_json()["type"] == "error"


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u115f", "a\u3164b", "\u0301", "\ufe0f", "\u200b"])
def test_invisible_names_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match=r"visible|1 to 32"):
        clean_name(name)


@pytest.mark.parametrize("name", ["a" + "\u0301\u0316" * 10, "Z\u0337\u0334\u0335\u0336\u0338", "ก" + "\u0e49" * 5])
def test_towers_of_marks_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="At most 4 marks"):
        clean_name(name)


@pytest.mark.parametrize("name", ["ท่านผู้", "שָׁלוֹם", "Việt", "བསྒྲུབས", "Z\u0337\u0334\u0335\u0336"])
def test_marks_that_scripts_need_are_welcome(name: str) -> None:
    assert clean_name(name)


@pytest.mark.parametrize("name", ["Ada", "Žofka", "李", "محمد", "अनीता", "O'Brien-3", "♜", "Jo\u0301"])
def test_visible_names_of_all_scripts_are_welcome(name: str) -> None:
    assert clean_name(name)


def test_a_wrong_token_is_an_error_and_not_the_spectators_view(player: Player) -> None:
    table, tokens, made = player.make("duel", "human", "human")
    for path in ("", "/view", "/steps", "/stream?once=true"):
        assert error_of(player.call("GET", f"/tables/{table}{path}", "wrong")) == (403, "forbidden")
        for right in (None, *tokens.values(), made["owner_token"], "the-admin"):
            assert player.call("GET", f"/tables/{table}{path}", right).status_code == 200, right
        for sent in (tokens[0], "Bearer", "Bearer ", "bearer  "):  # a token that is no token, or not sent as one
            answer = player.http.get(f"{PREFIX}/tables/{table}{path}", headers={"Authorization": sent})
            assert error_of(answer) == (403, "forbidden"), sent
        proxy = player.http.get(f"{PREFIX}/tables/{table}{path}", headers={"Authorization": "Basic YWRhOng="})
        assert proxy.status_code == 200  # a browser sends to us what a proxy before us asked for
    for wrong in (["wrong"], [tokens[0], "wrong"]):
        with player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
            session.send_text(json.dumps({"type": "hello", "tokens": wrong}))
            answer = session.receive_json()
            assert (answer["type"], answer["error"]["code"]) == ("error", "forbidden")
            assert answer["error"]["wrong"] == [len(wrong) - 1]


def test_whoever_has_resigned_may_look_on_with_the_same_token(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human", "human")
    player.post(f"/tables/{table}/resign", tokens[1])
    assert player.view(table, tokens[1])["seat"] is None
    assert error_of(player.call("POST", f"/tables/{table}/resign", tokens[1])) == (403, "forbidden")


def test_the_document_says_where_a_token_is_needed(player: Player) -> None:
    document = player.http.get(f"{PREFIX}/openapi.json").json()
    needed = {"make_move", "check", "undo", "resign", "leave", "close", "rematch", "analysis", "all_tables", "remove"}
    needed |= {"who_i_am", "change_me", "forget_me", "my_games", "my_results", "all_that_is_mine"}
    for path, operations in document["paths"].items():
        for operation in operations.values():
            name, security = operation["operationId"], operation.get("security", [])
            if name in {*needed, "change_seat"}:
                assert security == [{"token": []}], path
            elif security:
                assert security == [{"token": []}, {}], path
            if security:
                assert "403" in operation["responses"], path


def test_every_address_names_all_its_methods(player: Player) -> None:
    document = player.http.get(f"{PREFIX}/openapi.json").json()
    table, _, _ = player.make("pig", "human", "open")
    for path, operations in document["paths"].items():
        filled = path.replace("{table_id}", table).replace("{seat}", "0").replace("{name}", "pig")
        answer = player.http.request("TRACE", filled)
        assert error_of(answer) == (405, "method_not_allowed")
        allowed = set(answer.headers["allow"].split(", "))
        assert allowed == {method.upper() for method in operations}, path


def test_a_socket_of_an_impossible_table_is_answered(player: Player) -> None:
    with player.http.websocket_connect(f"{PREFIX}/tables/UPPER%00/socket") as session:
        session.send_text('{"type": "hello"}')
        assert session.receive_json()["error"]["code"] == "not_found"


def test_whatever_a_client_sent_can_be_repeated_in_an_answer() -> None:
    sent = {"half": "\ud800", "large": 1 << 70, "nested": [{"half": "\udfff"}]}
    assert json.loads(encode_bytes({**sent, 5: "a number for a key"})) == {**sent, "5": "a number for a key"}
