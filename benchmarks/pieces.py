"""The longest piece of the event loop's time that each kind of request takes, of what a stranger can ask for.

    python benchmarks/pieces.py                 all built-in games
    python benchmarks/pieces.py catan           some of them

Everything is asked three times of a server in this process; the best time counts, since others may use the machine.
Threads are told beside it: an address has one at a time, and they hold nobody else up. Exits with 1 if a piece takes
20 ms or more.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from ludens.core import registry
from ludens.core.match import Match
from ludens.server.app import PREFIX, create_app
from ludens.server.http.routes.games import describe_all
from ludens.server.settings import Settings
from ludens.server.threads import FairThreads

__all__ = ["main"]

_MOST = 20.0  # milliseconds
_TABLES = 200
_MANY = 10**6  # limits out of the way


class Meter:
    """Notes the pieces of the loop's time and of the threads', and prints the longest."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self._pieces: list[float] = []
        self._threads: list[float] = []
        self.worst = 0.0
        called, run = asyncio.Handle._run, FairThreads.run

        def noted(handle: asyncio.Handle) -> None:
            began = time.perf_counter()
            called(handle)
            self._pieces.append(1000 * (time.perf_counter() - began))

        async def timed(threads: FairThreads, work: Callable[..., Any], *given: Any) -> Any:
            def measured() -> Any:
                began = time.thread_time()
                try:
                    return work(*given)
                finally:
                    self._threads.append(1000 * (time.thread_time() - began))

            return await run(threads, measured)

        everywhere: Any = asyncio.Handle
        everywhere._run = noted
        threads: Any = FairThreads
        threads.run = timed

    def measure(self, name: str, ask: Callable[[], Any]) -> None:
        """Asks three times."""
        found = []
        for _ in range(3):
            self._pieces.clear()
            self._threads.clear()
            ask()
            found.append((max(self._pieces, default=0.0), sum(self._threads)))
        longest, threads = min(found)
        self.worst = max(self.worst, longest)
        print(f"{name:<55} {longest:8.2f} ms {threads:10.1f} ms of threads", flush=True)

    def ask(self, name: str, method: str, path: str, token: str | None = None, **given: Any) -> None:
        """Asks for a path three times."""
        headers = {"content-type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self.measure(name, lambda: self._client.request(method, PREFIX + path, headers=headers, **given))


class Seated:
    """A table whose seats are all ours, after some moves, or with a whole game in it."""

    def __init__(self, client: TestClient, game: str) -> None:
        self.seats = max(registry.game(game).spec.players)
        made = client.post(f"{PREFIX}/tables", json={"game": game, "seats": [{"kind": "human"}] * self.seats}).json()
        self.id, self.owner = made["table"]["id"], made["owner_token"]
        self.tokens = {given["seat"]: given["token"] for given in made["tokens"]}
        self.table = client.app.state.services.tables.living[self.id]  # type: ignore[attr-defined]

    @property
    def mine(self) -> str:
        """The token of the seat to act."""
        return self.tokens[self.table.actor]


def playing(client: TestClient, meter: Meter, game: str) -> None:
    """What is asked while a game is played."""
    seated, chance = Seated(client, game), random.Random(1)
    path = f"/tables/{seated.id}"

    def move() -> None:
        if seated.table.actor is None:
            return  # the game is over
        action = int(chance.choice(seated.table.match.legal()))
        body = {"id": f"m{seated.table.ply}", "ply": seated.table.ply, "move": action}
        client.post(f"{PREFIX}{path}/moves", headers={"Authorization": f"Bearer {seated.mine}"}, json=body)

    for _ in range(12):
        move()
    large = {"move": {"a": [1] * 20_000}}
    meter.measure(f"{game}: a new table", lambda: Seated(client, game))
    meter.measure(f"{game}: a move", move)
    meter.ask(f"{game}: a view with its record", "GET", f"{path}/view?record=true", seated.mine)
    meter.ask(f"{game}: an old move", "POST", f"{path}/moves", seated.mine, json={"id": "x", "ply": 0, "move": 0})
    meter.ask(f"{game}: a check of nonsense", "POST", f"{path}/check", seated.mine, json={"move": "x" * 60_000})
    meter.ask(f"{game}: a check of a large object", "POST", f"{path}/check", seated.mine, json=large)
    meter.ask(f"{game}: its description", "GET", f"/games/{game}")
    meter.ask(f"{game}: a puzzle", "GET", f"/puzzles/{game}/0")
    meter.ask(f"{game}: a check of a puzzle's move", "POST", f"/puzzles/{game}/0/check", json={"move": "x"})


def looking_back(client: TestClient, meter: Meter, game: str) -> None:
    """What is asked about a whole game of careless players."""
    seated, chance = Seated(client, game), random.Random(1)
    match = Match(game, {"players": seated.seats}, seed=1)
    while not match.over:
        match.play(int(chance.choice(match.legal())))
    seated.table.match, path, plies = match, f"/tables/{seated.id}", match.ply

    def greet(**wish: Any) -> None:
        with client.websocket_connect(f"{PREFIX}{path}/socket") as wire:
            wire.send_json({"type": "hello", "from": 0, **wish})
            for _ in range(max(1, len(wish.get("tokens", ())))):
                while wire.receive_json()["type"] != "view":
                    pass

    everybody = list(seated.tokens.values())
    meter.ask(f"{game}: steps of {plies} plies", "GET", f"{path}/steps")
    meter.ask(f"{game}: steps with positions", "GET", f"{path}/steps?positions=true&from={max(0, plies - 100)}")
    meter.ask(f"{game}: an earlier view", "GET", f"{path}/view?ply={plies // 2}")
    meter.ask(f"{game}: a stream from the start", "GET", f"{path}/stream?from=0&positions=true&record=true&once=true")
    meter.measure(f"{game}: a hello of all seats", lambda: greet(tokens=everybody))
    meter.measure(f"{game}: the same with positions", lambda: greet(tokens=everybody, positions=True, record=True))
    client.post(f"{PREFIX}{path}/close", headers={"Authorization": f"Bearer {seated.owner}"})
    meter.ask(f"{game}: a download", "GET", f"{path}/game")
    meter.ask(f"{game}: a film", "GET", f"{path}/embed")
    wish = {"ply": plies - 5, "seats": [{"kind": "human"}] * seated.seats}
    meter.ask(f"{game}: going on from a position", "POST", f"{path}/continue", json=wish)
    meter.ask(f"{game}: a saved game", "POST", "/tables/import?private=false", json=match.to_json())


def everything(client: TestClient, meter: Meter, games: list[str]) -> None:
    """All questions, of these games and of none."""
    for game in games:
        playing(client, meter, game)
        looking_back(client, meter, game)
    for _ in range(_TABLES):
        Seated(client, games[-1])
    options = ",".join(f'"k{k}":{k}' for k in range(5000))
    meter.ask("all games", "GET", "/games")
    meter.ask("the document", "GET", "/openapi.json")
    meter.ask(f"a list of {_TABLES} tables", "GET", f"/tables?limit={_TABLES}")
    meter.ask("a query of 7,500 parts", "GET", "/tables?" + "a&" * 7500)
    meter.ask("a deep body", "POST", "/tables", content="[" * 60_000)
    meter.ask("a wide body", "POST", "/tables", content=f'{{"game":"azul","options":{{{options}}}}}')


def main() -> None:
    """Measures and prints."""
    games = sys.argv[1:] or list(registry.BUILT_IN)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            database=f"sqlite:///{folder}/pieces.sqlite3",
            workers=0,
            prepare=False,
            rate=_MANY,
            burst=_MANY,
            tables=_MANY,
            tables_per_address=_MANY,
            tables_per_hour=_MANY,
            imports_per_hour=_MANY,
            static=Path(folder) / "no-page",
        )
        app = create_app(settings)
        app.openapi()  # as a server does before it listens
        describe_all(app.state.services)
        with TestClient(app) as client:
            meter = Meter(client)
            everything(client, meter, games)
    print(f"{'the longest':<55} {meter.worst:8.2f} ms")
    sys.exit(meter.worst >= _MOST)


if __name__ == "__main__":
    main()
