"""Batch play over a server: a TOML file names agents; every line-up plays so many games.

Finished games are appended to the output file one JSON object a line, so that an interrupted
batch goes on where it stopped.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludens.client import calls
from ludens.client.asynchronous import AsyncClient
from ludens.core.address import DEFAULT_SERVER
from ludens.core.errors import BadInput, did_you_mean

__all__ = ["BatchFile", "BatchGame", "planned_games", "play_batch", "read_batch", "results", "summary"]


@dataclass(frozen=True)
class BatchFile:
    """What a batch file says; `agents` are (name, code) pairs."""

    game: str
    agents: tuple[tuple[str, str], ...]
    output: Path
    server: str = DEFAULT_SERVER
    players: int = 2
    games: int = 2  # of every line-up
    self_play: bool = False  # also line-ups in which an agent sits twice
    parallel: int = 2  # games at once; the server's cores are a sensible number (CD-106)
    seed: int = 1  # of the first game; the next has the next number
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BatchGame:
    """One game to play: its number in the batch and its line-up."""

    number: int
    line_up: tuple[tuple[str, str], ...]


def read_batch(path: Path) -> BatchFile:
    """Reads a batch file; anything missing, unknown or ill-typed is refused by name."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"The batch file {path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"The batch file {path} is not TOML: {error}.") from error
    expected: dict[str, type] = {
        "game": str,
        "agents": list,
        "output": str,
        "server": str,
        "players": int,
        "games": int,
        "self_play": bool,
        "parallel": int,
        "seed": int,
        "options": dict,
    }
    for key, value in content.items():
        if key not in expected:
            raise did_you_mean(key, expected, "key of the batch file")
        if type(value) is not expected[key]:
            raise BadInput(f"{key} of the batch file must be of type {expected[key].__name__}, not {value!r}.")
    missing = [key for key in ("game", "agents", "output") if key not in content]
    if missing:
        raise BadInput(f"The batch file lacks {', '.join(missing)}.")
    for key in ("players", "games", "parallel"):
        if content.get(key, 1) < 1:
            raise BadInput(f"{key} of the batch file must be at least 1.")
    output = path.parent / content.pop("output")
    return BatchFile(agents=_agents(content.pop("agents")), output=output, **content)


def _agents(given: list[Any]) -> tuple[tuple[str, str], ...]:
    found = []
    for entry in given:
        if not isinstance(entry, dict) or set(entry) - {"name", "code"} or not isinstance(entry.get("code"), str):
            raise BadInput(f"An agent of the batch file has a code and perhaps a name, not {entry!r}.")
        found.append((str(entry.get("name", entry["code"]))[:32], entry["code"]))
    if not found:
        raise BadInput("The batch file names no agents.")
    if len({name for name, _ in found}) < len(found):
        raise BadInput("The agents of the batch file need different names.")
    return tuple(found)


def planned_games(batch: BatchFile) -> list[BatchGame]:
    """All games of the batch, in an order that does not change."""
    if batch.self_play:
        line_ups = list(itertools.product(batch.agents, repeat=batch.players))
    else:
        line_ups = list(itertools.permutations(batch.agents, batch.players))
    if not line_ups:
        raise BadInput(f"{batch.players} players need {batch.players} agents, or self_play = true.")
    return [BatchGame(number, line_up) for number, line_up in enumerate(line_ups * batch.games)]


def results(batch: BatchFile) -> dict[int, dict[str, Any]]:
    """The games that are in the output file already, by number; a torn last line is left out."""
    found: dict[int, dict[str, Any]] = {}
    if batch.output.exists():
        for line in batch.output.read_text(encoding="utf-8").splitlines():
            try:
                result = json.loads(line)
            except ValueError:
                continue
            found[result["number"]] = result
    return found


async def play_batch(batch: BatchFile, say: Callable[[str], None] = lambda line: None) -> dict[int, dict[str, Any]]:
    """Plays what is left of the batch; returns all results by number."""
    done = results(batch)
    todo = [game for game in planned_games(batch) if game.number not in done]
    say(f"{len(done)} games are there, {len(todo)} to play.")
    batch.output.parent.mkdir(parents=True, exist_ok=True)
    room = asyncio.Semaphore(batch.parallel)
    async with AsyncClient(batch.server) as client:
        with batch.output.open("a", encoding="utf-8") as output:
            if done and not batch.output.read_bytes().endswith(b"\n"):
                output.write("\n")  # after a torn line

            async def one(game: BatchGame) -> None:
                async with room:
                    result = await _play(client, batch, game)
                done[game.number] = result
                output.write(json.dumps(result) + "\n")
                output.flush()
                say(f"game {game.number}: {', '.join(result['names'])}: {result['scores']}")

            await asyncio.gather(*(one(game) for game in todo))
    return done


async def _play(client: AsyncClient, batch: BatchFile, game: BatchGame) -> dict[str, Any]:
    seats = [{"kind": "agent", "name": name, "agent": code} for name, code in game.line_up]
    call = calls.make_table(batch.game, seats, batch.options, seed=batch.seed + game.number)
    table_id = (await client.send(call))["table"]["id"]
    view = await client.send(calls.view(table_id))
    while not view["over"]:
        view = await client.send(calls.view(table_id, after=view["version"]))
    table = await client.send(calls.table(table_id))
    return {
        "number": game.number,
        "table": table_id,
        "names": [name for name, _ in game.line_up],
        "codes": [code for _, code in game.line_up],
        "seed": batch.seed + game.number,
        "status": table["status"],
        "scores": table["result"]["scores"],
        "returns": table["result"]["returns"],
    }


def summary(found: dict[int, dict[str, Any]]) -> list[tuple[str, int, float, float]]:
    """Every agent's games, mean return and mean score, the best first."""
    by_name: dict[str, list[tuple[float, float]]] = {}
    for result in found.values():
        if result["returns"] is not None:
            for name, value, score in zip(result["names"], result["returns"], result["scores"], strict=True):
                by_name.setdefault(name, []).append((value, score))
    rows = [
        (name, len(games), sum(v for v, _ in games) / len(games), sum(s for _, s in games) / len(games))
        for name, games in by_name.items()
    ]
    return sorted(rows, key=lambda row: -row[2])
