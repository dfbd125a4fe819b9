"""The Discovery: what a record says, looked up from Python for words and drawings: tiles, regions, followers, cells.

Rules are compiled into kernels and never called from Python; the few small ones used here run as plain Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from ludens.core.jit import plain
from ludens.games.discovery.rules import scoring, tiles
from ludens.games.discovery.rules.map import cell_x, cell_y
from ludens.games.discovery.rules.tiles import GRASSLAND, MOUNTAINS, SIDE_SEGMENT
from ludens.games.discovery.state import ACTUAL, CLOSED, Discovery

__all__ = [
    "Region",
    "cell_at",
    "cell_index",
    "cells",
    "fitting_turns",
    "followers",
    "listed",
    "piece_number",
    "place_of",
    "region_at",
    "regions",
    "side_names",
    "tile_at",
]

_KEPT = 8192  # regions: a move changes a few
_terrain_of, _all_cities = plain(scoring.terrain_of), plain(scoring.all_cities)
_counts_closed, _table_points = plain(scoring.counts_closed), plain(scoring.table_points)
_SIDE_NAMES = ("north", "east", "south", "west")


@dataclass(frozen=True)
class Region:
    """A connected area of one terrain (CD-14) and what it is worth."""

    number: int  # the piece that stands for it
    terrain: int
    pieces: tuple[tuple[int, int], ...]  # (tile, segment)
    size: int
    open_ends: int
    cities: int  # on the region (m of CD-21)
    cities_beside: int  # on adjoining grasslands and not on a mountain region itself (n of CD-21)
    followers: tuple[int, ...]  # seats of the followers on it
    points: int  # of a follower taken back now (CD-18)
    final_points: int  # of a follower left there at the end (CD-23)

    @property
    def closed(self) -> bool:
        return self.open_ends == 0


def place_of(s: Discovery, piece: int) -> tuple[int, int]:
    """(tile, segment) of a piece."""
    tile = int(s.piece_tile[piece])
    return tile, piece - int(s.tile_piece[tile])


def piece_number(s: Discovery, tile: int, segment: int) -> int:
    return int(s.tile_piece[tile]) + segment


def region_at(s: Discovery, piece: int, seats: tuple[int, ...] | None = None) -> Region:
    """The region that the piece belongs to; `seats` spares looking for its followers."""
    number = int(s.piece_region[piece])
    if seats is None:
        seats = tuple(p for p, _, standing in followers(s) if int(s.piece_region[standing]) == number)
    return _region(s, number, tuple(place_of(s, member) for member in _ring(s, number)), seats)


def _region(s: Discovery, number: int, pieces: tuple[tuple[int, int], ...], seats: tuple[int, ...]) -> Region:
    terrain = int(_terrain_of(s, number))
    own = int(s.region_cities[number])
    union = int(_all_cities(s, number)) if terrain == MOUNTAINS else own
    size, ends = int(s.region_tiles[number]), int(s.region_ends[number])
    closed = bool(_counts_closed(s, size, ends))
    at_end = closed if s.final_scoring == ACTUAL else bool(s.final_scoring == CLOSED)
    return _made(number, terrain, pieces, size, ends, own.bit_count(), union.bit_count(), seats, closed, at_end)


@lru_cache(_KEPT)
def _made(
    number: int,
    terrain: int,
    pieces: tuple[tuple[int, int], ...],
    size: int,
    ends: int,
    cities: int,
    all_cities: int,
    seats: tuple[int, ...],
    closed: bool,
    at_end: bool,
) -> Region:
    counted = 0 if terrain == GRASSLAND else all_cities
    points, final = (int(_table_points(terrain, size, counted, so)) for so in (closed, at_end))
    return Region(number, terrain, pieces, size, ends, cities, all_cities - cities, seats, points, final)


def _ring(s: Discovery, region: int) -> list[int]:
    members = [region]
    piece = int(s.piece_next[region])
    while piece != region:
        members.append(piece)
        piece = int(s.piece_next[piece])
    return sorted(members)


_READ = (
    *("follower", "follower_count", "piece_next", "piece_region", "piece_tile", "region_cities", "region_ends"),
    *("region_tiles", "tile_kind", "tile_piece", "tile_turns", "tile_x", "tile_y"),
)
_SINGLE = ("final_scoring", "pieces", "placed", "players", "small_regions")


def listed(s: Discovery) -> Any:
    """The map with lists for arrays: who reads all of it reads them five times as fast."""
    arrays = {name: getattr(s, name).tolist() for name in _READ}
    return SimpleNamespace(**arrays, **{name: int(getattr(s, name)) for name in _SINGLE})


def regions(s: Any) -> list[Region]:
    """All regions of the map, by their numbers; the map as it is, or as `listed`."""
    s = s if isinstance(s, SimpleNamespace) else listed(s)
    seats: dict[int, tuple[int, ...]] = {}
    for p, _, piece in followers(s):
        number = s.piece_region[piece]
        seats[number] = (*seats.get(number, ()), p)
    members: dict[int, list[tuple[int, int]]] = {}
    for piece, number in enumerate(s.piece_region[: s.pieces]):
        tile = s.piece_tile[piece]
        members.setdefault(number, []).append((tile, piece - s.tile_piece[tile]))
    return [_region(s, number, tuple(members[number]), seats.get(number, ())) for number in sorted(members)]


def followers(s: Discovery) -> list[tuple[int, int, int]]:
    """(seat, number among the seat's followers, piece) of every placed follower."""
    found = []
    for p in range(int(s.players)):
        for k in range(int(s.follower_count[p])):
            found.append((p, k, int(s.follower[p][k])))
    return found


def cells(s: Discovery) -> list[tuple[int, int]]:
    """(x, y) of the frontier, in the order of its indices."""
    return [(plain(cell_x)(key), plain(cell_y)(key)) for key in s.cell_key[: int(s.cells)].tolist()]


def cell_at(s: Discovery, cell: int) -> tuple[int, int]:
    """(x, y) of one cell of the frontier."""
    key = int(s.cell_key[cell])
    return plain(cell_x)(key), plain(cell_y)(key)


def cell_index(s: Discovery, x: int, y: int) -> int | None:
    """The index of a frontier cell, or None if nothing may be placed there."""
    key = 256 * y + x
    keys = s.cell_key[: int(s.cells)].tolist()
    return keys.index(key) if abs(x) < 128 and key in keys else None


def tile_at(s: Discovery, x: int, y: int) -> int | None:
    """The placed tile at these coordinates, if any."""
    for tile in range(int(s.placed)):
        if int(s.tile_x[tile]) == x and int(s.tile_y[tile]) == y:
            return tile
    return None


def fitting_turns(s: Discovery, kind: int, cell: int) -> list[int]:
    """How often a tile may be turned to fit the cell (CD-8)."""
    mask = plain(tiles.fitting_turns)(kind, int(s.cell_code[cell]))
    return [turns for turns in range(4) if mask >> turns & 1]


def side_names(s: Discovery, tile: int, segment: int) -> list[str]:
    """The sides of a placed tile, as it lies on the map, that the segment reaches."""
    kind, turns = int(s.tile_kind[tile]), int(s.tile_turns[tile])
    return [name for side, name in enumerate(_SIDE_NAMES) if SIDE_SEGMENT[kind, (side - turns) % 4] == segment]
