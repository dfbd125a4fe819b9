"""The observation: a view in the shape of the island's graph."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.spec import split
from ludens.games.catan import GAME
from ludens.games.catan.rules.island import HEX_VERTICES
from tests.games.catan.table import Table, example


def observed(table: Table, seat: int) -> np.ndarray:
    out = np.full(GAME.spec.observation_size(GAME.options()), np.nan, np.float32)
    kernels.observe_at(table.seen(seat), 0, seat, out)
    return out


def block(x: np.ndarray, name: str) -> np.ndarray:
    return split(x, GAME.spec.blocks(GAME.options()))[name]


def test_the_observation_has_the_shape_of_the_graph() -> None:
    table = example()
    x = observed(table, 0)
    assert np.isfinite(x).all()
    assert block(x, "hexes")[:, :6].sum() == 19
    assert block(x, "hexes")[9, 7] == 1
    vertices = block(x, "vertices")
    assert vertices[int(HEX_VERTICES[4][3]), 4] == 1
    assert vertices[[0, 4], 1].tolist() == [1, 1]
    assert block(x, "edges")[:, 0].sum() == 2
    assert (block(x, "players")[:, 0] == 1).all()
    assert block(x, "table")[:5] == pytest.approx([0.1, 0.1, 0.2, 0, 0])


def test_the_observation_turns_with_the_observer_and_hides_cards() -> None:
    table = example()
    x = observed(table, 1)
    assert block(x, "vertices")[[0, 4], 0].tolist() == [1, 1]
    assert block(x, "players")[0, 15] == pytest.approx(0.2)
    assert not block(x, "table")[5:10].any()
    other = example()
    other.s.cards[0] = [1, 0, 0, 0, 1]
    other.s.deck[1] += 1
    other.s.deck[4] -= 1
    assert np.array_equal(observed(other, 1), x)
    assert not np.array_equal(observed(other, 0), observed(table, 0))
