"""The short ways of a move: common commits, and words that never change."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ludens.core import registry
from ludens.core.fields import Fields
from ludens.core.match import Match
from ludens.server.gathering import gathering
from ludens.server.storage.writer import Storage
from tests.server.conftest import PATIENCE


def _answer(number: int, connection: object) -> int:
    return number


def _note(done: list[int], number: int, connection: object) -> None:
    done.append(number)


def test_writes_that_are_given_up_do_not_stop_those_that_follow(tmp_path: Path) -> None:
    storage = Storage(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    storage.open()

    async def write() -> list[object]:
        given_up = [asyncio.ensure_future(storage.write(lambda connection: None)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in given_up:
            task.cancel()
        await asyncio.gather(*given_up, return_exceptions=True)
        answers = [storage.write(partial(_answer, k)) for k in range(500)]
        return await asyncio.wait_for(asyncio.gather(*answers), PATIENCE)

    try:
        assert asyncio.run(write()) == list(range(500))
    finally:
        storage.close()


def _fail(connection: object) -> None:
    raise TimeoutError


def test_an_error_without_a_word_does_not_end_the_writing(tmp_path: Path) -> None:
    storage = Storage(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    storage.open()

    async def write() -> object:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(storage.write(_fail), PATIENCE)
        assert storage.failed == "TimeoutError"
        return await asyncio.wait_for(storage.write(partial(_answer, 5)), PATIENCE)

    try:
        assert asyncio.run(write()) == 5
        assert storage.failed is None
    finally:
        storage.close()


def test_what_is_asked_for_before_the_end_is_stored(tmp_path: Path) -> None:
    storage = Storage(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    storage.open()
    done: list[int] = []

    async def ask() -> None:
        waiting = [asyncio.ensure_future(storage.write(partial(_note, done, k))) for k in range(20)]
        await asyncio.sleep(0)
        await asyncio.to_thread(storage.close)
        await asyncio.gather(*waiting)

    asyncio.run(ask())
    assert done == list(range(20))


@pytest.mark.parametrize("name", list(registry.names()))
def test_words_that_are_said_to_be_fixed_are(name: str) -> None:
    game = registry.game(name)
    if not game.text.actions_are_fixed:
        return
    for players in game.spec.players:
        words: dict[int, tuple[str, object]] = {}
        for seed in range(3):
            match, chance = Match(game, players=players, seed=seed), random.Random(seed)
            while not match.over:
                seen, legal = Fields(match.view(match.actor)), match.legal().tolist()
                for a in legal:
                    said = (game.text.action_to_text(seen, a), game.text.action_to_json(seen, a))
                    assert words.setdefault(a, said) == said
                match.play(chance.choice(legal))
        assert words


class _Wire(asyncio.Transport):
    """Notes what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[bytes | str] = []

    def write(self, data: Any) -> None:
        self.given.append(bytes(data))

    def close(self) -> None:
        self.given.append("closed")


class _Three(asyncio.Protocol):
    """Says three things at once, then two more and goodbye."""

    def connection_made(self, transport: Any) -> None:
        for word in (b"a", b"b", b"c"):
            transport.write(word)
        asyncio.get_running_loop().call_later(0.01, self.end, transport)

    def end(self, transport: Any) -> None:
        transport.write(b"d")
        transport.write(b"e")
        transport.close()


def test_what_is_said_in_a_round_leaves_at_once_and_before_the_end() -> None:
    async def given() -> list[bytes | str]:
        wire = _Wire()
        gathering(_Three)().connection_made(wire)
        assert wire.given == []
        while "closed" not in wire.given:
            await asyncio.sleep(0)
        return wire.given

    assert asyncio.run(given()) == [b"abc", b"de", "closed"]
