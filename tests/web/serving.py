"""A server of its own for browser tests (`python -m tests.web.serving PORT FOLDER`), and a hand on it."""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from tests.ports import free_port

__all__ = ["ADMIN", "Serving"]

ROOT = Path(__file__).parents[2]
PLUGINS = ("tests.examples.tiny:GAME", "tests.examples.hidden:GAME")  # Pig and Duel, games without a board of their own
ADMIN = "the-admin"  # may give a seed to a table of people
PATIENCE = 600.0  # seconds; games are compiled once, when nothing has compiled them before


class Serving:
    """The process of a server; it can be stopped and started again on the same port with the same tables."""

    def __init__(self, folder: Path, examples: bool = True) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self.ladders = folder / "ladders"
        self._examples = examples  # with the small games that have no board of their own
        self._process: subprocess.Popen[bytes] | None = None

    def draw_for(self, test: str) -> None:
        """From here on seeds are drawn for this test: its cards, tiles and dice are the same in every run."""
        (self._folder / "test.txt").write_text(test)

    def start(self) -> None:
        """Starts the server and returns when it answers."""
        with (self._folder / "log.txt").open("ab") as log:
            command = [sys.executable, "-m", "tests.web.serving", str(self.port), str(self._folder)]
            command += ["examples"] if self._examples else []
            self._process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self._process.poll() is None, f"The server ended:\n{(self._folder / 'log.txt').read_text()}"
            try:
                if httpx.get(f"{self.address}/health", timeout=10).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("The server does not answer.")

    def stop(self) -> None:
        """Ends the server as an operator does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(120)
            self._process = None

    def post(self, path: str, body: Any = None, token: str | None = None) -> Any:
        """The answer to a request of the interface."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = httpx.post(f"{self.address}/api/v1{path}", json=body, headers=headers, timeout=120)
        assert response.status_code < 300, response.text
        return response.json()

    def get(self, path: str, token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = httpx.get(f"{self.address}/api/v1{path}", headers=headers, timeout=120)
        assert response.status_code == 200, response.text
        return response.json()

    def get_review(self, table: str) -> Any:
        """What is known of an ended game's review; asking starts it."""
        time.sleep(0.2)
        response = httpx.get(f"{self.address}/api/v1/tables/{table}/review", timeout=120)
        assert response.status_code in (200, 202), response.text
        return response.json()

    def finished_game(self, seed: int = 1, rounds: int = 2) -> str:
        """The id of a game of Azul that two computers have played to its end."""
        seats = [{"kind": "agent", "agent": "heuristic", "name": name} for name in ("Ada", "Bea")]
        return self.played_out({"game": "azul", "seats": seats, "seed": seed, "options": {"round_limit": rounds}})

    def played_out(self, wish: dict[str, Any]) -> str:
        """The id of a game that computers have played to its end."""
        table = str(self.post("/tables", wish)["table"]["id"])
        end = time.monotonic() + PATIENCE
        while self.get(f"/tables/{table}")["status"] != "finished":
            assert time.monotonic() < end, "The computers do not finish."
            time.sleep(0.1)
        return table


def fix_seeds(folder: Path) -> None:
    """Every seed follows from the name of the test that runs and the number of seeds it has drawn."""
    drawn: Counter[str] = Counter()

    def randbelow(exclusive_upper_bound: int) -> int:
        named = folder / "test.txt"
        test = named.read_text() if named.exists() else ""
        drawn[test] += 1
        return int.from_bytes(hashlib.sha256(f"{test} {drawn[test]}".encode()).digest()) % exclusive_upper_bound

    secrets.randbelow = randbelow


def main(port: int, folder: Path, examples: bool) -> None:
    """Serves until it is told to stop."""
    from ludens.server.run import listen, run
    from ludens.server.settings import Settings

    fix_seeds(folder)
    static = os.environ.get("LUDENS_PAGE")  # a page that was built elsewhere
    settings = Settings(
        database=f"sqlite:///{folder / 'tables.sqlite3'}",
        admin_token=ADMIN,
        workers=1,
        plugins=PLUGINS if examples else (),
        rate=1000.0,
        burst=10_000.0,
        tables_per_address=10_000,
        profiles_per_hour=10_000,
        laboratory=folder / "laboratory",
        ladders=folder / "ladders",
        static=Path(static) if static else Settings.static,
    )
    run(settings, listen("127.0.0.1", port), lambda: None)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), "examples" in sys.argv[3:])
