"""Load: many tables at once on a server of its own, over loopback only.

    python benchmarks/load.py                 200 tables of Azul, a move a table every second, 30 seconds
    python benchmarks/load.py --tables 50 --pause 0.2 --json

Reports the round trips of moves (from sending to the acknowledgement, which follows the commit), errors, and the
memory of idle running tables. Exits with 1 if there was an error, if the 95th percentile is 100 ms or more, or if
an idle table takes 200 KB or more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from ludens.client import AsyncClient, calls
from ludens.client.following import Followed, hello

__all__ = ["main"]

_PROGRAM = "import typer; from ludens.cli import serve; app = typer.Typer(); serve.register(app); app()"


class Server:
    """A server as a process of its own, with an empty database and limits out of the way."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        limits = ["--rate", "1000000", "--tables-per-address", "100000", "--sockets-per-address", "100000"]
        database = f"sqlite:///{folder / 'load.sqlite3'}"
        command = [sys.executable, "-c", _PROGRAM, "--port", str(port), "--database", database, *limits]
        self.process = subprocess.Popen([*command, "--no-warm", "--log-level", "error"], stdout=subprocess.DEVNULL)
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/health", timeout=2).close()
                return
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None:
                    raise SystemExit("The server did not start.") from None
                time.sleep(0.1)

    def memory(self) -> int:
        """Resident bytes of the server's own process."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        raise SystemExit("The server's memory cannot be read here.")

    def seconds(self) -> float:
        """Processor time of the server's own process."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


class Table:
    """One table whose seats are played by a script over one WebSocket, game after game."""

    def __init__(self, client: AsyncClient, url: str, game: str, pause: float, seed: int) -> None:
        self._client = client
        self._url = f"ws{url.removeprefix('http')}{calls.PREFIX}"
        self._game = game
        self._pause = pause
        self._random = random.Random(seed)
        self.took: list[float] = []
        self.errors: list[str] = []

    async def sit_down(self) -> None:
        """Opens a table and its connection."""
        made = await self._client.send(calls.make_table(self._game, [{"kind": "human"}] * 2))
        tokens = [given["token"] for given in made["tokens"]]
        self._followed = Followed()
        self._wire = await connect(f"{self._url}/tables/{made['table']['id']}/socket", proxy=None, max_size=None)
        await self._wire.send(hello(tokens, None, None, record=False))
        while len(self._followed.views) < 2:
            self._followed.take(json.loads(await self._wire.recv()))

    async def play(self, until: float) -> None:
        """Moves, with pauses as people make them; a finished game is followed by the next."""
        while True:
            await asyncio.sleep(self._random.expovariate(1 / self._pause))
            if time.monotonic() >= until:
                break
            await self._move(self._wire, self._followed)
            if self._followed.views[0]["over"]:
                await self._wire.close()
                await self.sit_down()
        await self._wire.close()

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
                break
            if message["type"] in ("refused", "error"):
                self.errors.append(message["error"]["message"])
                return
            followed.take(message)
        while any(seen["ply"] == ply for seen in followed.views.values()):
            followed.take(json.loads(await wire.recv()))


async def load(server: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """Plays all tables for the given time and sums up."""
    async with AsyncClient(server.url) as client:
        tables = [Table(client, server.url, arguments.game, arguments.pause, k) for k in range(arguments.tables)]
        for table in tables:
            await table.sit_down()
        until, used = time.monotonic() + arguments.seconds, server.seconds()
        await asyncio.gather(*(table.play(until) for table in tables))
        used = server.seconds() - used
    took = sorted(seconds for table in tables for seconds in table.took)
    errors = [error for table in tables for error in table.errors]
    at = {f"p{share}_ms": round(1000 * took[min(len(took) - 1, len(took) * share // 100)], 1) for share in (50, 95, 99)}
    return {
        "tables": arguments.tables,
        "moves": len(took),
        "moves_per_second": round(len(took) / arguments.seconds, 1),
        **at,
        "processor_ms_per_move": round(1000 * used / max(1, len(took)), 2),
        "load_average": round(os.getloadavg()[0], 1),
        "errors": len(errors),
        "first_error": errors[0] if errors else None,
    }


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


def main() -> None:
    """Runs the load and prints the figures."""
    parser = argparse.ArgumentParser(description="Load on a game server of its own.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--pause", type=float, default=1.0, help="mean seconds between a table's moves")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--idle", type=int, default=300, help="idle tables for the memory figure")
    parser.add_argument("--game", default="azul")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            kilobytes = asyncio.run(idle(server, arguments.game, arguments.idle))
            figures = {**asyncio.run(load(server, arguments)), "idle_table_kb": round(kilobytes, 1)}
        finally:
            server.stop()
    figures["cores"] = os.cpu_count()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<18} {value}")
    good = not figures["errors"] and figures["p95_ms"] < 100 and figures["idle_table_kb"] < 200
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
