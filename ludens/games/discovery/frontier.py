"""The Discovery: what the cells beside the map mean for the open regions: which of them can be closed, and how soon.

Followers do not change it: after one survey of the map many follower moves can be valued.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import plain, rule
from ludens.core.record import Array
from ludens.games.discovery.rules.map import piece_at
from ludens.games.discovery.rules.scoring import city_total, table_points
from ludens.games.discovery.rules.tiles import COPIES, HALF_FITS, NOTHING_ASKED, SIDE_SEGMENT
from ludens.games.discovery.state import KINDS, MAX_PIECES, MAX_TILES, NOTHING, PLACING, Discovery

__all__ = [
    *("CLOSED_POINTS", "ENDING", "FITTING", "OPEN_POINTS", "REGION", "ROWS", "WIDTH", "WITH_HAND", "WORTH"),
    *("max_of", "min_of", "survey"),
]

# Rows of what `survey` writes. By region: the sum over its open ends of the part of the box's tiles that end it there,
# the least part of the tiles that fit at one of them, and how many of them the tile in hand ends.
ENDING, FITTING, WITH_HAND = 0, 1, 2
# And a list of the open regions, with what each is worth to its occupant.
REGION, TERRAIN, WORTH = 3, 4, 5
ROWS, WIDTH = 6, MAX_PIECES + 9  # a whole number of vectors

_NOT_MET = 2.0  # more than any part of the tiles
_GROWTH = np.array([1.5, 1.5, 0.6, 0.0])  # by terrain, points by which a fitting tile raises hopes


def _counting(closed: bool) -> np.ndarray:
    """[terrain] -> what a tile of a region and what a city counts (CD-21): the table, without branches."""
    return np.array([[plain(table_points)(t, *one, closed) for one in ((1, 0), (0, 1))] for t in (0, 1, 2, 2)], float)


OPEN_POINTS, CLOSED_POINTS = _counting(False), _counting(True)
_MORE = CLOSED_POINTS - OPEN_POINTS  # what closing adds
_NEARNESS = np.array([1.0 / (1 + min(ends, 31)) ** 2 for ends in range(128)])


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """_ENDED[kind, code of a cell]: bit d: such a tile can lie there so that what it joins on side d ends there.

    And as parts of the box's tiles: _FITS[code] of those that fit, _ENDS[code, side] of those that end a side.
    """
    codes, sides = np.arange(256), np.arange(4)
    fitting = HALF_FITS[:, 0, codes & 15] & HALF_FITS[:, 1, codes >> 4]
    asked = (codes[:, None] >> 2 * sides & 3) != NOTHING_ASKED  # [code, side]
    ended = np.zeros((KINDS, 256, 4), np.int8)
    for turns in range(4):
        shown = SIDE_SEGMENT[:, (sides - turns) & 3]  # [kind, side]
        joined = shown[:, :, None] == shown[:, None, :]  # sides of one segment
        going_on = (joined[:, None] & ~asked[None, :, None]).any(-1)  # [kind, code, side]
        ended |= (fitting >> turns & 1 == 1)[:, :, None] & asked & ~going_on
    ends = np.einsum("k,kcs->cs", COPIES.astype(float), ended) / MAX_TILES
    fits = COPIES.astype(float) @ (fitting != 0) / MAX_TILES
    return (ended << sides).sum(-1).astype(np.int8), fits.astype(np.float32), ends.astype(np.float32)


_ENDED, _FITS, _ENDS = _tables()


@rule
def survey(s: Discovery, found: Array) -> int:
    """Writes the rows above; returns the number of open regions."""
    pieces = int(s.pieces)
    found[ENDING, :pieces] = 0.0
    found[FITTING, :pieces] = _NOT_MET
    found[WITH_HAND, :pieces] = 0.0
    hand = int(s.hand) if s.phase == PLACING else NOTHING
    count = 0
    for cell in range(int(s.cells)):
        code, tiles = int(s.cell_code[cell]) & 255, int(s.cell_tiles[cell])
        fits = _FITS[code]
        ended = int(_ENDED[hand, code]) if hand != NOTHING else 0
        for side in range(4):
            tile = (tiles >> 8 * side & 127) - 1
            if tile >= 0:
                region = int(s.piece_region[piece_at(s, tile, (side + 2) & 3)]) & 255  # an index that needs no care
                found[REGION, count] = region
                found[TERRAIN, count] = code >> 2 * side & 3
                count += 1 if found[FITTING, region] == _NOT_MET else 0
                found[FITTING, region] = min_of(found[FITTING, region], fits)
                found[ENDING, region] += _ENDS[code, side]
                if ended != 0:
                    found[WITH_HAND, region] += ended >> side & 1
    for k in range(count):
        found[WORTH, k] = _worth(s, int(found[REGION, k]) & 255, int(found[TERRAIN, k]) & 3, found)
    return count


@rule
def max_of(x: float, y: float) -> float:
    """Python's own asks for numbers that are none, and is slow."""
    return x if x > y else y


@rule
def min_of(x: float, y: float) -> float:
    return x if x < y else y


@rule
def _worth(s: Discovery, region: int, terrain: int, found: Array) -> float:
    """Points that a follower may hope for on an open region, cities beside it not counted."""
    size, cities = float(s.region_tiles[region]), float(city_total(int(s.region_cities[region])))
    value = size * OPEN_POINTS[terrain, 0] + cities * OPEN_POINTS[terrain, 1]
    more = size * _MORE[terrain, 0] + cities * _MORE[terrain, 1] + _GROWTH[terrain]
    return float(value + more * found[ENDING, region] * _NEARNESS[int(s.region_ends[region]) & 127])
