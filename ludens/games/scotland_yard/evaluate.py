"""Scotland Yard: the expected results of an unfinished position, for both sides.

Mr. X's prospects are a weighted sum of the FEATURES below, the log-odds of his escape. Every feature counts
once as it is and once more in proportion to the part of the game that is left.
"""

from __future__ import annotations

import math

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.weights import tuned_beside
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.distances import (
    FAR,
    distance_of_pawn,
    mean_distance_to_possible,
    nearest_detective,
)
from ludens.games.scotland_yard.rules.movement import can_hunt
from ludens.games.scotland_yard.rules.possible import count
from ludens.games.scotland_yard.rules.tables import tables
from ludens.games.scotland_yard.state import BLACK, DOUBLE, ScotlandYard

__all__ = ["FEATURES", "GRID_EVALUATIONS", "LONDON_EVALUATIONS", "evaluate", "prospects", "safe_ways"]

FEATURES = (
    "one",
    "nearest",  # moves of the nearest detective to Mr. X, at most 5
    "second nearest",
    "mean distance",  # of all detectives to Mr. X
    "risk",  # detectives beside him who will move before him, to the number of possible stations
    "beside",  # the same, not divided
    "hiding places",  # logarithm of the number of possible stations
    "spread",  # mean distance of the detectives to the possible stations
    "safe ways",  # stations around him that no detective is beside, at most 6
    "black tickets",
    "double moves",
    "next reveal",  # moves until he shows himself, at most 5
)
_COUNT = len(FEATURES)
_MOST_REVEAL = 5


@rule
def safe_ways(s: ScotlandYard, station: int) -> int:
    """Stations one ride away that no detective stands on or beside."""
    board = tables(s)
    any_transport = board.degree.shape[0] - 1
    ways = 0
    row = int(board.row[any_transport, station])
    for k in range(board.degree[any_transport, station]):
        if nearest_detective(s, int(board.targets[row, k])) > 1:
            ways += 1
    return ways


@rule
def _until_reveal(s: ScotlandYard) -> int:
    """Mr. X's moves until he shows himself, the next one counted."""
    moves = 1
    while moves < _MOST_REVEAL and not (int(s.reveal_moves) >> (int(s.moves) + moves)) & 1:
        moves += 1
    return moves


@rule
def _weight(weights: Array, feature: int, left: float) -> float:
    """The weight of a feature with this part of the game left."""
    return float(weights[feature] + weights[_COUNT + feature] * left)


@rule
def prospects(s: ScotlandYard, weights: Array) -> float:
    """The log-odds of Mr. X's escape in a running position: the weighted features."""
    here = int(s.mr_x_station)
    possible = count(s)
    left = (int(s.max_rounds) - int(s.round_number) + 1) / int(s.max_rounds)
    nearest, second, total, pawns, beside = FAR, FAR, 0, 0, 0
    spread = 0.0
    for pawn in range(s.detectives):
        if not can_hunt(s, pawn):
            continue
        far = distance_of_pawn(s, pawn, here)
        pawns += 1
        total += far
        spread += mean_distance_to_possible(s, int(s.pawn_station[pawn]), possible)
        if far < nearest:
            nearest, second = far, nearest
        elif far < second:
            second = far
        if far == 1 and s.phase != phases.FLEEING and s.pawn_moved[pawn] == 0:
            beside += 1
    odds = _weight(weights, 0, left)
    odds += _weight(weights, 1, left) * min(nearest, 5)
    odds += _weight(weights, 2, left) * min(second, 5)
    odds += _weight(weights, 3, left) * total / max(1, pawns)
    odds += _weight(weights, 4, left) * beside / max(1, possible)
    odds += _weight(weights, 5, left) * beside
    odds += _weight(weights, 6, left) * math.log(max(1, possible))
    odds += _weight(weights, 7, left) * spread / max(1, pawns)
    odds += _weight(weights, 8, left) * min(6, safe_ways(s, here))
    if tables(s).degree.shape[0] > 1:
        odds += _weight(weights, 9, left) * min(5, int(s.mr_x_tickets[BLACK]))
        odds += _weight(weights, 10, left) * int(s.mr_x_tickets[DOUBLE])
    odds += _weight(weights, 11, left) * _until_reveal(s)
    return odds


@rule
def evaluate(s: ScotlandYard, weights: Array, out: Array) -> None:
    """Mr. X's chance to escape as expected returns; the detectives share the opposite (SY-3)."""
    value = 0.0
    if s.phase != phases.PLACING:
        value = math.tanh(0.5 * prospects(s, weights))
    out[0] = value
    for seat in range(1, s.players):
        out[seat] = -value


# Fitted by experiments/fit_evaluation.py, with the commands in experiments/scotland_yard/README.md: one row of
# weights as they are, one for what the part of the game that is left adds.
_LONDON = [
    [-0.488, -0.175, 0.151, 0.407, -4.378, 0.227, 0.596, 0.164, 0.741, -0.541, -0.432, 0.301],
    [-3.215, 0.157, -0.226, -0.62, 0.008, -0.533, -0.449, -0.354, -0.681, 1.035, 1.225, -0.192],
]

_GRID = [
    [-1.373, -1.431, -0.56, 1.205, -3.697, -0.376, -0.207, 1.851, 0.746, 0.0, 0.0, -0.359],
    [-1.51, 0.41, 0.299, -0.526, -0.534, -1.169, 0.531, -1.325, -0.518, 0.0, 0.0, 0.426],
]

LONDON_EVALUATIONS = {**tuned_beside(__file__), "fitted": np.array(_LONDON).ravel()}
"""The evaluations of the game on a map by name (see `Rules.evaluations`)."""

GRID_EVALUATIONS = {**tuned_beside(__file__, "tuned_grid"), "fitted": np.array(_GRID).ravel()}
"""The same for the grid."""
