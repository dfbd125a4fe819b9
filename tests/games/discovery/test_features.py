"""A position as numbers for a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.jit import plain
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.core.spec import split
from ludens.core.verbs import SPECTATOR
from ludens.games.discovery import GAME, features
from ludens.games.discovery.rules import tiles
from ludens.games.discovery.state import FOLLOWER, FOLLOWERS, KINDS, PLACING
from ludens.games.discovery.text import lookup
from tests.games.discovery.positions import positions
from tests.games.discovery.slow import NAMES, SIDES, STEPS, SlowMap, SlowRegion, opposite
from tests.games.discovery.table import Table, slow_map
from tests.games.discovery.test_symmetries import rotated

TERRAINS = ("mountains", "grassland", "sea")
ENDS, CITIES, SEATS = 3, 4, 5  # columns of a region


def features_of(state: np.ndarray, seat: int) -> np.ndarray:
    out = np.full(GAME.spec.observation_size(options_of(state)), np.nan, np.float32)
    kernels.observe_at(state, 0, seat, out)
    return out


def options_of(state: np.ndarray) -> np.ndarray:
    return GAME.options({"players": int(state["players"][0])})


def blocks_of(state: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    """The features by the names of their blocks, in their shapes."""
    return split(features_of(state, seat), features.blocks(options_of(state)))


def sides_of(cells: np.ndarray) -> np.ndarray:
    """[cell, side, column] of the block `cells`."""
    return cells[:, 3:].reshape(len(cells), 4, -1)


# --- against the slow reading -------------------------------------------------------------


def slow_home(board: SlowMap) -> dict[Any, SlowRegion]:
    return {segment: region for region in board.regions() for segment in region.segments}


def slow_row(region: SlowRegion, counts: list[int]) -> list[float]:
    """A region's row as the docstring of features.py has it."""
    row = [0.0] * SEATS
    row[TERRAINS.index(region.terrain)] = 0.5 + region.size / 20
    row[ENDS] = len(region.faces) / 10
    counted = region.cities | region.beside if region.terrain == "mountains" else region.cities
    row[CITIES] = len(counted) / 10
    return row + [count / 4 for count in counts]


def slow_followers(state: np.ndarray, seat: int) -> Callable[[SlowRegion], list[int]]:
    """Region -> followers of every seat, counted from the one that looks."""
    s = state[0]
    players = int(s.players)
    standing = [(p, *lookup.place_of(s, piece)) for p, _, piece in lookup.followers(s)]
    places = [((p - seat) % players, ((int(s.tile_x[t]), int(s.tile_y[t])), n)) for p, t, n in standing]
    return lambda region: [sum(q == p and at in region.segments for q, at in places) for p in range(players)]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_side_of_every_cell_tells_its_region(players: int) -> None:
    for phase in (PLACING, FOLLOWER):
        for state in positions(players, 61 + players, phase, every=11):
            seat = int(state["placed"][0]) % players
            board, followers = slow_map(state), slow_followers(state, seat)
            home = slow_home(board)
            cells = blocks_of(state, seat)["cells"]
            expected = np.zeros_like(cells)
            for k, (x, y) in enumerate(lookup.cells(state[0])):
                around = []
                for side, name in enumerate(SIDES):
                    there = (x + STEPS[name][0], y + STEPS[name][1])
                    if there in board.tiles:
                        region = home[there, board._on_side[there, opposite(name)]]
                        around.append(id(region))
                        sides_of(expected)[k, side] = slow_row(region, followers(region))
                expected[k, :3] = x / 10, y / 10, len(set(around)) / 4
            np.testing.assert_allclose(cells, expected, atol=1e-6)


def test_regions_of_followers_and_of_the_placed_tile_come_with_their_points() -> None:
    for state in positions(3, 66, FOLLOWER, every=7):
        s, seat = state[0], 1
        board, followers = slow_map(state), slow_followers(state, seat)
        home = slow_home(board)
        found = blocks_of(state, seat)

        def row(tile: int, segment: int, s: Any = s, home: Any = home, followers: Any = followers) -> list[float]:
            region = home[(int(s.tile_x[tile]), int(s.tile_y[tile])), segment]
            points = [region.now("open") / 20, region.at_end("open", "open") / 20]
            return slow_row(region, followers(region)) + points

        expected = np.zeros_like(found["followers"])
        for p, number, piece in lookup.followers(s):
            expected[(p - seat) % 3, number] = row(*lookup.place_of(s, piece))
        np.testing.assert_allclose(found["followers"], expected, atol=1e-6)
        tile = int(s.placed) - 1
        expected = np.zeros_like(found["placed"])
        for segment in range(int(tiles.SEGMENTS[s.tile_kind[tile]])):
            expected[segment] = row(tile, segment)
        np.testing.assert_allclose(found["placed"], expected, atol=1e-6)


