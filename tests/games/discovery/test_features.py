"""Features and the four rotations of the whole map."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.verbs import SPECTATOR
from ludens.games.discovery import GAME, features, reading
from ludens.games.discovery.state import FIRST_REGION, FOLLOWER, MAX_CELLS, MAX_SEGMENTS, PLACING
from tests.games.discovery.positions import positions
from tests.games.discovery.table import Table, slow_map


def rotated(state: np.ndarray, turns: int = 1) -> np.ndarray:
    for _ in range(turns):
        out = record.blank(GAME.dtype)
        features.rotate_map_at(state, 0, out)
        state = out
    return state


def legal_of(state: np.ndarray) -> list[int]:
    out = np.zeros(GAME.spec.actions, np.int64)
    return out[: kernels.legal_at(state, 0, out)].tolist()


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


@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
def test_four_quarter_turns_are_none(phase: int) -> None:
    for state in positions(3, 70, phase, every=10):
        assert rotated(state, 4).tobytes() == state.tobytes()
        assert rotated(state).tobytes() != state.tobytes()


def test_a_turned_map_is_the_same_map_turned() -> None:
    for state in positions(2, 71, PLACING, every=10):
        here, there = slow_map(state), slow_map(rotated(state))
        assert {(y, -x): (name, (turns + 1) % 4) for (x, y), (name, turns) in here.tiles.items()} == there.tiles
        assert [(y, -x) for x, y in reading.cells(state[0])] == reading.cells(rotated(state)[0])
        assert {(y, -x) for x, y in here.frontier} == there.frontier
        assert sorted(r.now("open") for r in here.regions()) == sorted(r.now("open") for r in there.regions())


def worths(state: np.ndarray) -> list[tuple]:
    found = [(r.terrain, r.points, r.size, r.open_ends, r.followers) for r in reading.regions(state[0])]
    return sorted(found)


@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
def test_legal_actions_turn_with_the_map_and_lead_to_the_same_game(phase: int) -> None:
    for state in positions(3, 72, phase, every=12):
        turned = rotated(state)
        mapped = {a: int(features.rotate_action_at(state, 0, a)) for a in legal_of(state)}
        assert sorted(mapped.values()) == legal_of(turned)
        for a, b in mapped.items():
            one, two = state.copy(), turned.copy()
            kernels.apply_at(one, 0, a)
            kernels.apply_at(two, 0, b)
            expected = slow_map(rotated(one))
            looks = slow_map(two)
            assert looks.tiles.keys() == expected.tiles.keys()
            assert one["score"].tolist() == two["score"].tolist()
            worth = [
                sorted((r.terrain, r.points, r.size, r.open_ends) for r in reading.regions(s[0])) for s in (one, two)
            ]
            assert worth[0] == worth[1]
            if a >= FIRST_REGION:
                assert two.tobytes() == rotated(one).tobytes()


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
    fitting = {reading.cells(table.s)[k] for k in np.flatnonzero(cells[:, 23:].any(1))}
    assert fitting == {(0, 1)}
    north = reading.cells(table.s).index((0, 1))
    assert cells[north, 3:23].reshape(4, 5)[2].tolist() == [0, 1, 0, 0, 0]  # its south asks for grassland
