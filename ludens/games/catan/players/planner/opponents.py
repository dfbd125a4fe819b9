"""Catan: the simplified turns of opponents that the planner expects: by the number of their cards alone (CA-30)."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records
from ludens.games.catan import phases
from ludens.games.catan.rules.bit_sets import lowest
from ludens.games.catan.rules.building import found, upgrade
from ludens.games.catan.rules.production import produce
from ludens.games.catan.rules.roads import lay_road
from ludens.games.catan.state import EDGES, NOBODY, VERTICES, Catan

__all__ = ["CHANCES", "PURCHASES", "buy_for", "kind_of", "purchases_of", "roll_for"]

_PRICES = np.array([2, 4, 5], np.int64)  # cards that a road, a settlement and a city cost

CHANCES = np.array([0.0, 0.0, *((6 - abs(7 - total)) / 36 for total in range(2, 13))])
"""The probability of every sum of two dice (CA-4)."""
PURCHASES = EDGES + 2 * VERTICES
"""Ids of an opponent's purchases: an edge, then a vertex for a settlement, then a vertex for a city."""


@rule
def kind_of(purchase: int) -> int:
    """0 for a road, 1 for a settlement, 2 for a city."""
    return 0 if purchase < EDGES else 1 if purchase < EDGES + VERTICES else 2


@kernel
def roll_for(states: Records[Catan], total: int) -> None:
    """The active player has rolled this sum; a seven just yields nothing."""
    s = states[0]
    s.rolled = 1
    s.die[0] = max(1, total - 6)
    s.die[1] = total - max(1, total - 6)
    if total != 7:
        produce(s, total)
    s.phase = phases.MAIN


@kernel
def purchases_of(states: Records[Catan], out: Array) -> int:
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
def buy_for(states: Records[Catan], purchase: int) -> None:
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
        s.phase = phases.OVER
        s.victim = NOBODY
