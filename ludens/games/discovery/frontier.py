"""The Discovery: what the cells beside the map mean for the open regions: which of them can be closed, and how soon.

Followers do not change it: after one survey of the map many follower moves can be judged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.games.discovery.rules.map import piece_at
from ludens.games.discovery.rules.scoring import city_total
from ludens.games.discovery.rules.tiles import (
    COPIES,
    GRASSLAND,
    MOUNTAINS,
    NOTHING_ASKED,
    SIDE_SEGMENT,
    SIDES_ASKED,
    fitting_turns,
)
from ludens.games.discovery.state import KINDS, MAX_PIECES, MAX_TILES, NOTHING, PLACING

__all__ = ["ENDING", "FITTING", "PROMISE", "REGION", "ROWS", "WIDTH", "WITH_HAND", "max_of", "min_of", "survey"]

# Rows of what `survey` writes. By region: the sum over its open ends of the part of the box's tiles that end it there,
# the least part of the tiles that fit at one of them, and whether the tile in hand closes it.
ENDING, FITTING, WITH_HAND = 0, 1, 2
# And a list of the open regions, with what each promises whoever occupies it.
REGION, PROMISE = 3, 4
ROWS, WIDTH = 5, MAX_PIECES + 1

_NOT_MET = 2.0  # more than any part of the tiles
_GROWTH = np.array([1.5, 1.5, 0.6])  # points by which a fitting tile raises hopes
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
    found[FITTING, : s.pieces] = _NOT_MET
    hand = int(s.hand) if s.phase == PLACING else NOTHING
    count = 0
    for cell in range(int(s.cells)):
        code, tiles = int(s.cell_code[cell]) & 255, int(s.cell_tiles[cell])
        fits = _FITS[code]
        sides = int(SIDES_ASKED[code])
        ended = int(_ENDED[hand, code]) if hand != NOTHING else 0
        for k in range(sides & 7):
            side = sides >> 3 + 2 * k & 3
            piece = piece_at(s, (tiles >> 8 * side & 127) - 1, (side + 2) & 3)
            region = int(s.piece_region[piece]) & 255  # never negative: an index that needs no care
            if found[FITTING, region] == _NOT_MET:
                found[REGION, count] = region
                found[PROMISE, count] = code >> 2 * side & 3  # the terrain, for now
                count += 1
                found[FITTING, region], found[ENDING, region] = fits, _ENDS[code, side]
                found[WITH_HAND, region] = ended >> side & 1
            else:
                found[FITTING, region] = min_of(found[FITTING, region], fits)
                found[ENDING, region] += _ENDS[code, side]
                found[WITH_HAND, region] = 0.0  # more than one open end
    for k in range(count):
        region = int(found[REGION, k]) & 255
        found[PROMISE, k] = _promise(s, region, int(found[PROMISE, k]), found[ENDING, region])
    return count


@rule
def max_of(x: float, y: float) -> float:
    """Python's own asks for numbers that are none, and is slow."""
    return x if x > y else y


@rule
def min_of(x: float, y: float) -> float:
    return x if x < y else y


@rule
def _promise(s: Any, region: int, terrain: int, ending: float) -> float:
    """Points that a follower may hope for on an open region, cities beside it not counted."""
    size = float(s.region_tiles[region])
    cities = 0.0 if terrain == GRASSLAND else float(city_total(int(s.region_cities[region])))
    value = size if terrain == GRASSLAND else cities
    more = cities if terrain == MOUNTAINS else size
    return value + (more + _GROWTH[terrain]) * ending * _NEARNESS[int(s.region_ends[region]) & 127]
