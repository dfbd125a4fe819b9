"""The asynchronous client: calls that are repeated where it is safe, and tables followed as they change."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from ludens.client import calls
from ludens.client.calls import Call, ServerError, ServerRefusal
from ludens.client.synchronous import asked_to_wait, reported, request_of, worth_repeating

__all__ = ["AsyncClient", "Events", "Followed", "hello"]


def hello(tokens: Sequence[str], start: int | None, undos: int | None, record: bool) -> str:
    """The first message of a socket."""
    message: dict[str, Any] = {"type": "hello", "tokens": list(tokens), "record": record}
    if start is not None:
        message["from"] = start
        if undos is not None:
            message["undos"] = undos
    return json.dumps(message)


@dataclass
class Followed:
    """What is known of a table: its description, the view of every followed seat, the steps so far."""

    table: dict[str, Any] = field(default_factory=dict)
    views: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    steps: dict[int | None, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def undos(self) -> int | None:
        return next((view["undos"] for view in self.views.values()), None)

    @property
    def ended(self) -> bool:
        """Has the table ended, and do the views show it?"""
        ended = self.table.get("status") in ("finished", "abandoned")
        return ended and bool(self.views) and all(view["over"] for view in self.views.values())

    def known(self, start: int | None) -> int | None:
        """The ply from which steps are wanted: where the knowledge ends, or where it shall begin."""
        if start is None or not self.views:
            return start
        return min(int(view["ply"]) for view in self.views.values())

    def take(self, message: dict[str, Any]) -> bool:
        """Takes a message in; true if it changed a view or the table."""
        kind = message["type"]
        if kind == "table":
            self.table = message["table"]
        elif kind == "view":
            self.views[message["seat"]] = message["view"]
            self._extend(message)
        elif kind == "update":
            self._apply(self.views[message["seat"]], message["changes"])
            self._extend(message)
        elif kind == "error":
            details = {key: value for key, value in message["error"].items() if key not in ("code", "message")}
            raise ServerRefusal(0, message["error"]["code"], message["error"]["message"], details)
        else:
            return False
        return True

    def _apply(self, view: dict[str, Any], changes: dict[str, Any]) -> None:
        for key, value in changes.items():
            if key in ("position", "record"):
                view[key].update(value)
            else:
                view[key] = value

    def _extend(self, message: dict[str, Any]) -> None:
        kept = [step for step in self.steps.get(message["seat"], []) if step["ply"] < message["from"]]
        self.steps[message["seat"]] = kept + message["steps"]


_PASSING = ("too_many", "unavailable")  # refusals after which one comes again
_AT_ONCE = 200  # seats in a message
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

    def events(self, games: Sequence[str] = ()) -> Events:
        """News of all tables of these games that want a player, and of the turns of the seats that sit down later."""
        return Events(f"ws{self._url.removeprefix('http')}/events", games, self._patience)

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


class Events:
    """The news for a program that plays at many tables; `sit` adds a seat whose turns it wants to be told."""

    def __init__(self, address: str, games: Sequence[str], patience: float) -> None:
        self._address = address
        self._games = list(games)
        self._patience = patience
        self._places: dict[str, str] = {}  # tokens by table
        self._socket: ClientConnection | None = None

    async def sit(self, table_id: str, token: str) -> None:
        """Follows a seat, also after the connection was lost."""
        self._places[table_id] = token
        if self._socket is not None:
            with contextlib.suppress(WebSocketException):  # the next connection tells
                await self._socket.send(json.dumps({"type": "follow", "tables": self._known([table_id])}))

    async def listen(self) -> AsyncIterator[dict[str, Any]]:
        """The messages, for ever; after a lost connection what stands is told again."""
        lost, pause = time.monotonic(), 0.1
        while True:
            try:
                async with connect(self._address, max_size=None, proxy=None) as socket:
                    self._socket, places = socket, list(self._places)
                    first = {"type": "hello", "games": self._games, "tables": self._known(places[:_AT_ONCE])}
                    await socket.send(json.dumps(first))
                    for start in range(_AT_ONCE, len(places), _AT_ONCE):
                        more = self._known(places[start : start + _AT_ONCE])
                        await socket.send(json.dumps({"type": "follow", "tables": more}))
                    async for message in _messages(socket):
                        lost, pause = time.monotonic(), 0.1
                        if message["type"] == "ended":
                            self._places.pop(message["table"], None)
                        if message["type"] != "heartbeat":
                            yield message
            except (OSError, TimeoutError, InvalidHandshake, WebSocketException) as error:
                self._socket = None
                if time.monotonic() - lost > self._patience:
                    raise ServerError(f"The server at {self._address} cannot be reached ({error}).") from error
                await asyncio.sleep(max(pause, _told_at_the_door(error)))
            pause = min(2 * pause, 3.0)

    def _known(self, tables: Sequence[str]) -> list[dict[str, str]]:
        return [{"table": table, "token": self._places[table]} for table in tables if table in self._places]


def _told_at_the_door(error: Exception) -> float:
    """The seconds after which a server that refused the connection wants to be asked again."""
    told = error.response.headers.get("Retry-After", "") if isinstance(error, InvalidStatus) else ""
    return float(told) if told.isdigit() else 0.0


async def _messages(socket: ClientConnection) -> AsyncIterator[dict[str, Any]]:
    while True:
        yield json.loads(await asyncio.wait_for(socket.recv(), _SILENCE))