# --- one change, and what it changes ------------------------------------------------------


def made_by_hand() -> Table:
    """Four tiles: followers of both players stand on the map, regions of all terrains are to be had."""
    table = Table()
    table.turn("D64", 0, 1)  # grassland all over
    table.turn("D57", 1, 0, follower=2)  # on the sea
    table.turn("D20", 0, -1, 1, follower=1)  # on one of its mountains
    table.draw("D21")
    return table


def looking_in(state: np.ndarray, region: int) -> Iterator[tuple[int, int]]:
    """(cell, side) wherever the region looks into a cell, found by coordinates."""
    s = state[0]
    for cell, (x, y) in enumerate(lookup.cells(s)):
        for side, name in enumerate(SIDES):
            tile = lookup.tile_at(s, x + STEPS[name][0], y + STEPS[name][1])
            if tile is not None:
                facing = (SIDES.index(opposite(name)) - int(s.tile_turns[tile])) % 4
                piece = lookup.piece_number(s, tile, int(tiles.SIDE_SEGMENT[s.tile_kind[tile], facing]))
                if int(s.piece_region[piece]) == region:
                    yield cell, side


def free_regions(state: np.ndarray) -> list[lookup.Region]:
    found = [region for region in lookup.regions(state[0]) if not region.followers and not region.closed]
    assert {region.terrain for region in found} == {0, 1, 2}
    return found


CHANGES = {
    "region_tiles": (lambda region: region.terrain, 3 / 20),
    "region_ends": (lambda region: ENDS, 3 / 10),
}


@pytest.mark.parametrize("field", CHANGES)
def test_size_and_ends_of_a_region_change_their_column_wherever_it_looks_in(field: str) -> None:
    state = made_by_hand().state
    column, by = CHANGES[field]
    before = blocks_of(state, 0)
    for region in free_regions(state):
        changed = state.copy()
        changed[field][0, region.number] += 3
        after = blocks_of(changed, 0)
        expected = before["cells"].copy()
        places = list(looking_in(state, region.number))
        assert places
        for cell, side in places:
            sides_of(expected)[cell, side, column(region)] += by
        np.testing.assert_allclose(after.pop("cells"), expected, atol=1e-6)
        assert all(np.array_equal(after[name], before[name]) for name in after)


def test_a_city_changes_the_rows_of_its_region_and_of_mountains_beside_its_grassland() -> None:
    state = made_by_hand().state
    before = blocks_of(state, 0)["cells"]
    for region in free_regions(state):
        changed = state.copy()
        changed["region_cities"][0, region.number] |= 1 << 50
        touched = {region.number}
        if region.terrain == tiles.GRASSLAND:
            for tile, segment in region.pieces:
                scheme = tiles.TILE_SET[int(state["tile_kind"][0, tile])]
                for pair in scheme.borders:
                    for other in {*pair} - {segment} if segment in pair else ():
                        if scheme.terrain[other] == tiles.MOUNTAINS:
                            piece = lookup.piece_number(state[0], tile, other)
                            touched.add(int(state["piece_region"][0, piece]))
        expected = before.copy()
        for number in touched:
            for cell, side in looking_in(state, number):
                sides_of(expected)[cell, side, CITIES] += 1 / 10
        np.testing.assert_allclose(blocks_of(changed, 0)["cells"], expected, atol=1e-6)


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_follower_changes_the_column_of_its_seat_as_the_observer_counts(owner: int, seat: int) -> None:
    state = made_by_hand().state
    before = blocks_of(state, seat)
    offset = (owner - seat) % 2
    for region in free_regions(state):
        changed = state.copy()
        count = int(changed["follower_count"][0, owner])
        changed["follower"][0, owner, count] = region.number
        changed["follower_count"][0, owner] += 1
        changed["region_followers"][0, region.number] += 1
        after = blocks_of(changed, seat)
        expected = before["cells"].copy()
        for cell, side in looking_in(state, region.number):
            sides_of(expected)[cell, side, SEATS + offset] += 1 / 4
        np.testing.assert_allclose(after["cells"], expected, atol=1e-6)
        assert after["players"][offset, 1] == pytest.approx((FOLLOWERS - count - 1) / 4)
        assert after["followers"][offset, count, -2] == pytest.approx(region.points / 20)
        assert np.array_equal(after["players"][1 - offset], before["players"][1 - offset])
        assert np.array_equal(after["followers"][1 - offset], before["followers"][1 - offset])
        assert all(np.array_equal(after[name], before[name]) for name in ("table", "deck", "hand", "placed"))


# --- order, symmetry, bounds --------------------------------------------------------------


