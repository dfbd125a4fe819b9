"""The Discovery: the four turns of the whole map, and seats moved on. Mirror images need tiles that are not in the box.

A symmetry's number has two digits: quarter turns clockwise, then seats. The turned map is laid tile by tile in the
order of the game, so that cells, pieces, regions and cities have the numbers they would have got in a turned game.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Records
from ludens.games.discovery.rules.map import cell_x, cell_y, find_cell, lay_tile, take_cell
from ludens.games.discovery.rules.tiles import PERIOD, TILE_SET, names_after
from ludens.games.discovery.state import (
    DRAWING,
    FIRST_FOLLOWER,
    FIRST_REGION,
    FOLLOWERS,
    KINDS,
    MAX_SEGMENTS,
    NOTHING,
    PLACING,
    Discovery,
)

__all__ = ["symmetries", "transform", "transform_action", "transform_seat"]

_TURNS = 4

# The segment whose place a segment takes when its tile is turned until it looks the same again.
_SAME_LOOK = np.zeros((KINDS, MAX_SEGMENTS), np.int8)
for _kind, _tile in enumerate(TILE_SET):
    _SAME_LOOK[_kind, : len(_tile.terrain)] = names_after(_tile, int(PERIOD[_kind])) or ()


@rule
def symmetries(s: Discovery) -> int:
    return _TURNS * int(s.players)


@rule
def transform_seat(s: Discovery, p: int, k: int) -> int:
    return (p + k // _TURNS) % int(s.players)


@rule
def _segment(kind: int, segment: int, turns: int) -> int:
    """What a segment of a tile is called when `turns` is brought below the period of its kind."""
    for _ in range(turns // int(PERIOD[kind])):
        segment = int(_SAME_LOOK[kind, segment])
    return segment


@rule
def _turned_x(x: int, y: int, turns: int) -> int:
    return x if turns == 0 else y if turns == 1 else -x if turns == 2 else -y


@rule
def _turned_y(x: int, y: int, turns: int) -> int:
    return _turned_x(y, -x, turns)


@rule
def _clear_map(t: Discovery) -> None:
    for tile in range(t.placed):
        t.tile_kind[tile] = 0
        t.tile_turns[tile] = 0
        t.tile_x[tile] = 0
        t.tile_y[tile] = 0
        t.tile_open[tile] = 0
        t.tile_piece[tile] = 0
    for piece in range(t.pieces):
        t.piece_tile[piece] = 0
        t.piece_region[piece] = 0
        t.piece_next[piece] = 0
        t.region_tiles[piece] = 0
        t.region_ends[piece] = 0
        t.region_followers[piece] = 0
        t.region_cities[piece] = 0
    for cell in range(t.cells):
        t.cell_key[cell] = 0
        t.cell_code[cell] = 0
        t.cell_tiles[cell] = 0
    t.placed = 0
    t.pieces = 0
    t.cells = 0
    t.city_count = 0


@rule
def transform(s: Discovery, k: int, out: Records[Discovery]) -> None:
    """Also wipes out how many followers stood on regions when they were joined: no rule reads it any more."""
    out[0] = s
    t = out[0]
    turns = k % _TURNS
    _clear_map(t)
    for tile in range(s.placed):
        x, y = int(s.tile_x[tile]), int(s.tile_y[tile])
        new_x, new_y = _turned_x(x, y, turns), _turned_y(x, y, turns)
        kind = int(s.tile_kind[tile])
        around = 0
        if tile > 0:
            cell = find_cell(t, 256 * new_y + new_x)
            around = int(t.cell_tiles[cell])
            take_cell(t, cell)
        lay_tile(t, kind, new_x, new_y, (int(s.tile_turns[tile]) + turns) % int(PERIOD[kind]), around)
    t.current = transform_seat(s, int(s.current), k)
    for p in range(s.players):
        q = transform_seat(s, p, k)
        t.score[q] = s.score[p]
        t.follower_count[q] = s.follower_count[p]
        for number in range(FOLLOWERS):
            piece = int(s.follower[p, number])
            if piece != NOTHING:
                tile = int(s.piece_tile[piece])
                segment = piece - int(s.tile_piece[tile])
                kind = int(s.tile_kind[tile])
                piece = int(t.tile_piece[tile]) + _segment(kind, segment, int(s.tile_turns[tile]) + turns)
                t.region_followers[t.piece_region[piece]] += 1
            t.follower[q, number] = piece


@rule
def transform_action(s: Discovery, a: int, k: int, t: Discovery) -> int:
    turns = k % _TURNS
    if s.phase == DRAWING or a >= FIRST_FOLLOWER:
        return a
    if s.phase == PLACING:
        key = int(s.cell_key[a >> 2])
        x, y = cell_x(key), cell_y(key)
        cell = find_cell(t, 256 * _turned_y(x, y, turns) + _turned_x(x, y, turns))
        return 4 * cell + ((a & 3) + turns) % int(PERIOD[s.hand])
    tile = int(s.placed) - 1
    first = int(t.tile_piece[tile])
    segment = _segment(int(s.tile_kind[tile]), a - FIRST_REGION, int(s.tile_turns[tile]) + turns)
    region = t.piece_region[first + segment]
    for other in range(segment):  # segments that have joined are one region: the first stands for it
        if t.piece_region[first + other] == region:
            return FIRST_REGION + other
    return FIRST_REGION + segment
