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
from ludens.games.discovery.description import FEATURES, describe_after
from ludens.games.discovery.frontier import ROWS, WIDTH, max_of, survey
from ludens.games.discovery.state import MAX_PLAYERS, Discovery

__all__ = ["FEATURES", "FIRST", "SECOND", "SIZE", "WORKSPACE", "chances", "chances_after", "describe"]

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
