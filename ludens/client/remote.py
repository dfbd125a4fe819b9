"""A local agent as a remote player: it joins a table and plays its seat to the end.

The decision of a ply is made once and sent under an id that names the ply. Whatever happens to
the connection, or to the server, the move is sent until it is acknowledged, and played once.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent
from ludens.client import calls
from ludens.client.asynchronous import AsyncClient
from ludens.client.calls import ServerRefusal
from ludens.core import record, registry
from ludens.core.agent import Agent, Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.spec import Game

__all__ = ["play_many", "play_seat"]


async def play_seat(
    client: AsyncClient,
    table_id: str,
    code: str,
    seat: int | None = None,
    name: str | None = None,
    token: str | None = None,
    invitation: str | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Plays a seat with the agent of the code, which may name a module, until the table ends; returns the table.

    With a `token` it takes up a seat that it held before; otherwise it joins.
    """
    table = await client.send(calls.table(table_id, token or invitation))
    game = _local_game(table)
    agent = make_agent(game, code, outside=True)
    if token is None:
        joined = await client.send(calls.join(table_id, seat, name, invitation))
        token, seat = str(joined["token"]), int(joined["seat"])
        say(f"Joined table {table_id} on seat {seat}; the seat's token is {token}.")
    else:
        seat = (await client.send(calls.view(table_id, token)))["seat"]
        if seat is None:
            raise BadInput("This token belongs to no seat of the table.")
    options = game.options(table["options"])
    agent.start(Seating(game, options, seat, secrets.randbelow(1 << 53) if seed is None else seed))
    player = _Player(client, table_id, token, seat, game, agent, seconds)
    last: dict[str, Any] = table
    async for followed in client.follow(table_id, [token], record=True):
        last = followed.table or last
        view = followed.views.get(seat)
        if view is not None:
            await player.act(view)
    final = await client.send(calls.view(table_id, token, record=True))
    if final.get("record"):
        agent.end(record.from_json(game.dtype, final["record"]))
    return last


async def play_many(
    client: AsyncClient,
    code: str,
    games: Sequence[str],
    most: int = 20,
    name: str | None = None,
    seconds: float | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Sits down wherever a table of the games wants a player, at so many at once, and plays; until it is cancelled."""
    events = client.events(games)
    players: dict[str, _Player] = {}
    wanting: dict[str, dict[str, Any]] = {}

    async def sit_down() -> None:
        while wanting and len(players) < most:
            table_id, table = wanting.popitem()
            try:
                joined = await client.send(calls.join(table_id, None, name))
            except ServerRefusal:  # somebody else was quicker
                continue
            game = _local_game(table)
            agent = make_agent(game, code, outside=True)
            seat, token = int(joined["seat"]), str(joined["token"])
            agent.start(Seating(game, game.options(table["options"]), seat, secrets.randbelow(1 << 53)))
            players[table_id] = _Player(client, table_id, token, seat, game, agent, seconds)
            say(f"Joined table {table_id} on seat {seat}; the seat's token is {token}.")
            await events.sit(table_id, token)

    async for message in events.listen():
        table_id = str(message["table"]["id"] if message["type"] == "wanted" else message.get("table"))
        if message["type"] == "wanted":
            wanting[table_id] = message["table"]
        elif message["type"] == "gone":
            wanting.pop(table_id, None)
        elif message["type"] == "turn" and table_id in players:
            await players[table_id].look_and_act()
        elif message["type"] in ("ended", "refused") and table_id in players:
            del players[table_id]
            say(f"Table {table_id} has ended.")
        await sit_down()


def _local_game(table: dict[str, Any]) -> Game:
    game = registry.game(table["game"])
    if game.spec.version != table["version"]:
        raise BadInput(f"The server plays {table['game']}@{table['version']}, but here is {game.spec.identity}.")
    return game


class _Player:
    """Remembers the last decision, so that a view seen twice is answered once."""

    def __init__(
        self,
        client: AsyncClient,
        table_id: str,
        token: str,
        seat: int,
        game: Game,
        agent: Agent,
        seconds: float | None,
    ) -> None:
        self._client = client
        self._table = table_id
        self._token = token
        self._seat = seat
        self._game = game
        self._agent = agent
        self._seconds = seconds
        self._session = secrets.token_hex(8)
        self._answered: tuple[int, int] | None = None  # (undos, ply)

    async def look_and_act(self) -> None:
        """Asks for the view, and acts."""
        await self.act(await self._client.send(calls.view(self._table, self._token, record=True)))

    async def act(self, view: dict[str, Any]) -> None:
        """Chooses and sends a move if the view asks for one that was not given yet."""
        moment = (view["undos"], view["ply"])
        if view["actor"] != self._seat or not view["legal"] or moment == self._answered:
            return
        seen = record.from_json(self._game.dtype, view["record"])
        legal = np.array([action["id"] for action in view["legal"]], np.int64)
        action = int(await asyncio.to_thread(self._agent.choose, seen, legal, Clock(self._seconds)))
        move_id = f"{self._session}-{moment[0]}-{moment[1]}"
        try:
            await self._client.send(calls.move(self._table, self._token, action, moment[1], move_id))
        except ServerRefusal as refusal:
            if refusal.code not in ("stale_move", "wrong_status", "not_your_turn"):
                raise  # the others mean that the table has moved on: the next view tells
        self._answered = moment
