"""Live tables: a WebSocket a table, and the same messages as server-sent events.

Messages are described in docs/bots.md. The first from a client is its hello; the server answers
with the table and the full view of each of its seats, then with deltas.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable
from typing import Annotated, Any
from urllib.parse import urlsplit

import anyio
from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ludens.core.errors import BadInput
from ludens.server.errors import Refusal, envelope
from ludens.server.hall import Hall
from ludens.server.limits import address_of
from ludens.server.routes.common import Address, Bearer, HallOf, TableId, errors_beside_text, found
from ludens.server.schemas import MoveId, Token
from ludens.server.subscribers import Subscriber, encode, publish_table
from ludens.server.tables import Table

__all__ = ["router"]

router = APIRouter(tags=["live"])
_log = logging.getLogger("ludens.server")
_MOST_ERRORS = 20  # then the socket is closed: somebody sends garbage


class _Hello(BaseModel):
    model_config = ConfigDict(extra="forbid")
    type: str = Field(pattern="^hello$")
    tokens: list[Token] = Field(default_factory=list, max_length=17)
    start: int | None = Field(None, alias="from", ge=0)
    undos: int | None = Field(None, ge=0)
    positions: bool = False
    record: bool = False


class _SocketMove(BaseModel):
    model_config = ConfigDict(extra="forbid")
    type: str = Field(pattern="^move$")
    id: MoveId
    seat: int | None = None
    ply: int = Field(ge=0)
    move: int | str | dict[str, Any]


_hello = TypeAdapter(_Hello)
_move = TypeAdapter(_SocketMove)


@contextlib.asynccontextmanager
async def _subscribed(
    hall: Hall, table: Table, subscriber: Subscriber, start: int | None, undos: int | None
) -> AsyncIterator[None]:
    """Greets under the lock, so that no change falls between the view and the first delta."""
    async with table.lock:
        subscriber.greet(table, start, undos)
        table.subscribers.add(subscriber)
    publish_table(table)
    try:
        yield
    finally:
        table.subscribers.discard(subscriber)
        publish_table(table)


# --- WebSocket ----------------------------------------------------------------------------


@router.websocket("/tables/{table_id}/socket")
async def socket(websocket: WebSocket, table_id: str) -> None:
    hall: Hall = websocket.app.state.hall
    address = address_of(websocket.scope)
    if not _same_origin(websocket, hall) or hall.closing:
        await websocket.close(1008)
        return
    try:
        hall.sockets.enter(address)
    except Refusal:
        await websocket.close(1013)
        return
    try:
        await websocket.accept()
        await _converse(websocket, hall, table_id, address)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client went away, perhaps while we were writing
    finally:
        hall.sockets.leave(address)


def _same_origin(websocket: WebSocket, hall: Hall) -> bool:
    """Browsers do not guard WebSockets against other sites' pages; we do."""
    origin = websocket.headers.get("origin")
    if origin is None or origin in hall.settings.origins:
        return True
    return urlsplit(origin).netloc == websocket.headers.get("host")


async def _converse(websocket: WebSocket, hall: Hall, table_id: str, address: str) -> None:
    try:
        text = await asyncio.wait_for(_receive(websocket, hall), hall.settings.hello_seconds)
        hello = _hello.validate_python(_parsed(text))
        table = await _visible(hall, table_id, hello.tokens)
    except (Refusal, ValidationError, TimeoutError) as error:
        await _last_word(websocket, error)
        return
    seats = sorted({seat for token in hello.tokens if (seat := table.seat_of(token)) is not None})
    subscriber = Subscriber(seats, hello.positions, hello.record)
    async with _subscribed(hall, table, subscriber, hello.start, hello.undos), anyio.create_task_group() as both:

        async def until_it_ends(work: Awaitable[None]) -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the client went away
                await work
            both.cancel_scope.cancel()

        both.start_soon(until_it_ends, _write(websocket, hall, subscriber))
        both.start_soon(until_it_ends, _read(websocket, hall, table, subscriber, hello.tokens, address))
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close(1012 if hall.closing else 1013 if subscriber.too_slow else 1000)


async def _visible(hall: Hall, table_id: str, tokens: list[str]) -> Table:
    """The table, if one of the tokens lets its bearer see it."""
    refusal: Refusal | None = None
    for token in [*tokens, None]:
        try:
            return await found(hall, table_id, token)
        except Refusal as error:
            refusal = error
    assert refusal is not None
    raise refusal


async def _last_word(websocket: WebSocket, error: Exception) -> None:
    if isinstance(error, Refusal):
        message = envelope(error.code, error.message)
    elif isinstance(error, TimeoutError):
        message = envelope("bad_request", "The first message must be a hello; none came.")
    else:
        message = envelope("bad_request", 'The first message must be a hello, such as {"type": "hello", "tokens": []}.')
    await websocket.send_text(encode({"type": "error", **message}))
    await websocket.close(1008)


