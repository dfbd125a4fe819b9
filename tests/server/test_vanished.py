"""A guest who is to move and stays away holds nobody up: the owner may close the table or give the seat away."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ludens.server.app import create_app
from tests.server.conftest import PREFIX, Player, settings_for
from tests.server.test_streams import Socket


@pytest.mark.parametrize("what", ["close", "agent", "open"])
def test_the_owner_of_a_table_does_not_wait_for_ever(tmp_path: Path, what: str) -> None:
    with TestClient(create_app(settings_for(tmp_path, vanished_hours=24.0))) as client:
        player = Player(client)
        table, tokens, made = player.make("pig", "human", "open", options={"target": 500})
        guest = player.post(f"/tables/{table}/join")["token"]
        owner, held = made["owner_token"], client.app.state.services.tables.living[table]  # type: ignore[attr-defined]

        def tried() -> int:
            if what == "close":
                return player.call("POST", f"/tables/{table}/close", owner).status_code
            wish = {"kind": "open"} if what == "open" else {"kind": "agent", "agent": "random"}
            return player.call("PATCH", f"/tables/{table}/seats/1", owner, json=wish).status_code

        held.moved -= 90_000
        assert tried() in (403, 409)  # it is the owner's turn
        player.move(table, tokens[0], player.view(table, tokens[0]), choice=1)
        assert tried() in (403, 409)  # the guest has just been told
        held.moved -= 90_000
        with client.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
            socket = Socket(session)
            socket.send({"type": "hello", "tokens": [guest]})
            socket.until("view")
            assert tried() in (403, 409)  # the guest is there
        assert player.call("PATCH", f"/tables/{table}/seats/1", guest, json={"kind": "open"}).status_code == 403
        while held.subscribers:
            player.view(table)
        assert tried() == 200
        assert player.call("GET", f"/tables/{table}/view", guest).status_code == (200 if what == "close" else 403)
        if what == "agent":
            while player.view(table)["actor"] != 0:
                player.view(table, after=player.view(table)["version"], wait=5)
        elif what == "open":
            assert player.post(f"/tables/{table}/join")["seat"] == 1
