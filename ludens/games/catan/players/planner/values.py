"""Catan: how the planner values positions and own actions: `v_quick` and `q_heuristic` (CA-35, CA-36, CA-54)."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.evaluate import DRAWN_CARD, standing
from ludens.games.catan.players.linear.value import Memo, is_linear, linear_value, remembered_value
from ludens.games.catan.rules import island
from ludens.games.catan.rules.building import found
from ludens.games.catan.rules.island import lowest
from ludens.games.catan.rules.roads import lay_road
from ludens.games.catan.rules.trade import take_offer
from ludens.games.catan.rules.verbs import apply
from ludens.games.catan.state import KINDS, Catan

__all__ = [
    "SCRATCH",
    "WON",
    "accepts",
    "gains_by_offer",
    "heuristic_values",
    "known_value",
    "quick_value",
    "road_value",
    "value",
]

WON = 1000.0
"""What a victory is worth, and a defeat costs."""
SCRATCH = 4
"""Records that callers of `heuristic_values`, `accepts` and `road_value` lend; the last is for `value`."""
_STOLEN_CARD = 1.0  # expected worth of a theft that is not yet drawn


@rule
def value(s: Catan, seat: int, weights: Array, scratch: Records[Catan]) -> float:
    """v_quick: the evaluation, with what a chance event that is due may be expected to bring.

    `weights` are those of the hand-made evaluation or a linear model; `scratch` is an array of one record.
    """
    if is_linear(weights):
        return linear_value(s, seat, weights, scratch)
    worth = standing(s, seat, weights)
    if s.phase == phases.OVER and s.winner != seat:
        worth -= WON
    if s.current == seat:
        if s.phase == phases.DEAL:
            worth += DRAWN_CARD
        elif s.phase == phases.THEFT:
            worth += _STOLEN_CARD
    return worth


@rule
def known_value(s: Catan, seat: int, weights: Array, scratch: Records[Catan], memo: Memo) -> float:
    """`value`, found again where the memo has it."""
    if is_linear(weights):
        return remembered_value(s, seat, weights, scratch, memo)
    return value(s, seat, weights, scratch)


@kernel
def quick_value(states: Records[Catan], seat: int, weights: Array) -> float:
    """v_quick of states[0]."""
    return value(states[0], seat, weights, states[0:1].copy())


@rule
def _best_imagined(w: Catan, seat: int, before: int, weights: Array, scratch: Records[Catan], memo: Memo) -> float:
    """The best value with a settlement imagined on a vertex that the roads of w reach and `before` did not."""
    best = -np.inf
    sites = int(w.open_sites) & int(w.touched[seat]) & ~before
    while sites != 0:
        vertex = lowest(sites)
        sites &= sites - 1
        scratch[0] = w
        found(scratch[0], seat, vertex)
        best = max(best, known_value(scratch[0], seat, weights, scratch[1:2], memo))
    return best


@rule
def road_value(
    s: Catan, seat: int, edge: int, worth: float, blend: float, weights: Array, scratch: Records[Catan], memo: Memo
) -> float:
    """CA-36: mixes the value after a road, scratch[0], with the best settlement that one more road could open."""
    before = int(s.touched[seat])
    best = _best_imagined(scratch[0], seat, before, weights, scratch[2:4], memo)
    for end in range(2):
        vertex = island.EDGE_VERTICES[edge, end]
        if before >> vertex & 1:
            continue
        for word in range(2):
            edges = int(scratch[0].open_roads[seat, word]) & island.INCIDENT[vertex, word]
            while edges != 0:
                further = lowest(edges) + 36 * word
                edges &= edges - 1
                scratch[1] = scratch[0]
                lay_road(scratch[1], seat, further)
                best = max(best, _best_imagined(scratch[1], seat, before, weights, scratch[2:4], memo))
    if best == -np.inf:
        return worth
    return (1.0 - blend) * worth + blend * best


@kernel
def heuristic_values(
    states: Records[Catan], seat: int, actions: Array, blend: float, weights: Array, scratch: Records[Catan],
    memo: Memo, out: Array,
) -> None:  # fmt: skip
    """q_heuristic of every action in states[0]; `scratch` is an array of SCRATCH records."""
    s = states[0]
    for k in range(actions.shape[0]):
        a = int(actions[k])
        scratch[0] = s
        apply(scratch[0], a)
        out[k] = known_value(scratch[0], seat, weights, scratch[3:4], memo)
        if a < ids.SETTLEMENT and s.roads_left[seat] > 1:
            out[k] = road_value(s, seat, a - ids.ROAD, out[k], blend, weights, scratch, memo)


@kernel
def accepts(states: Records[Catan], seat: int, weights: Array, scratch: Records[Catan], memo: Memo) -> bool:
    """CA-35: does the offer on the table raise the value of the seat that is asked?"""
    return gains_by_offer(states[0], seat, weights, scratch, memo)


@rule
def gains_by_offer(s: Catan, seat: int, weights: Array, scratch: Records[Catan], memo: Memo) -> bool:
    """`accepts` for compiled code."""
    scratch[0] = s
    w = scratch[0]
    take_offer(w, seat, 1)
    for r in range(KINDS):
        if w.hand[seat, r] < 0:
            return False
    after = known_value(w, seat, weights, scratch[1:2], memo)
    return after > known_value(s, seat, weights, scratch[1:2], memo)
