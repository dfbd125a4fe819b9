"""The Model Context Protocol: a scripted client plays whole series by the SDK's own client; words tell no secret."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.adapters.by_words import Table, view_in_words
from ludens.cli.main import main
from ludens.core import kernels, record, registry
from ludens.core.match import Match
from ludens.core.rng import generator
from ludens.lab.standings import load_games, standings
from ludens.play.results import ResultsFile

GAMES = list(registry.BUILT_IN)


def smallest_match(name: str, seed: int, players: int | None = None) -> Match:
    spec = registry.game(name).spec
    return Match(name, {**spec.tournament, "players": players or min(spec.players)}, seed=seed)


@pytest.mark.parametrize("name", GAMES)
def test_words_do_not_change_when_what_is_hidden_changes(name: str) -> None:
    """A world that the seat cannot tell from the true one has the same words; and the words are not those of all."""
    spec, changed = registry.game(name).spec, 0
    choices, worlds = np.random.default_rng(5), generator(5, 0, 0)
    for seed in range(3):
        match = smallest_match(name, seed, max(spec.players))
        while not match.over and match.ply < 300:
            for seat in range(match.players) if match.ply % 5 == 0 or match.ply < 30 else ():
                words = view_in_words(match.game, match.players, match.view(seat), seat)
                world = record.blank(match.game.dtype)
                kernels.determinize_at(match.view(seat), 0, seat, worlds, world)
                changed += world.tobytes() != match.state().tobytes()
                seen = record.blank(match.game.dtype)
                kernels.view_at(world, 0, seat, seen)
                assert view_in_words(match.game, match.players, seen, seat) == words
            match.play(int(choices.choice(match.legal())))
    assert changed or not spec.hidden


@pytest.mark.parametrize("name", GAMES)
def test_different_views_of_a_game_have_different_words(name: str) -> None:
    """What a seat sees and can matter is in the words: along random games no two views share theirs."""
    choices = np.random.default_rng(6)
    for seed in range(2):
        match = smallest_match(name, seed)
        seen: dict[tuple[int, str], np.ndarray] = {}
        while not match.over and match.ply < 400:
            for seat in range(match.players):
                view = match.view(seat)
                words = view_in_words(match.game, match.players, view, seat)
                other = seen.setdefault((seat, words), view)
                assert [
                    field for field in view.dtype.names or () if not np.array_equal(view[field], other[field])
                ] == []
            match.play(int(choices.choice(match.legal())))


def playing(script: Callable[[Callable[..., Awaitable[Any]]], Awaitable[None]], **given: Any) -> None:
    """Runs a script that calls tools by name, by the SDK's client in memory."""
    mcp = pytest.importorskip("mcp")
    from ludens.adapters.mcp import make_server

    async def run() -> None:
        async with mcp.Client(make_server(**given)) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                found = await client.call_tool(tool, arguments)
                return found.is_error, "\n".join(part.text for part in found.content), found.structured_content

            await script(call)

    try:
        asyncio.run(run())
    finally:
        Table.close_open()


def test_a_client_plays_a_series_that_is_reported_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "words.db"

    async def script(call: Callable[..., Awaitable[Any]]) -> None:
        failed, games, _ = await call("list_games")
        assert not failed and all(f"{name}: " in games for name in GAMES)
        failed, words, _ = await call("sit_down", game="azul", against=["random"], games=2, seed=3)
        assert not failed and words.startswith("You are seat 1"), words
        failed, sentence, _ = await call("move", move="9 violet 1")
        assert failed and "Factories are numbered 1 to 5, not '9'" in sentence
        assert (await call("view"))[1] == words  # nothing has changed
        ends = 0
        while "The series is over" not in words:
            _, _, legal = await call("legal_moves")
            failed, words, _ = await call("move", move=legal["result"][-1])
            assert not failed, words
            ends += words.count("The game is over. You have")
        assert ends == 2
        failed, told, _ = await call("results_so_far")
        assert json.loads(told)["refused"] == 1

    playing(script, name="scripted", results=path)
    with ResultsFile(path) as file:
        run = file.run()
        found = {one.agent: one for one in standings(load_games(file, run))}
        assert file.count(run) == 2 and file.failures(run) == []
        assert {seat.player for seat in file.game(run, 0).seats} == {0, 1}
    assert set(found) == {"scripted", "random"}


def test_a_client_that_leaves_keeps_the_games_before(tmp_path: Path) -> None:
    path = tmp_path / "words.db"

    async def script(call: Callable[..., Awaitable[Any]]) -> None:
        arguments = {"game": "scotland_yard_grid", "against": ["random"], "games": 3, "seat": 1, "seed": 2}
        _, words, _ = await call("sit_down", **arguments)
        while "The game is over" not in words:
            _, _, legal = await call("legal_moves")
            _, words, _ = await call("move", move=legal["result"][0])
        Table.close_open()
        failed, sentence, _ = await call("view")
        assert failed and "You sit at no table; call sit_down first." in sentence
        _, words, _ = await call("sit_down", **arguments)
        while "The series is over" not in words:
            _, _, legal = await call("legal_moves")
            _, words, _ = await call("move", move=legal["result"][0])

    playing(script, results=path)
    with ResultsFile(path) as file:
        assert file.count(file.run()) == 3


def test_rules_are_told_by_their_words_and_numbers() -> None:
    async def script(call: Callable[..., Awaitable[Any]]) -> None:
        failed, words, _ = await call("ask_rules", game="catan", about="CA-19")
        assert not failed and "**CA-19**" in words and "**CA-1** " not in words
        failed, words, _ = await call("ask_rules", game="catan", about="dragon")
        assert failed and "The rules of Catan have no paragraph with 'dragon'." in words
        failed, words, _ = await call("board_map", game="scotland_yard")
        assert not failed and len(json.loads(words)["stations"]) == 199

    playing(script)


def test_without_the_sdk_the_command_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "ludens.adapters.mcp", raising=False)
    with pytest.raises(SystemExit) as left:
        main(["mcp"])
    assert left.value.code == 2
    assert capsys.readouterr().err == ("ludens mcp needs the Python SDK of the protocol: pip install 'ludens[mcp]'.\n")
