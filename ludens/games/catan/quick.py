"""Catan: the compiled parts of the planner: quick values, the road heuristic, opponents' simplified turns.

`v_quick` and `q_heuristic` of CA-54, and the moves of CA-30, which ask only for the number of an
opponent's cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.games.catan.bits import lowest
from ludens.games.catan.building import found, upgrade
from ludens.games.catan.heuristics import DRAWN_CARD, standing
from ludens.games.catan.island import EDGE_VERTICES, EDGES, INCIDENT, VERTICES
from ludens.games.catan.production import produce
from ludens.games.catan.roads import lay_road
from ludens.games.catan.rules import apply
from ludens.games.catan.state import DEAL, KINDS, MAIN, NOBODY, OVER, ROAD, SETTLEMENT, THEFT

__all__ = [
    "PURCHASES",
    "WON",
    "accepts",
    "buy_for",
    "heuristic_values",
    "kind_of",
    "purchases_of",
    "quick_value",
    "quick_values",
    "roll_for",
]

WON = 1000.0
"""What a victory is worth, and a defeat costs."""
_STOLEN_CARD = 1.0  # expected worth of a theft that is not yet drawn
_PRICES = np.array([2, 4, 5], np.int64)  # cards that a road, a settlement and a city cost

PURCHASES = EDGES + 2 * VERTICES
"""Ids of an opponent's purchases: an edge, then a vertex for a settlement, then a vertex for a city."""


def kind_of(purchase: int) -> int:
    """0 for a road, 1 for a settlement, 2 for a city."""
    return 0 if purchase < EDGES else 1 if purchase < EDGES + VERTICES else 2


@rule
def _value(s: Any, seat: int, weights: Any) -> float:
    """v_quick: the evaluation, with what a chance event that is due may be expected to bring."""
    worth = standing(s, seat, weights)
    if s.phase == OVER and s.winner != seat:
        worth -= WON
    if s.current == seat:
        if s.phase == DEAL:
            worth += DRAWN_CARD
        elif s.phase == THEFT:
            worth += _STOLEN_CARD
    return worth


@kernel
def quick_value(states: Any, seat: int, weights: Any) -> float:
    """v_quick of states[0]."""
    return _value(states[0], seat, weights)


@kernel
def quick_values(states: Any, seat: int, weights: Any, out: Any) -> None:
    """v_quick of every state."""
    for i in range(states.shape[0]):
        out[i] = _value(states[i], seat, weights)


@rule
def _best_imagined(w: Any, seat: int, before: int, weights: Any, scratch: Any) -> float:
    """The best value with a settlement imagined on a vertex that the roads of w reach and `before` did not."""
    best = -np.inf
    sites = int(w.open_sites) & int(w.touched[seat]) & ~before
    while sites != 0:
        vertex = lowest(sites)
        sites &= sites - 1
        scratch[0] = w
        found(scratch[0], seat, vertex)
        best = max(best, _value(scratch[0], seat, weights))
    return best


@rule
def _road_value(s: Any, seat: int, edge: int, value: float, blend: float, weights: Any, scratch: Any) -> float:
    """CA-36: mixes the value after a road, scratch[0], with the best settlement that one more road could open."""
    before = int(s.touched[seat])
    best = _best_imagined(scratch[0], seat, before, weights, scratch[2:3])
    for end in range(2):
        vertex = EDGE_VERTICES[edge, end]
        if before >> vertex & 1:
            continue
        for word in range(2):
            edges = int(scratch[0].open_roads[seat, word]) & INCIDENT[vertex, word]
            while edges != 0:
                further = lowest(edges) + 36 * word
                edges &= edges - 1
                scratch[1] = scratch[0]
                lay_road(scratch[1], seat, further)
                best = max(best, _best_imagined(scratch[1], seat, before, weights, scratch[2:3]))
    if best == -np.inf:
        return value
    return (1.0 - blend) * value + blend * best


@kernel
def heuristic_values(states: Any, seat: int, actions: Any, blend: float, weights: Any, scratch: Any, out: Any) -> None:
    """q_heuristic of every action in states[0]; `scratch` is an array of three records."""
    s = states[0]
    for k in range(actions.shape[0]):
        a = int(actions[k])
        scratch[0] = s
        apply(scratch[0], a)
        out[k] = _value(scratch[0], seat, weights)
        if a < SETTLEMENT and s.roads_left[seat] > 1:
            out[k] = _road_value(s, seat, a - ROAD, out[k], blend, weights, scratch)


@kernel
def accepts(states: Any, seat: int, weights: Any, scratch: Any) -> bool:
    """CA-35: does the offer on the table raise the value of the seat that is asked?"""
    scratch[0] = states[0]
    w = scratch[0]
    for r in range(KINDS):
        w.hand[seat, r] += w.offer[r]
        w.count[seat] += w.offer[r]
        if w.hand[seat, r] < 0:
            return False
    return standing(w, seat, weights) > standing(states[0], seat, weights)


# --- opponents (CA-30) --------------------------------------------------------------------


@kernel
def roll_for(states: Any, total: int) -> None:
    """The active player has rolled this sum; a seven just yields nothing."""
    s = states[0]
    s.rolled = 1
    s.die[0] = max(1, total - 6)
    s.die[1] = total - max(1, total - 6)
    if total != 7:
        produce(s, total)
    s.phase = MAIN


@kernel
def purchases_of(states: Any, out: Any) -> int:
    """What the active player could buy with the right cards, by their number alone, into out[:n]."""
    s = states[0]
    p = int(s.current)
    n = 0
    if s.count[p] >= _PRICES[0] and s.roads_left[p] > 0:
        for word in range(2):
            edges = int(s.open_roads[p, word])
            while edges != 0:
                out[n] = lowest(edges) + 36 * word
                edges &= edges - 1
                n += 1
    if s.count[p] >= _PRICES[1] and s.settlements_left[p] > 0:
        sites = int(s.open_sites) & int(s.touched[p])
        while sites != 0:
            out[n] = EDGES + lowest(sites)
            sites &= sites - 1
            n += 1
    if s.count[p] >= _PRICES[2] and s.cities_left[p] > 0:
        sites = int(s.settlements[p])
        while sites != 0:
            out[n] = EDGES + VERTICES + lowest(sites)
            sites &= sites - 1
            n += 1
    return n


@kernel
def buy_for(states: Any, purchase: int) -> None:
    """The active player makes one of those purchases; its hand is not modelled, only the number of cards."""
    s = states[0]
    p = int(s.current)
    if purchase < EDGES:
        s.count[p] -= _PRICES[0]
        lay_road(s, p, purchase)
    elif purchase < EDGES + VERTICES:
        s.count[p] -= _PRICES[1]
        found(s, p, purchase - EDGES)
    else:
        s.count[p] -= _PRICES[2]
        upgrade(s, p, purchase - EDGES - VERTICES)
    if int(s.visible[p]) >= s.goal:  # hidden cards of opponents are not guessed here
        s.winner = p
        s.phase = OVER
        s.victim = NOBODY
