"""Saved games that are brought to the server: looked at, reviewed, downloaded, and refused when they are not sound."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.thinking.worker import load_plugins
from tests.server.conftest import PLUGINS, Player, settings_for

load_plugins(PLUGINS)


def saved(game: str, moves: int = 10_000) -> dict[str, Any]:
    """A match of legal moves, to its end or for so many moves, as a document."""
    match = Match(registry.game(game), seed=3, names=["Ada", "Grace"])
    for k in range(moves):
        if match.over:
            break
        legal = match.legal()
        match.play(int(legal[k // 3 % len(legal)]))
    return match.to_json()


def test_a_finished_game_becomes_a_finished_table(player: Player) -> None:
    document = saved("pig")
    brought = player.post("/tables/import?private=false", body=document, status=201)
    table = brought["table"]
    assert (table["status"], table["imported"], brought["invitation"]) == ("finished", True, None)
    assert [seat["name"] for seat in table["seats"]] == ["Ada", "Grace"]
    assert table["result"] == {"reason": "over", **document["result"]}
    view = player.view(table["id"])
    assert view["over"] and view["ply"] == len(document["log"])
    steps = player.get(f"/tables/{table['id']}/steps", positions=True)["steps"]
    assert [step["action"] for step in steps] == document["log"]
    assert player.view(table["id"], ply=0)["actor"] in (0, None)
    assert table["id"] in {one["id"] for one in player.get("/tables", status="finished")["tables"]}
    downloaded = player.get(f"/tables/{table['id']}/game")
    assert {key: downloaded[key] for key in document if key != "result"} == {
        key: value for key, value in document.items() if key != "result"
    }


def test_an_unfinished_game_has_no_result_and_shows_everything(player: Player) -> None:
    document = saved("duel", moves=1)
    table = player.post("/tables/import?private=false", body=document, status=201)["table"]
    assert table["status"] == "abandoned"
    assert table["result"]["returns"] is None
    view = player.view(table["id"])
    assert view["over"] and view["actor"] is None and view["legal"] == []
    assert view["ply"] == len(document["log"])


def test_a_private_one_needs_its_invitation_and_nobody_can_play_there(player: Player) -> None:
    brought = player.post("/tables/import", body=saved("pig", moves=3), status=201)
    table, invitation = brought["table"]["id"], brought["invitation"]
    assert player.call("GET", f"/tables/{table}").status_code == 404
    assert player.get(f"/tables/{table}", invitation)["imported"]
    assert table not in {one["id"] for one in player.get("/tables", status="ended")["tables"]}
    for path, body in (("join", {}), ("moves", {"id": "a", "ply": 0, "move": 0}), ("rematch", {}), ("close", {})):
        refused = player.call("POST", f"/tables/{table}/{path}", invitation, json=body)
        assert refused.status_code in (403, 409), path


def test_it_is_there_after_a_restart_and_can_be_removed(tmp_path: Path) -> None:
    document = saved("pig")
    with TestClient(create_app(settings_for(tmp_path))) as client:
        brought = Player(client).post("/tables/import", body=document, status=201)
    table, invitation = brought["table"]["id"], brought["invitation"]
    with TestClient(create_app(settings_for(tmp_path))) as client:
        again = Player(client)
        assert again.get(f"/tables/{table}", invitation) == brought["table"]
        assert again.view(table, invitation)["ply"] == len(document["log"])
        assert again.call("DELETE", f"/admin/tables/{table}", "the-admin").status_code == 204
        assert again.call("GET", f"/tables/{table}", invitation).status_code == 404


def test_it_is_reviewed_like_any_ended_game(player: Player) -> None:
    document = saved("pig", moves=4)
    table = player.post("/tables/import?private=false", body=document, status=201)["table"]["id"]
    for _ in range(600):
        response = player.call("GET", f"/tables/{table}/review")
        if response.status_code == 200:
            break
        assert response.status_code == 202
        time.sleep(0.2)
    review = response.json()
    assert review["complete"] and review["returns"] is None
    assert len(review["decisions"]) == review["total"] > 0


@pytest.mark.skipif(not hasattr(Match, "recorded"), reason="matches with recorded chance are not here yet")
def test_a_game_with_recorded_chance_is_shown_from_where_it_began(player: Player) -> None:
    played = Match(registry.game("pig"), seed=3)
    for k in range(20):
        played.play(int(played.legal()[k // 3 % len(played.legal())]))
    began = played.at(played.last_choice())
    game: Any = Match
    documents = {
        "from the set-up": game.recorded("pig", {}, played.log).to_json(),
        "from a position": game.from_position("pig", {}, began.state()).to_json(),
        "before a draw": game.recorded("pig", {}, played.log[:1]).to_json(),
    }
    for document in documents.values():
        assert document["chance"] == "recorded" and "seed" not in document
        table = player.post("/tables/import?private=false", body=document, status=201)["table"]["id"]
        player.http.app.state.services.tables.forget(table)  # so that it is read from the storage
        steps = player.get(f"/tables/{table}/steps", positions=True)["steps"]
        assert [step["action"] for step in steps] == document["log"]
        view = player.view(table)
        last = steps[-1]["position"] if steps else player.view(table, ply=0)["position"]
        assert view["position"] == last
        downloaded = player.get(f"/tables/{table}/game")
        assert {key: downloaded[key] for key in document} == document


_SOUND = saved("pig", moves=12)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"format": "other"},
        {key: value for key, value in _SOUND.items() if key != "log"},
        {**_SOUND, "game": "nonsense@1"},
        {**_SOUND, "game": "pig@99"},
        {**_SOUND, "game": None},
        {**_SOUND, "game": {"name": "pig"}},
        {**_SOUND, "options": {"players": 77}},
        {**_SOUND, "options": []},
        {**_SOUND, "seed": -1},
        {**_SOUND, "seed": "x"},
        {**_SOUND, "log": "abc"},
        {**_SOUND, "log": [*_SOUND["log"], 10**30]},
        {**_SOUND, "log": [*_SOUND["log"][:-1], 5, 5, 5, 5]},
        {**_SOUND, "seed": _SOUND["seed"] + 1},
        {**_SOUND, "names": ["Ada"]},
        {**_SOUND, "names": ["Ada", "x" * 100]},
        {**_SOUND, "names": ["Ada", "\u202e"]},
    ],
)
def test_what_is_not_sound_is_refused_with_one_sentence(player: Player, document: dict[str, Any]) -> None:
    response = player.call("POST", "/tables/import", json=document)
    assert response.status_code == 422, response.text
    error = response.json()["error"]
    assert error["code"] == "bad_request"
    assert error["message"].endswith(".") and len(error["message"]) < 300
    assert player.get("/admin/tables", "the-admin", status="ended")["tables"] == []


def test_what_is_too_large_or_too_often_is_refused(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, imports_per_hour=2)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        large = player.call("POST", "/tables/import", json={**saved("pig"), "log": [0] * 40_000})
        assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")
        for _ in range(2):
            player.post("/tables/import", body=saved("pig", moves=1), status=201)
        often = player.call("POST", "/tables/import", json=saved("pig", moves=1))
        assert (often.status_code, often.json()["error"]["code"]) == (429, "too_many")
