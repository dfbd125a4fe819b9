"""Servers for tests: in this process, or as a process of its own that can be killed."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient

from ludens.server.app import create_app
from ludens.server.run import configured, listen
from ludens.server.settings import Settings
from tests.ports import free_port

PLUGINS = ("tests.examples.tiny:GAME", "tests.examples.hidden:GAME")
PREFIX = "/api/v1"
PATIENCE = 1000.0  # seconds; a server compiles all games where nothing has compiled them before


def settings_for(folder: Path, **changed: Any) -> Settings:
    """Settings with a database in the folder and limits that ordinary tests do not meet."""
    usual: dict[str, Any] = {
        "database": f"sqlite:///{folder / 'test.sqlite3'}",
        "admin_token": "the-admin",
        "workers": 1,
        "plugins": PLUGINS,
        "prepare": False,
        "rate": 10_000.0,
        "burst": 10_000.0,
        "heartbeat": 0.5,
        "wrong_tokens": 1e6,
        "hosts": ("testserver", "x"),
        "static": folder / "no-page",
        "ladders": folder / "ladders",
    }
    return Settings(**{**usual, **changed})


class Player:
    """A test's hand on one server: requests with a token, errors as they come."""

    def __init__(self, http: Any) -> None:
        self.http = http

    def call(self, method: str, path: str, token: str | None = None, **arguments: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.http.request(method, PREFIX + path, headers=headers, **arguments)

    def get(self, path: str, token: str | None = None, **query: Any) -> Any:
        response = self.call("GET", path, token, params=query)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, path: str, token: str | None = None, body: Any = None, status: int = 200) -> Any:
        response = self.call("POST", path, token, json={} if body is None else body)
        assert response.status_code == status, response.text
        return response.json()

    def make(
        self, game: str, *seats: Any, token: str | None = None, **more: Any
    ) -> tuple[str, dict[int, str], dict[str, Any]]:
        """A table; seats are "human", "open" or an agent's code. Returns its id, tokens and the whole answer."""
        wishes = [{"kind": s} if s in ("human", "open") else {"kind": "agent", "agent": s} for s in seats]
        made = self.post("/tables", token, body={"game": game, "seats": wishes, **more}, status=201)
        return made["table"]["id"], {given["seat"]: given["token"] for given in made["tokens"]}, made

    def view(self, table: str, token: str | None = None, **query: Any) -> dict[str, Any]:
        return self.get(f"/tables/{table}/view", token, **query)

    def move(self, table: str, token: str, view: dict[str, Any], choice: int = 0, move_id: str | None = None) -> Any:
        """Plays the choice-th legal move of the view."""
        action = view["legal"][choice % len(view["legal"])]["id"]
        body = {"id": move_id or f"m{view['undos']}-{view['ply']}", "ply": view["ply"], "move": action}
        return self.post(f"/tables/{table}/moves", token, body)

    def play_out(self, table: str, tokens: dict[int, str], most: int = 2000) -> dict[str, Any]:
        """Plays all the seats of the tokens to the end of the game; agents play theirs."""
        for turn in range(most):
            view = self.view(table, next(iter(tokens.values())))
            if view["over"]:
                return view
            if view["actor"] in tokens:
                token = tokens[view["actor"]]
                self.move(table, token, self.view(table, token), choice=turn)
            else:
                self.view(table, after=view["version"], wait=20)
        raise AssertionError("the game did not end")


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    """A server in this process."""
    with TestClient(create_app(settings_for(tmp_path))) as client:
        yield Player(client)


@contextlib.contextmanager
def live_server(settings: Settings, proxies: str | None = None, narrow: bool = False) -> Iterator[str]:
    """A server in a thread of this process, with real sockets; gives its URL. `narrow` wires hold little."""
    listening = listen("127.0.0.1", 0)
    if narrow:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # those that it accepts are like it
    server = uvicorn.Server(configured(create_app(settings), proxies))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


_ONLY_PLUGINS = "from ludens.core import registry; registry.BUILT_IN.clear(); "


