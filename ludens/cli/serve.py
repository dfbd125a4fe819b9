"""`ludens serve`: the game server with its page."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer
import uvicorn

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.logs import set_up
from ludens.server.settings import Settings, default_database
from ludens.server.thinking import load_plugins

__all__ = ["register", "serve"]

DEFAULT_PORT = 5000  # CD-101


class _Server(uvicorn.Server):
    """Uvicorn that lets the streams go before it waits for them."""

    def __init__(self, config: uvicorn.Config, ready: Any) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        app.state.hall.stop_accepting()
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
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
        reason = (
            "is taken by another program" if error.errno in (48, 98, 10048) else f"cannot be used ({error.strerror})"
        )
        raise BadInput(f"Port {port} of {host} {reason}; choose another with --port.") from error
    return listening


def _warm_up() -> None:
    """Compiles (or loads) what a match of every game needs, so that the first move is instant."""
    for name in registry.names():
        try:
            game = registry.game(name)
        except (ImportError, AttributeError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        print(f"Preparing {game.spec.title} …", file=sys.stderr)
        match = Match(game, seed=0)
        match.view(0)
        match.play(int(match.legal()[0]))
        match.at(match.ply)
        match.scores()
        match.returns()


def serve(
    host: Annotated[str, typer.Option(help="address to listen on; 0.0.0.0 for all")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0 for any free one")] = DEFAULT_PORT,
    open_page: Annotated[bool, typer.Option("--open", help="open the page in the browser")] = False,
    database: Annotated[
        str | None,
        typer.Option(help="sqlite:///file or postgresql://user:password@host/name; default: your data folder"),
    ] = None,
    admin_token: Annotated[
        str | None, typer.Option(envvar="LUDENS_ADMIN_TOKEN", help="guards administration; off without one")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="agents that think at once")] = os.cpu_count() or 1,
    agent_seconds: Annotated[float, typer.Option(min=0.01, help="an agent's time for a move")] = 5.0,
    rate: Annotated[float, typer.Option(min=1, help="requests a second and address")] = 50.0,
    tables_per_address: Annotated[int, typer.Option(min=1, help="waiting and running tables of one address")] = 100,
    sockets_per_address: Annotated[int, typer.Option(min=1, help="live connections of one address")] = 200,
    abandon_waiting: Annotated[float, typer.Option(min=0.01, help="hours until a waiting table is abandoned")] = 24.0,
    abandon_running: Annotated[float, typer.Option(min=0.01, help="hours without a move until a game is")] = 168.0,
    plugin: Annotated[list[str] | None, typer.Option(help="module:ATTRIBUTE of a further game")] = None,
    origin: Annotated[list[str] | None, typer.Option(help="another origin whose pages may open WebSockets")] = None,
    trust_proxy: Annotated[str | None, typer.Option(help="addresses of proxies whose X-Forwarded-For counts")] = None,
    static: Annotated[Path | None, typer.Option(help="folder of the page")] = None,
    json_logs: Annotated[bool, typer.Option(help="log one JSON object a line")] = False,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error")] = "info",
) -> None:
    """Start the game server."""
    if log_level.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise BadInput(f"--log-level must be debug, info, warning or error, not {log_level!r}.")
    listening = _listen(host, port)
    shown = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::') else host}:{listening.getsockname()[1]}"
    set_up(json_logs, log_level)
    settings = Settings(
        database=database or default_database(),
        admin_token=admin_token or None,
        workers=workers,
        agent_seconds=agent_seconds,
        plugins=tuple(plugin or ()),
        rate=rate,
        burst=10 * rate,
        tables_per_address=tables_per_address,
        sockets_per_address=sockets_per_address,
        waiting_hours=abandon_waiting,
        running_hours=abandon_running,
        origins=tuple(origin or ()),
        **({"static": static} if static else {}),
    )
    load_plugins(settings.plugins)
    _warm_up()
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws_max_size=settings.max_body,
        ws_ping_interval=30.0,
        ws_ping_timeout=30.0,
        ws_max_queue=16,
        limit_concurrency=settings.sockets + 1000,
        timeout_graceful_shutdown=10,
        proxy_headers=trust_proxy is not None,
        forwarded_allow_ips=trust_proxy or "",
        server_header=False,
    )

    def ready() -> None:
        print(f"Ludens is at {shown} (Ctrl+C stops it)", flush=True)
        if open_page:
            threading.Thread(target=webbrowser.open, args=(shown,), daemon=True).start()

    server = _Server(config, ready)
    try:
        asyncio.run(server.serve([listening]))
    except KeyboardInterrupt:
        pass
    if not server.started:
        raise BadInput("The server could not start; the reason stands above.")


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command()(serve)


if __name__ == "__main__":
    program = typer.Typer()
    register(program)
    try:
        program()
    except BadInput as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(2)
