"""A live table by WebSocket: its messages to a client, and the client's moves.

Messages are described in docs/bots.md. The first from a client is its hello; the server answers
with the table and the full view of each of its seats, then with deltas.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import Awaitable
from typing import Any
from urllib.parse import urlsplit

import anyio
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, TypeAdapter, ValidationError

from ludens.core.errors import BadInput
from ludens.i18n.messages import say
from ludens.server.encoding import encode
from ludens.server.http.dependencies import found, is_admin
from ludens.server.http.errors import answer_of, envelope, envelope_of
from ludens.server.http.limits import WIRE, address_of, steps_cost
from ludens.server.http.schemas.common import Token
from ludens.server.http.schemas.play import MoveId
from ludens.server.language import answered_in, language_of
from ludens.server.refusal import Refusal
from ludens.server.services import Services
from ludens.server.streaming.patience import Patience
from ludens.server.streaming.subscribers import Subscriber, subscribed
from ludens.server.tables.seats import Seat
from ludens.server.tables.table import Table, knows

__all__ = ["router"]

router = APIRouter(tags=["live"])
_log = logging.getLogger("ludens.server")
_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_TABLE_ID = re.compile("[a-z0-9]{1,16}")
_FAREWELL = 1.0  # seconds to take the last word
_MOST_ERRORS = 20  # then the socket is closed: somebody sends garbage


class _Hello(BaseModel):
    model_config = ConfigDict(extra="forbid")
    type: str = Field(pattern="^hello$")
    tokens: list[Token] = Field(default_factory=list, max_length=17)
    start: StrictInt | None = Field(None, alias="from", ge=0)
    undos: StrictInt | None = Field(None, ge=0)
    positions: StrictBool = False
    record: StrictBool = False


class _SocketMove(BaseModel):
    model_config = ConfigDict(extra="forbid")
    type: str = Field(pattern="^move$")
    id: MoveId
    seat: StrictInt | None = None
    ply: StrictInt = Field(ge=0)
    move: StrictInt | str | dict[str, Any]


_hello = TypeAdapter(_Hello)
_move = TypeAdapter(_SocketMove)


@router.websocket("/tables/{table_id}/socket")
async def socket(websocket: WebSocket, table_id: str) -> None:
    services: Services = websocket.app.state.services
    address = address_of(websocket.scope)
    answered_in.set(language_of(websocket.scope))
    if not _same_origin(websocket, services) or services.tables.closing:
        await websocket.close(1008)
        return
    try:
        with services.connections.holding(address):
            await websocket.accept()
            await _converse(websocket, services, table_id, address)
    except Refusal as refusal:
        await websocket.send_denial_response(answer_of(refusal))
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client went away, perhaps while we were writing


def _same_origin(websocket: WebSocket, services: Services) -> bool:
    """Browsers do not guard WebSockets against other sites' pages; we do."""
    origin = websocket.headers.get("origin")
    if origin is None or origin in services.settings.origins:
        return True
    try:
        return urlsplit(origin).netloc == websocket.headers.get("host")
    except ValueError:  # it is no address at all
        return False


async def _converse(websocket: WebSocket, services: Services, table_id: str, address: str) -> None:
    try:
        text = await asyncio.wait_for(_receive(websocket, services), services.settings.hello_seconds)
        hello = _hello.validate_python(_parsed(text))
        table = await _visible(services, table_id, hello.tokens)
        seats = sorted({seat for token in hello.tokens if (seat := table.seat_of(token)) is not None})
        subscriber = Subscriber(seats, hello.positions, hello.record)
        looks_back = subscriber.looks_back(table, hello.start, hello.undos)
        services.buckets.charge(address, steps_cost(looks_back, hello.positions))
    except (Refusal, ValidationError, TimeoutError) as error:
        await _last_word(websocket, error)
        return
    with contextlib.ExitStack() as stack:
        async with subscribed(table, subscriber, hello.start, hello.undos), anyio.create_task_group() as both:
            patience = Patience(services.settings.idle_seconds, both.cancel_scope.cancel)
            stack.callback(patience.close)

            async def until_it_ends(work: Awaitable[None]) -> None:
                with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):  # the client went away
                    await work
                both.cancel_scope.cancel()

            both.start_soon(until_it_ends, _write(websocket, services, subscriber, patience))
            both.start_soon(until_it_ends, _read(websocket, services, table, subscriber, hello.tokens, address))
    with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(_FAREWELL):
            await websocket.close(1012 if services.tables.closing else 1013 if subscriber.too_slow else 1000)


