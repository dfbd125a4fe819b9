"""A live table by server-sent events: the messages of the WebSocket, for clients that only listen."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from ludens.server.http.dependencies import Address, Bearer, ServicesOf, TableId, errors_beside_text, found
from ludens.server.http.limits import steps_cost
from ludens.server.streaming.subscribers import Subscriber, subscribed

__all__ = ["router"]

router = APIRouter(tags=["live"])


@router.get(
    "/tables/{table_id}/stream",
    response_class=StreamingResponse,
    responses={
        **errors_beside_text(403, 404, 409),
        200: {"content": {"text/event-stream": {}}, "description": "an endless stream"},
    },
    summary="Follow a table by server-sent events",
)
async def stream(
    services: ServicesOf,
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
    table = await found(services, table_id, token)
    subscriber = Subscriber([table.seat_of(token)], positions, record)
    services.buckets.charge(address, steps_cost(subscriber.looks_back(table, start, undos), positions))
    stack = contextlib.ExitStack()
    stack.enter_context(services.connections.holding(address))

    async def events() -> AsyncIterator[str]:
        with stack:
            async with subscribed(table, subscriber, start, undos):
                if once:
                    subscriber.end()
                while True:
                    for message in await subscriber.take(services.settings.heartbeat):
                        if message is None:
                            return
                        yield f"event: {json.loads(message)['type']}\ndata: {message}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})
