"""The client for asynchronous programs, with live tables that survive lost connections."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from ludens.client import calls
from ludens.client.calls import Call, ServerError, ServerRefusal
from ludens.client.following import Followed, hello
from ludens.client.synchronous import asked_to_wait, reported, request_of, worth_repeating

__all__ = ["AsyncClient"]

_PASSING = ("too_many", "unavailable")  # refusals after which one comes again
_SILENCE = 60.0  # seconds without even a heartbeat after which a connection is given up


class AsyncClient:
    """A connection to one server, for `async with`; the calls are those of `ludens.client.calls`."""

    def __init__(self, url: str, patience: float = 30.0) -> None:
        self._patience = patience
        self._url = url.rstrip("/") + calls.PREFIX
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        self._http = httpx.AsyncClient(base_url=self._url, timeout=30.0, limits=limits)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def send(self, call: Call) -> Any:
        """Sends a call, again if need be, and returns its answer."""
        until, pause = time.monotonic() + self._patience, 0.1
        while True:
            try:
                return calls.answer_of(await self._http.request(**request_of(call)))
            except (httpx.TransportError, ServerRefusal) as error:
                wait = max(pause, asked_to_wait(error))
                if not worth_repeating(call, error) or time.monotonic() + wait > until:
                    raise reported(error, self._url) from error
            await asyncio.sleep(wait)
            pause = min(2 * pause, 3.0)

    async def follow(
        self, table_id: str, tokens: Sequence[str] = (), start: int | None = None, record: bool = False
    ) -> AsyncIterator[Followed]:
        """The table's views as they change, for ever; a lost connection is opened again and resumed.

        Ends when the table has ended; raises ServerRefusal if the table may not be seen, ServerError
        if the server stays away for longer than the client's patience.
        """
        address = f"ws{self._url.removeprefix('http')}/tables/{table_id}/socket"
        followed = Followed()
        lost, pause = time.monotonic(), 0.1
        while True:
            try:
                async with connect(address, max_size=None, proxy=None) as socket:
                    await socket.send(hello(tokens, followed.known(start), followed.undos, record))
                    async for message in _messages(socket):
                        lost, pause = time.monotonic(), 0.1
                        if followed.take(message):
                            yield followed
                        if followed.ended:
                            return
            except (OSError, TimeoutError, InvalidHandshake, WebSocketException, ServerRefusal) as error:
                if isinstance(error, ServerRefusal) and error.code not in _PASSING:
                    raise
                if time.monotonic() - lost > self._patience:
                    raise ServerError(f"The server at {self._url} cannot be reached ({error}).") from error
                wait = max(pause, asked_to_wait(error), _told_at_the_door(error))
            else:
                wait = pause
            await asyncio.sleep(wait)
            pause = min(2 * pause, 3.0)


def _told_at_the_door(error: Exception) -> float:
    """The seconds after which a server that refused the connection wants to be asked again."""
    told = error.response.headers.get("Retry-After", "") if isinstance(error, InvalidStatus) else ""
    return float(told) if told.isdigit() else 0.0


async def _messages(socket: ClientConnection) -> AsyncIterator[dict[str, Any]]:
    while True:
        yield json.loads(await asyncio.wait_for(socket.recv(), _SILENCE))
