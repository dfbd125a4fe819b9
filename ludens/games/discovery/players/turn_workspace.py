"""The Discovery: what the search for the greedy turn knows of one position, a record that kernels take."""

from __future__ import annotations

from ludens.core.record import layout
from ludens.games.discovery.state import FOLLOWERS, MAX_CELLS, MAX_PIECES, MAX_PLAYERS, MAX_SEGMENTS

__all__ = ["TURN_WORKSPACE", "WORD"]

WORD = 5  # sets of regions: bit (region & 31) of word (region >> 5)
_WORDS = (MAX_PIECES >> WORD) + 1

TURN_WORKSPACE = layout(
    "discovery turn",
    [
        ("position", "i8"),  # the number of the position; what bears another number is out of date
        ("worth", "i8", (MAX_PLAYERS,)),  # every player's points with placed followers counted in: after a turn
        ("before", "i8", (MAX_PLAYERS,)),  # the same before it
        ("best", "i8", (MAX_PLAYERS,)),  # the same after the best turn so far
        # followers on the map, those of the first player first, oldest first
        ("followers", "i8"),
        ("own", "i8"),  # the first one of the player on turn
        ("owner", "i8", (MAX_PLAYERS * FOLLOWERS,)),
        ("place", "i8", (MAX_PLAYERS * FOLLOWERS,)),  # the region
        ("terrain", "i8", (MAX_PLAYERS * FOLLOWERS,)),
        ("points", "i8", (MAX_PLAYERS * FOLLOWERS,)),  # what they count before the turn
        # regions
        ("watched", "i8", (_WORDS,)),  # the set of those on which a follower's points hang
        ("staked", "i8", (_WORDS,)),  # the same of followers of the player on turn
        ("surveyed", "i8", (MAX_PIECES,)),  # position in which the next two were read
        ("mountain_cities", "i8", (MAX_PIECES,)),  # of a mountain region, those of grasslands beside it included
        ("grasslands", "i8", (MAX_PIECES, _WORDS)),  # the set of regions beside a mountain region
        ("ceiling", "i8", (MAX_CELLS,)),  # by cell of the frontier: what a turn there gains at most
        # a cell of the frontier: the tiles around it, N, E, S, W
        ("neighbours", "i8"),
        ("side", "i8", (4,)),
        ("ground", "i8", (4,)),  # the terrain
        ("facing", "i8", (4,)),  # the region that looks into the cell
        ("same", "i8", (4,)),  # the first neighbour with that region
        ("changes", "i8"),  # 1: one of them is watched
        ("concerns", "i8"),  # 1: one of them is staked
        ("distinct", "i8"),  # 1: none looks into it twice
        ("most", "i8"),  # points that a region with the tile in it can have at most
        ("most_cities", "i8"),
        # a tile in the cell: by neighbour, then by segment; segments that have joined are one group, named by the first
        ("segment", "i8", (4,)),
        ("group", "i8", (MAX_SEGMENTS,)),
        ("tiles", "i8", (MAX_SEGMENTS,)),  # by group: as the fields of a region
        ("ends", "i8", (MAX_SEGMENTS,)),
        ("cities", "i8", (MAX_SEGMENTS,)),
        ("occupants", "i8", (MAX_SEGMENTS,)),
        ("joined", "i8", (MAX_SEGMENTS,)),  # by group: regions that were there before
    ],
)