class ServerProcess:
    """A server as a process of its own; `kill` is `kill -9`.

    With `warm` it prepares its games as for users (only those of the tests, the others take long).
    """

    def __init__(
        self, database: str, *arguments: str, warm: bool = False, host: str = "127.0.0.1", within: Sequence[str] = ()
    ) -> None:
        self.port = free_port()
        self.url = f"http://{host}:{self.port}"
        self._command = [
            *within,
            sys.executable,
            "-c",
            (_ONLY_PLUGINS if warm else "")
            + "import typer; from ludens.cli import serve; app = typer.Typer(); app.command()(serve.serve); app()",
            *("--host", host, "--port", str(self.port), "--database", database, "--rate", "100000", "--workers", "1"),
            *("--tables-per-address", "5000", "--sockets-per-address", "5000", "--json-logs", *arguments),
            "--warm" if warm else "--no-warm",
            *(word for plugin in PLUGINS for word in ("--plugin", plugin)),
        ]
        self.process: subprocess.Popen[bytes] | None = None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  (a pipe that nobody reads would fill up)

    def start(self) -> None:
        root = Path(__file__).resolve().parents[2]
        environment = {**os.environ, "PYTHONPATH": str(root)}
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=self._said, env=environment)
        end = time.monotonic() + PATIENCE
        with httpx.Client(timeout=PATIENCE, verify=False) as http:  # certificates are long to read, and for nothing
            while time.monotonic() < end:
                if self.process.poll() is not None:
                    self._said.seek(0)
                    raise AssertionError(self._said.read().decode())
                try:
                    if http.get(f"{self.url}/health").status_code == 200:
                        return
                except httpx.TransportError:
                    time.sleep(0.1)
        raise AssertionError("the server did not start")

    def said(self, everything: bool = False) -> str:
        """The last lines of its log, or all of it."""
        size = os.fstat(self._said.fileno()).st_size
        wanted = size if everything else min(size, 4000)
        return os.pread(self._said.fileno(), wanted, size - wanted).decode(errors="replace")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return int(self.process.returncode)

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self.process is not None and self.process.poll() is None:
                self.stop()
        finally:
            self._said.close()


class Postgres:
    """A PostgreSQL server of a test's own, which can be stopped and started again."""

    def __init__(self, binaries: Path, folder: str) -> None:
        port = free_port()
        self.url = f"postgresql://ludens@127.0.0.1:{port}/postgres"
        user: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            shutil.chown(folder, "nobody", "nogroup")
        data = f"{folder}/data"
        self._run(*user, str(binaries / "initdb"), "-D", data, "-U", "ludens", "-A", "trust", "--no-sync")
        self._control = [*user, str(binaries / "pg_ctl"), "-D", data, "-w", "-t", "300", "-l", f"{folder}/log"]
        self._options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        self._allowed = Path(data) / "pg_hba.conf"
        self.runs = False

    def open_to_neighbours(self) -> None:
        """Lets hosts come that are connected with this machine."""
        with self._allowed.open("a") as file:
            file.write("host all all samenet trust\n")
        self._options = self._options.replace("listen_addresses=127.0.0.1", "listen_addresses=*")
        self.stop()
        self.start()

    def _run(self, *command: str) -> None:
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)

    def start(self) -> None:
        self._run(*self._control, "-o", self._options, "start")
        self.runs = True

    def stop(self) -> None:
        """As a power cut does."""
        self._run(*self._control, "-m", "immediate", "stop")
        self.runs = False


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server that runs; without the programs or the driver the test is left out, loudly."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    tool = shutil.which("initdb") or next((str(f / "initdb") for f in folders[::-1]), None)
    if tool is None:
        pytest.skip("LEFT OUT: PostgreSQL is not installed, so the server was not tested on it")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("LEFT OUT: the package psycopg is not installed, so the server was not tested on PostgreSQL")
    with tempfile.TemporaryDirectory(prefix="ludens-postgres-") as folder:
        found = Postgres(Path(tool).resolve().parent, folder)
        found.start()
        try:
            yield found
        finally:
            if found.runs:
                found.stop()
