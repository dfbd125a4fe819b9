"""Workers of other machines: they think for a server's agents, and killing one loses no move."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.client import Client
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.thinking.lending import lend
from tests.ports import free_port
from tests.server.conftest import PLUGINS, PREFIX, live_server, settings_for

ODD = (*PLUGINS, "tests.server.odd_agents:GAME")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A server that does not think itself."""
    with live_server(settings_for(tmp_path, workers=0, worker_token="lend-me", plugins=ODD)) as address:
        yield address


class Lent:
    """A worker as a process of its own."""

    def __init__(self, url: str, token: str = "lend-me") -> None:
        root = str(Path(__file__).resolve().parents[2])
        command = [sys.executable, "-m", "ludens", "worker", url, "--token", token, "--workers", "1"]
        for plugin in ODD:
            command += ["--plugin", plugin]
        environment = {**os.environ, "PYTHONPATH": root}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )

    def __enter__(self) -> Lent:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


def finished(client: Client, table: str) -> bool:
    return bool(client.table(table)["status"] == "finished")


def test_games_go_on_while_workers_come_and_are_killed(url: str) -> None:
    with Client(url) as client:
        tables = [
            client.make_table("odd", [{"kind": "agent", "agent": "random"}] * 2, {"target": 60})["table"]["id"]
            for _ in range(4)
        ]
        before = client.view(tables[0])["ply"]
        assert before == 0  # nobody thinks yet
        with Lent(url) as first:
            while sum(client.view(table)["ply"] for table in tables) < 40:
                assert first.process.poll() is None
                time.sleep(0.02)
            first.process.kill()
        with Lent(url), Lent(url):
            end = time.monotonic() + 600
            while not all(finished(client, table) for table in tables):
                assert time.monotonic() < end
                time.sleep(0.05)
        for table in tables:
            assert client.table(table)["stand_ins"] == []  # every move is the agent's own
            assert Match.from_json(client.download(table)).over


def test_a_wrong_token_is_one_sentence(url: str) -> None:
    with Lent(url, "wrong") as lent:
        assert lent.process.stdout is not None and lent.process.stderr is not None
        assert lent.process.stdout.read(1) == ""  # it would say for whom it thinks
        assert lent.process.wait(600) == 2
        assert lent.process.stderr.read().strip() == "This is not the token of workers."


def test_a_server_without_a_worker_token_takes_none(tmp_path: Path) -> None:
    with live_server(settings_for(tmp_path)) as url, pytest.raises(BadInput, match="takes no workers"):
        asyncio.run(lend(url, "x", (), 512.0, say=accepted))


def accepted(said: str) -> None:
    """For workers that must not be: they say for whom they think."""
    raise AssertionError(said)


def test_a_worker_with_other_rules_is_sent_away(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludens.server.thinking import lending

    monkeypatch.setattr(lending, "registry", SimpleNamespace(games=list))
    with pytest.raises(BadInput, match="other rules than"):
        asyncio.run(lend(url, "lend-me", (), 512.0, say=accepted))


def said_to(folder: Path, hello: Any) -> dict[str, Any]:
    """What a server says first to a worker that introduces itself so."""
    settings = settings_for(folder, workers=0, worker_token="lend-me")
    with TestClient(create_app(settings)) as client, client.websocket_connect(f"{PREFIX}/worker") as socket:
        socket.send_json(hello)
        answer: dict[str, Any] = socket.receive_json()
        return answer


def known() -> dict[str, str]:
    return {game.spec.name: game.spec.identity for game in registry.games()}


@pytest.mark.parametrize(
    "token",
    ["", "l", "lend-m", "lend-me2", "end-me", "lend-you", "LEND-ME", "lend-me ", "None", None, ["lend-me"], True],
)
def test_a_token_that_is_nearly_right_is_wrong(tmp_path: Path, token: Any) -> None:
    said = said_to(tmp_path, {"token": token, "games": known()})
    assert said["error"]["message"] == "This is not the token of workers."


def test_a_worker_of_another_version_is_sent_away(tmp_path: Path) -> None:
    here = known()
    assert said_to(tmp_path, {"token": "lend-me", "games": here}) == {"welcome": True}
    name, _, version = here["azul"].partition("@")
    for other in (f"{name}@{int(version) + 1}", name, None):
        said = said_to(tmp_path, {"token": "lend-me", "games": {**here, "azul": other}})
        assert said["error"]["message"] == f"The worker knows other rules than {here['azul']}."


def test_a_worker_waits_for_a_server_that_is_away(tmp_path: Path) -> None:
    async def patient() -> bool:
        task = asyncio.create_task(lend(f"http://127.0.0.1:{free_port()}", "x", (), 512.0, say=lambda _: None))
        await asyncio.sleep(1.0)
        waits = not task.done()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        return waits

    assert asyncio.run(patient())
