"""`ludens serve`: the game server with its page."""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.core.address import DEFAULT_PORT
from ludens.core.errors import BadInput
from ludens.core.extras import require

__all__ = ["DAYS", "Database", "DatabaseFile", "secret", "serve"]

_NEIGHBOURS = 20  # ports to try after the default one
_LEVELS = ("debug", "info", "warning", "error")
DAYS: dict[str, Any] = {
    "own": typer.Option(min=0, help="Days that ended games with a person are kept; 0 for ever."),
    "agents": typer.Option(min=0, help="Days that games of agents alone are kept; 0 for ever."),
    "abandoned": typer.Option(min=0, help="Days that abandoned games are kept; 0 for ever."),
    "brought": typer.Option(min=0, help="Days that saved games from elsewhere are kept; 0 for ever."),
    "people": typer.Option(min=0, help="Days that a person who does not come any more is remembered; 0 for ever."),
    "per_address": typer.Option(min=0, help="Ended games of an address that are kept; 0 for all."),
    "size": typer.Option(min=0, help="MiB of the whole database, beyond which the oldest games go; 0 for any."),
}
"""What `ludens serve` and `ludens server prune` ask for about the games that are kept."""

Database = Annotated[
    str | None,
    typer.Option(
        envvar="LUDENS_DATABASE", help="sqlite:///file or postgresql://user@host/name; default: your data folder."
    ),
]
DatabaseFile = Annotated[
    Path | None, typer.Option(envvar="LUDENS_DATABASE_FILE", help="A file with that address and its password.")
]


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help=f"Port, 0 for any; without, {DEFAULT_PORT} or the next that is free."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    database: Database = None,
    database_file: DatabaseFile = None,
    admin_token: Annotated[
        str | None, typer.Option(envvar="LUDENS_ADMIN_TOKEN", help="Guards administration; off without one.")
    ] = None,
    admin_token_file: Annotated[
        Path | None, typer.Option(envvar="LUDENS_ADMIN_TOKEN_FILE", help="A file with that token.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Processes that serve together; several need PostgreSQL.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Agents that think at once here.")] = os.cpu_count() or 1,
    worker_token: Annotated[
        str | None, typer.Option(envvar="LUDENS_WORKER_TOKEN", help="Lets other machines think; off without one.")
    ] = None,
    worker_token_file: Annotated[
        Path | None, typer.Option(envvar="LUDENS_WORKER_TOKEN_FILE", help="A file with that token.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Let a Ray cluster think too: its address, or auto for this machine's.")
    ] = None,
    agent_seconds: Annotated[float, typer.Option(min=0.01, help="An agent's time for a move.")] = 5.0,
    agent_memory: Annotated[float, typer.Option(min=8, help="MiB that an agent may ask for.")] = 256.0,
    agent_threads: Annotated[int, typer.Option(min=1, help="Threads that an agent may ask for.")] = 4,
    agent_work: Annotated[float, typer.Option(min=1, help="Times its usual work that an agent may ask for.")] = 8.0,
    worker_memory: Annotated[float, typer.Option(min=256, help="MiB that a worker process may take.")] = 2048.0,
    laboratory: Annotated[
        bool | None,
        typer.Option(
            "--laboratory/--no-laboratory",
            help="Tournaments from the page; without a word only where nobody but this computer is served.",
        ),
    ] = None,
    hint_seconds: Annotated[float, typer.Option(min=0.1, help="The most time for a hint.")] = 5.0,
    rate: Annotated[float, typer.Option(min=1, help="Requests a second and address.")] = 200.0,
    tables: Annotated[int, typer.Option(min=1, help="Waiting and running tables in all.")] = 5000,
    sockets: Annotated[int, typer.Option(min=1, help="Live connections in all.")] = 4000,
    tables_per_address: Annotated[int, typer.Option(min=1, help="Waiting and running tables of an address.")] = 100,
    tables_per_hour: Annotated[int, typer.Option(min=1, help="New tables of an address in an hour.")] = 3600,
    sockets_per_address: Annotated[int, typer.Option(min=1, help="Live connections of an address.")] = 200,
    abandon_waiting: Annotated[float, typer.Option(min=0.01, help="Hours until a waiting table is abandoned.")] = 24.0,
    abandon_running: Annotated[float, typer.Option(min=0.01, help="Hours without a move until a game is.")] = 168.0,
    vanished: Annotated[
        float, typer.Option(min=0.01, help="Hours without a guest's move until the owner may close the table.")
    ] = 24.0,
    keep_own: Annotated[float, DAYS["own"]] = 730.0,
    keep_agents: Annotated[float, DAYS["agents"]] = 30.0,
    keep_abandoned: Annotated[float, DAYS["abandoned"]] = 30.0,
    keep_brought: Annotated[float, DAYS["brought"]] = 90.0,
    keep_per_address: Annotated[int, DAYS["per_address"]] = 20_000,
    keep_size: Annotated[float, DAYS["size"]] = 20_480.0,
    keep_people: Annotated[float, DAYS["people"]] = 730.0,
    plugin: Annotated[list[str] | None, typer.Option(help="module:ATTRIBUTE of a further game.")] = None,
    origin: Annotated[list[str] | None, typer.Option(help="Another origin whose pages may open WebSockets.")] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            envvar="LUDENS_HOSTS", help="Another name of this server, * for any; its numbers and localhost are known."
        ),
    ] = None,
    trust_proxy: Annotated[str | None, typer.Option(help="Proxies whose X-Forwarded-For counts.")] = None,
    static: Annotated[Path | None, typer.Option(help="Folder of the page.")] = None,
    warm: Annotated[bool, typer.Option(help="Prepare all games in a process of their own.")] = True,
    json_logs: Annotated[bool, typer.Option(help="Log one JSON object a line.")] = False,
    access_log: Annotated[
        bool | None,
        typer.Option(
            "--access-log/--no-access-log",
            help="A line for every request; without a word only where others than this computer are served.",
        ),
    ] = None,
    log_addresses: Annotated[bool, typer.Option(help="Name clients' addresses in the log.")] = True,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
) -> None:
    """Start the game server, with its page."""
    require("server", "`ludens serve`")
    from ludens.server.descriptors import raise_limit
    from ludens.server.logs import set_up
    from ludens.server.run import run, run_many
    from ludens.server.settings import Retention, Settings, data_folder, default_database

    if log_level not in _LEVELS:
        raise BadInput(f"--log-level must be one of {', '.join(_LEVELS)}, not {log_level!r}.")
    database = secret(database, database_file, "--database")
    admin_token = secret(admin_token, admin_token_file, "--admin-token")
    worker_token = secret(worker_token, worker_token_file, "--worker-token")
    listening = _listen(host, port)
    shown_host = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    address = f"http://{shown_host}:{listening.getsockname()[1]}"
    set_up(json_logs, log_level)
    raise_limit(sockets)
    settings = Settings(
        database=database or default_database(),
        admin_token=admin_token or None,
        workers=workers,
        worker_token=worker_token or None,
        cluster=cluster,
        agent_seconds=agent_seconds,
        agent_memory=agent_memory,
        agent_threads=agent_threads,
        agent_work=agent_work,
        worker_memory=worker_memory,
        hint_seconds=hint_seconds,
        laboratory=data_folder() / "laboratory" if _own(laboratory, listening, trust_proxy) else None,
        plugins=tuple(plugin or ()),
        rate=rate,
        burst=10 * rate,
        tables=tables,
        sockets=sockets,
        tables_per_address=tables_per_address,
        tables_per_hour=tables_per_hour,
        sockets_per_address=sockets_per_address,
        waiting_hours=abandon_waiting,
        running_hours=abandon_running,
        vanished_hours=vanished,
        kept=Retention(keep_own, keep_agents, keep_abandoned, keep_brought, keep_per_address, keep_size, keep_people),
        origins=tuple(origin or ()),
        hosts=tuple(allow_host or (("*",) if trust_proxy else ())),  # a proxy knows its names itself
        access_log=not _own(None if access_log is None else not access_log, listening, trust_proxy),
        log_addresses=log_addresses,
        static=static or Settings.static,
        prepare=warm,
    )

    def ready() -> None:
        print(f"Ludens is at {address} (Ctrl+C stops it)", flush=True)
        if open_page:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    if processes == 1:
        run(settings, listening, ready, trust_proxy)
    else:
        run_many(processes, settings, listening, ready, trust_proxy, partial(set_up, json_logs, log_level))


def secret(given: str | None, file: Path | None, option: str) -> str | None:
    """What was given, or the first line of the file: what stands on a command line can be read by all users."""
    if file is None:
        return given
    if given:
        raise BadInput(f"Give either {option} or {option}-file, not both.")
    try:
        lines = file.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The file {file} of {option}-file cannot be read: {error}.") from error
    if len(lines) != 1:
        raise BadInput(f"The file {file} of {option}-file must hold one word; it holds {len(lines)}.")
    return lines[0]


def _own(wished: bool | None, listening: socket.socket, trust_proxy: str | None) -> bool:
    """What is wished, or whether nobody is served but this computer; behind a proxy others are."""
    import ipaddress

    if wished is not None:
        return wished
    return trust_proxy is None and ipaddress.ip_address(listening.getsockname()[0]).is_loopback


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket on the port that was asked for, or on the default one or the first free one after it."""
    from ludens.server.run import listen

    if port is not None:
        return listen(host, port)
    for near in range(DEFAULT_PORT, DEFAULT_PORT + _NEIGHBOURS):
        with suppress(BadInput):
            return listen(host, near)
    return listen(host, DEFAULT_PORT)
