"""The Discovery: what the cells beside the map mean for the open regions: which of them can be closed, and how soon.

Followers do not change it: after one survey of the map many follower moves can be judged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import plain, rule
from ludens.games.discovery.rules.map import piece_at
from ludens.games.discovery.rules.scoring import city_total, table_points
from ludens.games.discovery.rules.tiles import (
    COPIES,
    NOTHING_ASKED,
    SIDE_SEGMENT,
    fitting_turns,
)
from ludens.games.discovery.state import KINDS, MAX_PIECES, MAX_TILES, NOTHING, PLACING

__all__ = ["ENDING", "FITTING", "PROMISE", "REGION", "ROWS", "WIDTH", "WITH_HAND", "max_of", "min_of", "survey"]

# Rows of what `survey` writes. By region: the sum over its open ends of the part of the box's tiles that end it there,
# the least part of the tiles that fit at one of them, and how many of them the tile in hand ends.
ENDING, FITTING, WITH_HAND = 0, 1, 2
# And a list of the open regions, with what each promises whoever occupies it.
REGION, TERRAIN, PROMISE = 3, 4, 5
ROWS, WIDTH = 6, MAX_PIECES + 9  # a whole number of vectors

_NOT_MET = 2.0  # more than any part of the tiles
_GROWTH = np.array([1.5, 1.5, 0.6, 0.0])  # by terrain, points by which a fitting tile raises hopes
# By terrain, what a tile and a city count on an open region, and what closing adds for each (CD-21).
_NOW = np.array([[plain(table_points)(t, *one, False) for one in ((1, 0), (0, 1))] for t in (0, 1, 2, 2)], float)
_MORE = np.array([[plain(table_points)(t, *one, True) for one in ((1, 0), (0, 1))] for t in (0, 1, 2, 2)], float) - _NOW
_NEARNESS = np.array([1.0 / (1 + min(ends, 31)) ** 2 for ends in range(128)])


def _sides_ended(kind: int, code: int) -> int:
    """Bit d: a tile of this kind can lie in such a cell so that what it joins on side d does not go on from there."""
    found = 0
    for turns in range(4):
        if not fitting_turns(kind, code) >> turns & 1:
            continue
        segments = [int(SIDE_SEGMENT[kind, side - turns & 3]) for side in range(4)]
        asked = [code >> 2 * side & 3 != NOTHING_ASKED for side in range(4)]
        going_on = {segment for segment, known in zip(segments, asked, strict=True) if not known}
        found |= sum(1 << side for side in range(4) if asked[side] and segments[side] not in going_on)
    return found


# [kind, code of a cell] -> the sides as bits; and as parts of the box's tiles: [code], [code, side].
_ENDED = np.array([[_sides_ended(kind, code) for code in range(256)] for kind in range(KINDS)], np.int8)
_FITS = np.array(
    [sum(int(COPIES[kind]) for kind in range(KINDS) if fitting_turns(kind, code)) / MAX_TILES for code in range(256)],
    np.float32,
)
_ENDS = np.array(
    [[(COPIES * (_ENDED[:, code] >> side & 1)).sum() / MAX_TILES for side in range(4)] for code in range(256)],
    np.float32,
)


@rule
def survey(s: Any, found: Any) -> int:
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
        found[PROMISE, k] = _promise(s, int(found[REGION, k]) & 255, int(found[TERRAIN, k]) & 3, found)
    return count


@rule
def max_of(x: float, y: float) -> float:
    """Python's own asks for numbers that are none, and is slow."""
    return x if x > y else y


@rule
def min_of(x: float, y: float) -> float:
    return x if x < y else y


@rule
def _promise(s: Any, region: int, terrain: int, found: Any) -> float:
    """Points that a follower may hope for on an open region, cities beside it not counted."""
    size, cities = float(s.region_tiles[region]), float(city_total(int(s.region_cities[region])))
    value = size * _NOW[terrain, 0] + cities * _NOW[terrain, 1]
    more = size * _MORE[terrain, 0] + cities * _MORE[terrain, 1] + _GROWTH[terrain]
    return float(value + more * found[ENDING, region] * _NEARNESS[int(s.region_ends[region]) & 127])
