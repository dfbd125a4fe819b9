"""The Discovery: everybody's chance to win by a small network that has seen how games end.

All players are described by the same FEATURES and valued by the same two layers; the chances are a softmax over the
players. It is one of the evaluations that searches may use: its weights are SIZE numbers, matrix by matrix, each
followed by its biases.
"""

from __future__ import annotations

import math

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.discovery.frontier import (
    CLOSED_POINTS,
    ENDING,
    FITTING,
    OPEN_POINTS,
    REGION,
    ROWS,
    WIDTH,
    WITH_HAND,
    WORTH,
    max_of,
    min_of,
    survey,
)
from ludens.games.discovery.rules.scoring import all_cities, city_total, counts_closed, terrain_of
from ludens.games.discovery.rules.tiles import MOUNTAINS
from ludens.games.discovery.state import (
    CLOSED,
    DRAWING,
    FOLLOWER,
    FOLLOWERS,
    MAX_PLAYERS,
    MAX_TILES,
    OPEN,
    PLACING,
    Discovery,
)

__all__ = ["FEATURES", "FIRST", "SECOND", "SIZE", "WORKSPACE", "chances", "chances_after", "describe", "describe_after"]

# Sums over a player's followers, in points or numbers; those by terrain take three columns.
_SCORE, _NOW, _FINAL = 0, 1, 2  # scored already; and with all followers as they are; as they would be left over
_CLOSED, _CLOSED_COUNT, _BEST_CLOSED = 3, 4, 5
_SMALL = 6  # closed, but too small to count as such
_OPEN, _CLOSING, _COUNT, _ENDS, _ENDING = 7, 10, 13, 16, 19  # by terrain
_ONE_END, _TWO_ENDS, _MORE_ENDS = 22, 23, 24  # what closing adds, by the open ends, if tiles fit
_SHARED, _DOUBLE = 25, 26  # on regions with followers of others; with another one of one's own
_LEAST, _MOST = 27, 28  # the open follower that is worth least, and most
_SHARED_MORE = 29  # what closing would add where others stand too
_DEAD = 30  # open followers beside a cell where no tile fits
_HAND = 31  # the most that the tile in hand adds by closing
_SOON, _LATER = 32, 33  # what closing adds where tiles end one open end, or several
_SUMS = 34
_OTHERS = _SUMS  # then what tells players apart
_SITUATION = _OTHERS + 8
FEATURES = _SITUATION + 22

