"""Who is let in: under which names the server is asked, by which sites' pages; and the log of all requests.

A page of another site can give its own name the address of this computer. The browser then sees one site, but the
request names the other (`Host`): so every request has to name this server.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import time
from functools import cache
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from ludens.i18n.messages import say
from ludens.server.asking import asking
from ludens.server.http.errors import answer_of
from ludens.server.http.limits import address_of
from ludens.server.language import answered_in, language_of
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings

__all__ = ["Admission", "names_this_server"]

_HARMLESS = ("GET", "HEAD", "OPTIONS")  # methods that change nothing
_OWN = (b"same-origin", b"none")  # what a browser says of this server's own pages, and of an address that was typed
_log = logging.getLogger("ludens.server.requests")


@cache
def _own_names() -> frozenset[str]:
    """What this computer is called in its network."""
    name = socket.gethostname().lower()
    return frozenset({name, f"{name.partition('.')[0]}.local", socket.getfqdn().lower()} - {""})


def names_this_server(host: str, allowed: tuple[str, ...]) -> bool:
    """May a request name its server so? Numbers may: what a site cannot do is give its pages another origin."""
    if "*" in allowed:
        return True
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".localhost") or name in _own_names():
        return True
    if any(name == one.lower() for one in allowed):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Admission:
    """The layer behind the guard: refuses foreign names and foreign pages, and logs what was asked."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = settings.hosts
        self._origins = settings.origins
        self._logs = settings.access_log
        self._addresses = settings.log_addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        address = address_of(scope)
        asking.set(address)
        if not self._logs:
            await self._admitted(scope, receive, send)
            return
        status, began = 0, time.monotonic()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self._admitted(scope, receive, noted)
        except Refusal as refusal:
            status = refusal.status
            raise
        finally:
            facts = {"address": address} if self._addresses else {}
            method = scope.get("method", "WEBSOCKET")
            took = round(1000 * (time.monotonic() - began), 1)
            _log.info(
                "request",
                extra={"facts": {**facts, "method": method, "path": scope["path"], "status": status, "ms": took}},
            )

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._why_not(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            raise refusal
        else:
            answered_in.set(language_of(scope))
            await WebSocket(scope, receive, send).send_denial_response(answer_of(refusal))

    def _why_not(self, scope: Scope) -> Refusal | None:
        heads = dict(scope["headers"])
        host = heads.get(b"host", b"").decode("latin-1")
        if b"host" in heads and not names_this_server(host, self._hosts):
            shown = repr(host[:80])
            sentence = say(
                "This server is not called {host}; whoever runs it may allow the name (--allow-host).", host=shown
            )
            return Refusal("forbidden", sentence)
        if scope["type"] == "http" and scope["method"] not in _HARMLESS and self._is_foreign(heads, host):
            return Refusal("forbidden", "Pages of other sites may not act here in your name.")
        return None

    def _is_foreign(self, heads: dict[bytes, bytes], host: str) -> bool:
        """Does a browser say that a page of another origin sent this? Programs say nothing of the kind."""
        origin = heads.get(b"origin", b"").decode("latin-1")
        if origin in self._origins:
            return False
        site = heads.get(b"sec-fetch-site")
        if site is not None:
            return site not in _OWN
        try:
            return bool(origin) and urlsplit(origin).netloc != host
        except ValueError:  # it is no address at all
            return True
