"""One connection tells a bot which tables want it and where it is its turn."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from ludens.client import AsyncClient, calls, play_many
from tests.server.conftest import PATIENCE, PREFIX, Player, live_server, settings_for


class Ear:
    """A connection to the news; heartbeats are left out."""

    def __init__(self, session: Any, **hello: Any) -> None:
        self._session = session
        self.send("hello", **hello)

    def send(self, kind: str, **content: Any) -> None:
        self._session.send_text(json.dumps({"type": kind, **content}))

    def next(self) -> dict[str, Any]:
        while (message := self._session.receive_json())["type"] == "heartbeat":
            pass
        return dict(message)


def opened(player: Player, **heads: str) -> Any:
    return player.http.websocket_connect(f"{PREFIX}/events", headers=heads)


def test_a_bot_hears_of_tables_and_turns(player: Player) -> None:
    before, _, _ = player.make("pig", "human", "open")
    player.make("duel", "human", "open")  # another game
    player.make("pig", "human", "open", private=True)  # nobody's business
    with opened(player) as session:
        ear = Ear(session, games=["pig"])
        wanted = ear.next()
        assert (wanted["type"], wanted["table"]["id"]) == ("wanted", before)
        table, tokens, _ = player.make("pig", "human", "open", options={"target": 500})
        assert ear.next()["table"]["id"] == table
        mine = player.post(f"/tables/{table}/join")
        ear.send("follow", tables=[{"table": table, "token": mine["token"]}])
        assert ear.next() == {"type": "gone", "table": table}
        player.move(table, tokens[0], player.view(table, tokens[0]), choice=1)
        turn = ear.next()
        assert (turn["type"], turn["table"], turn["seat"]) == ("turn", table, 1)
        view = player.view(table, mine["token"])
        assert turn["ply"] == view["ply"]
        player.move(table, mine["token"], view, choice=1)
        player.post(f"/tables/{table}/resign", tokens[0])
        assert ear.next() == {"type": "ended", "table": table, "status": "finished"}
    assert not player.http.app.state.services.news._listeners
    assert not player.http.app.state.services.news._following


def test_a_bot_that_comes_back_is_told_where_it_stands(player: Player) -> None:
    made = [player.make("pig", "human", "human", options={"target": 500}) for _ in range(3)]
    places = [{"table": table, "token": tokens[0]} for table, tokens, _ in made]
    with opened(player) as session:
        ear = Ear(session, tables=places)
        assert [ear.next()["table"] for _ in range(3)] == [table for table, _, _ in made]
        player.post(f"/tables/{made[0][0]}/resign", made[0][1][1])
        assert ear.next()["type"] == "ended"
    with opened(player) as session:
        ear = Ear(session, tables=places)
        assert [ear.next()["type"] for _ in range(3)] == ["ended", "turn", "turn"]


def test_bad_messages_are_refused_and_pages_are_not_served(player: Player) -> None:
    table, _, _ = player.make("pig", "human", "human")
    with opened(player) as session:
        ear = Ear(session, tables=[{"table": table, "token": "wrong"}, {"table": "nowhere", "token": "x"}])
        assert [ear.next()["error"]["code"] for _ in range(2)] == ["forbidden", "not_found"]
        ear.send("nonsense")
        assert ear.next()["error"]["code"] == "bad_request"
    with opened(player) as session:
        assert Ear(session, games=5).next()["type"] == "error"


def test_one_program_plays_at_many_tables(tmp_path: Path) -> None:
    async def play(url: str) -> None:
        async with AsyncClient(url, PATIENCE) as client:
            lines: list[str] = []
            bot = asyncio.create_task(play_many(client, "random", ["pig"], most=3, say=lines.append))
            seats = [{"kind": "agent", "agent": "random"}, {"kind": "open"}]
            made = [await client.send(calls.make_table("pig", seats, {"target": 20})) for _ in range(5)]
            for table in (one["table"]["id"] for one in made):
                while (await client.send(calls.table(table)))["status"] != "finished":
                    assert not bot.done(), bot
                    await asyncio.sleep(0.1)
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)
            joined = [line.split()[2] for line in lines if line.startswith("Joined")]
            assert sorted(joined) == sorted(one["table"]["id"] for one in made)

    with live_server(settings_for(tmp_path)) as url:
        asyncio.run(play(url))
