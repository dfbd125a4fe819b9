"""The tile data and the tables made of it."""

from __future__ import annotations

import copy
import json
from collections import Counter

import pytest

from ludens.core.errors import BadInput
from ludens.core.jit import plain
from ludens.games.discovery import GAME
from ludens.games.discovery.rules import tiles
from tests.games.discovery.slow import DATA, KINDS, NAMES, SIDES, printed


def document() -> dict:
    return json.loads(DATA.read_text())


def test_cd_2_the_box_has_84_tiles_of_66_kinds_and_one_start_tile() -> None:
    assert len(KINDS) == 66
    assert sum(tile["count"] for tile in KINDS.values()) == document()["total_tiles"] == 84
    assert [name for name, tile in KINDS.items() if tile["start"]] == ["D01"]
    assert KINDS["D01"]["count"] == 1


def test_cd_2_each_terrain_has_112_sides_and_there_are_37_cities() -> None:
    sides: Counter[str] = Counter()
    for tile in KINDS.values():
        for terrain in tile["edges"]:
            sides[terrain] += tile["count"]
    assert sides == {"mountains": 112, "grassland": 112, "sea": 112}
    assert sum(tile["count"] * len(tile["cities"]) for tile in KINDS.values()) == 37


@pytest.mark.parametrize("name", NAMES)
def test_cd_5_every_side_belongs_to_one_segment_of_its_terrain(name: str) -> None:
    tile = KINDS[name]
    assert sorted(edge for region in tile["regions"] for edge in region["edges"]) == sorted(SIDES)
    for region in tile["regions"]:
        for edge in region["edges"]:
            assert tile["edges"][SIDES.index(edge)] == region["type"]
    for a, b in tile["adjacent"]:
        assert tile["regions"][a]["type"] != tile["regions"][b]["type"]
    for city in tile["cities"]:
        assert sorted(city) in [sorted(pair) for pair in tile["adjacent"]]
        assert [tile["regions"][k]["type"] for k in city].count("sea") == 1


def test_cd_5_only_the_lake_has_no_side() -> None:
    enclosed = [(name, k) for name, t in KINDS.items() for k, region in enumerate(t["regions"]) if not region["edges"]]
    assert enclosed == [("D63", 0)]
    assert KINDS["D63"]["regions"][0]["type"] == "sea"


def test_cd_6_tile_sets_and_tiles_are_found_by_name() -> None:
    assert [scheme.name for scheme in tiles.load_tiles("standard")] == NAMES
    with pytest.raises(BadInput, match="Unknown tile set 'atlantis'; known: standard"):
        tiles.load_tiles("atlantis")


def broken(change) -> dict:
    data = copy.deepcopy(document())
    change(data["tiles"])
    return data


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda t: t[1].update(start=True), "start tile"),
        (lambda t: t[1].update(id="D01"), "names of tiles"),
        (lambda t: t[1]["regions"][0]["edges"].append("N"), "two regions"),
        (lambda t: t[1].update(edges=["sea"] * 4), "contradict"),
        (lambda t: t[1]["adjacent"].append([1, 2]), "inside one terrain"),
        (lambda t: t[1]["adjacent"].append([0, 9]), "does not have"),
        (lambda t: t[1].update(cities=[[1, 2]]), "away from any border"),
        (lambda t: t[1].update(count=0), "no copies"),
        (lambda t: t[12].update(count=60), "at most 62 cities"),
    ],
)
def test_cd_6_a_contradictory_tile_set_is_refused(change, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        tiles.parse_tiles(broken(change))


def test_cd_6_a_tile_set_of_another_size_does_not_fit_the_positions() -> None:
    tiles.check_room(tiles.TILE_SET)
    with pytest.raises(BadInput, match=r"made for 66 kinds, 84 tiles and 247 regions .* not for 65, "):
        tiles.check_room(tiles.TILE_SET[:-1])


def look(name: str, turns: int) -> tuple:
    """What one sees of a turned tile, without the numbers of its segments."""
    tile = KINDS[name]
    lying = []
    for region in tile["regions"]:
        lying.append((region["type"], tuple(s for s in SIDES if printed(s, turns) in region["edges"])))
    borders = sorted(tuple(sorted((lying[a], lying[b]))) for a, b in tile["adjacent"])
    cities = sorted(tuple(sorted((lying[a], lying[b]))) for a, b in tile["cities"])
    return sorted(lying), borders, cities


@pytest.mark.parametrize("name", NAMES)
def test_cd_8_identical_rotations_are_one_action(name: str) -> None:
    different = [turns for turns in range(4) if look(name, turns) not in [look(name, t) for t in range(turns)]]
    assert tiles.PERIOD[NAMES.index(name)] == len(different)


def test_cd_8_periods_of_known_tiles() -> None:
    periods = dict(zip(NAMES, tiles.PERIOD.tolist(), strict=True))
    assert [periods[name] for name in ("D64", "D65", "D66")] == [1, 1, 1]
    assert [periods[name] for name in ("D07", "D21", "D37")] == [2, 2, 2]
    assert [periods[name] for name in ("D20", "D22", "D36", "D01")] == [4, 4, 4, 4]  # a city tells the ends apart


@pytest.mark.parametrize("name", NAMES)
def test_cd_8_a_tile_fits_where_every_side_shows_what_is_asked_for(name: str) -> None:
    kind, fits = NAMES.index(name), plain(tiles.fitting_turns)
    terrain = [tiles.TERRAINS.index(edge) for edge in KINDS[name]["edges"]]
    for code in range(256):
        asked = [code >> 2 * side & 3 for side in range(4)]
        expected = 0
        for turns in range(int(tiles.PERIOD[kind])):
            shown = [terrain[(side - turns) % 4] for side in range(4)]
            if all(want in (tiles.NOTHING_ASKED, have) for want, have in zip(asked, shown, strict=True)):
                expected |= 1 << turns
        assert fits(kind, code) == expected


def test_the_page_gets_every_kind_with_sides_regions_borders_and_cities() -> None:
    static = json.loads(json.dumps(GAME.text.static_to_json(GAME.dtype)))
    assert [tile["name"] for tile in static["tiles"]] == NAMES
    for tile in static["tiles"]:
        original = KINDS[tile["name"]]
        assert [tile["regions"][k]["terrain"] for k in tile["sides"]] == original["edges"]
        assert [r["sides"] for r in tile["regions"]] == [
            sorted(r["edges"], key=SIDES.index) for r in original["regions"]
        ]
        assert sorted(map(tuple, tile["borders"])) == sorted(tuple(sorted(pair)) for pair in original["adjacent"])
        assert tile["cities"] == original["cities"]
        assert tile["copies"] == original["count"]
