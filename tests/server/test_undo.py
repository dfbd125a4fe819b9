"""Who may undo moves, and when: a person against agents alone, while nothing random or hidden was revealed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.conftest import Player

ADMIN = "the-admin"  # may give a seed to a table of people


@pytest.mark.parametrize("others", [["open"], ["open", "random"], ["random", "open"]], ids=" ".join)
@pytest.mark.parametrize("private", [False, True])
def test_moves_are_not_undone_against_a_person_who_joined_by_link(
    player: Player, others: list[str], private: bool
) -> None:
    options = {"players": 1 + len(others), "first": "1"}
    table, tokens, made = player.make("azul", "human", *others, options=options, private=private)
    assert not made["table"]["undo_allowed"]  # somebody may come
    joined = player.post(f"/tables/{table}/join", made["invitation"], {"name": "Grace"})
    assert joined["seat"] == 1 + others.index("open") and not joined["table"]["undo_allowed"]
    before = player.view(table, tokens[0])
    assert before["actor"] == 0
    player.move(table, tokens[0], before)
    for token in (tokens[0], joined["token"]):
        refused = player.call("POST", f"/tables/{table}/undo", token)
        assert refused.status_code == 403
        assert "only where all other seats are agents" in refused.json()["error"]["message"]
    after = player.view(table, tokens[0])
    assert after["undos"] == 0 and after["ply"] > before["ply"]
    assert not player.get(f"/tables/{table}", tokens[0])["undo_allowed"]


def my_turn(player: Player, table: str, token: str, seat: int) -> dict[str, Any]:
    view = player.view(table, token)
    while view["actor"] != seat and not view["over"]:
        view = player.view(table, token, after=view["version"], wait=20)
    return view


@pytest.mark.parametrize("game", ["scotland_yard", "scotland_yard_grid"])
def test_mr_x_sees_everything_and_undoes_his_moves_after_the_answers(player: Player, game: str) -> None:
    players = ["random"] * (2 if game == "scotland_yard" else 1)
    table, tokens, _ = player.make(game, "human", *players, token=ADMIN, seed=26)
    before = my_turn(player, table, tokens[0], 0)
    assert not before["undo"]  # nothing was moved yet
    player.move(table, tokens[0], before)
    later = my_turn(player, table, tokens[0], 0)
    assert later["undo"] and later["ply"] > before["ply"] + 1
    assert player.post(f"/tables/{table}/undo", tokens[0], {"ply": later["ply"]})["ply"] == before["ply"]
    now = player.view(table, tokens[0])
    assert now["position"] == before["position"] and now["undos"] == 1


def test_a_detective_undoes_nothing_that_mr_x_has_answered(player: Player) -> None:
    table, tokens, _ = player.make("scotland_yard_grid", "random", "human", token=ADMIN, seed=26)
    before = my_turn(player, table, tokens[1], 1)
    player.move(table, tokens[1], before)  # the first of two detectives, far from where Mr. X can be
    between = player.view(table, tokens[1])
    assert between["actor"] == 1 and between["undo"]
    assert player.post(f"/tables/{table}/undo", tokens[1])["ply"] == before["ply"]
    for _ in range(4):  # where Mr. X begins is known, so his first step tells nothing; the second one does
        player.move(table, tokens[1], my_turn(player, table, tokens[1], 1))
    answered = my_turn(player, table, tokens[1], 1)
    assert not answered["undo"]
    refused = player.call("POST", f"/tables/{table}/undo", tokens[1])
    assert refused.status_code == 403 and "hidden" in refused.json()["error"]["message"]
    assert player.view(table, tokens[1])["ply"] == answered["ply"]


def test_in_catan_moves_are_undone_until_the_dice(player: Player) -> None:
    table, tokens, made = player.make("catan", "human", "random", token=ADMIN, seed=7)
    assert made["table"]["undo_allowed"]
    first = my_turn(player, table, tokens[0], 0)
    for _ in range(2):  # a settlement, then its road
        view = player.view(table, tokens[0])
        player.move(table, tokens[0], view)
    for _ in range(2):
        view = my_turn(player, table, tokens[0], 0)  # also after the other's set-up, which has no secrets
        assert view["undo"]
        player.post(f"/tables/{table}/undo", tokens[0], {"ply": view["ply"]})
    assert player.view(table, tokens[0])["position"] == first["position"]
    while (view := my_turn(player, table, tokens[0], 0))["legal"][0]["json"]["type"] != "roll":
        player.move(table, tokens[0], view)
    player.move(table, tokens[0], view)
    rolled = my_turn(player, table, tokens[0], 0)
    assert not rolled["undo"]
    refused = player.call("POST", f"/tables/{table}/undo", tokens[0], params={}, json={"ply": rolled["ply"]})
    assert refused.status_code == 403 and "drawn" in refused.json()["error"]["message"]
