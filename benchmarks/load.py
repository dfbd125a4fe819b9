"""Load: many tables at once on a server of its own, over loopback only.

    python benchmarks/load.py                                   200 tables of Azul, a move a table every second
    python benchmarks/load.py --tables 1000 --seconds 60        1,000 tables of scripted players
    python benchmarks/load.py --tables 1 --idle 10000           memory with 10,000 idle tables
    python benchmarks/load.py --tables 1 --spectators 2000      2,000 spectators of one table
    python benchmarks/load.py --thinking 1 2 4                  plies of agents' games a second with 1, 2 and 4 workers
    python benchmarks/load.py --soak 3600                       an hour, with a kill -9 every minute
    python benchmarks/load.py --server-cores 0 --client-cores 1 server and clients on separate cores
    python benchmarks/load.py --tables 1000 --beside COMMIT --rounds 2   this code and an earlier one by turns
    python benchmarks/load.py --tables 4000 --processes 4 --players 4 --database postgresql://user@host/name
                                                                four processes on PostgreSQL, players in four more
    python benchmarks/load.py --tables 200 --agent random …     a person and an agent at every table

A server starts as for users: it prepares its games, and is measured once it has. Reports the round trips of moves (from
sending to the acknowledgement, which follows the commit) as percentiles over the run; what the server itself counts
from a move's arrival to its commit, which busy clients do not lengthen; processor time a move, memory at the end,
errors. In `--database` a database for the run is made, and dropped. The garbage collector of the players would stop
a thousand of them for half a second now and then, so it rests while they are measured. Exits with 1 after an error, if
the 95th percentile is 250 ms or more, if an idle table takes 40 KB or more, or if an acknowledged move was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from websockets.asyncio.client import connect

from ludens.client import AsyncClient, calls
from ludens.client.asynchronous import Followed, hello

__all__ = ["main"]

_PROGRAM = "import typer; from ludens.cli import serve; app = typer.Typer(); app.command()(serve.serve); app()"
_HERE = Path(__file__).resolve().parents[1]
_PAGE = os.sysconf("SC_PAGE_SIZE")
_BETWEEN_KILLS = 60.0  # seconds
_WITHIN = re.compile(r'^ludens_move_seconds_bucket\{le="([^"]+)"\} (\d+)$', re.MULTILINE)


def _times() -> dict[int, tuple[int, float]]:
    """The parent and the processor seconds of every process of this machine."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        found[int(folder.name)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return found


def _seconds_of_all(roots: list[int]) -> float:
    """Processor time of these processes and of those that they have started."""
    times, wanted = _times(), set(roots)
    while more := {pid for pid, (parent, _) in times.items() if parent in wanted} - wanted:
        wanted |= more
    return sum(times[pid][1] for pid in wanted)


def _serves(pid: int) -> bool:
    """Is it one of several processes that serve, not multiprocessing's own?"""
    return b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()


