"""Azul: the expected results of an unfinished position, for every seat.

A player's prospects are a weighted sum of the FEATURES below, taken on the wall as it will be when the
lines that are full now are tiled. The weights change with the stage of the game, the share of the fullest
row among all walls, and once more when a row is about to be completed, which ends the game (AZ-33). Prospects
are log-odds of winning: two players with equal prospects win equally often.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.weights import tuned_beside
from ludens.games.azul import phases
from ludens.games.azul.rules.wall import wall_column
from ludens.games.azul.state import EMPTY, FLOOR_PENALTY, SIZE, Azul
from ludens.games.results import softmax_returns

__all__ = [
    "EVALUATIONS",
    "FEATURES",
    "column_for",
    "evaluate",
    "points_at",
    "prospects",
    "stage_of",
    "tiled",
    "wall_bits",
]

FEATURES = (
    "points",  # score after tiling and floor, with the bonuses of the wall as it will be
    "line points",  # started lines: share that is filled × points of the tile they will give
    "line share",  # started lines: share that is filled
    "one to go",  # started lines that lack one tile
    "four in a column",
    "three in a column",
    "two in a column",
    "four of a colour",
    "three of a colour",
    "two of a colour",
    "four in a row",
    "three in a row",
    "neighbourhood",  # points that the empty cells would give now, summed
    "marker",  # starts the next round
    "tiles on the wall",
    "to move",
)
_COUNT = len(FEATURES)


@rule
def wall_bits(s: Azul, p: int) -> int:
    """The tiles on player p's wall, bit 5·row + column."""
    bits = 0
    for r in range(SIZE):
        for c in range(SIZE):
            if s.wall[p, r, c] != EMPTY:
                bits |= 1 << (SIZE * r + c)
    return bits


@rule
def _run(bits: int, row: int, column: int, down: int, right: int) -> int:
    """Tiles without a gap from a cell on, in one direction."""
    tiles, r, c = 0, row + down, column + right
    while 0 <= r < SIZE and 0 <= c < SIZE and bits >> (SIZE * r + c) & 1:
        tiles, r, c = tiles + 1, r + down, c + right
    return tiles


@rule
def points_at(bits: int, row: int, column: int) -> int:
    """`tile_points` on a wall of bits (AZ-29)."""
    across = 1 + _run(bits, row, column, 0, -1) + _run(bits, row, column, 0, 1)
    down = 1 + _run(bits, row, column, -1, 0) + _run(bits, row, column, 1, 0)
    if across == 1:
        return down
    return across if down == 1 else across + down


@rule
def column_for(s: Azul, p: int, bits: int, row: int, colour: int) -> int:
    """The column where a tile will stand: the printed one, or on the grey wall the free one with most points; or -1."""
    if not s.grey:
        return wall_column(row, colour)
    best, best_points = -1, 0
    for c in range(SIZE):
        free = not bits >> (SIZE * row + c) & 1
        for r in range(SIZE):
            if s.wall[p, r, c] == colour:
                free = False
        if free:
            points = points_at(bits, row, c)
            if points > best_points:
                best, best_points = c, points
    return best


@rule
def _longest_row(bits: int) -> int:
    """Tiles in the fullest row."""
    most = 0
    for r in range(SIZE):
        tiles = 0
        for c in range(SIZE):
            tiles += bits >> (SIZE * r + c) & 1
        most = max(most, tiles)
    return most


@rule
def tiled(s: Azul, p: int, bits: int) -> int:
    """The wall after tiling the full lines of player p."""
    for line in range(SIZE):
        if s.line_count[p, line] == line + 1:
            column = column_for(s, p, bits, line, int(s.line_colour[p, line]))
            if column >= 0:
                bits |= 1 << (SIZE * line + column)
    return bits


@rule
def stage_of(s: Azul) -> int:
    """Tiles in the fullest row of all walls once the full lines are tiled: 5 means that this round is the last."""
    most = 0
    for p in range(s.players):
        most = max(most, _longest_row(tiled(s, p, wall_bits(s, p))))
    return most


@rule
def _weight(weights: Array, feature: int, stage: int) -> float:
    """The weight of a feature at this stage."""
    if stage >= SIZE:
        return float(weights[2 * _COUNT + feature])
    return float(weights[feature] + weights[_COUNT + feature] * stage / SIZE)


