"""Whoever asks in another language is answered in it; everybody else in English."""

from __future__ import annotations

import pytest

from tests.server.conftest import Player

CZECH = {"Accept-Language": "cs-CZ,cs;q=0.9,en;q=0.5"}


def test_games_and_refusals_follow_the_header_and_the_address(player: Player) -> None:
    english = player.http.get("/api/v1/games/azul").json()
    czech = player.http.get("/api/v1/games/azul", headers=CZECH).json()
    assert english["summary"].startswith("Take tiles") and czech["summary"].startswith("Berte dlaždice")
    assert [option["name"] for option in czech["options"]] == [option["name"] for option in english["options"]]
    assert player.http.get("/api/v1/games/azul?language=de").json()["summary"].startswith("Nimm Fliesen")
    assert player.http.get("/api/v1/games/azul?language=xx").json() == english
    refused = player.http.get("/api/v1/tables/nowhere", headers=CZECH)
    assert refused.json()["error"] == {"code": "not_found", "message": "Stůl 'nowhere' není."}
    assert "accept-language" in refused.headers["vary"]


@pytest.mark.parametrize(("language", "sentence"), [("cs", "Hráč A pasuje"), ("en", "Hráč A passes")])
def test_one_table_tells_everybody_in_their_language(player: Player, language: str, sentence: str) -> None:
    """Two sockets at one table: a move by one is told to the other in the other's language."""
    seats = [{"kind": "human", "name": "Hráč A"}, {"kind": "human", "name": "B"}]
    made = player.post("/tables", body={"game": "discovery", "seats": seats}, status=201)
    table, token = made["table"]["id"], {given["seat"]: given["token"] for given in made["tokens"]}
    with player.http.websocket_connect(f"/api/v1/tables/{table}/socket?language={language}") as socket:
        socket.send_json({"type": "hello", "tokens": [token[0]]})
        told = ""
        view = player.view(table, token[0])
        for _ in range(2):  # the tile, then no follower
            passes = [k for k, move in enumerate(view["legal"]) if move["json"]["type"] == "pass"]
            player.move(table, token[0], view, choice=passes[0] if passes else 0)
            view = player.view(table, token[0])
        for _ in range(20):
            message = socket.receive_json()
            told = " / ".join(event["sentence"] for step in message.get("steps", []) for event in step["events"])
            if "pass" in told or "pasuje" in told:
                break
        assert sentence in told


def test_rules_come_in_the_language_where_they_are_written(player: Player) -> None:
    english = player.get("/games/azul/rules")
    czech = player.http.get("/api/v1/games/azul/rules", headers=CZECH).json()
    assert english["language"] == "en" and czech["language"] == "cs" and "dlaždice" in czech["text"]
