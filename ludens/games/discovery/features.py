"""The Discovery: a position as numbers for a network."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.games.discovery.rules.map import cell_x, cell_y, facing_piece
from ludens.games.discovery.rules.scoring import city_total, points_now, terrain_of
from ludens.games.discovery.rules.tiles import COPIES, FITS, NOTHING_ASKED, SEGMENTS, SIDE_TERRAIN
from ludens.games.discovery.state import (
    FOLLOWER,
    FOLLOWERS,
    KINDS,
    MAX_CELLS,
    MAX_SEGMENTS,
    NOTHING,
    PLACING,
)

__all__ = [
    "CELL",
    "PLAYER",
    "REGION",
    "observation_size",
    "observe",
]

REGION = 8  # exists, terrain (3), size, open ends, cities, points
PLAYER = 4 + FOLLOWERS * REGION  # score, free followers, to act, worth of the placed followers; the followers
SEGMENT = REGION + 1  # a region of the tile just placed, and whether it is occupied
CELL = 27  # exists, x, y, then of four sides: terrain asked for (3), own and others' followers (2); four turns that fit
HEAD = 3 + 12 + 2 * KINDS  # deck, two phases; sides of the tile in hand; deck by kind, hand by kind


def observation_size(options: np.ndarray) -> int:
    """Head, players from the observer on, regions of the placed tile, frontier."""
    return HEAD + int(options[0]) * PLAYER + MAX_SEGMENTS * SEGMENT + MAX_CELLS * CELL


@rule
def observe(v: Any, seat: int, out: Any) -> None:
    """Values lie mostly in 0 … 1; seat -1 sees the players from seat 0 on.

    Deck left ÷ 83; tile phase; follower phase; terrains of the printed sides of the tile in hand; share
    of each kind left in the deck; kind in hand. Each player: score ÷ 100, free followers ÷ 4, to act,
    worth of placed followers ÷ 50, the followers' regions. Then the regions of the tile just placed and the
    frontier cells, in the order of the action ids that choose among them.
    """
    out[:] = 0.0
    players = int(v.players)
    me = max(seat, 0)
    out[0] = int(v.deck_left) / 83
    out[1] = 1.0 if v.phase == PLACING else 0.0
    out[2] = 1.0 if v.phase == FOLLOWER else 0.0
    k = 3
    if v.hand != NOTHING:
        for side in range(4):
            out[k + 3 * side + int(SIDE_TERRAIN[v.hand, side])] = 1.0
        out[k + 12 + KINDS + int(v.hand)] = 1.0
    for kind in range(KINDS):
        out[k + 12 + kind] = int(v.deck[kind]) / int(COPIES[kind])
    k = HEAD
    for offset in range(players):
        _observe_player(v, (me + offset) % players, out, k)
        k += PLAYER
    if v.phase == FOLLOWER:
        tile = int(v.placed) - 1
        first = int(v.tile_piece[tile])
        for segment in range(int(SEGMENTS[v.tile_kind[tile]])):
            region = int(v.piece_region[first + segment])
            _observe_region(v, region, out, k + segment * SEGMENT)
            out[k + segment * SEGMENT + REGION] = 1.0 if v.region_followers[region] > 0 else 0.0
    k += MAX_SEGMENTS * SEGMENT
    for cell in range(v.cells):
        _observe_cell(v, cell, me, out, k)
        k += CELL


@rule
def _observe_player(v: Any, p: int, out: Any, k: int) -> None:
    out[k] = int(v.score[p]) / 100
    out[k + 1] = (FOLLOWERS - int(v.follower_count[p])) / FOLLOWERS
    out[k + 2] = 1.0 if v.current == p else 0.0
    worth = 0
    for number in range(int(v.follower_count[p])):
        region = int(v.piece_region[v.follower[p, number]])
        worth += points_now(v, region)
        _observe_region(v, region, out, k + 4 + number * REGION)
    out[k + 3] = worth / 50


@rule
def _observe_region(v: Any, region: int, out: Any, k: int) -> None:
    out[k] = 1.0
    out[k + 1 + terrain_of(v, region)] = 1.0
    out[k + 4] = int(v.region_tiles[region]) / 20
    out[k + 5] = int(v.region_ends[region]) / 10
    out[k + 6] = city_total(int(v.region_cities[region])) / 10
    out[k + 7] = points_now(v, region) / 20


@rule
def _observe_cell(v: Any, cell: int, me: int, out: Any, k: int) -> None:
    out[k] = 1.0
    out[k + 1] = cell_x(v.cell_key[cell]) / 20
    out[k + 2] = cell_y(v.cell_key[cell]) / 20
    for side in range(4):
        asked = (int(v.cell_code[cell]) >> 2 * side) & 3
        if asked == NOTHING_ASKED:
            continue
        at = k + 3 + 5 * side
        out[at + asked] = 1.0
        region = int(v.piece_region[facing_piece(v, cell, side)])
        own = 0
        for number in range(int(v.follower_count[me])):
            if v.piece_region[v.follower[me, number]] == region:
                own += 1
        out[at + 3] = own / FOLLOWERS
        out[at + 4] = (int(v.region_followers[region]) - own) / FOLLOWERS
    if v.phase == PLACING:
        fitting = int(FITS[v.hand, v.cell_code[cell]])
        for turns in range(4):
            out[k + 23 + turns] = (fitting >> turns) & 1
