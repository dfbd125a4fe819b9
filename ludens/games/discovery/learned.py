"""The Discovery: everybody's chance to win by a small network that has seen how games end.

All players are described by the same FEATURES and judged by the same two layers; the chances are a softmax over the
players. It is one of the evaluations that searches may use: its weights are SIZE numbers, matrix by matrix, each
followed by its biases (`experiments/discovery/evaluation.py`).

Points are divided by what is still uncertain, as in `evaluate`: a lead of ten counts little at the start and decides at
the end.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.games.discovery.rules.map import piece_at
from ludens.games.discovery.rules.scoring import city_total, counts_closed, region_points, terrain_of
from ludens.games.discovery.rules.tiles import COPIES, GRASSLAND, MOUNTAINS, SIDES_ASKED, fitting_turns
from ludens.games.discovery.state import (
    CLOSED,
    DRAWING,
    FOLLOWER,
    FOLLOWERS,
    KINDS,
    MAX_PIECES,
    MAX_PLAYERS,
    MAX_TILES,
    OPEN,
    PLACING,
)

__all__ = ["FEATURES", "SIZE", "chances", "describe"]

# Of a player's followers, in points or numbers; those by terrain take three columns.
_SCORE, _NOW, _FINAL = 0, 1, 2  # scored already; and with all followers as they are; as they would be left over
_CLOSED, _CLOSED_COUNT, _BEST_CLOSED = 3, 4, 5
_SMALL = 6  # closed, but too small to count as such
_OPEN, _CLOSING, _COUNT, _ENDS, _REACH = 7, 10, 13, 16, 19  # by terrain
_ONE_END, _TWO_ENDS, _MORE_ENDS = 22, 23, 24  # what closing adds, by the open ends, if tiles fit
_SHARED, _DOUBLE = 25, 26  # on regions with followers of others; with another one of one's own
_LEAST, _MOST = 27, 28  # the open follower that promises least, and most
_SUMS = 29
_OTHERS = _SUMS  # then what tells players apart
_SITUATION = _OTHERS + 8
FEATURES = _SITUATION + 14

FIRST, SECOND = 32, 16  # how wide the layers are
_AT_SECOND = (FEATURES + 1) * FIRST
_AT_LAST = _AT_SECOND + (FIRST + 1) * SECOND
SIZE = _AT_LAST + SECOND + 1

_BOUND = 3.0  # of a feature
_GROWTH = np.array([1.5, 1.5, 0.6])  # points by which a fitting tile raises hopes


def _fits() -> np.ndarray:
    """[code of a cell] -> the part of the box's tiles that fit there."""
    found = [sum(int(COPIES[kind]) for kind in range(KINDS) if fitting_turns(kind, code)) for code in range(256)]
    return np.array(found, np.float32) / MAX_TILES


FITS = _fits()


@rule
def _promise(s: Any, region: int, reach: float) -> float:
    """Points that a follower may hope for on an open region that nobody has yet, cities beside it not counted."""
    terrain, size = terrain_of(s, region), int(s.region_tiles[region])
    cities = 0 if terrain == GRASSLAND else city_total(int(s.region_cities[region]))
    value = float(size if terrain == GRASSLAND else cities)
    more = float(size if terrain != MOUNTAINS else cities)
    return value + (more + _GROWTH[terrain]) * reach / (1.0 + int(s.region_ends[region])) ** 2


@rule
def _survey(s: Any, reach: Any, worst: Any, free: Any) -> None:
    """By region: the sum over its open ends of the chance that a tile fits, and the least of them.

    The best three promises of regions that nobody has go into free[:3], how many regions there are into free[3].
    """
    for piece in range(int(s.pieces)):
        reach[piece] = 0.0
        worst[piece] = 1.0
    for cell in range(int(s.cells)):
        code, tiles = int(s.cell_code[cell]), int(s.cell_tiles[cell])
        fit = FITS[code]
        sides = int(SIDES_ASKED[code])
        for k in range(sides & 7):
            side = sides >> 3 + 2 * k & 3
            region = int(s.piece_region[piece_at(s, (tiles >> 8 * side & 127) - 1, (side + 2) & 3)])
            reach[region] += fit
            worst[region] = min(worst[region], fit)
    free[:4] = 0.0
    for region in range(int(s.pieces)):
        if s.piece_region[region] == region and s.region_followers[region] == 0 and s.region_ends[region] > 0:
            free[3] += 1.0
            value = _promise(s, region, reach[region])
            for place in range(3):
                if value > free[place]:
                    free[place], value = value, free[place]


