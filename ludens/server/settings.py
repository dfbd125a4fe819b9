"""What an operator decides: addresses, limits and times of one server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from ludens.core.errors import BadInput

__all__ = ["Retention", "Settings", "data_folder", "default_database"]


def data_folder() -> Path:
    """Where a server keeps what must last: the user's data folder, or `LUDENS_DATA`."""
    root = os.environ.get("LUDENS_DATA") or platformdirs.user_data_dir("ludens", appauthor=False)
    folder = Path(root)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"The data folder {folder} cannot be made: {error.strerror}.") from error
    return folder


def default_database() -> str:
    """The URL of the SQLite file in the data folder."""
    return f"sqlite:///{data_folder() / 'ludens.sqlite3'}"


@dataclass(frozen=True)
class Retention:
    """How long ended games are kept, in days; 0 keeps them for ever. Of bounds 0 is none, too."""

    own: float = 730.0  # games in which a person played
    agents: float = 30.0  # games of agents alone
    abandoned: float = 30.0  # without a result
    brought: float = 90.0  # saved games from elsewhere
    per_address: int = 20_000  # ended games of one address
    size: float = 20_480.0  # MiB of the whole database
    people: float = 730.0  # profiles of people who were not here since


@dataclass(frozen=True)
class Settings:
    """One server's settings; sizes are bytes, times are seconds unless the name says otherwise."""

    database: str = field(default_factory=default_database)
    admin_token: str | None = None  # without one, administration is switched off
    worker_token: str | None = None  # without one, no other machine may think for this server
    cluster: str | None = None  # the address of a Ray cluster that thinks for this server; "auto" for this machine's
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)  # agents that think at once
    agent_seconds: float = 5.0  # the clock of an agent's move
    agent_patience: float = 15.0  # after so long beyond its clock a worker is ended and replaced
    agent_memory: float = 256.0  # MiB that an agent may ask for, of all its threads together
    agent_threads: int = 4  # threads and processes that an agent may ask for
    agent_work: float = 8.0  # times its usual work that an agent may ask for
    worker_memory: float = 2048.0  # MiB that a worker process may take
    agents_alone: int = 10_000  # entries of the log after which a game of agents alone is ended
    longest_game: int = 100_000  # and any other: each further move would cost everybody more
    hint_seconds: float = 5.0  # the most that an analysis of one position may ask for
    review_seconds: float = 600.0  # the most for all decisions of an ended game together
    laboratory: Path | None = None  # the folder of its tournaments; None: they are not played here
    laboratory_games: int = 20_000  # the most of one tournament
    ladders: Path | None = None  # the folder of the ladders; None: where `ludens ladder` keeps them
    plugins: tuple[str, ...] = ()  # "module:ATTRIBUTE" of further games, known to the workers too
    prepare: bool = True  # compile all games in a process of their own; without, whoever needs a kernel compiles it
    max_body: int = 65_536  # of a request, and of a WebSocket frame
    body_seconds: float = 20.0  # for a request's body to come
    idle_seconds: float = 20.0  # for a connection's first request to come, and for its other end to take anything
    rate: float = 200.0  # requests and messages a second and address, in the long run
    burst: float = 2000.0  # and at once
    tables: int = 5_000  # waiting and running, in all
    tables_per_address: int = 100
    tables_per_hour: int = 3_600  # new ones of an address: in the long run, and at once
    profiles_per_hour: int = 60  # new people of an address
    imports_per_hour: int = 60  # saved games that an address may bring
    sockets: int = 4_000  # WebSockets, event streams and long polls, in all
    sockets_per_address: int = 200
    heartbeat: float = 20.0
    hello_seconds: float = 10.0  # how long a socket may stay silent before its hello
    waiting_hours: float = 24.0  # a waiting table without a guest is abandoned after so long
    running_hours: float = 168.0  # a running table without a move likewise
    vanished_hours: float = 24.0  # after so long without the move of a guest the owner may close the table
    kept: Retention = field(default_factory=Retention)  # which ended games are kept, and how long
    cleaning: float = 600.0  # how often the others are removed
    sweep: float = 60.0  # how often that is looked at
    watch: float = 2.0  # how often the watchdog looks for games that stand still
    grace: float = 3600.0  # after its start a server abandons no table that it found, for so long
    free_disk: int = 50 << 20  # bytes that must be left on the disk of the database
    hosts: tuple[str, ...] = ()  # names of this server besides localhost, its numbers and its own; "*" for any
    access_log: bool = False  # a line for every request
    wrong_tokens: float = 10.0  # of an address, after which it waits ten seconds for every further one
    log_addresses: bool = True  # of clients, in the access log and with wrong tokens
    origins: tuple[str, ...] = ()  # other origins that may open WebSockets from a browser
    static: Path = Path(__file__).resolve().parent / "static"  # the page, if it is built
