"""The Discovery: a position as numbers for a network that can be shared over the cells beside the map.

The vector is a row of blocks (`blocks` names them with their shapes); seats are counted from the observer on, so that
"mine" comes first. A region always reads the same way, as one row:

    mountains, grassland, sea   0.5 + size ÷ 20 in the column of its terrain, 0 in the others
    open ends ÷ 10
    cities ÷ 10                 on the region, for mountains also beside it: those that count (CD-21)
    followers ÷ 4               of every seat (one column each)

A side of a cell has this row of the region that looks in, or zeros. Such a region is open, so its points follow from
the row: the size of a grassland, the cities of the others. Where a region may be closed, two more columns hold its
points now and at the end. Turning the map (symmetries.py) takes a cell from x, y to y, -x and moves its four rows on.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.spec import Block
from ludens.games.discovery.rules.map import cell_x, cell_y, facing_piece
from ludens.games.discovery.rules.scoring import all_cities, city_total, final_points, points_now, terrain_of
from ludens.games.discovery.rules.tiles import (
    COPIES,
    MOUNTAINS,
    NOTHING_ASKED,
    SEGMENT_CITIES,
    SEGMENTS,
    SIDE_SEGMENT,
    SIDE_TERRAIN,
)
from ludens.games.discovery.state import (
    ACTUAL,
    CLOSED,
    FOLLOWER,
    FOLLOWERS,
    KINDS,
    MAX_SEGMENTS,
    MAX_TILES,
    NOTHING,
    PLACING,
    RETURN,
    Discovery,
)

__all__ = ["CELLS", "blocks", "observe"]

CELLS = 92  # shown; random games reach 91 (one in thousands more), players with a plan about 75
_TABLE, _SIDE, _PLAYER = 8, 6, 4
_REGION = 5  # columns of a region, besides one a seat


def blocks(options: np.ndarray) -> tuple[Block, ...]:
    """The blocks of the observation in their order."""
    players = int(options[0])
    region = ("mountains", "grassland", "sea", "ends", "cities", *(f"followers {k}" for k in range(players)))
    scored = (*region, "points now", "points at the end")
    cell = ("x", "y", "regions", *(f"{side} {column}" for side in "NESW" for column in region))
    return (
        Block(
            "table",
            (_TABLE,),
            "deck left as a share; tile to place; follower to move; cells beside the map ÷ 100 (also those not shown); "
            "tiles return; small regions closed; final scoring closed, actual",
        ),
        Block("deck", (KINDS,), "share of each kind that is left in the deck"),
        Block(
            "hand",
            (4, _SIDE),
            "printed sides N, E, S, W of the tile in hand: terrain one-hot (3), a city on the side's region, "
            "same region as the next side, as the opposite side",
        ),
        Block(
            "players",
            (players, _PLAYER),
            "score ÷ 100, free followers ÷ 4, on move, points that placed followers would earn now ÷ 50",
        ),
        Block(
            "followers",
            (players, FOLLOWERS, len(scored)),
            "regions of the placed followers, oldest first (as actions count them), with points ÷ 20 now, at the end",
            scored,
        ),
        Block(
            "placed",
            (MAX_SEGMENTS, len(scored)),
            "while a follower is to move: the regions of the tile just placed, by segment (as actions count them), "
            "with points ÷ 20 now, at the end",
            scored,
        ),
        Block(
            "cells",
            (CELLS, len(cell)),
            "the first cells beside the map in the order of actions: x ÷ 10, y ÷ 10, regions that look in ÷ 4, then "
            "these regions by sides N, E, S, W",
            cell,
        ),
    )


@rule
def observe(v: Discovery, seat: int, out: Array) -> None:
    """Values lie mostly in 0 … 1; seat -1 sees the players from seat 0 on. Cells after the first CELLS are left out."""
    out[:] = 0.0
    players = int(v.players)
    me = max(seat, 0)
    region = _REGION + players
    _observe_table(v, out)
    k = _TABLE + KINDS
    if v.hand != NOTHING:
        _observe_hand(int(v.hand), out, k)
    k += 4 * _SIDE
    for offset in range(players):
        p = (me + offset) % players
        at = k + players * _PLAYER + offset * FOLLOWERS * (region + 2)
        _observe_player(v, p, me, out, k + offset * _PLAYER, at)
    k += players * (_PLAYER + FOLLOWERS * (region + 2))
    if v.phase == FOLLOWER:
        tile = int(v.placed) - 1
        first = int(v.tile_piece[tile])
        for segment in range(int(SEGMENTS[v.tile_kind[tile]])):
            _observe_with_points(v, int(v.piece_region[first + segment]), me, out, k + segment * (region + 2))
    k += MAX_SEGMENTS * (region + 2)
    _observe_cells(v, me, out, k)


@rule
def _observe_table(v: Discovery, out: Array) -> None:
    out[0] = int(v.deck_left) / (MAX_TILES - 1)
    out[1] = 1.0 if v.phase == PLACING else 0.0
    out[2] = 1.0 if v.phase == FOLLOWER else 0.0
    out[3] = int(v.cells) / 100
    out[4] = 1.0 if v.unplaceable == RETURN else 0.0
    out[5] = 1.0 if v.small_regions == CLOSED else 0.0
    out[6] = 1.0 if v.final_scoring == CLOSED else 0.0
    out[7] = 1.0 if v.final_scoring == ACTUAL else 0.0
    for kind in range(KINDS):
        out[_TABLE + kind] = int(v.deck[kind]) / int(COPIES[kind])


@rule
def _observe_hand(kind: int, out: Array, k: int) -> None:
    for side in range(4):
        segment = int(SIDE_SEGMENT[kind, side])
        out[k + int(SIDE_TERRAIN[kind, side])] = 1.0
        out[k + 3] = 1.0 if SEGMENT_CITIES[kind, segment] != 0 else 0.0
        out[k + 4] = 1.0 if SIDE_SEGMENT[kind, (side + 1) & 3] == segment else 0.0
        out[k + 5] = 1.0 if SIDE_SEGMENT[kind, (side + 2) & 3] == segment else 0.0
        k += _SIDE


@rule
def _observe_player(v: Discovery, p: int, me: int, out: Array, k: int, followers_at: int) -> None:
    """The row of player p, and the regions of the followers from `followers_at` on."""
    worth = 0
    for number in range(int(v.follower_count[p])):
        region = int(v.piece_region[v.follower[p, number]])
        worth += points_now(v, region)
        _observe_with_points(v, region, me, out, followers_at + number * (_REGION + int(v.players) + 2))
    out[k] = int(v.score[p]) / 100
    out[k + 1] = (FOLLOWERS - int(v.follower_count[p])) / FOLLOWERS
    out[k + 2] = 1.0 if v.current == p else 0.0
    out[k + 3] = worth / 50


@rule
def _counted_cities(v: Discovery, region: int, terrain: int) -> int:
    if terrain == MOUNTAINS:
        return city_total(all_cities(v, region))
    return city_total(int(v.region_cities[region]))


@rule
def _observe_region(v: Discovery, region: int, terrain: int, cities: int, me: int, out: Array, k: int) -> None:
    out[k + terrain] = 0.5 + int(v.region_tiles[region]) / 20
    out[k + 3] = int(v.region_ends[region]) / 10
    out[k + 4] = cities / 10
    if v.region_followers[region] > 0:
        _observe_occupation(v, region, me, out, k + _REGION)


@rule
def _observe_occupation(v: Discovery, region: int, me: int, out: Array, k: int) -> None:
    players = int(v.players)
    for offset in range(players):
        p = (me + offset) % players
        count = 0
        for number in range(int(v.follower_count[p])):
            if v.piece_region[v.follower[p, number]] == region:
                count += 1
        out[k + offset] = count / FOLLOWERS


@rule
def _observe_with_points(v: Discovery, region: int, me: int, out: Array, k: int) -> None:
    terrain = terrain_of(v, region)
    _observe_region(v, region, terrain, _counted_cities(v, region, terrain), me, out, k)
    k += _REGION + int(v.players)
    out[k] = points_now(v, region) / 20
    out[k + 1] = final_points(v, region) / 20


@rule
def _observe_cells(v: Discovery, me: int, out: Array, k: int) -> None:
    """Neighbouring cells often see the same region, so the cities counted last are kept: counting walks the region."""
    row = _REGION + int(v.players)
    counted, cities = NOTHING, 0
    for cell in range(min(int(v.cells), CELLS)):
        key, code = int(v.cell_key[cell]), int(v.cell_code[cell])
        out[k] = cell_x(key) / 10
        out[k + 1] = cell_y(key) / 10
        met = 0
        north, east, south = NOTHING, NOTHING, NOTHING
        for side in range(4):
            terrain = (code >> 2 * side) & 3
            if terrain == NOTHING_ASKED:
                continue
            region = int(v.piece_region[facing_piece(v, cell, side)])
            if region != counted:
                counted, cities = region, _counted_cities(v, region, terrain)
            _observe_region(v, region, terrain, cities, me, out, k + 3 + side * row)
            if region != north and region != east and region != south:
                met += 1
            if side == 0:
                north = region
            elif side == 1:
                east = region
            elif side == 2:
                south = region
        out[k + 2] = met / 4
        k += 3 + 4 * row
