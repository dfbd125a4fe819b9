"""Limits: size and rate of requests, sockets an address, and the security headers of every answer."""

from __future__ import annotations

import ipaddress
import logging
import time
from collections import Counter, OrderedDict

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludens.server.http.errors import envelope, envelope_of
from ludens.server.metrics import Metrics
from ludens.server.refusal import CODES, Refusal
from ludens.server.settings import Settings

__all__ = ["Buckets", "Guard", "Sockets", "address_of"]

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
_KEPT = 10_000
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


class Buckets:
    """A token bucket an address: `rate` a second in the long run, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # (tokens, when)

    def take(self, address: str) -> bool:
        now = time.monotonic()
        tokens, when = self._buckets.pop(address, (self._burst, now))
        tokens = min(self._burst, tokens + (now - when) * self._rate)
        allowed = tokens >= 1.0
        self._buckets[address] = (tokens - 1.0 if allowed else tokens, now)
        if len(self._buckets) > _KEPT:
            self._buckets.popitem(last=False)
        return allowed


class Sockets:
    """Counts open WebSockets and event streams, in all and an address."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.sockets
        self._most_an_address = settings.sockets_per_address
        self._open: Counter[str] = Counter()

    @property
    def total(self) -> int:
        return self._open.total()

    def enter(self, address: str) -> None:
        if self._open[address] >= self._most_an_address:
            raise Refusal("too_many", f"An address may hold {self._most_an_address} connections at once.")
        if self.total >= self._most:
            raise Refusal("too_many", "The server holds as many connections as it may; try again later.")
        self._open[address] += 1

    def leave(self, address: str) -> None:
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class Guard:
    """The outermost layer: refuses what is too large or too often, adds headers, counts answers."""

    def __init__(self, app: ASGIApp, settings: Settings, buckets: Buckets, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._buckets = buckets
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answered = False

        async def answer(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                self._metrics.count("requests", f'status="{message["status"]}"')
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._settings.max_body:
                raise HTTPException(CODES["too_large"], self._too_large().message)  # the one kind FastAPI lets pass
            return message

        try:
            self._admit(scope)
            await self._app(scope, counted, answer)
        except Refusal as refusal:
            await JSONResponse(envelope_of(refusal), refusal.status, {"Retry-After": "1"})(scope, receive, answer)
        except Exception as error:
            _log.error("request failed", exc_info=error, extra={"facts": {"path": scope["path"]}})
            if not answered:
                content = envelope("internal", "The server failed; the failure is in its log.")
                await JSONResponse(content, CODES["internal"])(scope, receive, answer)

    def _admit(self, scope: Scope) -> None:
        if not self._buckets.take(address_of(scope)):
            raise Refusal("too_many", f"An address may send {self._settings.rate:g} requests a second.")
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit() and int(value) > self._settings.max_body:
                raise self._too_large()

    def _too_large(self) -> Refusal:
        return Refusal("too_large", f"A request may have {self._settings.max_body} bytes.")