class _Database:
    """A database of the run's own on a PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=sa.NullPool)
        self._name = f"ludens_load_{os.getpid()}_{time.time_ns()}"
        self._do(f"CREATE DATABASE {self._name}")
        self.url = make_url(url).set(database=self._name).render_as_string(hide_password=False)

    def _do(self, statement: str) -> None:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(statement)

    def drop(self) -> None:
        self._do(f"DROP DATABASE {self._name} WITH (FORCE)")


class Server:
    """A server of the code in a folder as a process of its own, with an empty database and limits out of the way."""

    def __init__(
        self,
        folder: Path,
        cores: str | None = None,
        *more: str,
        code: Path = _HERE,
        processes: int = 1,
        postgres: str | None = None,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self._code = code
        self._processes = processes
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        limits = ["--rate", "1000000"]
        for what in ("--tables", "--sockets", "--tables-per-address", "--tables-per-hour", "--sockets-per-address"):
            limits += [what, "100000"]
        self._made = _Database(postgres) if postgres else None
        database = self._made.url if self._made else f"sqlite:///{folder / 'load.sqlite3'}"
        if processes > 1:
            more = (*more, "--processes", str(processes))
        pinned = ["taskset", "-c", cores] if cores else []
        self._command = [*pinned, sys.executable, "-c", _PROGRAM, "--port", str(port), "--database", database, *limits]
        self._command += ["--log-level", "error", *more]
        self.start()
        while not all(game["preparing"]["ready"] for game in self._asked(f"{calls.PREFIX}/games?parameters=false")):
            time.sleep(0.5)

    def start(self) -> None:
        """Starts the process and waits until it answers."""
        found = {**os.environ, "PYTHONPATH": str(self._code)}
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, cwd=self._code, env=found)
        while True:
            try:
                self._asked("/health")
                return
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None:
                    raise SystemExit("The server did not start.") from None
                time.sleep(0.1)

    def _asked(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return json.load(answer)

    def serving(self) -> list[int]:
        """The processes that serve: the server's own, or those that it has started for that."""
        if self._processes == 1:
            return [self.process.pid]
        return [pid for pid, (parent, _) in _times().items() if parent == self.process.pid and _serves(pid)]

    def memory(self) -> int:
        """Resident bytes of the processes that serve."""
        return sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.serving()) * _PAGE

    def seconds(self) -> float:
        """Processor time of the processes that serve."""
        times = _times()
        return sum(times[pid][1] for pid in self.serving())

    def moves_within(self) -> Counter[str]:
        """How many moves were stored within so many seconds of their arrival, by the servers' own counts."""
        found: dict[str, Counter[str]] = {}  # by process: a new connection reaches any of them
        for _ in range(200 * self._processes):
            with urllib.request.urlopen(f"{self.url}/metrics", timeout=60) as answer:
                text = answer.read().decode()
            process = text[text.index("\nludens_process_start_seconds ") :].splitlines()[1]
            found[process] = Counter({bound: int(count) for bound, count in _WITHIN.findall(text)})
            if len(found) == self._processes:
                break
        return sum(found.values(), Counter())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        if self._made is not None:
            self._made.drop()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Table:
    """One table whose seats are played by a script over one WebSocket, game after game."""

    def __init__(
        self, client: AsyncClient, url: str, game: str, pause: float, seed: int, agent: str | None = None
    ) -> None:
        self._client = client
        self._seats = [{"kind": "human"}, {"kind": "agent", "agent": agent} if agent else {"kind": "human"}]
        self._url = f"ws{url.removeprefix('http')}{calls.PREFIX}"
        self._game = game
        self._pause = pause
        self._random = random.Random(seed)
        self.took: list[float] = []
        self.errors: list[str] = []

    async def sit_down(self) -> None:
        """Opens a table and its connection."""
        made = await self._client.send(calls.make_table(self._game, self._seats))
        self.id = made["table"]["id"]
        self._tokens = [given["token"] for given in made["tokens"]]
        self.acknowledged: dict[int, int] = {}  # the moves that the server has promised, by ply
        await self.sit_down_again()

    async def sit_down_again(self) -> None:
        """Opens a connection to the table, perhaps after the server was killed."""
        self._followed = Followed()
        address = f"{self._url}/tables/{self.id}/socket"
        self._wire = await connect(
            address, proxy=None, max_size=None, max_queue=None, ping_interval=None, open_timeout=60
        )
        start = 0 if self.acknowledged else None  # with the steps, if there are some to compare
        await self._wire.send(hello(self._tokens, start, None, record=False))
        while len(self._followed.views) < len(self._tokens):
            self._followed.take(json.loads(await self._wire.recv()))
        stored = {step["ply"]: step["action"] for step in self._followed.steps[0]}
        if any(stored.get(ply) != action for ply, action in self.acknowledged.items()):
            self.errors.append("an acknowledged move was lost")

    async def play(self, until: float) -> None:
        """Moves, with pauses as people make them; a finished game is followed by the next."""
        while True:
            await asyncio.sleep(self._random.expovariate(1 / self._pause))
            if time.monotonic() >= until:
                break
            await self.move()
            if self._followed.views[0]["over"]:
                await self._wire.close()
                await self.sit_down()
        await self._wire.close()

    async def move(self) -> None:
        """Plays a random move as soon as it is a person's turn; returns when the persons' seats have seen it."""
        while (view := self._followed.views[0])["actor"] not in self._followed.views and not view["over"]:
            self._followed.take(json.loads(await self._wire.recv()))
        if view["over"]:
            return
        await self._move(self._wire, self._followed)

    async def _move(self, wire: Any, followed: Followed) -> None:
        view = followed.views[followed.views[0]["actor"]]
        ply = view["ply"]
        action = self._random.choice(view["legal"])["id"]
        move = {"type": "move", "id": f"m{ply}", "seat": view["seat"], "ply": ply, "move": action}
        began = time.monotonic()
        await wire.send(json.dumps(move))
        while True:
            message = json.loads(await wire.recv())
            if message["type"] == "accepted":
                self.took.append(time.monotonic() - began)
                self.acknowledged[ply] = action
                break
            if message["type"] in ("refused", "error"):
                self.errors.append(message["error"]["message"])
                return
            followed.take(message)
        while any(seen["ply"] == ply for seen in followed.views.values()):
            followed.take(json.loads(await wire.recv()))


