"""CD-21 … CD-25: what regions are worth, on maps built tile by tile."""

from __future__ import annotations

import pytest

from ludens.core.jit import plain
from ludens.core.verbs import TERMINAL
from ludens.games.discovery.rules import scoring
from ludens.games.discovery.rules.tiles import GRASSLAND, MOUNTAINS, SEA
from tests.games.discovery.table import Table
from tests.games.discovery.test_rules_slow_reading import READINGS, check_game

MAP = list[tuple[str, int, int, int]]

OPEN_GRASSLAND_4: MAP = [("D03", 0, 1, 0), ("D03", 0, 2, 0), ("D03", 0, 3, 0)]
CLOSED_GRASSLAND_4: MAP = [("D06", 1, 0, 0), ("D06", 2, 0, 3), ("D34", 1, 1, 3), ("D35", 2, 1, 2)]
CLOSED_GRASSLAND_2: MAP = [("D10", 1, 0, 0), ("D10", 2, 0, 2)]
SEA_4: MAP = [("D14", 0, -1, 3), ("D30", 1, -1, 1), ("D18", 1, -2, 0)]
OPEN_SEA_5: MAP = [*SEA_4, ("D20", 2, -2, 0)]
CLOSED_SEA_5: MAP = [*SEA_4, ("D26", 2, -2, 2)]
CLOSED_SEA_2: MAP = [("D25", 0, -1, 3)]
MOUNTAIN_WITH_NEIGHBOURS: MAP = [("D43", 0, 1, 0), ("D43", 0, 2, 0)]
CAPS: MAP = [("D03", -1, 0, 0), ("D03", 1, 0, 2)]

CASES = {
    "open grassland, v=4": (OPEN_GRASSLAND_4, (0, 0, 1), 4, 4),
    "closed grassland, v=4": (CLOSED_GRASSLAND_4, (1, 0, 1), 8, 4),
    "closed grassland, v=2": (CLOSED_GRASSLAND_2, (1, 0, 1), 2, 2),
    "open sea, v=5, m=2": (OPEN_SEA_5, (0, 0, 2), 2, 2),
    "closed sea, v=5, m=2": (CLOSED_SEA_5, (0, 0, 2), 7, 2),
    "closed sea, v=2, m=1": (CLOSED_SEA_2, (0, 0, 2), 1, 1),
    "open mountain, m=1, n=2": (MOUNTAIN_WITH_NEIGHBOURS, (0, 0, 0), 3, 3),
    "closed mountain, m=1, n=2, v=3": ([*MOUNTAIN_WITH_NEIGHBOURS, *CAPS], (0, 0, 0), 6, 3),
}


def built(tiles: MAP, **options: str) -> Table:
    table = Table(**options)
    for name, x, y, turns in tiles:
        table.turn(name, x, y, turns)
    return table


def stand(table: Table, seat: int, x: int, y: int, segment: int) -> None:
    """Puts a follower on a segment that lies already, as if it had been placed in an earlier turn."""
    piece = next(
        int(table.s.tile_piece[t]) + segment
        for t in range(int(table.s.placed))
        if (int(table.s.tile_x[t]), int(table.s.tile_y[t])) == (x, y)
    )
    table.state["follower"][0, seat, table.s.follower_count[seat]] = piece
    table.state["follower_count"][0, seat] += 1
    table.state["region_followers"][0, table.s.piece_region[piece]] += 1


@pytest.mark.parametrize("case", CASES)
def test_cd_25_points_of_a_removed_follower(case: str) -> None:
    tiles, place, points, _ = CASES[case]
    table = built(tiles)
    region = table.region(*place)
    assert region.points == points
    assert region.closed == case.startswith("closed")
    if "v=" in case:
        assert region.size == int(case.split("v=")[1][0])
    stand(table, int(table.s.current), *place)
    assert take_back(table) == points


def take_back(table: Table) -> int:
    """Draws a tile that can lie far from the follower's region, places it there and removes the follower."""
    seat = int(table.s.current)
    number = int(table.s.piece_region[table.s.follower[seat, 0]])
    before = table.s.region_tiles[number], table.s.region_ends[number], table.s.region_cities[number]
    for kind in range(66):
        if not table.s.deck[kind]:
            continue
        trial = Table()
        trial.state = table.state.copy()
        trial.apply(kind)
        if trial.actor() < 0:
            continue
        for action in trial.legal():
            after = Table()
            after.state = trial.state.copy()
            after.apply(action)
            now = int(after.s.piece_region[after.s.follower[seat, 0]])
            beside = after.region(0, 0, 0).cities_beside == table.region(0, 0, 0).cities_beside
            if (after.s.region_tiles[now], after.s.region_ends[now], after.s.region_cities[now]) == before and beside:
                points = after.scores()[seat]
                after.remove(0)
                return after.scores()[seat] - points
    raise AssertionError("every tile touches the region")


@pytest.mark.parametrize("case", CASES)
def test_cd_25_final_scoring_gives_the_open_value(case: str) -> None:
    tiles, place, _, final = CASES[case]
    table = built(tiles)
    assert table.region(*place).final_points == final
    finish_with(table, place)
    assert sum(table.scores()) == final


