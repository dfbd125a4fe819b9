"""Moves: idempotent, bound to their ply, for the own seat only; reasons, undo, replay and the published game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from ludens.core.match import Match
from ludens.server.app import create_app
from tests.server.conftest import Player, settings_for


def refusal_of(response: Any) -> dict[str, Any]:
    assert set(response.json()) == {"error"}
    return response.json()["error"]


def test_sending_a_move_twice_is_harmless(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
    view = player.view(table, tokens[0])
    first = player.move(table, tokens[0], view, move_id="once")
    again = player.move(table, tokens[0], view, move_id="once")
    assert not first["repeated"]
    assert again == {**first, "repeated": True}
    assert player.view(table)["ply"] == first["next_ply"]


def test_the_last_move_of_a_game_may_be_sent_again(player: Player) -> None:
    table, tokens, _ = player.make("duel", "human", "human")
    sent: list[tuple[str, dict[str, Any], Any]] = []
    while not (view := player.view(table, tokens[0]))["over"]:
        token = tokens[view["actor"]]
        view = player.view(table, token)
        sent.append((token, view, player.move(table, token, view)))
    token, view, answer = sent[-1]
    assert player.move(table, token, view) == {**answer, "repeated": True}


def test_the_same_move_from_many_threads_is_played_once(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
    view = player.view(table, tokens[0])
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: player.move(table, tokens[0], view, move_id="x"), range(16)))
    assert sum(not answer["repeated"] for answer in answers) == 1
    assert player.view(table)["ply"] == view["ply"] + 1


def test_a_stale_move_is_refused_with_the_present_view(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
    old = player.view(table, tokens[0])
    player.move(table, tokens[0], old)
    body = {"id": "late", "ply": old["ply"], "move": old["legal"][1]["id"]}
    response = player.call("POST", f"/tables/{table}/moves", tokens[0], json=body)
    assert response.status_code == 409
    assert refusal_of(response)["code"] == "stale_move"
    assert refusal_of(response)["view"] == player.view(table, tokens[0])


def test_nobody_moves_for_another(player: Player) -> None:
    table, tokens, made = player.make("azul", "human", "human", options={"first": "1"})
    view = player.view(table, tokens[0])
    body = {"id": "a", "ply": view["ply"], "move": view["legal"][0]["id"]}
    path = f"/tables/{table}/moves"
    assert refusal_of(player.call("POST", path, tokens[1], json=body))["code"] == "not_your_turn"
    assert refusal_of(player.call("POST", path, json=body))["code"] == "unauthorised"
    for wrong in ("x", made["owner_token"], "the-admin"):
        assert refusal_of(player.call("POST", path, wrong, json=body))["code"] == "forbidden"
    assert player.view(table)["ply"] == view["ply"]


def test_moves_may_be_ids_texts_or_json_and_bad_ones_name_the_rule(player: Player) -> None:
    table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
    for form in ("id", "text", "json"):
        view = player.view(table, tokens[player.view(table)["actor"]])
        token = tokens[view["actor"]]
        answer = player.post(
            f"/tables/{table}/moves", token, {"id": form, "ply": view["ply"], "move": view["legal"][0][form]}
        )
        assert answer["ply"] == view["ply"]
    actor = player.view(table)["actor"]
    view = player.view(table, tokens[actor])
    illegal = next(a for a in range(306) if a not in {action["id"] for action in view["legal"]})
    for move, code in (
        (illegal, "illegal_move"),
        (306, "bad_request"),
        ("7 pink 9", "bad_request"),
        ({}, "bad_request"),
    ):
        body = {"id": "bad", "ply": view["ply"], "move": move}
        response = player.call("POST", f"/tables/{table}/moves", tokens[actor], json=body)
        assert response.status_code == 422
        assert refusal_of(response)["code"] == code
        assert [rule[:3] for rule in refusal_of(response).get("rules", [])] == (
            ["AZ-"] if code == "illegal_move" else []
        )
        answer = player.post(f"/tables/{table}/check", tokens[actor], {"move": move})
        refused = refusal_of(response)
        assert answer == {"legal": False, "reason": refused["message"], "rules": refused.get("rules", [])}
    refused = player.post(f"/tables/{table}/check", tokens[actor], {"move": illegal})
    assert refused["rules"] == ["AZ-15"] and "AZ-" not in refused["reason"]
    assert player.post(f"/tables/{table}/check", tokens[actor], {"move": view["legal"][0]["id"]})["legal"]
    assert refusal_of(player.call("POST", f"/tables/{table}/check", tokens[1 - actor], json={"move": 0}))
    assert player.view(table)["ply"] == view["ply"]


def test_undo_against_agents_appends_to_the_log(player: Player) -> None:
    table, tokens, made = player.make("azul", "human", "random")
    assert made["table"]["undo_allowed"]

    def my_turn() -> dict[str, Any]:
        view = player.view(table, tokens[0])
        while view["actor"] != 0:
            view = player.view(table, tokens[0], after=view["version"], wait=20)
        return view

    before = my_turn()
    player.move(table, tokens[0], before)
    later = my_turn()
    assert refusal_of(player.call("POST", f"/tables/{table}/undo", tokens[0], json={"ply": 3}))["code"] == "stale_move"
    assert player.post(f"/tables/{table}/undo", tokens[0], {"ply": later["ply"]})["ply"] == before["ply"]
    now = player.view(table, tokens[0])
    assert now["undos"] == 1
    assert now["position"] == before["position"]
    assert player.move(table, tokens[0], before)["repeated"]  # the old id stays used
    player.move(table, tokens[0], now)
    final = player.play_out(table, tokens)
    game = player.get(f"/tables/{table}/game")
    assert game["undos"] == final["undos"] == 1
    assert Match.from_json(game).scores() == final["scores"]


def test_undo_is_refused_where_it_would_be_unfair(player: Player) -> None:
    two, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
    player.move(two, tokens[0], player.view(two, tokens[0]))
    assert refusal_of(player.call("POST", f"/tables/{two}/undo", tokens[0]))["code"] == "forbidden"
    hidden, tokens, _ = player.make("duel", "human", "random")
    view = player.view(hidden, tokens[0])
    while view["actor"] != 0:
        view = player.view(hidden, tokens[0], after=view["version"], wait=20)
    player.move(hidden, tokens[0], view)
    answered = player.view(hidden, tokens[0])
    while answered["actor"] != 0:
        answered = player.view(hidden, tokens[0], after=answered["version"], wait=20)
    assert "hidden" in refusal_of(player.call("POST", f"/tables/{hidden}/undo", tokens[0]))["message"]


def test_a_finished_game_is_published_and_replayed_at_any_ply(player: Player) -> None:
    table, tokens, _ = player.make("duel", "human", "human", options={})
    refused = player.call("GET", f"/tables/{table}/game", tokens[0])
    assert refusal_of(refused)["code"] == "wrong_status"
    player.play_out(table, tokens)
    saved = player.get(f"/tables/{table}/game")
    match = Match.from_json(saved)  # checks that every draw follows from the seed
    assert match.over
    text = match.game.text
    for ply in range(match.ply + 1):
        view = player.view(table, ply=ply)
        assert view["position"] == text.position_to_json(match.at(ply).state()[0])
    steps = player.get(f"/tables/{table}/steps", positions=True)["steps"]
    assert [step["action"] for step in steps] == saved["log"]
    assert steps[-1]["position"] == text.position_to_json(match.state()[0])
    tail = player.call("GET", f"/tables/{table}/steps", params={"from": 2, "to": 5}).json()["steps"]
    assert [step["ply"] for step in tail] == [2, 3, 4]
    beyond = player.call("GET", f"/tables/{table}/view", params={"ply": match.ply + 1})
    assert refusal_of(beyond)["code"] == "bad_request"


def test_agents_alone_may_be_given_a_seed_and_repeat_their_game(player: Player) -> None:
    games = []
    for _ in range(2):
        table, _, _ = player.make("pig", "random", "random", seed=11)
        view = player.view(table)
        while not view["over"]:
            view = player.view(table, after=view["version"], wait=20)
        games.append(player.get(f"/tables/{table}/game"))
    assert games[0]["seed"] == games[1]["seed"] == 11
    assert games[0]["log"] == games[1]["log"]
    assert Match.from_json(games[0]).over


def test_a_table_whose_commit_fails_stays_as_it_was(tmp_path: Path) -> None:
    app = create_app(settings_for(tmp_path))
    with TestClient(app) as client:
        player = Player(client)
        table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})
        before = player.view(table, tokens[0])
        storage = app.state.services.storage
        working = storage.write

        async def broken(job: Any) -> None:
            raise OSError("the disk is full")

        storage.write = broken
        body = {"id": "m", "ply": before["ply"], "move": before["legal"][0]["id"]}
        response = player.call("POST", f"/tables/{table}/moves", tokens[0], json=body)
        assert response.status_code == 503
        assert refusal_of(response)["code"] == "unavailable"
        storage.write = working
        now = player.view(table, tokens[0])
        assert {**now, "version": 0} == {**before, "version": 0}
        assert not player.post(f"/tables/{table}/moves", tokens[0], body)["repeated"]
        assert player.play_out(table, tokens)["over"]
