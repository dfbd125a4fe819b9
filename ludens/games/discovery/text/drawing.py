"""The Discovery: tiles drawn with characters, five wide and three high, for texts and terminals.

Every character of a tile belongs to one segment. Terrains are m, g and s, a city is #, a follower the
number of its owner; `Mark.terrain` lets a terminal colour what it prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ludens.games.discovery.rules.tiles import TERRAINS, TILE_SET
from ludens.games.discovery.state import PLACING, Discovery
from ludens.games.discovery.text import lookup

__all__ = ["HEIGHT", "LETTERS", "WIDTH", "Mark", "draw_map", "draw_tile", "frame", "open_places"]

WIDTH, HEIGHT = 5, 3
LETTERS = tuple(name[0] for name in TERRAINS)
CITY = "#"

_MIDDLES = ((0, 2), (1, 4), (2, 2), (1, 0))  # (row, column) in the middle of the sides N, E, S, W
_CENTRE = (1, 2)
_CORNERS = {(0, 0): (3, 0), (0, 4): (0, 1), (2, 4): (1, 2), (2, 0): (2, 3)}  # between two sides


@dataclass(frozen=True)
class Mark:
    """One character of the picture; the terrain under it, the seat of a follower standing there."""

    character: str
    terrain: int | None = None
    seat: int | None = None
    fresh: bool = False  # on the tile placed last


@cache
def _segments(kind: int, turns: int) -> dict[tuple[int, int], int]:
    """The segment of every character of a tile turned so."""
    scheme = TILE_SET[kind]
    sides = [scheme.sides[(side - turns) % 4] for side in range(4)]
    opposite = [sides[side] for side in range(2) if sides[side] == sides[side + 2]]
    contacts = [sum(segment in pair for pair in scheme.borders) for segment in range(len(scheme.terrain))]
    centre = opposite[0] if opposite else contacts.index(max(contacts))
    places = {(row, column): centre for row in range(HEIGHT) for column in range(WIDTH)}
    for side, (row, column) in enumerate(_MIDDLES):
        places[row, column] = sides[side]
        if row != 1:
            places[row, 1] = places[row, 3] = sides[side]
    for corner, (first, second) in _CORNERS.items():
        a, b = sides[first], sides[second]
        if a == b or (min(a, b), max(a, b)) in scheme.borders:
            places[corner] = a
    return places


@cache
def _spots(kind: int, turns: int) -> tuple[dict[int, tuple[int, int]], tuple[tuple[int, int], ...]]:
    """Where a follower on each segment is drawn, and where the cities are."""
    scheme = TILE_SET[kind]
    places = _segments(kind, turns)
    standing = {places[middle]: middle for middle in (*reversed(_MIDDLES), _CENTRE)}
    cities: list[tuple[int, int]] = []
    for first, second in scheme.cities:
        taken = {*_MIDDLES, _CENTRE, *cities}  # those are for followers, and show the sides
        shore = [
            place
            for place, segment in places.items()
            if segment in (first, second) and place not in taken and _beside(places, place, {first, second} - {segment})
        ]
        cities.append(shore[0])
    return standing, tuple(cities)


def _beside(places: dict[tuple[int, int], int], place: tuple[int, int], wanted: set[int]) -> bool:
    row, column = place
    around = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return any(places.get(other) in wanted for other in around)


def draw_tile(kind: int, turns: int, followers: dict[int, int] | None = None, fresh: bool = False) -> list[list[Mark]]:
    """Rows of marks of one tile; `followers` maps segments to seats."""
    scheme = TILE_SET[kind]
    places = _segments(kind, turns)
    standing, cities = _spots(kind, turns)
    owners = {standing[segment]: seat for segment, seat in (followers or {}).items()}
    rows = []
    for row in range(HEIGHT):
        marks = []
        for column in range(WIDTH):
            terrain = scheme.terrain[places[row, column]]
            seat = owners.get((row, column))
            letter = str(seat + 1) if seat is not None else CITY if (row, column) in cities else LETTERS[terrain]
            marks.append(Mark(letter, terrain, seat, fresh))
        rows.append(marks)
    return rows


def open_places(v: Discovery) -> set[tuple[int, int]]:
    """The cells where the tile in hand fits."""
    if v.phase != PLACING:
        return set()
    places = enumerate(lookup.cells(v))
    return {place for cell, place in places if lookup.fitting_turns(v, int(v.hand), cell)}


def frame(v: Discovery, columns: int, rows: int) -> tuple[int, int, int, int]:
    """(west, east, south, north): the part of the map that fits, the tile placed last well inside."""
    count = int(v.placed)
    xs, ys = v.tile_x[:count].tolist(), v.tile_y[:count].tolist()
    west, east = _window(min(xs) - 1, max(xs) + 1, xs[-1], columns)
    south, north = _window(min(ys) - 1, max(ys) + 1, ys[-1], rows)
    return west, east, south, north


def _window(low: int, high: int, focus: int, room: int) -> tuple[int, int]:
    if high - low < room:
        return low, high
    start = min(max(focus - room // 2, low), high - room + 1)
    return start, start + room - 1


def draw_map(v: Discovery, window: tuple[int, int, int, int]) -> list[list[Mark]]:
    """Rows of marks from north to south: the coordinates above and at the left, then the tiles."""
    west, east, south, north = window
    followers: dict[int, dict[int, int]] = {}
    for seat, _, piece in lookup.followers(v):
        tile, segment = lookup.place_of(v, piece)
        followers.setdefault(tile, {})[segment] = seat
    tiles = {(int(v.tile_x[t]), int(v.tile_y[t])): t for t in range(int(v.placed))}
    free = open_places(v)
    header = " " * 4 + "".join(f"{x:^{WIDTH}}" for x in range(west, east + 1))
    picture = [[Mark(letter) for letter in header]]
    for y in range(north, south - 1, -1):
        lines = [[Mark(letter) for letter in (f"{y:>3} " if row == 1 else "    ")] for row in range(HEIGHT)]
        for x in range(west, east + 1):
            if (x, y) not in tiles:
                block = _empty((x, y) in free)
            else:
                tile = tiles[x, y]
                block = draw_tile(
                    int(v.tile_kind[tile]), int(v.tile_turns[tile]), followers.get(tile), tile == int(v.placed) - 1
                )
            for line, marks in zip(lines, block, strict=True):
                line.extend(marks)
        picture.extend(lines)
    return picture


def _empty(fits: bool) -> list[list[Mark]]:
    middle = "  +  " if fits else "     "
    return [[Mark(letter) for letter in (middle if row == 1 else " " * WIDTH)] for row in range(HEIGHT)]