async def _receive(websocket: WebSocket, hall: Hall) -> str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None:
        raise Refusal("bad_request", "Messages are JSON in text frames.")
    if len(text) > hall.settings.max_body:
        raise Refusal("too_large", f"A message may have {hall.settings.max_body} bytes.")
    return text


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal("bad_request", "The message is not JSON.") from error


async def _write(websocket: WebSocket, hall: Hall, subscriber: Subscriber) -> None:
    """Sends what is queued, and a heartbeat when nothing is."""
    while True:
        try:
            message = await asyncio.wait_for(subscriber.queue.get(), hall.settings.heartbeat)
        except TimeoutError:
            message = encode({"type": "heartbeat"})
        if message is None:
            return
        await websocket.send_text(message)


async def _read(
    websocket: WebSocket, hall: Hall, table: Table, subscriber: Subscriber, tokens: list[str], address: str
) -> None:
    """Answers moves and pings; too many errors end the conversation."""
    mistakes = 0
    while mistakes < _MOST_ERRORS:
        answered_id: Any = None
        try:
            text = await _receive(websocket, hall)
            if not hall.buckets.take(address):
                raise Refusal("too_many", f"An address may send {hall.settings.rate:g} messages a second.")
            message = _parsed(text)
            if isinstance(message, dict) and message.get("type") == "ping":
                subscriber.offer(encode({"type": "pong"}))
                continue
            answered_id = message.get("id") if isinstance(message, dict) else None
            wish = _move.validate_python(message)
            seat = _moving_seat(table, tokens, wish.seat)
            accepted = await hall.playing.play(table, seat, wish.move, wish.ply, wish.id)
            answer = {"type": "accepted", "id": wish.id, "seat": seat, "ply": accepted.ply}
            subscriber.offer(encode({**answer, "next_ply": accepted.next_ply, "repeated": accepted.repeated}))
            mistakes = 0
        except Refusal as refusal:
            mistakes += refusal.code in ("bad_request", "too_large", "too_many", "forbidden")
            body = envelope(refusal.code, refusal.message, **refusal.details)
            subscriber.offer(encode({"type": "refused", "id": _short(answered_id), **body}))
        except BadInput as error:
            subscriber.offer(
                encode({"type": "refused", "id": _short(answered_id), **envelope("bad_request", str(error))})
            )
        except ValidationError:
            mistakes += 1
            body = envelope("bad_request", "A message is a move with id, ply and move, or a ping.")
            subscriber.offer(encode({"type": "refused", "id": _short(answered_id), **body}))


def _short(given: Any) -> str | None:
    return given if isinstance(given, str) and len(given) <= 64 else None


def _moving_seat(table: Table, tokens: list[str], wanted: int | None) -> int:
    """The seat a socket's move is for; tokens are looked up anew, since a seat may have been left."""
    mine = {seat for token in tokens if (seat := table.seat_of(token)) is not None}
    if wanted is None and len(mine) == 1:
        return mine.pop()
    if wanted is None and table.actor in mine:
        return int(table.actor)
    if wanted not in mine or wanted is None:
        raise Refusal("forbidden", "The hello had no token of that seat.")
    return wanted


# --- server-sent events -------------------------------------------------------------------


@router.get(
    "/tables/{table_id}/stream",
    response_class=StreamingResponse,
    responses={
        **errors_beside_text(404, 409),
        200: {"content": {"text/event-stream": {}}, "description": "an endless stream"},
    },
    summary="Follow a table by server-sent events",
)
async def stream(
    request: Request,
    hall: HallOf,
    token: Bearer,
    address: Address,
    table_id: TableId,
    start: Annotated[int | None, Query(alias="from", ge=0, le=10_000_000)] = None,
    undos: Annotated[int | None, Query(ge=0)] = None,
    positions: bool = False,
    record: bool = False,
    once: Annotated[bool, Query(description="end after the full view")] = False,
) -> StreamingResponse:
    """The messages of the WebSocket, one event each; the event's name is the message's type."""
    table = await found(hall, table_id, token)
    hall.sockets.enter(address)
    subscriber = Subscriber([table.seat_of(token)], positions, record)

    async def events() -> AsyncIterator[str]:
        try:
            async with _subscribed(hall, table, subscriber, start, undos):
                if once:
                    subscriber.end()
                while (message := await _next_event(hall, subscriber)) is not None:
                    yield message
        finally:
            hall.sockets.leave(address)

    return StreamingResponse(events(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


async def _next_event(hall: Hall, subscriber: Subscriber) -> str | None:
    try:
        message = await asyncio.wait_for(subscriber.queue.get(), hall.settings.heartbeat)
    except TimeoutError:
        message = encode({"type": "heartbeat"})
    return None if message is None else f"event: {json.loads(message)['type']}\ndata: {message}\n\n"
