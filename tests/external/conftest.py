"""The example games are known to the registry only while these tests run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludens.core import registry
from tests.examples import hidden, tiny


@pytest.fixture(autouse=True, scope="package")
def _example_games() -> Iterator[None]:
    added = [game for game in (tiny.GAME, hidden.GAME) if game.spec.name not in registry.names()]
    for game in added:
        registry.register(game)
    yield
    for game in added:
        del registry._loaded[game.spec.name]
