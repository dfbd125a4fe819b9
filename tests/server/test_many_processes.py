"""Several processes on one PostgreSQL, as users run them: one is killed, hosts are replaced, nobody loses a move."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from ludens.cli.main import app
from ludens.client import AsyncClient, Followed, calls
from tests.server.conftest import PATIENCE, Postgres, ServerProcess
from tests.server.proxies import nginx_before

_PATIENCE = 120.0  # seconds in which a game goes on on a busy machine; five, where nothing else runs
_ROLL, _HOLD = 0, 1


def test_several_processes_on_sqlite_are_refused(tmp_path: Path) -> None:
    arguments = ["serve", "--port", "0", "--processes", "2", "--database", f"sqlite:///{tmp_path / 'x.sqlite3'}"]
    said = CliRunner().invoke(app, arguments)
    assert said.exit_code and "Several processes need PostgreSQL" in f"{said.output}{said.exception}"


@dataclass(eq=False)
class Pair:
    """A person at a table with an agent, by a socket that comes back."""

    url: str
    table: str
    token: str
    moved: set[int] = field(default_factory=set)  # plies of acknowledged moves
    last: float = 0.0  # when the agent had answered last
    cuts: list[str] = field(default_factory=list)  # why connections were lost
    over: bool = False
    playing: bool = True

    async def play(self) -> None:
        while self.playing:
            try:
                await self._play()
            except (OSError, WebSocketException, TimeoutError) as error:
                self.cuts.append(f"{type(error).__name__}: {error}")
            await asyncio.sleep(0.1)

    async def _play(self) -> None:
        address = f"ws{self.url.removeprefix('http')}/api/v1/tables/{self.table}/socket"
        async with connect(address, proxy=None, max_size=None, open_timeout=20, close_timeout=1) as wire:
            followed, sent = Followed(), -1
            await wire.send(json.dumps({"type": "hello", "tokens": [self.token]}))
            while self.playing:
                message = json.loads(await wire.recv())
                assert message["type"] not in ("refused", "error"), message
                if message["type"] == "accepted":
                    self.moved.add(message["ply"])
                followed.take(message)
                view = followed.views.get(0)
                self.over = view is not None and view["over"]
                if view is None or view["over"] or view["actor"] != 0 or view["ply"] <= sent:
                    continue
                self.last, sent = time.monotonic(), view["ply"]
                move = {"type": "move", "id": f"m{sent}", "seat": 0, "ply": sent, "move": _ROLL}
                await asyncio.sleep(0.1)
                await wire.send(json.dumps(move))


async def _survive(url: str, tables: int, ends: list[Callable[[], object]]) -> list[Pair]:
    """Plays while servers end in these ways; every game goes on after each, and no acknowledged move is lost."""
    async with AsyncClient(url, PATIENCE) as client:
        pairs = []
        for _ in range(tables):
            seats = [{"kind": "human"}, {"kind": "agent", "agent": "random"}]
            made = await client.send(calls.make_table("pig", seats, {"target": 500}))
            pairs.append(Pair(url, made["table"]["id"], made["tokens"][0]["token"]))
        tasks = [asyncio.create_task(pair.play()) for pair in pairs]
        for end in [lambda: None, *ends]:
            await asyncio.to_thread(end)
            ended = time.monotonic()
            for pair in pairs:
                while pair.last < ended and not pair.over:
                    failed = next((task for task in tasks if task.done()), None)
                    assert failed is None, failed and failed.exception()
                    assert time.monotonic() < ended + _PATIENCE, f"table {pair.table} stands still"
                    await asyncio.sleep(0.02)
            print(f"every game went on after {max(pair.last for pair in pairs) - ended:.1f} s", flush=True)
        for pair in pairs:
            pair.playing = False
        await asyncio.gather(*tasks)
        for pair in pairs:
            if not pair.over:
                await client.send(calls.resign(pair.table, pair.token))
            log = (await client.send(calls.download(pair.table)))["log"]
            assert pair.moved and all(log[ply] == _ROLL for ply in pair.moved)
    return pairs


def children(server: ServerProcess) -> list[int]:
    """The processes that a server has started to serve."""
    assert server.process is not None
    pid = server.process.pid
    found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.slow
def test_one_of_four_processes_is_killed_and_every_game_goes_on(postgres: Postgres) -> None:
    with ServerProcess(postgres.url, "--processes", "4") as server:
        assert len(children(server)) == 4

        def kill() -> None:
            before = children(server)
            os.kill(before[-1], signal.SIGKILL)
            end = time.monotonic() + PATIENCE
            while len(children(server)) < 4 or before[-1] in children(server):  # another takes its place
                assert time.monotonic() < end
                time.sleep(0.01)

        pairs = asyncio.run(_survive(server.url, 40, [kill, kill]))
        assert max(len(pair.cuts) for pair in pairs) <= 2 and any(pair.cuts for pair in pairs)


@pytest.fixture
def hosts(postgres: Postgres) -> Iterator[list[ServerProcess]]:
    """Two hosts with network namespaces of their own, or with addresses of the loopback where these are not allowed."""
    with contextlib.ExitStack() as stack:
        servers = []
        for number in (1, 2):
            name, here, there = f"ludens{number}", f"10.137.{number}.1", f"10.137.{number}.2"
            done = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True)
            if done.returncode:
                print("LEFT OUT: no network namespaces here; the hosts are addresses of the loopback")
                servers.append(ServerProcess(postgres.url, host=f"127.0.0.{number + 1}"))
                continue
            stack.callback(subprocess.run, ["ip", "netns", "delete", name], check=True)
            for command in (
                f"link add {name} type veth peer name eth0 netns {name}",
                f"address add {here}/24 dev {name}",
                f"link set {name} up",
                f"-n {name} address add {there}/24 dev eth0",
                f"-n {name} link set eth0 up",
                f"-n {name} link set lo up",
            ):
                subprocess.run(["ip", *command.split()], check=True)
            database = postgres.url.replace("127.0.0.1", here)
            servers.append(ServerProcess(database, host=there, within=["ip", "netns", "exec", name]))
        postgres.open_to_neighbours()
        for server in servers:
            stack.enter_context(server)
        yield servers


@pytest.mark.slow
def test_hosts_are_upgraded_one_after_the_other_and_nobody_notices(hosts: list[ServerProcess]) -> None:
    upstream = " max_fails=0;\n    server ".join(host.url.removeprefix("http://") for host in hosts)
    wide = {
        "limit_req_zone": "$binary_remote_addr zone=ludens_requests:16m rate=9000r/s",
        "limit_conn": "ludens_held 4000",
    }
    with nginx_before(f"http://{upstream} max_fails=0", **wide) as proxy:

        def upgraded(host: ServerProcess) -> Callable[[], None]:
            def upgrade() -> None:
                host.stop()
                host.start()

            return upgrade

        pairs = asyncio.run(_survive(proxy.plain_url, 20, [upgraded(host) for host in hosts]))
        worst = max((pair.cuts for pair in pairs), key=len)
        said = (proxy.folder / "error.log").read_text()[-3000:]
        assert len(worst) <= 2, f"{worst}\n{said}"  # one for each host


@pytest.mark.slow
def test_two_people_at_two_hosts_play_one_game(hosts: list[ServerProcess]) -> None:
    async def play() -> None:
        async with AsyncClient(hosts[0].url, PATIENCE) as one, AsyncClient(hosts[1].url, PATIENCE) as other:
            made = await one.send(calls.make_table("pig", [{"kind": "human"}, {"kind": "open"}], {"target": 100}))
            table, mine = made["table"]["id"], made["tokens"][0]["token"]
            theirs = (await other.send(calls.join(table)))["token"]
            seen = await asyncio.gather(_to_the_end(one, table, mine), _to_the_end(other, table, theirs))
            assert seen[0]["returns"] == seen[1]["returns"] is not None and seen[0]["ply"] == seen[1]["ply"]

    asyncio.run(asyncio.wait_for(play(), PATIENCE))


async def _to_the_end(client: AsyncClient, table: str, token: str) -> dict[str, object]:
    """Holds whenever it can; returns the last view."""
    async for followed in client.follow(table, [token]):
        view = next(iter(followed.views.values()), None)
        if view is not None and view["actor"] == view["seat"] and not view["over"]:
            await client.send(calls.move(table, token, _HOLD, view["ply"], f"m{view['ply']}"))
    return dict(next(iter(followed.views.values())))
