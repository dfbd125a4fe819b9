"""Tables: making, joining, names, leaving, resigning, playing again, private ones, and their end by time."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from fastapi.testclient import TestClient

from ludens.server.app import create_app
from ludens.server.http import limits
from tests.server.conftest import PATIENCE, PREFIX, Player, live_server, settings_for


def code_of(response) -> str:
    assert set(response.json()) == {"error"}
    return response.json()["error"]["code"]


def test_a_table_waits_until_every_seat_is_taken(player: Player) -> None:
    table, tokens, made = player.make("pig", "human", "open")
    assert made["table"]["status"] == "waiting" and list(tokens) == [0]
    assert player.view(table)["position"] is None
    joined = player.post(f"/tables/{table}/join", body={"name": "Grace"})
    assert joined["seat"] == 1 and joined["table"]["status"] == "running"
    assert joined["table"]["seats"][1]["name"] == "Grace"
    assert code_of(player.call("POST", f"/tables/{table}/join", json={})) == "seat_taken"
    final = player.play_out(table, {0: tokens[0], 1: joined["token"]})
    assert sorted(final["returns"]) == [-1.0, 1.0]


def test_without_seats_one_is_yours_and_the_others_are_open(player: Player) -> None:
    made = player.post("/tables", body={"game": "pig", "options": {"players": 3}}, status=201)
    assert [seat["kind"] for seat in made["table"]["seats"]] == ["human", "open", "open"]


def test_hot_seat_gives_all_tokens_to_the_maker(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human", "human")
    assert len(set(tokens.values())) == 3
    assert player.play_out(table, tokens)["status"] == "finished"


def test_agents_play_on_the_server(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "heuristic")
    assert player.play_out(table, tokens)["status"] == "finished"
    assert player.get(f"/tables/{table}")["notice"] is None


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"game": "chess"}, 404, "Unknown game 'chess'"),
        ({"game": "pig", "seats": [{"kind": "human"}]}, 422, "2, 3, 4"),
        ({"game": "pig", "options": {"targt": 3}}, 422, "target"),
        ({"game": "pig", "options": {"players": 3}, "seats": [{"kind": "human"}] * 2}, 422, "3 seats"),
        ({"game": "pig", "seats": [{"kind": "agent"}] * 2}, 422, "needs the name of its agent"),
        ({"game": "pig", "seats": [{"kind": "agent", "agent": "randon"}] * 2}, 422, "random"),
        ({"game": "pig", "seats": [{"kind": "human", "agent": "random"}] * 2}, 422, "only a seat of kind agent"),
        ({"game": "pig", "seats": [{"kind": "human", "name": "a\u202eb"}] * 2}, 422, "visible"),
        ({"game": "pig", "seats": [{"kind": "human", "name": "x" * 33}] * 2}, 422, "32"),
        ({"game": "pig", "seats": [{"kind": "human", "name": "   "}] * 2}, 422, "1 to 32"),
        ({"game": "pig", "seats": [{"kind": "human"}] * 2, "seed": 7}, 403, "seed"),
        ({"game": "pig", "colour": "red"}, 422, "colour"),
        (
            {"game": "pig", "seats": [{"kind": "human"}, {"kind": "agent", "agent": "os:system"}]},
            422,
            "not possible here",
        ),
        (
            {"game": "pig", "seats": [{"kind": "human"}, {"kind": "agent", "agent": "antigravity:X:y=1"}]},
            422,
            "not possible",
        ),
    ],
)
def test_bad_tables_are_refused_with_a_sentence(player: Player, body, status: int, words: str) -> None:
    response = player.call("POST", "/tables", json=body)
    assert response.status_code == status
    assert words in response.json()["error"]["message"]
    assert player.get("/tables")["tables"] == []


def test_names_are_changed_by_the_seat_or_for_agents_by_the_owner(player: Player) -> None:
    table, tokens, made = player.make("pig", "human", "random", "open")
    joined = player.post(f"/tables/{table}/join")
    path = f"/tables/{table}/seats"
    assert player.call("PATCH", f"{path}/0", tokens[0], json={"name": "  Ada   L. "}).status_code == 200
    assert player.call("PATCH", f"{path}/1", made["owner_token"], json={"name": "Robot"}).status_code == 200
    assert code_of(player.call("PATCH", f"{path}/2", tokens[0], json={"name": "Eve"})) == "forbidden"
    assert code_of(player.call("PATCH", f"{path}/2", made["owner_token"], json={"name": "Eve"})) == "forbidden"
    assert code_of(player.call("PATCH", f"{path}/0", json={"name": "Eve"})) == "unauthorised"
    assert code_of(player.call("PATCH", f"{path}/9", joined["token"], json={"name": "Eve"})) == "not_found"
    assert player.view(table)["names"][:2] == ["Ada L.", "Robot"]


def test_the_owner_changes_seats_while_the_table_waits(player: Player) -> None:
    table, tokens, made = player.make("pig", "human", "open")
    path, wish = f"/tables/{table}/seats/1", {"kind": "agent", "agent": "random"}
    assert code_of(player.call("PATCH", path, tokens[0], json=wish)) == "forbidden"
    changed = player.call("PATCH", path, made["owner_token"], json=wish).json()
    assert changed["table"]["status"] == "running"
    assert code_of(player.call("PATCH", path, made["owner_token"], json=wish)) == "wrong_status"


def test_leaving_voids_the_token_and_frees_the_seat(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    player.post(f"/tables/{table}/leave", tokens[1])
    assert code_of(player.call("POST", f"/tables/{table}/leave", tokens[1])) == "forbidden"
    again = player.post(f"/tables/{table}/join", body={"seat": 1})
    assert again["token"] != tokens[1]
    assert player.play_out(table, {0: tokens[0], 1: again["token"]})["over"]


def test_resigning_ends_a_game_of_two_sides(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    ended = player.post(f"/tables/{table}/resign", tokens[0])
    assert ended["status"] == "finished"
    assert ended["result"]["reason"] == "resigned" and ended["result"]["returns"] == [-1.0, 1.0]
    assert code_of(player.call("POST", f"/tables/{table}/resign", tokens[1])) == "wrong_status"


def test_resigning_among_three_lets_an_agent_play_on(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human", "human")
    after = player.post(f"/tables/{table}/resign", tokens[1])
    assert after["status"] == "running"
    assert after["seats"][1]["kind"] == "agent" and after["seats"][1]["resigned"]
    final = player.play_out(table, {0: tokens[0], 2: tokens[2]})
    assert final["status"] == "finished"


def test_a_game_that_no_person_plays_any_more_ends(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "random", "random")
    ended = player.post(f"/tables/{table}/resign", tokens[0])
    assert ended["result"]["returns"] == [-1.0, 0.0, 0.0]


def test_a_rematch_is_opened_once_and_starts_when_all_have_asked(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    assert code_of(player.call("POST", f"/tables/{table}/rematch", tokens[0], json={})) == "wrong_status"
    player.post(f"/tables/{table}/resign", tokens[0])
    first = player.post(f"/tables/{table}/rematch", tokens[0])
    again = first["table"]["id"]
    assert first["table"]["status"] == "waiting" and player.get(f"/tables/{table}")["rematch"] == again
    assert code_of(player.call("POST", f"/tables/{again}/join", json={})) == "seat_taken"  # it is reserved
    second = player.post(f"/tables/{table}/rematch", tokens[1])
    assert second["table"]["id"] == again and second["table"]["status"] == "running"
    assert player.post(f"/tables/{table}/rematch", tokens[1])["tokens"] == []  # given once
    mine = {given["seat"]: given["token"] for given in first["tokens"] + second["tokens"]}
    assert player.play_out(again, mine)["over"]


def test_a_rematch_of_a_hot_seat_needs_one_call(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    player.post(f"/tables/{table}/resign", tokens[0])
    again = player.post(f"/tables/{table}/rematch", tokens[0], {"tokens": [tokens[1]]})
    assert again["table"]["status"] == "running" and len(again["tokens"]) == 2


def test_private_tables_exist_only_for_those_invited(player: Player) -> None:
    table, tokens, made = player.make("pig", "human", "open", private=True)
    assert player.get("/tables")["tables"] == []
    for path in ("", "/view", "/steps", "/game", "/stream"):
        assert code_of(player.call("GET", f"/tables/{table}{path}")) == "not_found"
    assert code_of(player.call("POST", f"/tables/{table}/join", json={})) == "not_found"
    assert player.get(f"/tables/{table}", tokens[0])["private"]
    joined = player.post(f"/tables/{table}/join", made["invitation"])
    player.play_out(table, {0: tokens[0], 1: joined["token"]})
    assert player.get("/tables", status="ended")["tables"] == []
    assert player.get(f"/tables/{table}/game", made["invitation"])["seed"] >= 0
    assert [t["id"] for t in player.get("/admin/tables", "the-admin", status="ended")["tables"]] == [table]


def test_tables_are_listed_and_filtered(player: Player) -> None:
    ids = [player.make("pig", "human", "open")[0] for _ in range(3)]
    duel, tokens, _ = player.make("duel", "human", "human")
    assert {t["id"] for t in player.get("/tables")["tables"]} == {*ids, duel}
    assert [t["id"] for t in player.get("/tables", game="duel")["tables"]] == [duel]
    assert {t["id"] for t in player.get("/tables", status="waiting")["tables"]} == set(ids)
    player.post(f"/tables/{duel}/resign", tokens[0])
    assert [t["id"] for t in player.get("/tables", status="finished")["tables"]] == [duel]
    first = player.get("/tables", limit=2)
    rest = player.get("/tables", limit=2, before=first["before"])
    assert [t["id"] for t in first["tables"] + rest["tables"]] == ids[::-1] and rest["before"] is None


def test_closing_is_for_the_owner_and_the_administrator(player: Player) -> None:
    table, tokens, made = player.make("pig", "human", "open")
    assert code_of(player.call("POST", f"/tables/{table}/close", tokens[0])) == "forbidden"
    player.post(f"/tables/{table}/join")
    assert code_of(player.call("POST", f"/tables/{table}/close", made["owner_token"])) == "forbidden"  # somebody plays
    assert player.post(f"/tables/{table}/close", "the-admin")["status"] == "abandoned"


def test_administration_needs_its_token(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "open")
    assert code_of(player.call("DELETE", f"/admin/tables/{table}")) == "unauthorised"
    assert code_of(player.call("DELETE", f"/admin/tables/{table}", tokens[0])) == "forbidden"
    assert code_of(player.call("GET", "/admin/tables", "wrong")) == "forbidden"
    assert player.call("DELETE", f"/admin/tables/{table}", "the-admin").status_code == 204
    assert code_of(player.call("GET", f"/tables/{table}")) == "not_found"


def test_without_an_admin_token_administration_is_off(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path, admin_token=None))) as client:
        response = Player(client).call("GET", "/admin/tables", "None")
        assert code_of(response) == "forbidden" and "switched off" in response.text


def test_tables_without_life_are_abandoned_after_the_stated_time(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path, waiting_hours=10, running_hours=20, sweep=1e6))) as client:
        player, all_tables = Player(client), client.app.state.services.tables  # type: ignore[attr-defined]
        waiting, _, _ = player.make("pig", "human", "open")
        running, _, _ = player.make("pig", "human", "human")

        def swept_after(hours: float) -> int:
            for table in all_tables.living.values():
                table.updated -= 3600 * hours
            assert client.portal is not None
            return int(client.portal.call(all_tables.sweep))

        assert swept_after(9) == 0
        assert {player.get(f"/tables/{table}")["status"] for table in (waiting, running)} == {"waiting", "running"}
        assert swept_after(2) == 1
        assert player.get(f"/tables/{waiting}")["status"] == "abandoned"
        assert player.get(f"/tables/{running}")["status"] == "running"
        assert swept_after(10) == 1
        assert player.get(f"/tables/{running}")["result"]["reason"] == "nothing happened for 20 hours"
        assert all_tables.living == {}


def test_tables_are_swept_by_themselves(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path, waiting_hours=1e-9, sweep=0.05))) as client:
        player = Player(client)
        waiting, _, _ = player.make("pig", "human", "open")
        while player.get(f"/tables/{waiting}")["status"] != "abandoned":
            time.sleep(0.02)


def test_limits_of_tables(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path, tables_per_address=2, tables=3))) as client:
        player = Player(client)
        body = {"game": "pig", "seats": [{"kind": "human"}, {"kind": "open"}]}
        for _ in range(2):
            player.post("/tables", body=body, status=201)
        refused = player.call("POST", "/tables", json=body)
        assert refused.status_code == 429 and "2 tables" in refused.text
        player.post("/tables", "the-admin", body, status=201)
        assert "as many tables" in player.call("POST", "/tables", "the-admin", json=body).text


def test_new_tables_of_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 1000.0
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: clock))
    with TestClient(create_app(settings_for(tmp_path, tables_per_hour=3))) as client:
        player, other = Player(client), Player(TestClient(client.app, client=("192.0.2.7", 1)))
        assert player.get("/limits")["tables_per_hour"] == 3
        body = {"game": "pig", "seats": [{"kind": "human"}, {"kind": "human"}]}
        assert (
            player.call("POST", "/tables", json={**body, "options": {"nonsense": 1}}).status_code == 422
        )  # costs none
        table, tokens, made = player.make("pig", "human", "human")
        player.post(f"/tables/{table}/close", made["owner_token"])  # a closed one has been made all the same
        player.post(f"/tables/{table}/rematch", tokens[0])
        player.post(f"/tables/{table}/rematch", tokens[1])  # this is the same table
        seats = [{"kind": "human"}, {"kind": "human"}]
        player.post(f"/tables/{table}/continue", body={"ply": 0, "seats": seats}, status=201)
        for path, wish in (("/tables", body), (f"/tables/{table}/continue", {"ply": 0, "seats": seats})):
            refused = player.call("POST", path, json=wish)
            assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many")
            assert "3 tables an hour" in refused.text
            assert refused.headers["retry-after"] == "1201" and 1200 < refused.json()["error"]["retry_after"] < 1201
        other.post("/tables", body=body, status=201)
        player.post("/tables", "the-admin", body, status=201)
        clock += 1200
        player.post("/tables", body=body, status=201)
        assert player.call("POST", "/tables", json=body).status_code == 429


def test_tables_that_are_asked_for_at_once_get_no_more_room(tmp_path: Path) -> None:
    async def ask(url: str) -> list[int]:
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
            wish = {"game": "pig", "seats": [{"kind": "human"}, {"kind": "open"}]}
            answers = await asyncio.gather(*(http.post(f"{PREFIX}/tables", json=wish) for _ in range(30)))
        return sorted(answer.status_code for answer in answers)

    with live_server(settings_for(tmp_path, tables_per_address=4)) as url:
        assert asyncio.run(ask(url)) == [201] * 4 + [429] * 26