@rule
def _follower(s: Any, p: int, k: int, reach: Any, worst: Any, out: Any) -> None:
    """Adds what the k-th follower of player p stands on to the sums in `out`."""
    region = int(s.piece_region[s.follower[p, k]])
    ends, size = int(s.region_ends[region]), int(s.region_tiles[region])
    open_points, closed_points = region_points(s, region, False), region_points(s, region, True)
    closed = counts_closed(s, size, ends)
    now = closed_points if closed else open_points
    final = open_points if s.final_scoring == OPEN else closed_points if s.final_scoring == CLOSED else now
    out[_NOW] += now
    out[_FINAL] += final
    own = 0
    for other in range(int(s.follower_count[p])):
        if s.piece_region[s.follower[p, other]] == region:
            own += 1
    if own > 1:
        out[_DOUBLE] += now
    if s.region_followers[region] > own:
        out[_SHARED] += now
    if closed:
        out[_CLOSED] += now
        out[_CLOSED_COUNT] += 1.0
        out[_BEST_CLOSED] = max(out[_BEST_CLOSED], now)
        return
    if ends == 0:
        out[_SMALL] += now
        return
    terrain, more = terrain_of(s, region), closed_points - open_points
    out[_OPEN + terrain] += open_points
    out[_CLOSING + terrain] += more / ends
    out[_COUNT + terrain] += 1.0
    out[_ENDS + terrain] += ends
    out[_REACH + terrain] += reach[region]
    out[_ONE_END + min(ends, 3) - 1] += more * worst[region]
    hope = open_points + more * worst[region] / ends
    out[_LEAST] = min(out[_LEAST], hope)
    out[_MOST] = max(out[_MOST], hope)


@rule
def _sums(s: Any, p: int, reach: Any, worst: Any, out: Any) -> None:
    """Player p's followers in points and numbers."""
    out[:_SUMS] = 0.0
    out[_LEAST] = 30.0
    score = int(s.score[p])
    out[_SCORE], out[_NOW], out[_FINAL] = score, score, score
    for k in range(int(s.follower_count[p])):
        _follower(s, p, k, reach, worst, out)
    if out[_MOST] == 0.0:
        out[_LEAST] = 0.0


@rule
def _bounded(x: float) -> float:
    return min(max(x, -_BOUND), _BOUND)


@rule
def _situation(s: Any, p: int, free: Any, scale: float, out: Any) -> None:
    """Time, order and what is still to be had: 14 numbers."""
    players, deck = int(s.players), int(s.deck_left)
    left, own_free = deck / (MAX_TILES - 1), FOLLOWERS - int(s.follower_count[p])
    mine = s.current == p
    after = (p - int(s.current)) % players
    if s.phase == DRAWING:
        after += 1  # how many more tiles are drawn up to p's next one
    elif after == 0:
        after = players
    own_turns = (deck - after) // players + 1 if deck >= after else 0
    out[0], out[1], out[2] = left, math.sqrt(left), 4.0 / scale
    out[3] = 1.0 if mine and s.phase == DRAWING else 0.0
    out[4] = 1.0 if mine and s.phase == PLACING else 0.0
    out[5] = 1.0 if mine and s.phase == FOLLOWER else 0.0
    out[6] = after / players
    out[7] = own_turns - deck / players
    out[8] = own_free / FOLLOWERS
    out[9], out[10] = 1.0 if own_free == 0 else 0.0, 1.0 if own_free == 1 else 0.0
    out[11] = _bounded(free[0] / (2 * scale)) if own_free > 0 else 0.0
    out[12] = _bounded(free[2] / (2 * scale))
    out[13] = players / MAX_PLAYERS


