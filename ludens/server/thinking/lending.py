"""A worker for a server on another machine: it connects, thinks, and comes back when the connection is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.server.encoding import encode
from ludens.server.thinking.local_worker import AgentFailed, LocalWorker, Overran
from ludens.server.thinking.messages import from_json

__all__ = ["lend"]

_LONGEST_PAUSE = 10.0
_SIGN = 10.0  # seconds between two signs of life while a thought takes long


async def lend(
    url: str, token: str, plugins: tuple[str, ...], memory: float, say: Callable[[str], None] = print
) -> None:
    """Thinks for the server until it is cancelled; refused in a sentence if the server does not want it."""
    address = f"ws{url.rstrip('/').removeprefix('http')}/api/v1/worker"
    threads = ThreadPoolExecutor(1, "ludens-lent")
    local, pause = LocalWorker(threads, plugins, memory), 0.2
    try:
        while True:
            try:
                async with connect(address, proxy=None, max_size=None) as socket:
                    games = {game.spec.name: game.spec.identity for game in registry.games()}
                    await socket.send(json.dumps({"token": token, "games": games}))
                    welcome = json.loads(await socket.recv())
                    if "error" in welcome:
                        raise BadInput(welcome["error"]["message"])
                    say(f"Thinking for {url}.")
                    pause = 0.2
                    async for text in socket:
                        await _answer(socket, local, json.loads(text))
            except InvalidHandshake as error:
                if getattr(getattr(error, "response", None), "status_code", None) == 403:
                    raise BadInput(f"The server at {url} takes no workers; start it with --worker-token.") from error
            except (OSError, WebSocketException, TimeoutError):
                pass  # it is away: again below
            local.end()  # the tables of its agents may have gone on without them
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
    finally:
        local.close()
        threads.shutdown(wait=False)


async def _answer(socket: Any, local: LocalWorker, asked: dict[str, Any]) -> None:
    signs = asyncio.create_task(_give_signs(socket, asked["id"]))
    said: dict[str, Any] = {"id": asked["id"]}
    try:
        said["answer"], said["error"] = await local.ask(from_json(asked["message"]), asked["limit"])
    except AgentFailed as failure:
        said.update(error=str(failure), late=isinstance(failure, Overran))
    finally:
        signs.cancel()
    await socket.send(encode(said))


async def _give_signs(socket: Any, number: int) -> None:
    """The process enforces its limit here; the server only needs to know that we are there."""
    while True:
        await asyncio.sleep(_SIGN)
        await socket.send(json.dumps({"id": number, "compiling": True}))
