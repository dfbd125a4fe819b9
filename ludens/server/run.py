"""Running a server: its socket, warm kernels, Uvicorn, and a graceful end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.settings import Settings
from ludens.server.thinking.worker import load_plugins

__all__ = ["listen", "run", "warm_up"]


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a taken port is one clear sentence."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise BadInput(f"The address {host!r} is not known here; use 127.0.0.1 or 0.0.0.0.") from error
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        listening.close()
        taken = error.errno == errno.EADDRINUSE
        reason = "is taken by another program" if taken else f"cannot be used ({error.strerror})"
        raise BadInput(f"Port {port} of {host} {reason}; choose another with --port.") from error
    return listening


def warm_up(say: Callable[[str], None]) -> None:
    """Compiles (or loads) what a match of every game needs, so that the first move is instant."""
    for name in registry.names():
        game = registry.game(name)
        say(f"Preparing {game.spec.title} …")
        match = Match(game, seed=0)
        match.view(0)
        match.play(int(match.legal()[0]))
        match.at(match.ply)
        match.scores()
        match.returns()


class _Server(uvicorn.Server):
    """Uvicorn that says when it is ready, and lets the streams go before it waits for them."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        app.state.services.stop_accepting()
        await super().shutdown(sockets)


def run(settings: Settings, listening: socket.socket, ready: Callable[[], None], proxies: str | None = None) -> None:
    """Serves until it is told to stop (Ctrl+C, SIGTERM); open moves are finished and stored first."""
    load_plugins(settings.plugins)
    warm_up(lambda line: print(line, file=sys.stderr))
    app = create_app(settings)
    app.state.bound = listening.getsockname()  # invitations name it
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=settings.max_body,
        ws_max_queue=16,
        ws_per_message_deflate=False,  # messages are small; the memory and time are better spent otherwise
        ws_ping_interval=30.0,
        ws_ping_timeout=30.0,
        limit_concurrency=settings.sockets + 1000,
        timeout_graceful_shutdown=10,
        proxy_headers=proxies is not None,
        forwarded_allow_ips=proxies or "",
    )
    server = _Server(config, ready)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve([listening]))
    if not server.started:
        raise BadInput("The server could not start; the reason stands above.")