def by_place(cells: np.ndarray, turned: bool = False) -> dict[tuple[int, int], np.ndarray]:
    """Rows of the block `cells` by the places x, y they lie at, or the places that turning them brings them to."""
    shown = [row for row in cells if row[2] > 0]
    places = [(round(10 * float(row[0])), round(10 * float(row[1]))) for row in shown]
    return {((y, -x) if turned else (x, y)): row for (x, y), row in zip(places, shown, strict=True)}


def test_features_turn_with_the_map() -> None:
    """x, y of a cell become y, -x and its sides move on by one; all else has no direction but the tile just placed."""
    for phase in (PLACING, FOLLOWER):
        for state in positions(3, 73, phase, every=9):
            before, after = blocks_of(state, 1), blocks_of(rotated(state), 1)
            cells, turned = before.pop("cells"), after.pop("cells")
            placed, placed_turned = before.pop("placed"), after.pop("placed")
            assert sorted(placed.tolist()) == sorted(placed_turned.tolist())  # segments may be counted differently
            assert all(np.array_equal(before[name], after[name]) for name in before)
            expected = by_place(cells, turned=True)
            found = by_place(turned)
            assert found.keys() == expected.keys()
            for place, row in expected.items():
                assert found[place][2] == row[2]
                assert np.array_equal(found[place][3:].reshape(4, -1), np.roll(row[3:].reshape(4, -1), 1, axis=0))


def test_features_begin_with_the_observer() -> None:
    for state in positions(4, 74, FOLLOWER, every=15):
        scores = blocks_of(state, 2)["players"][:, 0]
        for offset in range(4):
            assert scores[offset] == pytest.approx(int(state["score"][0, (2 + offset) % 4]) / 100)
        assert np.array_equal(features_of(state, SPECTATOR), features_of(state, 0))


def test_the_tile_in_hand_is_told_apart_from_all_others() -> None:
    looks = set()
    for name in NAMES:
        state = Table().state
        state["hand"], state["phase"] = NAMES.index(name), PLACING
        hand = blocks_of(state, 0)["hand"]
        assert hand[:, :3].argmax(1).tolist() == tiles.SIDE_TERRAIN[NAMES.index(name)].tolist()
        looks.add(hand.tobytes())
    assert len(looks) == KINDS


def test_the_table_tells_deck_step_and_options() -> None:
    table = Table(unplaceable_tile="return", small_region_scoring="closed", final_scoring="actual")
    table.draw("D64")
    found = blocks_of(table.state, 0)
    assert found["table"].tolist() == pytest.approx([82 / 83, 1, 0, 4 / 100, 1, 1, 0, 1])
    assert found["deck"][NAMES.index("D01")] == 0
    copies = int(tiles.COPIES[NAMES.index("D64")])
    assert found["deck"][NAMES.index("D64")] == pytest.approx((copies - 1) / copies)


def test_cells_are_shown_in_all_of_two_thousand_random_games() -> None:
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(8000, np.int64)
    most = 0
    for seed in range(2000):
        table = Table(players=2 + seed % 4)
        end = table.state.copy()
        draws, policy = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
        length = kernels.random_game(end, draws, policy, legal, log)
        for action in log[:length].tolist():
            table.apply(action)
            most = max(most, int(table.state["cells"][0]))
    assert 80 < most <= features.CELLS


def test_of_too_many_cells_the_first_ones_are_shown() -> None:
    *_, state = positions(2, 75, PLACING)
    shown = blocks_of(state, 0)["cells"]
    count = int(state["cells"][0])
    for name in ("cell_key", "cell_code", "cell_tiles"):
        state[name][0, count : features.CELLS + 5] = state[name][0, 0]
    state["cells"] = features.CELLS + 5
    found = blocks_of(state, 0)
    assert found["table"][3] == pytest.approx((features.CELLS + 5) / 100)
    assert np.array_equal(found["cells"][:count], shown[:count])
    assert (found["cells"][count:] == shown[0]).all()


def test_tables_leave_room_in_the_constant_memory_of_a_gpu() -> None:
    """Every function holds a copy of the tables it reads; 64 KB is all there is."""
    rules = GAME.rules
    roots = (
        "reset",
        "actor",
        "legal",
        "chance",
        "draw",
        "apply",
        "returns",
        "scores",
        "view",
        "determinize",
        "observe",
    )
    waiting, met, held = [plain(getattr(rules, name)) for name in roots], set(), 0
    while waiting:
        function = waiting.pop()
        if function in met or not hasattr(function, "__code__"):
            continue
        met.add(function)
        for name in function.__code__.co_names:
            value = plain(function.__globals__.get(name))
            if isinstance(value, np.ndarray):
                held += value.nbytes
            else:
                waiting.append(value)
    assert {plain(tiles.fitting_turns), plain(features._observe_cells)} <= met
    assert 1_000 < held < 16_000
