"""Agents that need what is not compiled cost their owner time, and nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ludens.server.app import create_app
from ludens.server.preparing import preparation, variants
from ludens.server.preparing.variants import Variants
from tests.server.conftest import PLUGINS, Player, settings_for
from tests.server.test_agents import until

# Stands in for the process that compiles: notes what it is asked for, and waits for a file.
_PROGRAM = """
import os, sys, time
folder = {folder!r}
open(folder + "/asked", "a").write(sys.argv[2] + "\\n")
while not os.path.exists(folder + "/go"):
    time.sleep(0.01)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All games are compiled; agents are when the file `go` is there."""
    monkeypatch.setattr(preparation, "is_prepared", lambda *_: True)
    monkeypatch.setattr(preparation, "match_tasks", lambda _: [])
    monkeypatch.setattr(variants, "_PROGRAM", _PROGRAM.format(folder=str(tmp_path)))
    return tmp_path


@pytest.fixture
def odd(folder: Path) -> Iterator[Player]:
    plugins = (*PLUGINS, "tests.server.odd_agents:GAME")
    settings = settings_for(folder, plugins=plugins, prepare=True, watch=0.2, agent_seconds=10.0)
    with TestClient(create_app(settings)) as client:
        yield Player(client)


def asked(folder: Path) -> list[str]:
    file = folder / "asked"
    return file.read_text().split() if file.exists() else []


def test_a_stranger_does_not_wait_for_agents_that_compile(odd: Player, folder: Path) -> None:
    warm, tokens, _ = odd.make("odd", "human", "random", options={"target": 400})
    until(lambda: odd.call("GET", f"/tables/{warm}/view").status_code == 200)
    odd.move(warm, tokens[0], odd.view(warm, tokens[0]), choice=1)
    until(lambda: odd.view(warm)["actor"] == 0)
    unusual = [odd.make("odd", "human", "compiling:seconds=8", options={"target": 400}) for _ in range(3)]
    for table, mine, _ in unusual:
        odd.move(table, mine[0], odd.view(table, mine[0]), choice=1)
    until(lambda: asked(folder) != [])
    odd.move(warm, tokens[0], odd.view(warm, tokens[0]), choice=1)
    until(lambda: odd.view(warm)["actor"] == 0)
    assert all(odd.view(table)["actor"] == 1 for table, _, _ in unusual)  # it came before them
    until(lambda: odd.http.app.state.services.watchdog.standing == 0)
    assert "watchdog_repairs_total 1" not in odd.http.get("/metrics").text  # they wait; nobody repairs them
    assert asked(folder) == ["compiling:seconds=8"]  # once for the three tables
    assert all(odd.view(table)["actor"] == 1 for table, _, _ in unusual)
    (folder / "go").touch()
    until(lambda: any(odd.view(table)["actor"] == 0 for table, _, _ in unusual))  # now a worker may load it


def test_owners_take_turns(folder: Path) -> None:
    async def free() -> None:
        return None

    async def all_of_them() -> None:
        line = Variants((), free)
        wishes = [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1")]
        waiting = [asyncio.create_task(line.prepare(owner, "pig", code, {})) for owner, code in wishes]
        gone = asyncio.create_task(line.prepare("c", "pig", "c1", {}))
        await asyncio.sleep(0.05)
        gone.cancel()  # whoever does not wait any more costs nothing
        (folder / "go").touch()
        await asyncio.gather(*waiting)
        await line.close()

    asyncio.run(all_of_them())
    assert asked(folder) == ["a1", "b1", "a2", "a3"]


def test_an_agent_that_cannot_be_compiled_is_given_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_PROGRAM", "raise SystemExit(3)")

    async def free() -> None:
        return None

    async def one() -> None:
        await asyncio.wait_for(Variants((), free).prepare("a", "pig", "x", {}), 60)

    asyncio.run(one())
