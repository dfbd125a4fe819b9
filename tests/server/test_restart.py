"""After a crash or a restart every table continues where it was; nothing acknowledged is lost, nothing is doubled."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.client import AsyncClient, calls
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.storage import database
from ludens.server.thinking.worker import load_plugins
from tests.server.conftest import PATIENCE, PLUGINS, Player, Postgres, ServerProcess, settings_for

load_plugins(PLUGINS)  # the saved games of a server process are rebuilt in this one
_TABLES = 50
_GAMES = ["azul", "duel", "pig", "duel", "pig"]


def test_a_restarted_server_continues_its_tables(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, _made = player.make("azul", "human", "human", options={"first": "1"})
        waiting, mine, _ = player.make("pig", "human", "open")
        agents, agent_tokens, _ = player.make("pig", "human", "random")
        view = player.view(table, tokens[0])
        player.move(table, tokens[0], view, move_id="kept")
        before = {seat: player.view(table, token) for seat, token in tokens.items()}
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        for seat, token in tokens.items():
            assert {**player.view(table, token), "version": 0} == {**before[seat], "version": 0}
        assert player.move(table, tokens[0], view, move_id="kept")["repeated"]
        assert player.play_out(table, tokens)["over"]
        joined = player.post(f"/tables/{waiting}/join")
        assert player.play_out(waiting, {0: mine[0], 1: joined["token"]})["over"]
        assert player.play_out(agents, agent_tokens)["over"]
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        assert {t["id"] for t in player.get("/tables", status="finished")["tables"]} == {table, waiting, agents}
        assert Match.from_json(player.get(f"/tables/{table}/game")).over


def test_migrations_make_exactly_the_tables_of_the_code(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    engine = database.connect(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    database.migrate(engine)
    database.migrate(engine)  # a second time changes nothing
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), database.metadata) == []
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "is not a database URL"),
        ("mysql://localhost/x", "SQLite or PostgreSQL"),
        ("sqlite:////no/such/folder/x.sqlite3", "cannot be used"),
    ],
)
def test_bad_databases_are_one_sentence(url: str, words: str) -> None:
    from ludens.core.errors import BadInput

    with pytest.raises(BadInput, match=words):
        database.migrate(database.connect(url))


# --- kill -9 ------------------------------------------------------------------------------


class Script:
    """A scripted pair of players at one table: notes every acknowledged move, never gives up."""

    def __init__(self, client: AsyncClient, game: str) -> None:
        self._client = client
        self._game = game
        self.acknowledged: list[tuple[int, int]] = []  # (ply, action)
        self.table = ""
        self.tokens: dict[int, str] = {}

    async def sit_down(self) -> None:
        options = {"target": 20} if self._game == "pig" else {}
        made = await self._client.send(calls.make_table(self._game, [{"kind": "human"}] * 2, options))
        self.table = made["table"]["id"]
        self.tokens = {given["seat"]: given["token"] for given in made["tokens"]}

    async def play(self, pause: float) -> None:
        turn = 0
        while True:
            view = await self._client.send(calls.view(self.table, self.tokens[0]))
            if view["over"]:
                return
            actor = view["actor"]
            if actor != 0:
                view = await self._client.send(calls.view(self.table, self.tokens[actor]))
            action = view["legal"][turn % len(view["legal"])]["id"]
            call = calls.move(self.table, self.tokens[actor], action, view["ply"], uuid.uuid4().hex)
            answer = await self._client.send(call)  # repeated under the same id while the server is away
            assert answer["ply"] == view["ply"]
            self.acknowledged.append((view["ply"], action))
            turn += 1
            await asyncio.sleep(pause)


async def _kill_in_the_middle(
    server: ServerProcess, kills: int, games: list[str]
) -> list[tuple[Script, dict[str, Any]]]:
    async with AsyncClient(server.url, PATIENCE) as client:
        scripts = [Script(client, games[k % len(games)]) for k in range(_TABLES)]
        await asyncio.gather(*(script.sit_down() for script in scripts))
        playing = [asyncio.create_task(script.play(0.02)) for script in scripts]
        for kill in range(kills):
            while sum(len(script.acknowledged) for script in scripts) < 100 + 150 * kill:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        await asyncio.gather(*playing)
        return [(script, await client.send(calls.download(script.table))) for script in scripts]


def check_all_finished(server: ServerProcess, kills: int, games: list[str] = _GAMES) -> None:
    """Kills the server in the middle of fifty games; all finish, with every acknowledged move once."""
    with server:
        finished = asyncio.run(_kill_in_the_middle(server, kills, games))
    assert len(finished) == _TABLES
    for script, saved in finished:
        assert Match.from_json(saved).over
        choices = [(ply, saved["log"][ply]) for ply, _ in script.acknowledged]
        assert choices == script.acknowledged
        assert len({ply for ply, _ in script.acknowledged}) == len(script.acknowledged)
        own = [step.ply for step in Match.from_json(saved).steps() if is_choice(saved, step)]
        assert own == [ply for ply, _ in script.acknowledged]


def is_choice(saved: dict[str, Any], step: Any) -> bool:
    from ludens.core.registry import identified

    return step.actor >= 0 and step.action < identified(saved["game"]).spec.first_automatic


def test_fifty_games_survive_kill_9_on_sqlite(tmp_path: Path) -> None:
    check_all_finished(ServerProcess(f"sqlite:///{tmp_path / 'killed.sqlite3'}"), kills=2)


def test_fifty_games_survive_kill_9_on_postgresql(postgres: Postgres) -> None:
    check_all_finished(ServerProcess(postgres.url), kills=1)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["sqlite", "postgresql"])
def test_thirty_kills_lose_nothing(tmp_path: Path, where: str, request: pytest.FixtureRequest) -> None:
    """Fifteen on each database, at moments that have nothing to do with what the server does."""
    if where == "sqlite":
        database = f"sqlite:///{tmp_path / 'killed.sqlite3'}"
    else:
        database = request.getfixturevalue("postgres").url
    check_all_finished(ServerProcess(database), kills=15, games=["azul"])
