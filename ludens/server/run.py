"""Running a server: its socket, Uvicorn, and a graceful end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI

from ludens.core.errors import BadInput
from ludens.server.app import create_app
from ludens.server.gathering import gathering
from ludens.server.http.routes.games import describe_all
from ludens.server.services import Services
from ludens.server.settings import Settings
from ludens.server.thinking.worker import load_plugins

__all__ = ["configured", "listen", "run"]

_WAITING = 512  # connections that are taken in a round of the loop at most, at a tenth of a millisecond each
_MOST_HEAD = 16_384  # bytes of a request before its body
_MOST_AT_ONCE = 16_384  # bytes of a connection that are read in a round of the loop: some 3,000 frames, in 10 ms


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a taken port is one clear sentence."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise BadInput(f"The address {host!r} is not known here; use 127.0.0.1 or 0.0.0.0.") from error
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _MOST_AT_ONCE)  # its connections are like it
    try:
        listening.bind(address)
        listening.listen(_WAITING)
    except OSError as error:
        listening.close()
        taken = error.errno == errno.EADDRINUSE
        reason = "is taken by another program" if taken else f"cannot be used ({error.strerror})"
        raise BadInput(f"Port {port} of {host} {reason}; choose another with --port.") from error
    return listening


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


def configured(app: FastAPI, proxies: str | None = None) -> uvicorn.Config:
    """Uvicorn's part: what it parses and how long it waits; `proxies` are those whose X-Forwarded-For counts."""
    settings: Settings = app.state.services.settings
    config = uvicorn.Config(
        app,
        http="h11",
        ws="websockets-sansio",
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=_WAITING,
        h11_max_incomplete_event_size=_MOST_HEAD,
        timeout_keep_alive=int(settings.idle_seconds),
        ws_max_size=settings.max_body,
        ws_per_message_deflate=False,  # messages are small; the memory and time are better spent otherwise
        ws_ping_interval=30.0,
        ws_ping_timeout=30.0,
        timeout_graceful_shutdown=10,
        proxy_headers=proxies is not None,
        forwarded_allow_ips=proxies or "",
    )
    config.load()
    assert config.ws_protocol_class is not None
    config.ws_protocol_class = gathering(config.ws_protocol_class)  # a move is told in three messages
    return config


def run(settings: Settings, listening: socket.socket, ready: Callable[[], None], proxies: str | None = None) -> None:
    """Serves until it is told to stop (Ctrl+C, SIGTERM); open moves are finished and stored first."""
    load_plugins(settings.plugins)
    app = create_app(settings)
    services: Services = app.state.services
    services.begin()  # a database that cannot be used is one sentence, and so is a cluster that is not there
    app.openapi()  # what takes long the first time is done before anybody waits
    describe_all(services)
    app.state.bound = listening.getsockname()  # invitations name it
    config = configured(app, proxies)
    server = _Server(config, ready)
    gc.collect()
    gc.freeze()  # what the server consists of is not looked through again
    gc.set_threshold(50_000, 20, 50)
    with contextlib.suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(server.serve([listening]))
    if not server.started:
        raise BadInput("The server could not start; the reason stands above.")
