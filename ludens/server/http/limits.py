"""Limits: size and rate of requests, connections of an address, and the security headers of every answer."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from ludens.i18n.messages import say
from ludens.server.http.errors import SafeJSONResponse, answer_of, envelope
from ludens.server.language import answered_in, language_of
from ludens.server.metrics import Metrics
from ludens.server.refusal import CODES, Refusal
from ludens.server.settings import Settings
from ludens.server.storage import allowances
from ludens.server.storage.writer import Storage

__all__ = ["WIRE", "Buckets", "Connections", "Guard", "SharedBuckets", "address_of", "steps_cost"]

WIRE = "ludens.wire"  # the entry of a socket's scope with the outermost `receive` and `send`

_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
        "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'; form-action 'self'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # an invitation is part of a link
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_COSTS = {"/api/v1/openapi.json": 5.0, "/api/v1/games": 5.0}  # requests that a long answer counts for
_MOST_LINES = 100  # of a head, and parts of a query: browsers send some twenty
_STEP_COST = 0.02  # requests that a step is worth
_POSITION_COST = 0.2  # and one with its position
_KEPT = 10_000
_BLOCK = 8  # blocks that a burst consists of: a process takes one at a time
_SPARE = 100  # requests that an address may have answered besides those that wait
_log = logging.getLogger("ludens.server")


def address_of(scope: Scope) -> str:
    """The client's address; of IPv6 the network, since one client has a whole one."""
    client = scope.get("client")
    host = client[0] if client else "local"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def steps_cost(count: int, positions: bool) -> float:
    """How many requests so many steps of a game count for."""
    return count * (_POSITION_COST if positions else _STEP_COST)


class Buckets:
    """A token bucket an address: `rate` a second in the long run, `burst` at once."""

    def __init__(self, rate: float, burst: float, sentence: str) -> None:
        self._rate = rate
        self._burst = burst
        self._sentence = sentence  # why something is refused
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # (tokens, when)

    def allows(self, address: str) -> bool:
        """Is there a token?"""
        tokens, when = self._buckets.get(address, (self._burst, 0.0))
        return tokens + (time.monotonic() - when) * self._rate >= 1.0

    def charge(self, address: str, cost: float = 1.0) -> None:
        """Takes so many tokens; where they are not there, says after how many seconds they will be."""
        now = time.monotonic()
        tokens, when = self._buckets.pop(address, (self._burst, now))
        tokens = min(self._burst, tokens + (now - when) * self._rate)
        cost = min(cost, self._burst)
        allowed = tokens >= cost
        self._buckets[address] = (tokens - cost if allowed else tokens, now)
        if len(self._buckets) > _KEPT:
            self._buckets.popitem(last=False)
        if not allowed:
            raise self._refusal((cost - tokens) / self._rate)

    def _refusal(self, seconds: float) -> Refusal:
        return Refusal("too_many", self._sentence, retry_after=round(seconds + 0.01, 2))


@dataclass
class _Share:
    """What this process may still give an address, or owes of what it has given."""

    tokens: float = 0.0
    empty_until: float = 0.0  # as the database said
    asking: asyncio.Task[None] | None = None


class SharedBuckets(Buckets):
    """The same for all processes of a database together: each takes a block of tokens at a time, and asks for the next
    before it is used up. Until the answer is there it lends one, so that a request costs no write and waits for none.
    """

    def __init__(self, kind: str, storage: Storage, rate: float, burst: float, sentence: str) -> None:
        super().__init__(rate, burst, sentence)
        self._kind = kind
        self._storage = storage
        self._block = max(1.0, burst / _BLOCK)
        self._shares: OrderedDict[str, _Share] = OrderedDict()

    def allows(self, address: str) -> bool:
        share = self._shares.get(address, _Share())
        return share.tokens - 1.0 >= self._least(share, 1.0)

    def charge(self, address: str, cost: float = 1.0) -> None:
        share = self._shares.setdefault(address, _Share())
        self._shares.move_to_end(address)
        if len(self._shares) > _KEPT:
            self._shares.popitem(last=False)
        cost = min(cost, self._burst)
        allowed = share.tokens - cost >= self._least(share, cost)
        share.tokens -= cost if allowed else 0.0
        if share.asking is None and share.tokens < self._block / 2 and not self._empty(share):
            share.asking = asyncio.get_running_loop().create_task(self._ask(address, share))
        if not allowed:
            raise self._refusal(max(0.0, share.empty_until - time.monotonic()))

    def _empty(self, share: _Share) -> bool:
        return share.empty_until > time.monotonic()

    def _least(self, share: _Share, cost: float) -> float:
        """How many tokens must be left after the cost: none are lent by a bucket that is known to be empty."""
        return 0.0 if self._empty(share) else -max(self._block, cost)

    async def _ask(self, address: str, share: _Share) -> None:
        owed, wanted = max(0.0, -share.tokens), self._block - share.tokens
        try:
            taken, left = await self._storage.write(
                allowances.take(self._kind, address, self._rate, self._burst, owed, wanted)
            )
        except Exception:  # the database is away: nothing that was asked for can be done anyway
            taken, left = wanted, self._burst
        share.asking = None
        share.tokens += taken
        if taken < wanted:
            share.empty_until = time.monotonic() + (1.0 - left) / self._rate


