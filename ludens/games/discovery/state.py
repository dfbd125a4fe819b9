"""The Discovery: the map as one record, and the numbers of the box (CD-1 … CD-5, CD-20).

The map has no grid. Tiles are listed in the order they were placed; their segments, called pieces,
are numbered through. Pieces that join form a region: `piece_region` names one of its pieces, whose
entries in the `region_…` fields count for the whole. The only index of coordinates is the frontier:
the empty cells beside the map in the order they came to lie there (of one tile: N, E, S, W), each
with what it asks of a tile.
"""

from __future__ import annotations

import numpy as np

from ludens.core.record import layout

__all__ = [
    "ACTUAL",
    "ALL_EMPTY",
    "CLOSED",
    "DISCARD",
    "DRAWING",
    "DTYPE",
    "EAST",
    "FIRST_FOLLOWER",
    "FIRST_REGION",
    "FOLLOWER",
    "FOLLOWERS",
    "KINDS",
    "MAX_CELLS",
    "MAX_PIECES",
    "MAX_PLAYERS",
    "MAX_SEGMENTS",
    "MAX_TILES",
    "NORTH",
    "NOTHING",
    "OPEN",
    "OVER",
    "PASS",
    "PLACING",
    "RETURN",
]

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

DTYPE = layout(
    "discovery",
    [
        ("players", "i1"),
        ("phase", "i1"),
        ("current", "i1"),  # seat on move
        ("unplaceable", "i1"),  # option: DISCARD or RETURN
        ("small_regions", "i1"),  # option: OPEN or CLOSED
        ("final_scoring", "i1"),  # option: OPEN, CLOSED or ACTUAL
        ("hand", "i1"),  # kind of the tile drawn and not yet placed, or NOTHING
        ("deck_left", "i1"),  # sum of `deck`
        ("placed", "i1"),  # tiles on the map
        ("city_count", "i1"),  # cities on the map, numbered as they came
        ("pieces", "i2"),  # segments on the map
        ("cells", "i2"),  # cells of the frontier
        ("score", "i2", (MAX_PLAYERS,)),
        ("follower_count", "i1", (MAX_PLAYERS,)),  # placed followers
        ("follower", "i2", (MAX_PLAYERS, FOLLOWERS)),  # their pieces, oldest first; NOTHING for free ones
        ("deck", "i1", (KINDS,)),  # tiles neither drawn nor placed, by kind (CD-13)
        ("aside", "i1", (KINDS,)),  # drawn tiles that fitted nowhere (CD-9)
        ("tile_kind", "i1", (MAX_TILES,)),
        ("tile_turns", "i1", (MAX_TILES,)),  # quarter turns clockwise
        ("tile_x", "i1", (MAX_TILES,)),
        ("tile_y", "i1", (MAX_TILES,)),
        ("tile_open", "i1", (MAX_TILES,)),  # bit d: side d of the map faces an empty cell
        ("tile_piece", "i2", (MAX_TILES,)),  # its first piece; the others follow
        ("piece_tile", "i1", (MAX_PIECES,)),
        ("piece_region", "i2", (MAX_PIECES,)),  # the piece that stands for the region
        ("piece_next", "i2", (MAX_PIECES,)),  # a ring through all pieces of the region
        ("region_tiles", "i1", (MAX_PIECES,)),  # size: distinct tiles (CD-14)
        ("region_ends", "i1", (MAX_PIECES,)),  # sides that face an empty cell; 0: closed (CD-15)
        ("region_followers", "i1", (MAX_PIECES,)),  # of all players
        ("region_cities", "i8", (MAX_PIECES,)),  # bit c: city c of the map lies on the region
        ("cell_key", "i2", (MAX_CELLS,)),  # 256 y + x
        ("cell_code", "i2", (MAX_CELLS,)),  # two bits a side: the terrain asked for, or NOTHING_ASKED
        ("cell_tiles", "i4", (MAX_CELLS,)),  # eight bits a side: neighbouring tile + 1, or 0
    ],
)