@rule
def prospects(s: Azul, p: int, stage: int, weights: Array) -> float:
    """The weighted features of player p."""
    bits = wall_bits(s, p)
    colours = 0  # three bits a colour: how many of its tiles are on the wall
    points = int(s.score[p])
    value = 0.0
    for r in range(SIZE):
        for c in range(SIZE):
            if s.wall[p, r, c] != EMPTY:
                colours += 1 << (3 * int(s.wall[p, r, c]))
    for line in range(SIZE):
        if s.line_count[p, line] == line + 1:
            colour = int(s.line_colour[p, line])
            column = column_for(s, p, bits, line, colour)
            if column >= 0:
                points += points_at(bits, line, column)
                bits |= 1 << (SIZE * line + column)
                colours += 1 << (3 * colour)
    points = max(0, points - int(FLOOR_PENALTY[int(s.floor_count[p])]))
    for line in range(1, SIZE):
        held = int(s.line_count[p, line])
        if 0 < held <= line:
            column = column_for(s, p, bits, line, int(s.line_colour[p, line]))
            if column >= 0:
                share = held / (line + 1)
                value += _weight(weights, 1, stage) * share * points_at(bits, line, column)
                value += _weight(weights, 2, stage) * share
                if held == line:
                    value += _weight(weights, 3, stage)
    tiles, open_points = 0, 0
    for i in range(SIZE):
        in_row, in_column = 0, 0
        for j in range(SIZE):
            in_row += bits >> (SIZE * i + j) & 1
            in_column += bits >> (SIZE * j + i) & 1
            if not bits >> (SIZE * i + j) & 1:
                open_points += points_at(bits, i, j)
        of_colour = colours >> (3 * i) & 7
        tiles += in_row
        if in_row == SIZE:
            points += 2
        elif in_row >= 3:
            value += _weight(weights, 14 - in_row, stage)
        if in_column == SIZE:
            points += 7
        elif in_column >= 2:
            value += _weight(weights, 8 - in_column, stage)
        if of_colour >= SIZE:
            points += 10
        elif of_colour >= 2:
            value += _weight(weights, 11 - of_colour, stage)
    value += _weight(weights, 0, stage) * points
    value += _weight(weights, 12, stage) * open_points
    value += _weight(weights, 14, stage) * tiles
    # While the next round is dealt the marker is back in the middle, and whoever had it is to begin.
    if s.marker == p or (s.phase == phases.DEALING and s.current == p):
        value += _weight(weights, 13, stage)
    if s.phase == phases.TAKING and s.current == p:
        value += _weight(weights, 15, stage)
    return value


@rule
def evaluate(s: Azul, weights: Array, out: Array) -> None:
    """Everybody's chance to win, a softmax of the prospects, as expected returns."""
    players = int(s.players)
    stage = stage_of(s)
    for p in range(players):
        out[p] = prospects(s, p, stage, weights)
    softmax_returns(out, players, 1.0)


# Weights for the start, then for what the stage adds, then for the last round.
_FIRST_GUESS = np.array(
    [
        [0.08, 0.03, 0.05, 0.02, 0.25, 0.12, 0.04, 0.3, 0.15, 0.05, 0.0, 0.0, 0.005, 0.1, 0.0, 0.0],
        [0.06, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]
).ravel()

_FITTED = np.array(
    [
        [0.0629, 0.1835, -0.1677, 0.08, 0.005, 0.0061, -0.0625, -0.0017],
        [-0.0729, -0.0805, -0.1947, -0.1919, 0.0278, 0.0511, 0.12, 0.0616],
        [0.1059, 0.0653, -0.6373, 0.0825, -0.2281, -0.2093, -0.0675, 0.0669],
        [-0.0841, 0.0597, -0.2433, -0.1961, 0.0307, 0.1815, 0.2632, 0.2688],
        [0.1426, 0.0938, -0.3907, 0.0455, -0.3217, -0.2204, -0.1031, 0.0162],
        [-0.0916, -0.0219, 0.021, 0.0274, 0.0203, -0.2745, 0.1701, 0.3098],
    ]
).ravel()

EVALUATIONS = {**tuned_beside(__file__), "fitted": _FITTED, "prospects": _FIRST_GUESS}
"""The game's evaluations by name (see `Rules.evaluations`)."""