class Connections:
    """Who holds the server's connections: requests that are being answered, and those that wait.

    Sockets, event streams and long polls of an address share one limit. Besides these it may have some requests
    that are being answered. Whoever is over a limit gets a 503 and may come again.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = settings.sockets
        self._most_an_address = settings.sockets_per_address
        self._answered: Counter[str] = Counter()
        self._held: Counter[str] = Counter()

    @property
    def held(self) -> int:
        """Open sockets, streams and polls."""
        return self._held.total()

    def holding(self, address: str) -> AbstractContextManager[None]:
        """Counts a socket, a stream or a poll while it is open."""
        return self._counted(self._held, address, self._most, self._most_an_address)

    def answering(self, address: str) -> AbstractContextManager[None]:
        """Counts a request while it is answered."""
        return self._counted(self._answered, address, self._most + _SPARE, self._most_an_address + _SPARE)

    @contextlib.contextmanager
    def _counted(self, counter: Counter[str], address: str, most: int, most_an_address: int) -> Iterator[None]:
        if counter[address] >= most_an_address:
            sentence = say("An address may hold {n} connections at once.", n=self._most_an_address)
            raise Refusal("unavailable", sentence, retry_after=5.0)
        if counter.total() >= most:
            raise Refusal("unavailable", "The server holds as many connections as it may.", retry_after=5.0)
        counter[address] += 1
        try:
            yield
        finally:
            counter[address] -= 1
            if counter[address] <= 0:
                del counter[address]


class Guard:
    """The outermost layer: refuses what is too large or too often, adds headers, counts answers."""

    def __init__(
        self, app: ASGIApp, settings: Settings, buckets: Buckets, connections: Connections, metrics: Metrics
    ) -> None:
        self._app = app
        self._settings = settings
        self._buckets = buckets
        self._connections = connections
        self._metrics = metrics
        self._most = settings.max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        address = address_of(scope)
        if scope["type"] == "websocket":
            await self._open(address, scope, receive, send)
            return
        answered_in.set(language_of(scope))
        answered = False

        async def answer(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                self._metrics.count("requests", f'status="{message["status"]}"')
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    if not headers.setdefault(name, value):
                        del headers[name]  # an answer that is to go without it says so by an empty one
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
                    headers.add_vary_header("accept-language")
            await send(message)

        received, complete = 0, False
        deadline = asyncio.get_running_loop().time() + self._settings.body_seconds

        async def counted() -> Message:
            nonlocal received, complete
            if complete:
                return await receive()  # this waits for the client to go away
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The request did not come to its end.", {"connection": "close"}) from None
            complete = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > self._most:
                raise HTTPException(CODES["too_large"], self._too_large().message)  # the one kind FastAPI lets pass
            return message

        try:
            with self._connections.answering(address):
                self._admit(scope, address)
                await self._app(scope, counted, answer)
        except Refusal as refusal:
            await answer_of(refusal)(scope, receive, answer)
        except Exception as error:
            _log.error("request failed", exc_info=error, extra={"facts": {"path": scope["path"]}})
            if not answered:
                content = envelope("internal", "The server failed; the failure is in its log.")
                await SafeJSONResponse(content, CODES["internal"])(scope, receive, answer)

    async def _open(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Opens a socket, wherever it may lead; that costs as much as a request."""
        try:
            self._buckets.charge(address)
        except Refusal as refusal:
            answered_in.set(language_of(scope))
            await WebSocket(scope, receive, send).send_denial_response(answer_of(refusal))
            return
        scope[WIRE] = (receive, send)  # once it is open, its messages need none of the layers between
        await self._app(scope, receive, send)

    def _admit(self, scope: Scope, address: str) -> None:
        self._buckets.charge(address, _COSTS.get(scope["path"], 1.0))
        if len(scope["headers"]) > _MOST_LINES:
            raise Refusal("too_large", say("The head of a request may have {n} lines.", n=_MOST_LINES))
        if scope["query_string"].count(b"&") >= _MOST_LINES:
            raise Refusal("too_large", say("A query may have {n} parts.", n=_MOST_LINES))
        for name, value in scope["headers"]:
            if name == b"content-length" and (len(value) > 20 or (value.isdigit() and int(value) > self._most)):
                raise self._too_large()

    def _too_large(self) -> Refusal:
        return Refusal("too_large", say("A request may have {n} bytes.", n=self._settings.max_body))