@rule
def describe(s: Any, out: Any) -> None:
    """What the network sees of every player: out[p, :FEATURES], numbers of about -1 to 1, none beyond 3."""
    players = int(s.players)
    reach, worst, free = np.empty(MAX_PIECES), np.empty(MAX_PIECES), np.empty(4)
    _survey(s, reach, worst, free)
    scale = 4.0 + 16.0 * math.sqrt(int(s.deck_left) / (MAX_TILES - 1))
    for p in range(players):
        _sums(s, p, reach, worst, out[p])
    for p in range(players):
        _situation(s, p, free, scale, out[p, _SITUATION:])
        best, hope, now, final = -1e9, -1e9, -1e9, -1e9
        for q in range(players):
            if q != p:
                best, now = max(best, out[q, _SCORE]), max(now, out[q, _NOW])
                final, hope = max(final, out[q, _FINAL]), max(hope, _expected(out[q]))
        mine = _expected(out[p])
        k = _OTHERS
        out[p, k] = _bounded((out[p, _SCORE] - best) / (2 * scale))
        out[p, k + 1] = _bounded((out[p, _NOW] - now) / (2 * scale))
        out[p, k + 2] = _bounded((out[p, _FINAL] - final) / (2 * scale))
        out[p, k + 3] = _bounded((mine - hope) / (2 * scale))
        out[p, k + 4] = _bounded((mine - hope) / 10)
        out[p, k + 5] = _bounded((out[p, _FINAL] - final) / 10)
        out[p, k + 6] = _bounded(mine / 100)
        out[p, k + 7] = _bounded(hope / 100)
    for p in range(players):
        for k in range(_SUMS):
            out[p, k] = _scaled(k, out[p, k], scale)


@rule
def _expected(sums: Any) -> float:
    """A guess of the points that a player will have of what is there."""
    return float(sums[_NOW] + 0.8 * sums[_ONE_END] + 0.5 * sums[_TWO_ENDS] + 0.25 * sums[_MORE_ENDS])


@rule
def _scaled(k: int, x: float, scale: float) -> float:
    if k <= _FINAL:
        return _bounded(x / 100)
    if k == _CLOSED_COUNT or _COUNT <= k < _ENDS:
        return x / FOLLOWERS
    if _ENDS <= k < _ONE_END:
        return _bounded(x / 10)
    return _bounded(x / (2 * scale))


@rule
def _judge(weights: Any, features: Any, first: Any, second: Any) -> float:
    """The logit of a player."""
    first[:] = weights[FEATURES * FIRST : _AT_SECOND]
    for i in range(FEATURES):
        x = features[i]
        if x != 0.0:
            for j in range(FIRST):
                first[j] += x * weights[i * FIRST + j]
    second[:] = weights[_AT_LAST - SECOND : _AT_LAST]
    for i in range(FIRST):
        x = first[i]
        if x > 0.0:
            for j in range(SECOND):
                second[j] += x * weights[_AT_SECOND + i * SECOND + j]
    logit = weights[SIZE - 1]
    for i in range(SECOND):
        logit += max(second[i], 0.0) * weights[_AT_LAST + i]
    return float(logit)


@rule
def chances(s: Any, weights: Any, out: Any) -> None:
    """Everybody's chance to win, as expected returns."""
    players = int(s.players)
    features, first, second = np.empty((MAX_PLAYERS, FEATURES)), np.empty(FIRST), np.empty(SECOND)
    describe(s, features)
    best = -1e9
    for p in range(players):
        out[p] = _judge(weights, features[p], first, second)
        best = max(best, out[p])
    total = 0.0
    for p in range(players):
        out[p] = math.exp(out[p] - best)
        total += out[p]
    for p in range(players):
        out[p] = (players * out[p] / total - 1.0) / (players - 1)
