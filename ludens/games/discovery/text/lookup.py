"""The Discovery: what a record says, looked up from Python for words and drawings: tiles, regions, followers, cells.

Rules are compiled into kernels and never called from Python; the few small ones used here run as plain Python.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    "piece_number",
    "place_of",
    "region_at",
    "regions",
    "side_names",
    "tile_at",
]

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
    terrain = int(plain(scoring.terrain_of)(s, number))
    own = int(s.region_cities[number])
    union = int(plain(scoring.all_cities)(s, number)) if terrain == MOUNTAINS else own
    size, ends = int(s.region_tiles[number]), int(s.region_ends[number])
    counted = 0 if terrain == GRASSLAND else union.bit_count()
    closed = bool(plain(scoring.counts_as_closed)(s, number))
    at_end = closed if s.final_scoring == ACTUAL else bool(s.final_scoring == CLOSED)
    if seats is None:
        seats = tuple(p for p, _, standing in followers(s) if int(s.piece_region[standing]) == number)
    table = plain(scoring.table_points)
    return Region(
        number,
        terrain,
        tuple(place_of(s, member) for member in _ring(s, number)),
        size,
        ends,
        own.bit_count(),
        (union & ~own).bit_count(),
        seats,
        int(table(terrain, size, counted, closed)),
        int(table(terrain, size, counted, at_end)),
    )


def _ring(s: Discovery, region: int) -> list[int]:
    members = [region]
    piece = int(s.piece_next[region])
    while piece != region:
        members.append(piece)
        piece = int(s.piece_next[piece])
    return sorted(members)


def regions(s: Discovery) -> list[Region]:
    """All regions of the map, by their numbers."""
    seats: dict[int, list[int]] = {}
    for p, _, piece in followers(s):
        seats.setdefault(int(s.piece_region[piece]), []).append(p)
    numbers = [piece for piece in range(int(s.pieces)) if int(s.piece_region[piece]) == piece]
    return [region_at(s, number, tuple(seats.get(number, ()))) for number in numbers]


def followers(s: Discovery) -> list[tuple[int, int, int]]:
    """(seat, number among the seat's followers, piece) of every placed follower."""
    found = []
    for p in range(int(s.players)):
        for k in range(int(s.follower_count[p])):
            found.append((p, k, int(s.follower[p, k])))
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
