"""The Discovery: the tiles of the box, read from `data/`, and the tables the rules look them up in (CD-2, CD-5, CD-6).

A tile set is a JSON file named by a string (CD-6). Everything about tiles is derived from it here:
no tile is written down in code. Sides are counted N, E, S, W; a tile turned t quarter turns clockwise
shows on side d what is printed on side (d - t) mod 4.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.jit import rule
from ludens.games.discovery.state import KINDS, MAX_PIECES, MAX_SEGMENTS, MAX_TILES

__all__ = [
    "CITIES",
    "COPIES",
    "FILE",
    "GRASSLAND",
    "HALF_FITS",
    "MOUNTAINS",
    "NEXT_GRASSLANDS",
    "NOTHING_ASKED",
    "PERIOD",
    "SEA",
    "SEGMENTS",
    "SEGMENT_CITIES",
    "SEGMENT_SIDES",
    "SEGMENT_TERRAIN",
    "SIDES",
    "SIDES_ASKED",
    "SIDE_SEGMENT",
    "SIDE_TERRAIN",
    "STANDARD",
    "START_KIND",
    "TERRAINS",
    "TILE_SET",
    "Scheme",
    "check_room",
    "fitting_turns",
    "load_tiles",
    "names_after",
    "rotation_period",
    "validate",
]

TERRAINS = ("mountains", "grassland", "sea")
MOUNTAINS, GRASSLAND, SEA = range(3)
SIDES = ("N", "E", "S", "W")
STANDARD = "standard"
NOTHING_ASKED = 3  # two bits a side of a cell's code: a terrain, or no neighbour there

MAX_CITIES = 2
MAX_CITIES_IN_ALL = 62  # one bit each of a signed 64-bit number


@dataclass(frozen=True)
class Scheme:
    """One kind of tile: its segments, sides, borders and cities (CD-5)."""

    name: str  # the identifier in the tile set (CD-6)
    copies: int
    start: bool
    sides: tuple[int, ...]  # segment of the printed sides N, E, S, W
    terrain: tuple[int, ...]  # of every segment
    borders: frozenset[tuple[int, int]]  # pairs of segments that touch, smaller first
    cities: tuple[tuple[int, ...], ...]  # the segments every city touches


def _path(name: str) -> Path:
    return Path(__file__).resolve().parents[1] / "data" / f"{name}.json"


FILE = _path(STANDARD)


def load_tiles(name: str = STANDARD) -> tuple[Scheme, ...]:
    """The tile set of that name, validated."""
    path = _path(name)
    if not path.is_file():
        known = sorted(file.stem for file in path.parent.glob("*.json"))
        raise BadInput(f"Unknown tile set {name!r}; known: {', '.join(known)}.")
    return parse_tiles(json.loads(path.read_text(encoding="utf-8")))


def parse_tiles(document: dict[str, Any]) -> tuple[Scheme, ...]:
    """The schemes of a tile set document; contradictions in it are refused."""
    schemes = tuple(_scheme(tile) for tile in document["tiles"])
    validate(schemes)
    return schemes


def _scheme(tile: dict[str, Any]) -> Scheme:
    sides = [-1, -1, -1, -1]
    terrain = []
    for number, region in enumerate(tile["regions"]):
        terrain.append(TERRAINS.index(region["type"]))
        for side in region["edges"]:
            if sides[SIDES.index(side)] != -1:
                raise BadInput(f"Side {side} of tile {tile['id']} belongs to two regions.")
            sides[SIDES.index(side)] = number
    if -1 in sides or [TERRAINS[terrain[segment]] for segment in sides] != tile["edges"]:
        raise BadInput(f"The sides of tile {tile['id']} contradict its regions.")
    borders = frozenset((min(pair), max(pair)) for pair in tile["adjacent"])
    cities = tuple(tuple(city) for city in tile["cities"])
    return Scheme(tile["id"], tile["count"], tile["start"], tuple(sides), tuple(terrain), borders, cities)


def validate(schemes: tuple[Scheme, ...]) -> None:
    """Refuses a set the rules cannot play with: sizes, one start tile, cities on borders."""
    if sum(scheme.start for scheme in schemes) != 1:
        raise BadInput("A tile set has exactly one start tile (CD-2).")
    if len({scheme.name for scheme in schemes}) != len(schemes):
        raise BadInput("The names of tiles must differ (CD-6).")
    if sum(scheme.copies * len(scheme.cities) for scheme in schemes) > MAX_CITIES_IN_ALL:
        raise BadInput(f"A tile set has at most {MAX_CITIES_IN_ALL} cities.")
    for scheme in schemes:
        if not 1 <= len(scheme.terrain) <= MAX_SEGMENTS or len(scheme.cities) > MAX_CITIES or scheme.copies < 1:
            raise BadInput(f"Tile {scheme.name} has no copies, or too many regions or cities.")
        for first, second in scheme.borders:
            if not 0 <= first < second < len(scheme.terrain):
                raise BadInput(f"Tile {scheme.name} has a border between regions it does not have.")
            if scheme.terrain[first] == scheme.terrain[second]:
                raise BadInput(f"Tile {scheme.name} has a border inside one terrain (CD-5).")
        for city in scheme.cities:
            if (min(city), max(city)) not in scheme.borders:
                raise BadInput(f"Tile {scheme.name} has a city away from any border (CD-5).")


def names_after(scheme: Scheme, turns: int) -> tuple[int, ...] | None:
    """The segment whose place each segment takes when the tile looks the same after so many quarter turns, or None."""
    turned = tuple(scheme.sides[(side - turns) % 4] for side in range(4))
    return next((names for names in permutations(range(len(scheme.terrain))) if _same(scheme, turned, names)), None)


def rotation_period(scheme: Scheme) -> int:
    """The smallest number of quarter turns after which the tile looks the same (1, 2 or 4)."""
    return next(turns for turns in (1, 2, 4) if names_after(scheme, turns) is not None)


def _same(scheme: Scheme, turned: tuple[int, ...], names: tuple[int, ...]) -> bool:
    """Is the turned tile the printed one when segment i is called names[i]?"""
    if tuple(names[segment] for segment in turned) != scheme.sides:
        return False
    if tuple(scheme.terrain[name] for name in names) != scheme.terrain:
        return False
    borders = {tuple(sorted((names[a], names[b]))) for a, b in scheme.borders}
    cities = sorted(tuple(sorted(names[segment] for segment in city)) for city in scheme.cities)
    return borders == scheme.borders and cities == sorted(tuple(sorted(city)) for city in scheme.cities)


def check_room(schemes: tuple[Scheme, ...]) -> None:
    """Refuses a set with other numbers than those the record of a position is made for."""
    copies = sum(scheme.copies for scheme in schemes)
    pieces = sum(scheme.copies * len(scheme.terrain) for scheme in schemes)
    if (len(schemes), copies, pieces) != (KINDS, MAX_TILES, MAX_PIECES):
        raise BadInput(
            f"The positions are made for {KINDS} kinds, {MAX_TILES} tiles and {MAX_PIECES} regions on them (state.py), "
            f"not for {len(schemes)}, {copies} and {pieces}."
        )


TILE_SET = load_tiles()
check_room(TILE_SET)
START_KIND = next(i for i, scheme in enumerate(TILE_SET) if scheme.start)

# Tables by kind, as narrow as they can be: every function that reads one holds a copy of it in the 64 KB that a GPU has
# for constants.
COPIES = np.array([scheme.copies for scheme in TILE_SET], np.int8)
SEGMENTS = np.array([len(scheme.terrain) for scheme in TILE_SET], np.int8)
PERIOD = np.array([rotation_period(scheme) for scheme in TILE_SET], np.int8)
CITIES = np.array([len(scheme.cities) for scheme in TILE_SET], np.int8)
SIDE_SEGMENT = np.array([scheme.sides for scheme in TILE_SET], np.int8)  # [kind, printed side]
SIDE_TERRAIN = np.array([[s.terrain[segment] for segment in s.sides] for s in TILE_SET], np.int8)
SEGMENT_TERRAIN = np.full((KINDS, MAX_SEGMENTS), -1, np.int8)
SEGMENT_SIDES = np.zeros((KINDS, MAX_SEGMENTS), np.int8)  # how many of the four
SEGMENT_CITIES = np.zeros((KINDS, MAX_SEGMENTS), np.int8)  # bit c: city c of the tile touches the segment
NEXT_GRASSLANDS = np.zeros((KINDS, MAX_SEGMENTS), np.int8)  # bit g: grassland segment g borders on the segment
for _kind, _tile in enumerate(TILE_SET):
    SEGMENT_TERRAIN[_kind, : len(_tile.terrain)] = _tile.terrain
    for _segment in _tile.sides:
        SEGMENT_SIDES[_kind, _segment] += 1
    for _number, _city in enumerate(_tile.cities):
        for _segment in _city:
            SEGMENT_CITIES[_kind, _segment] |= 1 << _number
    for _pair in _tile.borders:
        for _segment, _other in (_pair, _pair[::-1]):
            if _tile.terrain[_other] == GRASSLAND:
                NEXT_GRASSLANDS[_kind, _segment] |= 1 << _other


def _half_fits() -> np.ndarray:
    """[kind, half, code of two sides] -> bit t: turned t times, the tile shows on sides N and E (half 0) or S and W
    (half 1) what they ask for; turns that look like fewer are left out (CD-8)."""
    fits = np.zeros((KINDS, 2, 16), np.int8)
    for kind in range(KINDS):
        for half in range(2):
            for code in range(16):
                for turns in range(int(PERIOD[kind])):
                    shown = [int(SIDE_TERRAIN[kind, (2 * half + side - turns) % 4]) for side in range(2)]
                    asked = [code >> 2 * side & 3 for side in range(2)]
                    if all(want in (NOTHING_ASKED, have) for want, have in zip(asked, shown, strict=True)):
                        fits[kind, half, code] |= 1 << turns
    return fits


HALF_FITS = _half_fits()


def _sides_asked() -> np.ndarray:
    """[code of a cell] -> how many sides ask for a terrain, in three bits, and above them the sides, two bits each."""
    packed = np.zeros(256, np.int16)
    for code in range(256):
        asked = [side for side in range(4) if code >> 2 * side & 3 != NOTHING_ASKED]
        packed[code] = len(asked) + sum(side << 3 + 2 * i for i, side in enumerate(asked))
    return packed


SIDES_ASKED = _sides_asked()


@rule
def fitting_turns(kind: int, code: int) -> int:
    """Bit t: a tile of this kind, turned t times, fits a cell with this code (CD-8)."""
    return int(HALF_FITS[kind, 0, code & 15]) & int(HALF_FITS[kind, 1, (code >> 4) & 15])
