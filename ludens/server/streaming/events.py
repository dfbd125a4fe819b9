"""What a bot that plays at many tables must know, in one connection: who wants a bot, and where it is its turn.

Nothing of a position is told here: a bot that is to move asks for its view. The first message of the client names its
games and seats; more seats follow as it sits down.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import anyio
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ludens.server.encoding import encode
from ludens.server.http.dependencies import found
from ludens.server.http.errors import answer_of, envelope, envelope_of
from ludens.server.http.limits import address_of
from ludens.server.http.schemas.common import Token
from ludens.server.language import answered_in, language_of
from ludens.server.refusal import Refusal
from ludens.server.services import Services
from ludens.server.streaming import views
from ludens.server.tables.news import Listener
from ludens.server.tables.table import Table

__all__ = ["router"]

router = APIRouter(tags=["live"])
_MOST_MESSAGES = 1000  # that wait for a slow client
_MOST_ERRORS = 20
_MOST_SEATS = 1000


class _Place(BaseModel):
    model_config = ConfigDict(extra="forbid")
    table: str = Field(pattern="^[a-z0-9]{1,16}$")
    token: Token


class _Follow(BaseModel):
    """The first message, with games, and each later one: `tables` where the client has a seat."""

    model_config = ConfigDict(extra="forbid")
    type: str = Field(pattern="^(hello|follow)$")
    games: list[str] = Field(default_factory=list, max_length=50)
    tables: list[_Place] = Field(default_factory=list, max_length=200)


_follow = TypeAdapter(_Follow)


class _Bot(Listener):
    """One connection."""

    def __init__(self) -> None:
        super().__init__()
        self.queue: asyncio.Queue[str | None] = asyncio.Queue(_MOST_MESSAGES)
        self.too_slow = False

    def wanted(self, table: Table) -> None:
        self.say({"type": "wanted", "table": views.table_payload(table)})

    def gone(self, table_id: str) -> None:
        self.say({"type": "gone", "table": table_id})

    def turn(self, table: Table, seat: int) -> None:
        self.say({"type": "turn", "table": table.id, "seat": seat, "ply": table.ply, "version": table.version})

    def ended(self, table: Table) -> None:
        self.say({"type": "ended", "table": table.id, "status": table.status})

    def end(self) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self.queue.put_nowait(None)

    def say(self, message: dict[str, Any]) -> None:
        """Queues a message; a client that does not read loses its connection, and comes again."""
        try:
            self.queue.put_nowait(encode(message))
        except asyncio.QueueFull:
            self.too_slow = True


@router.websocket("/events")
async def events(websocket: WebSocket) -> None:
    """One connection for a program that plays at many tables."""
    services: Services = websocket.app.state.services
    answered_in.set(language_of(websocket.scope))
    address = address_of(websocket.scope)
    if websocket.headers.get("origin") is not None or services.tables.closing:  # it is for programs, not for pages
        await websocket.close(1008)
        return
    try:
        with services.connections.holding(address):
            await websocket.accept()
            await _converse(websocket, services, address)
    except Refusal as refusal:
        await websocket.send_denial_response(answer_of(refusal))
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client went away


async def _converse(websocket: WebSocket, services: Services, address: str) -> None:
    bot = _Bot()
    try:
        first = await asyncio.wait_for(_received(websocket), services.settings.hello_seconds)
    except (ValidationError, ValueError, TimeoutError):
        wrong = envelope("bad_request", "The first message must be a hello with games and tables.")
        await websocket.send_text(encode({"type": "error", **wrong}))
        await websocket.close(1008)
        return
    services.news.listen(bot, first.games)
    try:
        await services.news.gather()
        await _follow_all(services, bot, first, address)
        async with anyio.create_task_group() as both:

            async def until_it_ends(work: Any) -> None:
                with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                    await work
                both.cancel_scope.cancel()

            both.start_soon(until_it_ends, _write(websocket, services, bot))
            both.start_soon(until_it_ends, _read(websocket, services, bot, address))
    finally:
        services.news.leave(bot)
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close(1012 if services.tables.closing else 1013 if bot.too_slow else 1000)


async def _received(websocket: WebSocket) -> _Follow:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    try:
        content = json.loads(message.get("text") or "")
    except RecursionError as error:
        raise ValueError from error
    return _follow.validate_python(content)


async def _follow_all(services: Services, bot: _Bot, wish: _Follow, address: str) -> int:
    """Follows the seats of a message; returns how many could not be."""
    refused = 0
    for place in wish.tables:
        try:
            services.buckets.charge(address)
            if len(bot.seats) >= _MOST_SEATS:
                raise Refusal("too_many", "A program follows so many tables that it needs a second connection.")
            table = await found(services, place.table, place.token)
            seat = table.seat_of(place.token)
            if seat is None:
                raise Refusal("forbidden", "This token belongs to no seat of the table.")
            services.news.follow(bot, table, seat)
        except Refusal as refusal:
            refused += 1
            bot.say({"type": "refused", "table": place.table, **envelope_of(refusal)})
    return refused


async def _read(websocket: WebSocket, services: Services, bot: _Bot, address: str) -> None:
    mistakes = 0
    while mistakes < _MOST_ERRORS:
        try:
            wish = await _received(websocket)
            services.buckets.charge(address)
            mistakes = mistakes + 1 if await _follow_all(services, bot, wish, address) else 0
        except Refusal as refusal:
            mistakes += 1
            bot.say({"type": "refused", **envelope_of(refusal)})
        except (ValidationError, ValueError):
            mistakes += 1
            bot.say({"type": "refused", **envelope("bad_request", "A message names tables and tokens to follow.")})


async def _write(websocket: WebSocket, services: Services, bot: _Bot) -> None:
    while not bot.too_slow:
        try:
            message = await asyncio.wait_for(bot.queue.get(), services.settings.heartbeat)
        except TimeoutError:
            message = encode({"type": "heartbeat"})
        if message is None:
            return
        await websocket.send_text(message)
