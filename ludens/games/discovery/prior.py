"""The Discovery: which moves look sensible, for searches that cannot try all of them.

A tile is weighed by the regions it touches: growing and closing one's own is good, the opponents' bad, and a
region that can still be had is as good as what a follower would find there. Likelihoods are exponentials of
these guesses in points.
"""

from __future__ import annotations

import math

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.discovery.rules.map import facing_piece
from ludens.games.discovery.rules.scoring import points_now, region_points, terrain_of
from ludens.games.discovery.rules.tiles import GRASSLAND, SEGMENT_CITIES, SEGMENT_TERRAIN, SEGMENTS, SIDE_SEGMENT
from ludens.games.discovery.state import FIRST_FOLLOWER, FIRST_REGION, FOLLOWERS, NOTHING, PASS, PLACING, Discovery

__all__ = ["prior"]

_SHARPNESS = 0.5  # log-likelihood of a point
_GROWTH = np.array([1.5, 1.5, 0.6])  # points by which a city (mountains, sea) or a tile (grassland) raises hopes
_SURE = 4.0  # what a follower is worth that comes back to be used again


@rule
def _owners(s: Discovery, region: int, p: int) -> int:
    """Followers of player p on the region, less those of the others."""
    if s.region_followers[region] == 0:
        return 0
    mine = 0
    for k in range(int(s.follower_count[p])):
        if s.piece_region[s.follower[p, k]] == region:
            mine += 1
    return 2 * mine - int(s.region_followers[region])


@rule
def _worth(terrain: int, size: int, cities: int, ends: int) -> float:
    """Points that a follower may hope for on a region like this."""
    closed = 2.0 * size if terrain == GRASSLAND else 2.0 * cities if terrain == 0 else float(cities + size)
    opened = float(size) if terrain == GRASSLAND else float(cities)
    if ends == 0:
        return closed if size > 2 else opened
    return float(opened + (closed - opened + _GROWTH[terrain]) / (1.0 + ends))


@rule
def _touch(s: Discovery, p: int, cell: int, turns: int, free: bool) -> float:
    """What the tile in hand does to all regions around the cell, in points for player p."""
    kind = int(s.hand)
    value, best_new = 0.0, 0.0
    for segment in range(int(SEGMENTS[kind])):
        terrain = int(SEGMENT_TERRAIN[kind, segment])
        own_cities = 1 if SEGMENT_CITIES[kind, segment] != 0 else 0
        size, cities, ends, owners, occupied = 1, own_cities, 0, 0, False
        before = 0.0
        for side in range(4):
            if SIDE_SEGMENT[kind, (side - turns) & 3] != segment:
                continue
            piece = facing_piece(s, cell, side)
            if piece == NOTHING:
                ends += 1
                continue
            region = int(s.piece_region[piece])
            tiles = int(s.region_tiles[region])
            found = 0
            rest = int(s.region_cities[region])
            while rest != 0:
                rest &= rest - 1
                found += 1
            size += tiles
            cities += found
            ends += int(s.region_ends[region]) - 1
            if s.region_followers[region] > 0:
                occupied = True
                here = _owners(s, region, p)
                owners += here
                before += here * _worth(terrain, tiles, found, int(s.region_ends[region]))
        after = _worth(terrain, size, cities, max(ends, 0))
        if occupied:
            value += owners * after - before
        elif free:
            best_new = max(best_new, after)
    return value + best_new


@rule
def prior(s: Discovery, legal: Array, n: int, out: Array) -> None:
    """Weights of the legal tile or follower moves."""
    p = int(s.current)
    top = -1e9
    for k in range(n):
        a = int(legal[k])
        if s.phase == PLACING:
            out[k] = _touch(s, p, a >> 2, a & 3, s.follower_count[p] < FOLLOWERS)
        else:
            out[k] = _follower_move(s, p, a)
        top = max(top, out[k])
    for k in range(n):
        out[k] = math.exp(_SHARPNESS * max(out[k] - top, -20.0))


@rule
def _follower_move(s: Discovery, p: int, a: int) -> float:
    """Points that placing, taking back or passing brings, with what a follower in hand is worth."""
    left = int(s.deck_left)
    turns = left // int(s.players)
    in_hand = min(_SURE, 0.5 * turns)
    if a == PASS:
        return 0.0
    if a < FIRST_FOLLOWER:
        region = int(s.piece_region[int(s.tile_piece[int(s.placed) - 1]) + a - FIRST_REGION])
        ends = int(s.region_ends[region])
        closed, opened = region_points(s, region, True), region_points(s, region, False)
        if left == 0:
            return float(opened)
        if ends == 0:
            return points_now(s, region) - 0.25 * in_hand
        terrain = terrain_of(s, region)
        hope = (closed - opened + _GROWTH[terrain] * min(turns, 4)) / (1.0 + ends)
        return opened + (hope if turns > 1 else 0.0) - in_hand * (1.0 - 0.2 * (FOLLOWERS - int(s.follower_count[p])))
    region = int(s.piece_region[s.follower[p, a - FIRST_FOLLOWER]])
    ends = int(s.region_ends[region])
    if ends == 0 or turns == 0:
        return points_now(s, region) - region_points(s, region, False) * 0.5 + in_hand
    closed, opened = region_points(s, region, True), region_points(s, region, False)
    terrain = terrain_of(s, region)
    hope = (closed - opened + _GROWTH[terrain] * min(turns, 4)) / (1.0 + ends)
    return float(in_hand - hope)