async def _visible(services: Services, table_id: str, tokens: list[str]) -> Table:
    """The table, if one of the tokens lets its bearer see it and none of them is a wrong one."""
    if not _TABLE_ID.fullmatch(table_id):
        raise Refusal("not_found", "There is no such table.")
    table, refusal = None, Refusal("not_found", say("There is no table {table}.", table=repr(table_id)))
    for token in [*tokens, None]:
        try:
            table = await found(services, table_id, token)
            break
        except Refusal as error:
            refusal = error
    if table is None:
        raise refusal
    wrong = [k for k, token in enumerate(tokens) if not (knows(table, token) or is_admin(services, token))]
    if wrong:
        raise Refusal("forbidden", "A token of the hello belongs to nobody at this table.", wrong=wrong)
    return table


async def _last_word(websocket: WebSocket, error: Exception) -> None:
    if isinstance(error, Refusal):
        message = envelope_of(error)
    elif isinstance(error, TimeoutError):
        message = envelope("bad_request", "The first message must be a hello; none came.")
    else:
        message = envelope("bad_request", 'The first message must be a hello, such as {"type": "hello", "tokens": []}.')
    await websocket.send_text(encode({"type": "error", **message}))
    await websocket.close(1008)


async def _receive(websocket: WebSocket, services: Services) -> str:
    receive, _ = websocket.scope[WIRE]
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None:
        raise Refusal("bad_request", "Messages are JSON in text frames.")
    if len(text) > services.settings.max_body:
        raise Refusal("too_large", say("A message may have {n} bytes.", n=services.settings.max_body))
    return str(text)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal("bad_request", "The message is not JSON.") from error


async def _write(websocket: WebSocket, services: Services, subscriber: Subscriber, patience: Patience) -> None:
    """Sends what is queued, and a heartbeat when nothing is; its patience ends if the other end takes nothing."""
    _, send = websocket.scope[WIRE]
    while True:
        messages = await subscriber.take(services.settings.heartbeat)
        patience.begin()
        for message in messages:
            if message is None:
                return
            await send({"type": "websocket.send", "text": message})
        patience.end()


async def _read(
    websocket: WebSocket, services: Services, table: Table, subscriber: Subscriber, tokens: list[str], address: str
) -> None:
    """Answers moves and pings; too many errors end the conversation."""
    mistakes = 0
    seats: list[Seat] | None = None
    mine: set[int] = set()
    while mistakes < _MOST_ERRORS:
        answered_id: Any = None
        try:
            text = await _receive(websocket, services)
            services.buckets.charge(address)
            message = _parsed(text)
            if isinstance(message, dict) and message.get("type") == "ping":
                subscriber.offer(encode({"type": "pong"}))
                continue
            answered_id = message.get("id") if isinstance(message, dict) else None
            wish = _move.validate_python(message)
            if seats is not table.seats:  # tokens are looked up anew: a seat may have been left
                seats = table.seats
                mine = {seat for token in tokens if (seat := table.seat_of(token)) is not None}
            seat = _moving_seat(table, mine, wish.seat)
            await services.moves.play(table, seat, wish.move, wish.ply, wish.id, subscriber)
            mistakes = 0
        except Refusal as refusal:
            mistakes += refusal.code in ("bad_request", "too_large", "too_many", "forbidden")
            subscriber.offer(encode({"type": "refused", "id": _short(answered_id), **envelope_of(refusal)}))
        except BadInput as error:  # an illegal move, for one: nobody is thrown out for it
            subscriber.offer(encode({"type": "refused", "id": _short(answered_id), **envelope_of(error)}))
        except ValidationError:
            mistakes += 1
            body = envelope("bad_request", "A message is a move with id, ply and move, or a ping.")
            subscriber.offer(encode({"type": "refused", "id": _short(answered_id), **body}))


def _short(given: Any) -> str | None:
    """The id of a message, if it is one: it is repeated in the answer."""
    return given if isinstance(given, str) and _ID.fullmatch(given) else None


def _moving_seat(table: Table, mine: set[int], wanted: int | None) -> int:
    """The seat a socket's move is for, one of its own."""
    if wanted is None and len(mine) == 1:
        return next(iter(mine))
    if wanted is None and table.actor in mine:
        return int(table.actor)
    if wanted not in mine or wanted is None:
        raise Refusal("forbidden", "The hello had no token of that seat.")
    return wanted