_BOUND = 3.0  # of a feature
_LEFT = np.array([deck / (MAX_TILES - 1) for deck in range(MAX_TILES)])
_SCALE = 0.5 / (4.0 + 16.0 * np.sqrt(_LEFT))  # points are worth less while many are still to come
_ROUNDS = np.array([[left // max(n, 1) for left in range(MAX_TILES)] for n in range(MAX_PLAYERS + 1)], np.int8)
_PART = np.array([1.0 / max(n, 1) for n in range(128)])


def _factors() -> np.ndarray:
    """[0, sum]: by what it is multiplied; [1, sum]: and by what if it is to be seen beside the scale of the time."""
    found = np.zeros((2, _SUMS))
    found[1] = 1.0  # points
    for columns, factor in ((slice(_SCORE, _CLOSED), 0.01), (slice(_COUNT, _ENDS), 1 / FOLLOWERS)):
        found[:, columns] = [[factor], [0.0]]
    for columns, factor in ((slice(_ENDS, _ONE_END), 0.1), (slice(_CLOSED_COUNT, _CLOSED_COUNT + 1), 1 / FOLLOWERS)):
        found[:, columns] = [[factor], [0.0]]
    found[:, _DEAD] = 1 / FOLLOWERS, 0.0
    return found


_FACTORS = _factors()


@rule
def _follower(s: Discovery, p: int, k: int, found: Array, out: Array) -> None:
    """Adds what the k-th follower of player p stands on to the sums in `out`."""
    region = int(s.piece_region[s.follower[p, k]])
    ends, size, terrain = int(s.region_ends[region]), int(s.region_tiles[region]), terrain_of(s, region)
    cities = city_total(all_cities(s, region) if terrain == MOUNTAINS else int(s.region_cities[region]))
    open_points = size * OPEN_POINTS[terrain, 0] + cities * OPEN_POINTS[terrain, 1]
    closed_points = size * CLOSED_POINTS[terrain, 0] + cities * CLOSED_POINTS[terrain, 1]
    closed = counts_closed(s, size, ends)
    now = closed_points if closed else open_points
    out[_NOW] += now
    out[_FINAL] += open_points if s.final_scoring == OPEN else closed_points if s.final_scoring == CLOSED else now
    shared = False
    if s.region_followers[region] > 1:
        own = 0
        for other in range(int(s.follower_count[p])):
            if s.piece_region[s.follower[p, other]] == region:
                own += 1
        if own > 1:
            out[_DOUBLE] += now
        if s.region_followers[region] > own:
            shared = True
            out[_SHARED] += now
    if closed:
        out[_CLOSED] += now
        out[_CLOSED_COUNT] += 1.0
        out[_BEST_CLOSED] = max_of(out[_BEST_CLOSED], now)
        return
    if ends == 0:
        out[_SMALL] += now
        return
    more, part, fitting = closed_points - open_points, _PART[ends], found[FITTING, region]
    out[_OPEN + terrain] += open_points
    out[_CLOSING + terrain] += more * part
    out[_COUNT + terrain] += 1.0
    out[_ENDS + terrain] += ends
    out[_ENDING + terrain] += found[ENDING, region]
    out[_ONE_END + min(ends, 3) - 1] += more * fitting
    soon = more * found[ENDING, region] * part
    out[_SOON if ends == 1 else _LATER] += soon
    if shared:
        out[_SHARED_MORE] += more * part
    if fitting == 0.0:
        out[_DEAD] += 1.0
    if ends == 1 and found[WITH_HAND, region] > 0.0 and p == s.current:
        out[_HAND] = max_of(out[_HAND], more)
    hope = open_points + more * fitting * part
    out[_LEAST] = min_of(out[_LEAST], hope)
    out[_MOST] = max_of(out[_MOST], hope)


@rule
def _sums(s: Discovery, p: int, found: Array, out: Array) -> None:
    """Player p's followers in points and numbers."""
    for k in range(_SUMS):
        out[k] = 0.0
    out[_LEAST] = 30.0
    score = float(s.score[p])
    out[_SCORE], out[_NOW], out[_FINAL] = score, score, score
    for k in range(int(s.follower_count[p])):
        _follower(s, p, k, found, out)
    if out[_MOST] == 0.0:
        out[_LEAST] = 0.0


@rule
def _bounded(x: float) -> float:
    return min_of(max_of(x, -_BOUND), _BOUND)


@rule
def _own_turns(s: Discovery, after: int) -> int:
    """How many more tiles a player gets who is on turn after so many of the deck."""
    left = int(s.deck_left) - after
    return int(_ROUNDS[s.players, left]) + 1 if left >= 0 else 0


@rule
def _situation(s: Discovery, p: int, free: Array, regions: int, scale: float, out: Array) -> None:
    """Time, order and what is still to be had: 22 numbers; free[:3] are worths of regions without followers."""
    players, deck, placed = int(s.players), int(s.deck_left), int(s.follower_count[p])
    mine = s.current == p
    after = p - int(s.current)
    if after < 0:
        after += players
    if s.phase == DRAWING:
        after += 1  # how many more tiles are drawn up to p's next one
    elif after == 0:
        after = players
    own_turns = _own_turns(s, after)
    out[0], out[1], out[2] = _LEFT[deck], 8.0 * scale, min_of(regions * 0.02, 1.0)
    out[3] = 1.0 if mine and s.phase == DRAWING else 0.0
    out[4] = 1.0 if mine and s.phase == PLACING else 0.0
    out[5] = 1.0 if mine and s.phase == FOLLOWER else 0.0
    out[6] = after * _PART[players]
    out[7] = own_turns - deck * _PART[players]
    out[8] = (FOLLOWERS - placed) / FOLLOWERS
    out[9], out[10] = 1.0 if placed == FOLLOWERS else 0.0, 1.0 if placed == FOLLOWERS - 1 else 0.0
    out[11] = _bounded(free[0] * scale) if placed < FOLLOWERS else 0.0
    out[12] = _bounded(free[2] * scale)
    out[13] = players / MAX_PLAYERS
    out[14] = out[11] if after == 1 else 0.0
    out[15] = min_of(own_turns * 0.1, 1.0)
    out[16] = 1.0 if own_turns == 0 else 0.0
    out[17] = 1.0 if own_turns == 1 else 0.0
    out[18] = _bounded((own_turns - placed) * 0.25)  # too few turns are left to take all followers back
    out[19] = 1.0 if own_turns < placed else 0.0
    out[20] = max_of(1.0 - deck * 0.1, 0.0)
    out[21] = 1.0 if placed == 0 else 0.0


@rule
def _best_free(s: Discovery, found: Array, count: int, free: Array) -> int:
    """The best three worths of open regions without followers, into free[:3]; returns how many regions there are."""
    first, second, third, regions = 0.0, 0.0, 0.0, 0
    for k in range(count):
        free_now = s.region_followers[int(found[REGION, k]) & 255] == 0
        value = float(found[WORTH, k]) if free_now else 0.0
        regions += 1 if free_now else 0
        third = max_of(third, min_of(second, value))
        second = max_of(second, min_of(first, value))
        first = max_of(first, value)
    free[0], free[1], free[2] = first, second, third
    return regions


@rule
def describe_after(s: Discovery, found: Array, count: int, out: Array) -> None:
    """out[p, :FEATURES] for every player, numbers of about -1 to 1, none beyond 3, after a survey of the map."""
    players = int(s.players)
    free = out[MAX_PLAYERS]
    regions = _best_free(s, found, count, free)
    scale = _SCALE[s.deck_left]
    for p in range(players):
        _sums(s, p, found, out[p])
        out[p, FEATURES] = _expected(out[p])
    for p in range(players):
        mine = out[p]
        _situation(s, p, free, regions, scale, mine[_SITUATION:])
        best, hope, now, final = -1e9, -1e9, -1e9, -1e9
        for q in range(players):
            if q != p:
                theirs = out[q]
                best, now = max_of(best, theirs[_SCORE]), max_of(now, theirs[_NOW])
                final, hope = max_of(final, theirs[_FINAL]), max_of(hope, theirs[FEATURES])
        k = _OTHERS
        mine[k] = _bounded((mine[_SCORE] - best) * scale)
        mine[k + 1] = _bounded((mine[_NOW] - now) * scale)
        mine[k + 2] = _bounded((mine[_FINAL] - final) * scale)
        mine[k + 3] = _bounded((mine[FEATURES] - hope) * scale)
        mine[k + 4] = _bounded((mine[FEATURES] - hope) * 0.1)
        mine[k + 5] = _bounded((mine[_FINAL] - final) * 0.1)
        mine[k + 6] = _bounded(mine[FEATURES] * 0.01)
        mine[k + 7] = _bounded(hope * 0.01)
    for p in range(players):
        _scale(out[p], scale)


@rule
def _scale(sums: Array, scale: float) -> None:
    fixed, by_time = _FACTORS[0], _FACTORS[1]
    for k in range(_SUMS):
        sums[k] = _bounded(sums[k] * (fixed[k] + by_time[k] * scale))


@rule
def _expected(sums: Array) -> float:
    """A guess of the points that a player will have of what is there."""
    return float(sums[_NOW] + 0.8 * sums[_ONE_END] + 0.5 * sums[_TWO_ENDS] + 0.25 * sums[_MORE_ENDS])


FIRST, SECOND = 32, 16  # how wide the layers are
_AT_SECOND = (FEATURES + 1) * FIRST
_AT_LAST = _AT_SECOND + (FIRST + 1) * SECOND
SIZE = _AT_LAST + SECOND + 1

# Rows of workspace: what lies beside the map, what is seen of the players (and one row more), two layers.
_SEEN = ROWS
_LAYERS = _SEEN + MAX_PLAYERS + 1
WORKSPACE = (_LAYERS + 2, WIDTH)
assert max(FEATURES, FIRST, SECOND) < WIDTH
assert FEATURES % 8 == FIRST % 8 == SECOND % 8 == 0


@rule
def describe(s: Discovery, out: Array) -> None:
    """What the network sees of every player: out[p, :FEATURES]."""
    workspace = np.empty(WORKSPACE)
    describe_after(s, workspace, survey(s, workspace), workspace[_SEEN:])
    for p in range(int(s.players)):
        for k in range(FEATURES):
            out[p, k] = workspace[_SEEN + p, k]


@rule
def chances(s: Discovery, weights: Array, out: Array) -> None:
    """Everybody's chance to win, as expected returns."""
    workspace = np.empty(WORKSPACE)  # one piece: every one is asked from the heap
    chances_after(s, workspace, survey(s, workspace), weights, out)


@rule
def chances_after(s: Discovery, workspace: Array, regions: int, weights: Array, out: Array) -> None:
    """The same after a survey that found so many regions, and which follower moves do not change."""
    players = int(s.players)
    describe_after(s, workspace, regions, workspace[_SEEN:])
    best = -1e9
    for p in range(players):
        out[p] = _forward(weights, workspace[_SEEN + p], workspace[_LAYERS], workspace[_LAYERS + 1])
        best = max_of(best, out[p])
    total = 0.0
    for p in range(players):
        out[p] = math.exp(out[p] - best) if out[p] < best else 1.0
        total += out[p]
    for p in range(players):
        out[p] = (players * out[p] / total - 1.0) / (players - 1)


@rule
def _forward(weights: Array, features: Array, first: Array, second: Array) -> float:
    """The logit of a player."""
    _layer(weights, 0, features, FEATURES, FIRST, first)
    for j in range(FIRST):
        first[j] = max_of(first[j], 0.0)
    _layer(weights, _AT_SECOND, first, FIRST, SECOND, second)
    last = weights[_AT_LAST:]
    for j in range(SECOND):
        second[j] = max_of(second[j], 0.0) * last[j]
    logit = last[SECOND]
    for j in range(0, SECOND, 4):
        logit += (second[j] + second[j + 1]) + (second[j + 2] + second[j + 3])
    return float(logit)


@rule
def _layer(weights: Array, at: int, x: Array, rows: int, columns: int, out: Array) -> None:
    """out = x times the matrix that begins at `at`, and its biases; eight rows at once, which are read as vectors."""
    biases = weights[at + rows * columns : at + (rows + 1) * columns]
    for j in range(columns):
        out[j] = biases[j]
    for i in range(0, rows, 8):
        a, b, c, d, e, f, g, h = x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5], x[i + 6], x[i + 7]
        m = weights[at + i * columns : at + (i + 8) * columns]
        for j in range(columns):
            out[j] += ((a * m[j] + b * m[j + columns]) + (c * m[j + 2 * columns] + d * m[j + 3 * columns])) + (
                (e * m[j + 4 * columns] + f * m[j + 5 * columns]) + (g * m[j + 6 * columns] + h * m[j + 7 * columns])
            )
