"""Scotland Yard: which moves look sensible.

The detectives' prior reads the possible stations alone: whoever searches for them must not be told where Mr. X is.
"""

from __future__ import annotations

import math

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.action_ids import double_action, first_pawn_action
from ludens.games.scotland_yard.rules.distances import mean_distance_to_possible, nearest_detective
from ludens.games.scotland_yard.rules.possible import count, holds
from ludens.games.scotland_yard.rules.tables import tables
from ludens.games.scotland_yard.state import BLACK, ScotlandYard

__all__ = ["prior"]


@rule
def prior(s: ScotlandYard, legal: Array, n: int, out: Array) -> None:
    """Mr. X keeps away from detectives and saves his special tickets; detectives close in on the possible stations."""
    if s.phase == phases.FLEEING:
        _prior_of_mr_x(s, legal, n, out)
        return
    possible = count(s)
    stations = tables(s).degree.shape[1]
    if s.phase == phases.CHOOSING:
        best, best_distance = 0, 1e9
        for k in range(n):
            pawn = legal[k] - first_pawn_action(s)
            mean = mean_distance_to_possible(s, int(s.pawn_station[pawn]), possible)
            out[k] = 0.05
            if mean < best_distance:
                best, best_distance = k, mean
        out[best] = 1.0
        return
    for k in range(n):
        if legal[k] >= first_pawn_action(s):
            out[k] = 1.0
            continue
        target = legal[k] % stations
        score = -1.2 * mean_distance_to_possible(s, target, possible)
        if holds(s, target):
            score += 3.0 / possible
        out[k] = math.exp(score)


@rule
def _prior_of_mr_x(s: ScotlandYard, legal: Array, n: int, out: Array) -> None:
    board = tables(s)
    stations = board.degree.shape[1]
    any_transport = board.degree.shape[0] - 1
    threatened = True
    for k in range(n):
        if legal[k] >= first_pawn_action(s):
            continue
        target = legal[k] % stations
        far = nearest_detective(s, target)
        if far > 1:
            threatened = False
        score = 0.6 * min(far, 4) + 0.08 * int(board.degree[any_transport, target])
        if far == 1:
            score -= 2.0
        if any_transport == BLACK and legal[k] // stations == BLACK:
            score -= 1.5
        out[k] = math.exp(score)
    if legal[n - 1] == double_action(s):
        out[n - 1] = math.exp(2.0 if threatened else -0.5)
