"""Who may take moves back: a person against agents alone, however the others came to the table."""

from __future__ import annotations

import pytest

from tests.server.conftest import Player


@pytest.mark.parametrize("others", [["open"], ["open", "random"], ["random", "open"]], ids=" ".join)
@pytest.mark.parametrize("private", [False, True])
def test_moves_are_not_taken_back_against_a_person_who_joined_by_link(
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