def finish_with(table: Table, place: tuple[int, int, int]) -> None:
    """A follower stands there when the last tile, one that fits nowhere, ends the game."""
    stand(table, int(table.s.current), *place)
    table.empty_deck(["D65"])
    table.state["cells"][0] = 0
    table.draw("D65")
    assert table.actor() == TERMINAL


def test_cd_25_a_city_on_mountain_and_adjoining_grassland_counts_once() -> None:
    """No tile of the standard set has such a city, so the map is told that the start tile's is one."""
    table = built(CAPS)
    grassland = table.region(0, 0, 1).number
    table.state["region_cities"][0, grassland] |= int(table.s.region_cities[table.region(0, 0, 0).number])
    region = table.region(0, 0, 0)
    assert (region.size, region.closed, region.cities, region.cities_beside) == (3, True, 1, 0)
    stand(table, int(table.s.current), 0, 0, 0)
    assert take_back(table) == 2


def test_cd_25_two_followers_on_one_region_score_the_full_value_each() -> None:
    table = built(CLOSED_GRASSLAND_4)
    stand(table, 0, 1, 0, 1)
    stand(table, 1, 2, 0, 1)
    table.empty_deck(["D03", "D03"])
    table.draw("D03")
    table.place(-1, 0)
    table.remove(0)
    table.draw("D03")
    table.place(-2, 0, 1)
    table.remove(0)
    assert table.scores() == [8, 8]


@pytest.mark.parametrize("terrain", [MOUNTAINS, GRASSLAND, SEA])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("cities", [0, 1, 4])
def test_cd_21_the_table(terrain: int, size: int, cities: int) -> None:
    table = plain(scoring.table_points)
    opened = {GRASSLAND: size, MOUNTAINS: cities, SEA: cities}[terrain]
    closed = {GRASSLAND: 2 * size, MOUNTAINS: 2 * cities, SEA: cities + size}[terrain]
    assert (table(terrain, size, cities, False), table(terrain, size, cities, True)) == (opened, closed)


def test_cd_21_a_city_beside_counts_once_however_many_borders_there_are() -> None:
    """A mountain that meets one grassland on several tiles counts its cities once (union)."""
    table = built([*MOUNTAIN_WITH_NEIGHBOURS, ("D08", -1, 0, 0), ("D03", -1, 1, 2)])
    region = table.region(0, 0, 0)
    assert table.region(-1, 0, 0).number == region.number
    assert table.region(-1, 0, 1).number == table.region(0, 0, 1).number
    assert region.cities_beside == 2


@pytest.mark.parametrize(
    ("small", "tiles", "place", "points"),
    [
        ("open", CLOSED_GRASSLAND_2, (1, 0, 1), 2),
        ("closed", CLOSED_GRASSLAND_2, (1, 0, 1), 4),
        ("open", CLOSED_SEA_2, (0, 0, 2), 1),
        ("closed", CLOSED_SEA_2, (0, 0, 2), 3),
        ("open", [("D03", 0, 1, 0)], (0, 1, 0), 2),
        ("closed", [("D03", 0, 1, 0)], (0, 1, 0), 4),  # size two is closed even when it is open: the literal reading
        ("open", [("D63", 0, 1, 0)], (0, 1, 0), 0),
        ("closed", [("D63", 0, 1, 0)], (0, 1, 0), 1),  # the lake, one tile, is really closed
        ("closed", [("D63", 0, 1, 0)], (0, 1, 1), 0),
        ("closed", CLOSED_GRASSLAND_4, (1, 0, 1), 8),
        ("closed", OPEN_GRASSLAND_4, (0, 0, 1), 4),
    ],
)
def test_cd_22_small_regions(small: str, tiles: MAP, place: tuple[int, int, int], points: int) -> None:
    table = built(tiles, small_region_scoring=small)
    assert table.region(*place).points == points


@pytest.mark.parametrize(
    ("final", "small", "points"),
    [
        ("open", "open", (4, 4, 2)),
        ("closed", "open", (8, 8, 4)),
        ("actual", "open", (8, 4, 2)),
        ("actual", "closed", (8, 4, 4)),
        ("open", "closed", (4, 4, 2)),
    ],
)
def test_cd_23_final_scoring_follows_the_option(final: str, small: str, points: tuple[int, int, int]) -> None:
    maps: list[tuple[MAP, tuple[int, int, int]]] = [
        (CLOSED_GRASSLAND_4, (1, 0, 1)),
        (OPEN_GRASSLAND_4, (0, 0, 1)),
        (CLOSED_GRASSLAND_2, (1, 0, 1)),
    ]
    for (tiles, place), expected in zip(maps, points, strict=True):
        table = built(tiles, final_scoring=final, small_region_scoring=small)
        finish_with(table, place)
        assert sum(table.scores()) == expected


def test_cd_24_all_combinations_of_readings_can_be_played() -> None:
    assert len(READINGS) == 12
    for seed in range(12):
        check_game(2, seed, thorough=False)
