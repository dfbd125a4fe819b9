"""A position as numbers for a network."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.verbs import SPECTATOR
from ludens.games.discovery import GAME, features
from ludens.games.discovery.state import FOLLOWER, MAX_CELLS, MAX_SEGMENTS, PLACING
from ludens.games.discovery.text import lookup
from tests.games.discovery.positions import positions
from tests.games.discovery.table import Table
from tests.games.discovery.test_symmetries import rotated


def features_of(state: np.ndarray, seat: int) -> np.ndarray:
    out = np.zeros(GAME.spec.observation_size(GAME.options({"players": int(state["players"][0])})), np.float32)
    kernels.observe_at(state, 0, seat, out)
    return out


def parts(vector: np.ndarray, players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Head, players, regions of the placed tile, cells."""
    a = features.HEAD
    b = a + players * features.PLAYER
    c = b + MAX_SEGMENTS * features.SEGMENT
    shape = (players, features.PLAYER)
    return vector[:a], vector[a:b].reshape(shape), vector[b:c], vector[c:].reshape(MAX_CELLS, features.CELL)


def test_features_turn_with_the_map() -> None:
    """Only what has a direction changes: coordinates, sides and turns of the cells."""
    for state in positions(3, 73, PLACING, every=9):
        head, players, placed, cells = parts(features_of(state, 1), 3)
        head_2, players_2, placed_2, cells_2 = parts(features_of(rotated(state), 1), 3)
        assert np.array_equal(head, head_2)
        assert np.array_equal(players, players_2)
        assert np.array_equal(placed, placed_2)
        assert np.array_equal(cells_2[:, 0], cells[:, 0])
        assert np.allclose(cells_2[:, 1], cells[:, 2])
        assert np.allclose(cells_2[:, 2], -cells[:, 1])
        sides, sides_2 = (part[:, 3:23].reshape(MAX_CELLS, 4, 5) for part in (cells, cells_2))
        assert np.array_equal(sides_2, np.roll(sides, 1, axis=1))
        assert np.array_equal(cells_2[:, 23:].sum(1), cells[:, 23:].sum(1))


def test_features_begin_with_the_observer() -> None:
    for state in positions(4, 74, FOLLOWER, every=15):
        _, from_two, _, _ = parts(features_of(state, 2), 4)
        for offset in range(4):
            assert from_two[offset, 0] == pytest.approx(int(state["score"][0, (2 + offset) % 4]) / 100)
        watching, own = features_of(state, SPECTATOR), features_of(state, 0)
        assert np.array_equal(watching, own)


def test_features_show_where_the_tile_fits_and_what_the_sides_ask_for() -> None:
    table = Table()
    table.draw("D64")
    head, _, _, cells = parts(features_of(table.state, 0), 2)
    assert head[0] == pytest.approx(82 / 83)
    assert cells[:, 0].sum() == 4
    fitting = {lookup.cells(table.s)[k] for k in np.flatnonzero(cells[:, 23:].any(1))}
    assert fitting == {(0, 1)}
    north = lookup.cells(table.s).index((0, 1))
    assert cells[north, 3:23].reshape(4, 5)[2].tolist() == [0, 1, 0, 0, 0]  # its south asks for grassland
