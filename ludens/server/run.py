"""Running a server: its socket, Uvicorn, and a graceful end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
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

__all__ = ["configured", "listen", "run", "run_many"]

_WAITING = 512  # connections that are taken in a round of the loop at most, at a tenth of a millisecond each
_SHORT = 10.0  # seconds: a process that ended sooner waits before it is started again, each time twice as long
_PAUSE, _LONGEST_PAUSE = 0.1, 10.0  # seconds
_log = logging.getLogger("ludens.server")
_MOST_HEAD = 16_384  # bytes of a request before its body
_MOST_AT_ONCE = 16_384  # bytes of a connection that are read in a round of the loop: some 3,000 frames, in 10 ms


def listen(host: str, port: int, together: bool = False) -> socket.socket:
    """A listening socket; a taken port is one clear sentence.

    Those of processes that listen `together` do so when they can serve. The kernel spreads clients evenly over them.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise BadInput(f"The address {host!r} is not known here; use 127.0.0.1 or 0.0.0.0.") from error
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if together:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _MOST_AT_ONCE)  # its connections are like it
    try:
        listening.bind(address)
        if not together:
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


# --- several processes on one port ------------------------------------------------------


@dataclass
class _Child:
    """A process that serves, or the place of one that has ended."""

    process: BaseProcess | None = None
    life: Connection | None = None  # a word when it is ready; its end when one of the two has ended
    began: float = 0.0
    pause: float = 0.0  # before it is started again
    ready: bool = False


def run_many(
    count: int,
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None],
    proxies: str | None,
    set_up: Callable[[], None],
) -> None:
    """Serves with so many processes on one port until it is told to stop; one that dies is started again.

    `set_up` is called in each of them first.
    """
    if not settings.database.startswith("postgres"):
        raise BadInput("Several processes need PostgreSQL: name it with --database, or leave --processes out.")
    shared = replace(settings, workers=max(1, settings.workers // count) if settings.workers else 0)
    if not hasattr(socket, "SO_REUSEPORT"):
        raise BadInput("Several processes cannot share a port on this system; leave --processes out.")
    address = listening.getsockname()[:2]
    listening.close()  # found to be free: each process listens there itself
    context, stopping, told = multiprocessing.get_context("spawn"), False, False
    children = [_Child() for _ in range(count)]

    def start(child: _Child) -> None:
        child.life, theirs = context.Pipe()
        given = (shared, address, theirs, proxies, set_up)
        child.process = context.Process(target=_serve, args=given, name="ludens-serve")
        child.process.start()
        theirs.close()
        child.began, child.ready = time.monotonic(), False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        for child in children:
            if child.process is not None and child.process.is_alive():
                child.process.terminate()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    for child in children:
        start(child)
    while any(child.process is not None for child in children) or not stopping:
        for life in wait([child.life for child in children if child.life is not None], timeout=_PAUSE):
            child = next(one for one in children if one.life is life)
            assert child.life is not None
            try:
                child.ready = child.life.recv()
            except (EOFError, OSError):
                _bury(child)
                if not stopping:
                    _log.warning("a process has ended", extra={"facts": {"again_in": child.pause}})
                if not told:  # none has served yet: it is no accident
                    stop()
        for child in children:
            if not stopping and child.process is None and time.monotonic() - child.began >= child.pause:
                start(child)
        if not told and all(child.ready for child in children):
            told = True
            ready()
    if not told:
        raise BadInput("The server could not start; the reason stands above.")


def _bury(child: _Child) -> None:
    """A process has ended: its place is free, and taken again after a pause."""
    assert child.process is not None and child.life is not None
    child.process.join()
    child.life.close()
    short = time.monotonic() - child.began < _SHORT
    child.pause = min(_LONGEST_PAUSE, 2 * child.pause or _PAUSE) if short else _PAUSE
    child.process, child.life, child.began = None, None, time.monotonic()


def _serve(
    settings: Settings,
    address: tuple[str, int],
    life: Connection,
    proxies: str | None,
    set_up: Callable[[], None],
) -> None:
    """One of several processes; it ends with the one that has started it."""

    def end_together() -> None:
        with contextlib.suppress(EOFError, OSError):
            life.recv()
        os.kill(os.getpid(), signal.SIGTERM)

    set_up()
    threading.Thread(target=end_together, daemon=True).start()
    try:
        run(settings, listen(*address, together=True), lambda: life.send(True), proxies)
    except BadInput as error:
        print(error, file=sys.stderr)
        sys.exit(2)
