"""Workers of other machines, as the server sees them: a socket that answers questions, with the same budgets.

A worker that goes away in the middle of a thought costs nothing: its question is asked again elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
from math import isfinite
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from ludens.core import registry
from ludens.server.encoding import encode
from ludens.server.http.errors import answer_of, envelope
from ludens.server.http.limits import address_of
from ludens.server.refusal import Refusal
from ludens.server.services import Services
from ludens.server.thinking.local_worker import Overran, WorkerLost
from ludens.server.thinking.messages import Message, to_json

__all__ = ["RemoteWorker", "router"]

router = APIRouter(tags=["workers"])
_MARGIN = 30.0  # seconds for the way there and back, and for the other side to end its process
_log = logging.getLogger("ludens.server")


class RemoteWorker:
    """One worker at the other end of a socket."""

    def __init__(self, websocket: WebSocket) -> None:
        self.tables: set[str] = set()  # whose agents it keeps
        self._websocket = websocket
        self._ids = itertools.count()
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._alive = asyncio.Event()  # set by every message: it compiles, or it has answered
        self.gone = False

    async def ask(self, message: Message, limit: float) -> tuple[Any, str | None]:
        """(answer, None) or (None, error); Overran if its process had to be ended, WorkerLost if it went away."""
        number = next(self._ids)
        self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            await self._websocket.send_text(encode({"id": number, "limit": limit, "message": to_json(message)}))
            answer = await self._patiently(self._asked[number], limit + _MARGIN)
        except (WebSocketDisconnect, RuntimeError, TimeoutError) as error:
            self.hang_up()
            raise WorkerLost from error
        finally:
            del self._asked[number]
        if answer.get("late"):
            self.tables.clear()
            raise Overran(str(answer.get("error")))
        return answer.get("answer"), answer.get("error")

    async def _patiently(self, answer: asyncio.Future[dict[str, Any]], limit: float) -> dict[str, Any]:
        """Waits; a sign of life, such as that it compiles, begins the time anew."""
        while not answer.done():
            self._alive.clear()
            await asyncio.wait_for(self._alive.wait(), limit)
        return answer.result()

    def received(self, content: Any) -> None:
        """Takes a message of the other side in; whatever is not an answer is a sign of life."""
        self._alive.set()
        number = content.get("id") if isinstance(content, dict) else None
        asked = self._asked.get(number) if isinstance(number, int) else None
        if asked is not None and not asked.done() and "compiling" not in content:
            asked.set_result(content)

    def hang_up(self) -> None:
        """Gives up whoever waits."""
        self.gone = True
        self._alive.set()
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(WebSocketDisconnect(1006))

    def memory(self) -> int:
        """It is another machine's."""
        return 0

    def close(self) -> None:
        self.hang_up()


@router.websocket("/worker")
async def worker(websocket: WebSocket) -> None:
    """Lends the thinking of another machine; the first message proves that it may, and that it knows the same games."""
    services: Services = websocket.app.state.services
    if services.settings.worker_token is None or services.tables.closing:
        await websocket.send_denial_response(answer_of(Refusal("forbidden", "This server takes no workers.")))
        return
    address = address_of(websocket.scope)
    try:
        with services.connections.holding(address):
            await _converse(websocket, services)
    except Refusal as refusal:
        await websocket.send_denial_response(answer_of(refusal))


async def _converse(websocket: WebSocket, services: Services) -> None:
    await websocket.accept()
    try:
        hello = await asyncio.wait_for(_received(websocket), services.settings.hello_seconds)
        refusal = _why_not(services, hello)
        await websocket.send_text(encode(envelope("forbidden", refusal) if refusal else {"welcome": True}))
        if refusal is None:
            await _lend(websocket, services)
    except (WebSocketDisconnect, RuntimeError, TimeoutError, ValueError, TypeError, Refusal):
        pass  # it went away, never said who it is, sends nonsense or guesses
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close()


async def _received(websocket: WebSocket) -> Any:
    """The next message; what is not JSON in a text frame is a ValueError."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    try:
        return json.loads(message.get("text") or "", parse_float=_finite, parse_constant=_finite)
    except RecursionError as error:
        raise ValueError from error  # it is nested too deeply


def _finite(text: str) -> float:
    """A number that is one; 1e999 and NaN could not be stored."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def _why_not(services: Services, hello: Any) -> str | None:
    given = hello if isinstance(hello, dict) else {}
    if not services.worker_guesses.right(str(given.get("token"))):
        services.worker_guesses.wrong()
        return "This is not the token of workers."
    here = {game.spec.name: game.spec.identity for game in registry.games()}
    other = [identity for name, identity in here.items() if dict(given.get("games") or {}).get(name) != identity]
    return f"The worker knows other rules than {', '.join(other)}." if other else None


async def _lend(websocket: WebSocket, services: Services) -> None:
    remote = RemoteWorker(websocket)
    lent = asyncio.create_task(services.pool.lend(remote))
    _log.info("worker joined", extra={"facts": {"workers": len(services.pool.workers)}})
    try:
        while not remote.gone and not services.tables.closing:
            remote.received(await _received(websocket))
    finally:
        remote.hang_up()
        lent.cancel()
        await asyncio.gather(lent, return_exceptions=True)
        _log.info("worker left", extra={"facts": {"workers": len(services.pool.workers)}})
