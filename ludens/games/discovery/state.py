"""The Discovery: the map as one record, and the numbers of the box (CD-1 … CD-5, CD-20).

The map has no grid. Tiles are listed in the order they were placed; their segments, called pieces,
are numbered through. Pieces that join form a region: `piece_region` names one of its pieces, whose
entries in the `region_…` fields count for the whole. The only index of coordinates is the frontier:
the empty cells beside the map in the order they came to lie there (of one tile: N, E, S, W), each
with what it asks of a tile.
"""

from __future__ import annotations

import numpy as np

from ludens.core.record import Position, int8, int16, int32, int64, layout

MAX_PLAYERS = 5  # CD-1
FOLLOWERS = 4  # CD-3, of each player
# Room for the tiles of the standard set, with which `rules/tiles.py` compares these numbers.
KINDS = 66  # of tiles
MAX_TILES = 84  # the start tile included (CD-2)
MAX_PIECES = 247  # the segments of all tiles
MAX_SEGMENTS = 5  # of one tile
MAX_CELLS = 2 * MAX_TILES + 2  # n joined squares have at most 2n + 2 empty neighbours: a straight row

NOTHING = -1  # no tile in hand, no neighbour, no follower on the map
ALL_EMPTY = 255  # the code of a cell that asks for nothing: NOTHING_ASKED on all four sides

# The way to the neighbour on side N, E, S, W; x grows eastwards, y northwards.
EAST = np.array([0, 1, 0, -1], np.int16)
NORTH = np.array([1, 0, -1, 0], np.int16)

# Phases. DRAWING is a chance node.
DRAWING, PLACING, FOLLOWER, OVER = range(4)

# Actions: 4 * cell of the frontier + turns, then a follower on a segment of the tile just placed,
# then taking back one's k-th follower (oldest first), then pass.
FIRST_REGION = 4 * MAX_CELLS
FIRST_FOLLOWER = FIRST_REGION + MAX_SEGMENTS
PASS = FIRST_FOLLOWER + FOLLOWERS

DISCARD, RETURN = range(2)  # what happens to a tile that fits nowhere (CD-9)
OPEN, CLOSED, ACTUAL = range(3)  # how regions are scored: small ones (CD-22, the first two), at the end (CD-23)


class Discovery(Position):
    """The map."""

    current = int8()  # seat on move
    unplaceable = int8()  # option: DISCARD or RETURN
    small_regions = int8()  # option: OPEN or CLOSED
    final_scoring = int8()  # option: OPEN, CLOSED or ACTUAL
    hand = int8()  # kind of the tile drawn and not yet placed, or NOTHING
    deck_left = int8()  # sum of `deck`
    placed = int8()  # tiles on the map
    city_count = int8()  # cities on the map, numbered as they came
    pieces = int16()  # segments on the map
    cells = int16()  # cells of the frontier
    score = int16(MAX_PLAYERS)
    follower_count = int8(MAX_PLAYERS)  # placed followers
    follower = int16(MAX_PLAYERS, FOLLOWERS)  # their pieces, oldest first; NOTHING for free ones
    deck = int8(KINDS)  # tiles neither drawn nor placed, by kind (CD-13)
    aside = int8(KINDS)  # drawn tiles that fitted nowhere (CD-9)
    tile_kind = int8(MAX_TILES)
    tile_turns = int8(MAX_TILES)  # quarter turns clockwise
    tile_x = int8(MAX_TILES)
    tile_y = int8(MAX_TILES)
    tile_open = int8(MAX_TILES)  # bit d: side d of the map faces an empty cell
    tile_piece = int16(MAX_TILES)  # its first piece; the others follow
    piece_tile = int8(MAX_PIECES)
    piece_region = int16(MAX_PIECES)  # the piece that stands for the region
    piece_next = int16(MAX_PIECES)  # a ring through all pieces of the region
    region_tiles = int8(MAX_PIECES)  # size: distinct tiles (CD-14)
    region_ends = int8(MAX_PIECES)  # sides that face an empty cell; 0: closed (CD-15)
    region_followers = int8(MAX_PIECES)  # of all players
    region_cities = int64(MAX_PIECES)  # bit c: city c of the map lies on the region
    cell_key = int16(MAX_CELLS)  # 256 y + x
    cell_code = int16(MAX_CELLS)  # two bits a side: the terrain asked for, or NOTHING_ASKED
    cell_tiles = int32(MAX_CELLS)  # eight bits a side: neighbouring tile + 1, or 0


DTYPE = layout("discovery", Discovery)