async def _players(url: str, arguments: argparse.Namespace, first: int, begin: float) -> tuple[list[float], list[str]]:
    """Sits down at a share of the tables and plays from a time on; returns round trips and errors."""
    async with AsyncClient(url, patience=300) as client:
        mine = range(first, arguments.tables, arguments.players)
        tables = [Table(client, url, arguments.game, arguments.pause, k, arguments.agent) for k in mine]
        for table in tables:
            await table.sit_down()
        gc.freeze()
        gc.disable()  # what it would look through is all players' views, and none of that is garbage
        until = max(time.monotonic(), begin) + arguments.seconds
        if time.monotonic() > begin:
            tables[0].errors.append("the tables were not made in time: give more seconds with --warm-up")
        await asyncio.sleep(begin - time.monotonic())
        await asyncio.gather(*(table.play(until) for table in tables))
        gc.enable()
    took = [seconds for table in tables for seconds in table.took]
    return took, [error for table in tables for error in table.errors]


def _play(url: str, arguments: argparse.Namespace, first: int, begin: float) -> tuple[list[float], list[str]]:
    return asyncio.run(_players(url, arguments, first, begin))


async def load(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """Plays all tables for the given time and sums up."""
    begin = time.monotonic() + arguments.warm_up + 0.02 * arguments.tables / arguments.players
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(arguments.players, mp_context=get_context("spawn")) as others:
        shares = range(arguments.players)
        playing = [loop.run_in_executor(others, _play, server.url, arguments, k, begin) for k in shares]
        await asyncio.sleep(begin - time.monotonic())
        before, used = server.moves_within(), server.seconds()
        done = await asyncio.gather(*playing)
        used = server.seconds() - used
    within = {bound: count - before[bound] for bound, count in server.moves_within().items()}
    took = sorted(seconds for share, _ in done for seconds in share)
    errors = [error for _, share in done for error in share]
    at = {f"p{share}_ms": round(1000 * took[min(len(took) - 1, len(took) * share // 100)], 1) for share in (50, 95, 99)}
    return {
        "tables": arguments.tables,
        "moves": len(took),
        "moves_per_second": round(len(took) / arguments.seconds, 1),
        **at,
        **{f"server_p{share}_ms_below": _bound(within, share) for share in (50, 95, 99)},
        "processor_ms_per_move": round(1000 * used / max(1, len(took)), 3),
        "load_average": round(os.getloadavg()[0], 1),
        "memory_mb": round(server.memory() / 1e6, 1),
        "errors": len(errors),
        "first_error": errors[0] if errors else None,
    }


def _bound(within: dict[str, int], share: int) -> float:
    """Milliseconds from arrival to commit that so many moves of a hundred stayed below: a bound of the histogram."""
    enough = within["+Inf"] * share / 100
    return next(1000 * float(bound) for bound, count in within.items() if count >= enough)


async def idle(server: Server, game: str, count: int) -> float:
    """Kilobytes a running table takes that nobody looks at; some are made before, for what all share."""
    async with AsyncClient(server.url) as client:

        async def make(many: int) -> None:
            for _ in range(many):
                await client.send(calls.make_table(game, [{"kind": "human"}] * 2))

        await make(50)
        before = server.memory()
        await make(count)
        return (server.memory() - before) / 1024 / count


async def spectators(server: Server, game: str, count: int, moves: int = 20) -> dict[str, Any]:
    """Milliseconds from a move until the last of so many spectators has it."""
    async with AsyncClient(server.url) as client:
        table = Table(client, server.url, game, 1.0, 0)
        await table.sit_down()
        address = f"ws{server.url.removeprefix('http')}{calls.PREFIX}/tables/{table.id}/socket"
        told, changed = 0, asyncio.Event()

        async def watch(wire: Any) -> None:
            nonlocal told
            async for message in wire:
                if json.loads(message)["type"] == "update":
                    told += 1
                    changed.set()

        wires, watching = [], []
        for _ in range(count):
            wires.append(
                await connect(address, proxy=None, max_size=None, max_queue=None, ping_interval=None, open_timeout=60)
            )
            await wires[-1].send('{"type": "hello"}')
            watching.append(asyncio.create_task(watch(wires[-1])))
        took, used = [], server.seconds()
        for move in range(moves):
            began = time.monotonic()
            await table.move()
            while told < (move + 1) * count:
                changed.clear()
                await changed.wait()
            took.append(1000 * (time.monotonic() - began))
        used = server.seconds() - used
        for wire, task in zip(wires, watching, strict=True):
            task.cancel()
            wire.transport.abort()
        await asyncio.gather(*watching, return_exceptions=True)
    took.sort()
    return {
        "spectators": count,
        "all_told_p50_ms": round(took[len(took) // 2], 1),
        "all_told_p95_ms": round(took[int(len(took) * 0.95)], 1),
        "processor_ms_per_told": round(1000 * used / moves / count, 3),
    }


def thinking(folder: Path, workers: int, seconds: float) -> dict[str, Any]:
    """Agents' moves with so many workers that connect to a server which does not think itself.

    A second of the workers' processor time says more than one of the clock where others use the machine too.
    """
    server = Server(folder, None, "--workers", "0", "--worker-token", "load")
    lent = [
        subprocess.Popen(
            [sys.executable, "-m", "ludens", "worker", server.url, "--token", "load", "--workers", "1"],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(workers)
    ]

    async def play() -> dict[str, float]:
        async with AsyncClient(server.url, patience=300) as client:
            seats = [{"kind": "agent", "agent": "mcts:simulations=2000"}] * 2

            async def plies() -> int:
                return sum([(await client.send(calls.view(table)))["ply"] for table in tables])

            tables = [(await client.send(calls.make_table("azul", seats)))["table"]["id"] for _ in range(4 * workers)]
            start = await plies()
            while await plies() < start + 20 * workers:  # all workers have begun
                await asyncio.sleep(0.5)
            workers_used, server_used = _seconds_of_all(pids), server.seconds()
            before = await plies()
            await asyncio.sleep(seconds)
            moves = await plies() - before
            workers_used, server_used = _seconds_of_all(pids) - workers_used, server.seconds() - server_used
            return {
                "agent_plies_per_second": round(moves / seconds, 1),
                "agent_plies_per_processor_second": round(moves / max(workers_used, 0.01), 1),
                "server_ms_per_agent_ply": round(1000 * server_used / max(moves, 1), 2),
            }

    pids = [process.pid for process in lent]
    try:
        return {f"{name}_{workers}": value for name, value in asyncio.run(play()).items()}
    finally:
        for process in lent:
            process.kill()
            process.wait()
        server.stop()


async def soak(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """Plays for long; the server is killed again and again, and every table goes on where it was."""
    kills, end = 0, time.monotonic() + arguments.soak
    async with AsyncClient(server.url, patience=300) as client:
        tables = [Table(client, server.url, arguments.game, arguments.pause, k) for k in range(arguments.tables)]
        for table in tables:
            await table.sit_down()
        while time.monotonic() < end:
            until = time.monotonic() + _BETWEEN_KILLS
            playing = [asyncio.create_task(table.play(until)) for table in tables]
            await asyncio.sleep(_BETWEEN_KILLS / 2)
            await asyncio.to_thread(server.kill)
            kills += 1
            await asyncio.to_thread(server.start)  # at once: a table that was about to begin asks until it is answered
            await asyncio.gather(*playing, return_exceptions=True)
            for table in tables:
                await table.sit_down_again()
    errors = [error for table in tables for error in table.errors]
    moves = sum(len(table.took) for table in tables)
    return {
        "soak_seconds": arguments.soak,
        "kills": kills,
        "moves": moves,
        "memory_mb": round(server.memory() / 1e6, 1),
        "errors": len(errors),
        "first_error": errors[0] if errors else None,
    }


def main() -> None:
    """Runs the load and prints the figures."""
    parser = argparse.ArgumentParser(description="Load on a game server of its own.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--pause", type=float, default=1.0, help="mean seconds between a table's moves")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--idle", type=int, default=300, help="idle tables for the memory figure")
    parser.add_argument("--spectators", type=int, default=0, help="of one table")
    parser.add_argument("--thinking", type=int, nargs="*", default=[], help="numbers of workers to compare")
    parser.add_argument("--soak", type=float, default=0.0, help="seconds with a kill -9 every minute, instead")
    parser.add_argument("--processes", type=int, default=1, help="of the server; several need --database")
    parser.add_argument("--players", type=int, default=1, help="processes that the players are spread over")
    parser.add_argument("--agent", help="the code of an agent that sits opposite at every table")
    parser.add_argument("--database", help="postgresql://user@host/name, where a database of the run's own is made")
    parser.add_argument("--warm-up", type=float, default=5.0, help="seconds besides 20 ms a table to make the tables")
    parser.add_argument("--beside", help="a commit whose server is measured too")
    parser.add_argument("--rounds", type=int, default=2, help="how often each of the two is measured")
    parser.add_argument("--server-cores", help="cores of the server, as taskset names them")
    parser.add_argument("--client-cores", help="cores of this program")
    parser.add_argument("--game", default="azul")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.client_cores:
        os.sched_setaffinity(0, {int(core) for core in arguments.client_cores.split(",")})
    with tempfile.TemporaryDirectory() as folder:
        figures = _measured(Path(folder), arguments)
    figures["cores"] = os.cpu_count()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<28} {value}")
    good = not figures.get("errors") and figures.get("p95_ms", 0) < 250 and figures.get("idle_table_kb", 0) < 40
    sys.exit(0 if good else 1)


def beside(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Figures of this code and of an earlier commit, which are measured by turns; of each figure the median."""
    earlier = folder / "earlier"
    earlier.mkdir()
    tree = subprocess.run(["git", "archive", arguments.beside], cwd=_HERE, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", earlier], input=tree, check=True)
    rounds: dict[str, list[dict[str, Any]]] = {"here": [], arguments.beside: []}
    for number in range(arguments.rounds):
        for (name, measured), code in zip(rounds.items(), (_HERE, earlier), strict=True):
            server = Server(folder / f"{name}-{number}", arguments.server_cores, code=code)
            try:
                measured.append(asyncio.run(load(server, arguments)))
            finally:
                server.stop()
            print(f"{name:<12} {measured[-1]['processor_ms_per_move']} ms a move", file=sys.stderr, flush=True)
    summed = {
        f"{name}_{what}": sorted(one[what] for one in measured)[len(measured) // 2]
        for what in ("processor_ms_per_move", "moves_per_second", "p50_ms", "p95_ms")
        for name, measured in rounds.items()
    }
    return summed | {"errors": sum(one["errors"] for measured in rounds.values() for one in measured)}


def _measured(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    if arguments.beside:
        return beside(folder, arguments)
    for workers in arguments.thinking:
        figures |= thinking(folder / str(workers), workers, arguments.seconds)
    if arguments.thinking:
        return figures
    server = Server(folder, arguments.server_cores, processes=arguments.processes, postgres=arguments.database)
    try:
        if arguments.soak:
            return asyncio.run(soak(server, arguments))
        if arguments.processes > 1:
            return asyncio.run(load(server, arguments))
        kilobytes = asyncio.run(idle(server, arguments.game, arguments.idle))
        figures |= {"idle_table_kb": round(kilobytes, 1), "idle_memory_mb": round(server.memory() / 1e6, 1)}
        if arguments.spectators:
            figures |= asyncio.run(spectators(server, arguments.game, arguments.spectators))
        return {**figures, **asyncio.run(load(server, arguments))}
    finally:
        server.stop()


if __name__ == "__main__":
    main()
