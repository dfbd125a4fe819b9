"""Agents made for tests, and the example games, for the time of one test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludens.agents import codes
from ludens.core import registry
from ludens.core.agent import Agent, AgentKind
from ludens.core.spec import Game
from tests.examples import hidden, tiny


@pytest.fixture
def add_agent(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes an agent known to all games under a name."""
    known = codes.named_kinds
    added: dict[str, AgentKind] = {}

    def named_kinds(game: Game) -> dict[str, AgentKind]:
        return {**known(game), **added}

    def add(name: str, make: Callable[..., Agent], oracle: bool = False) -> None:
        added[name] = AgentKind(name, "made for a test", make, oracle=oracle)

    monkeypatch.setattr(codes, "named_kinds", named_kinds)
    return add


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The example game with hidden cards, registered."""
    monkeypatch.setitem(registry._loaded, "duel", hidden.GAME)
    return hidden.GAME


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The tiny example game, registered."""
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    return tiny.GAME
