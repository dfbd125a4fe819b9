"""The parts of one server, put together: its tables, their storage, its agents and its limits."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from ludens.i18n.messages import say
from ludens.server import processes
from ludens.server.http.guesses import FORGOTTEN, Guesses
from ludens.server.http.limits import Buckets, Connections, SharedBuckets
from ludens.server.laboratory.laboratory import Laboratory
from ludens.server.metrics import Metrics
from ludens.server.people.people import People
from ludens.server.preparing.preparation import Preparation
from ludens.server.settings import Settings
from ludens.server.storage import rows
from ludens.server.storage.writer import Storage
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.cleaning import Cleaning
from ludens.server.tables.moves import Moves
from ludens.server.tables.news import News
from ludens.server.tables.peers import Peers
from ludens.server.tables.saved_games import SavedGames
from ludens.server.tables.seating import Seating
from ludens.server.tables.timekeeping import Timekeeper
from ludens.server.thinking.agent_turns import AgentTurns
from ludens.server.thinking.analyses import Analyses
from ludens.server.thinking.budgets import Budgets
from ludens.server.thinking.cluster import Cluster
from ludens.server.thinking.pool import Pool
from ludens.server.thinking.watchdog import Watchdog

__all__ = ["Services"]


class Services:
    """What the routes and streams work with. `open` before the first request, `close` after the last."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.began = time.time()
        rate, brought, made = settings.rate, settings.imports_per_hour, settings.tables_per_hour
        self.storage = Storage(settings.database)
        busy = say("An address may send {n} requests and messages a second; long ones count more.", n=f"{rate:g}")
        self.buckets = self._buckets("requests", rate, settings.burst, busy)
        many = say("An address may bring {n} saved games an hour; try again later.", n=brought)
        self.import_buckets = self._buckets("imports", brought / 3600, brought, many)
        many = say("An address may make {n} tables an hour; try again later.", n=made)
        self.table_buckets = self._buckets("tables", made / 3600, made, many)
        many = say("An address may bring {n} new people an hour; try again later.", n=settings.profiles_per_hour)
        newcomers = settings.profiles_per_hour
        self.profile_buckets = self._buckets("people", newcomers / 3600, newcomers, many)
        self.admin_guesses = self._guesses(settings.admin_token, "administrator")
        self.worker_guesses = self._guesses(settings.worker_token, "worker")
        self.connections = Connections(settings)
        self.pool = Pool(settings.workers, settings.plugins, settings.agent_patience, settings.worker_memory)
        self.cluster = Cluster(settings, self.pool)
        self.preparation = Preparation(settings.plugins, settings.prepare)
        self.tables = AllTables(settings, self.storage, self.metrics, self.preparation)
        self.preparation.listen(self.tables)
        self.people = People(self.tables, self.storage)
        self.tables.watch(self.people)
        self.descriptions: dict[str, dict[str, Any]] = {}  # of games, by name
        self.ladders: dict[str, tuple[float, dict[str, Any]]] = {}  # of games, with the time of their file
        self.budgets = Budgets.of(settings)
        self.seating = Seating(self.tables, self.budgets.check, self.table_buckets.charge)
        self.moves = Moves(self.tables)
        self.timekeeper = Timekeeper(self.tables, self.moves)
        self.tables.watch(self.timekeeper)
        self.saved_games = SavedGames(self.tables)
        self.agent_turns = AgentTurns(self.tables, self.moves, self.pool, self.preparation, settings)
        self.tables.watch(self.agent_turns)
        self.news = News(self.tables)
        self.tables.watch(self.news)
        self.watchdog = Watchdog(self.tables, self.agent_turns, self.storage, self.metrics, settings.watch)
        forget = self.tables.forget
        self.cleaning = Cleaning(
            self.storage, settings.kept, self.metrics, forget, settings.cleaning, self.people.remove
        )
        self.analyses = Analyses(self.pool, self.storage, settings)
        self.laboratory = Laboratory(settings, self.budgets.check, self.storage.once)
        self.peers = Peers(self.storage, self.tables, self.news, self.pool) if self.storage.shared else None
        if self.peers is not None:
            self.peers.share(self.laboratory.playing)
        self._declare_gauges()

    def begin(self) -> None:
        """Opens what may not be there, and starts what takes long beside all else; a second time does nothing."""
        self.storage.open()
        self.cluster.join()
        if self.storage.look(rows.living()):
            self.pool.wake()

    def _buckets(self, kind: str, rate: float, burst: float, sentence: str) -> Buckets:
        """Tokens by address, for this process or for all that share the database."""
        if self.storage.shared:
            return SharedBuckets(kind, self.storage, rate, burst, sentence)
        return Buckets(rate, burst, sentence)

    def _guesses(self, token: str | None, name: str) -> Guesses:
        sentence = say("Too many wrong tokens came from this address; try again later.")
        wrong = self._buckets(name, FORGOTTEN, self.settings.wrong_tokens, sentence)
        return Guesses(token, name, self.settings.log_addresses, wrong, self.metrics)

    async def open(self) -> None:
        """Brings all living tables back and lets their agents play on."""
        await asyncio.to_thread(self.begin)
        self.pool.start()
        self.cluster.start()
        if self.peers is not None:
            await self.peers.open()
        await self.tables.open()
        self.people.count_soon()
        self.preparation.start()
        self.timekeeper.start()
        self.watchdog.start()
        self.cleaning.start()

    def stop_accepting(self) -> None:
        """The first step of a graceful end: nothing new begins, and streams close."""
        self.agent_turns.stop()
        self.tables.stop_accepting()
        self.news.close()
        self.analyses.stop()

    async def close(self) -> None:
        """Finishes what is under way, then the workers, then the storage."""
        self.stop_accepting()
        await self.cleaning.close()
        await self.timekeeper.close()
        await self.watchdog.close()
        await self.laboratory.close()
        await self.preparation.close()
        await self.tables.close()
        if self.peers is not None:
            await self.peers.close()
        await self.people.close()
        await self.cluster.close()
        await self.pool.close()
        await asyncio.to_thread(self.storage.close)

    def _declare_gauges(self) -> None:
        def by_status() -> dict[str, float]:
            return {f'status="{status}"': count for status, count in self.tables.count_by_status().items()}

        gauge = self.metrics.gauge
        gauge("tables", "Tables in memory by status.", by_status)
        gauge("sockets", "Open WebSockets, event streams and polls.", lambda: {"": self.connections.held})
        gauge("agents_thinking", "Agents that think now.", lambda: {"": self.pool.thinking})
        gauge("agents_waiting", "Agents that wait for a worker.", lambda: {"": self.pool.waiting})
        gauge("agents_failed", "Agents' moves that failed since the start.", lambda: {"": self.pool.failed})
        gauge("workers_bytes", "Memory of the worker processes.", lambda: {"": self.pool.memory()})
        gauge(
            "games_standing",
            "Running games where an agent is to move and none thinks.",
            lambda: {"": self.watchdog.standing},
        )
        gauge(
            "games_stuck",
            "The same after several repairs, and games that cannot be loaded.",
            lambda: {"": self.watchdog.stuck},
        )
        if self.peers is not None:
            peers = self.peers
            gauge("processes", "Processes of this database that live.", lambda: {"": peers.others + 1})
        gauge("games_ready", "Games whose kernels are compiled.", lambda: {"": self.preparation.ready})
        gauge("process_resident_bytes", "Memory of the server's own process.", processes.resident)
        gauge("process_cpu_seconds", "Processor time of the server's own process.", processes.seconds)
        gauge("process_descriptors", "Open file descriptors, and how many there may be.", processes.descriptors)
        gauge("process_start_seconds", "When the server began, in seconds since 1970.", lambda: {"": self.began})
        gauge("workers_alive", "Worker processes and borrowed workers.", lambda: {"": len(self.pool.workers)})
        gauge("disk_free_bytes", "Room on the disk of an SQLite database.", self.storage.room)
        gauge("writes_waiting", "Writes that wait for a commit.", lambda: {"": self.storage.waiting})
