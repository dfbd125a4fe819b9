"""Catan: what a position is worth to a seat, by hand-made rules; a point is worth 10.

Everything is read from what the seat may know: of others only points, buildings, roads, harbours,
knights and numbers of cards. So the value of a view and of any state that agrees with it are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.core.verbs import UNKNOWN
from ludens.games.catan.bits import lowest
from ludens.games.catan.features import DOTS
from ludens.games.catan.island import (
    EDGE_VERTICES,
    HARBOUR_OF_VERTEX,
    VERTEX_EDGES,
    VERTEX_HEXES,
    VERTEX_NEIGHBOURS,
)
from ludens.games.catan.roads import opponent_at
from ludens.games.catan.state import (
    COST,
    DESERT,
    GENERIC,
    KINDS,
    KNIGHT_CARD,
    NOBODY,
    VICTORY_CARD,
)

__all__ = ["evaluate", "hand_value", "packed_dots", "site_value"]

_POINT = 10.0
_NEED = np.array([1.05, 1.05, 0.85, 1.1, 1.1])  # worth of a dot of production, by resource
_NEW_KIND = 2.5  # the first production of a resource
_BLOCKED = 1  # quarters of a dot that count under the robber, out of 4
_NOW, _ONE_ROAD, _TWO_ROADS = 0.42, 0.26, 0.12  # shares of a site's worth by its distance
_PURCHASE = np.array([2.0, 7.5, 8.5, 4.0])  # worth of holding the cards for a row of COST
_CARD = 0.35  # worth of any card
_OWN_CARDS = np.array([2.4, _POINT, 3.0, 3.0, 3.2])  # worth of unplayed development cards
_THEIR_CARD = 3.0
_KNIGHT_PLAYED = 1.6


@rule
def packed_dots(s: Any, p: int, blocked: int) -> int:
    """Quarters of dots that produce for player p, twelve bits a resource; `blocked` quarters under the robber."""
    packed = 0
    towns = int(s.settlements[p]) | int(s.cities[p])
    while towns != 0:
        v = lowest(towns)
        towns &= towns - 1
        size = 2 if int(s.cities[p]) >> v & 1 else 1
        for k in range(3):
            h = VERTEX_HEXES[v, k]
            if h >= 0 and s.terrain[h] != DESERT:
                quarters = blocked if h == s.robber else 4
                packed += (size * quarters * DOTS[s.number[h]]) << 12 * int(s.terrain[h])
    return packed


@rule
def site_value(s: Any, v: int, packed: int) -> float:
    """The worth of a settlement on a vertex for somebody who produces `packed` already."""
    worth = 0.0
    fresh = 0
    for k in range(3):
        h = VERTEX_HEXES[v, k]
        if h >= 0 and s.terrain[h] != DESERT:
            kind = int(s.terrain[h])
            worth += DOTS[s.number[h]] * _NEED[kind]
            if packed >> 12 * kind & 4095 == 0 and not fresh >> kind & 1:
                worth += _NEW_KIND
                fresh |= 1 << kind
    slot = HARBOUR_OF_VERTEX[v]
    if slot >= 0:
        kind = int(s.harbour[slot])
        if kind == GENERIC:
            worth += 1.5
        else:
            worth += 0.5 + 0.1 * (packed >> 12 * kind & 4095)
    return worth


@rule
def _production_value(s: Any, p: int, packed: int) -> float:
    """Production, its diversity, and harbours that match it."""
    worth = 0.0
    for r in range(KINDS):
        dots = (packed >> 12 * r & 4095) / 4.0
        worth += dots * _NEED[r]
        if dots > 0:
            worth += _NEW_KIND
        if s.price[p, r] == 2:
            worth += 0.4 * dots + 0.5
        elif s.price[p, r] == 3:
            worth += 0.12 * dots + 0.15
    return worth


@rule
def _site_prospects(s: Any, p: int, packed: int) -> float:
    """The best sites that player p can reach at once, with one road and with two, each at its share."""
    open_sites = int(s.open_sites)
    now, near, far = 0.0, 0.0, 0.0
    sites = open_sites & int(s.touched[p])
    while sites != 0:
        v = lowest(sites)
        sites &= sites - 1
        now = max(now, site_value(s, v, packed))
    if s.roads_left[p] == 0:
        return _NOW * now
    for word in range(2):
        edges = int(s.open_roads[p, word])
        while edges != 0:
            edge = lowest(edges) + 36 * word
            edges &= edges - 1
            for end in range(2):
                v = EDGE_VERTICES[edge, end]
                if int(s.touched[p]) >> v & 1 or opponent_at(s, p, v):
                    continue
                if open_sites >> v & 1:
                    near = max(near, site_value(s, v, packed))
                for k in range(3):
                    n = VERTEX_NEIGHBOURS[v, k]
                    if n >= 0 and s.road[VERTEX_EDGES[v, k]] == NOBODY and open_sites >> n & 1:
                        if not int(s.touched[p]) >> n & 1:
                            far = max(far, site_value(s, n, packed))
    # A site counts once, at the nearest distance that makes it best.
    return max(_NOW * now + 0.3 * _ONE_ROAD * near, _ONE_ROAD * near + 0.3 * _TWO_ROADS * far, _TWO_ROADS * far)


@rule
def hand_value(s: Any, p: int) -> float:
    """How far the own cards go towards the best purchases, less what a seven would take."""
    best, second = 0.0, 0.0
    for way in range(4):
        if way == 0 and s.roads_left[p] == 0:
            continue
        if way == 1 and (s.settlements_left[p] == 0 or int(s.open_sites) & int(s.touched[p]) == 0):
            continue
        if way == 2 and (s.cities_left[p] == 0 or s.settlements[p] == 0):
            continue
        if way == 3 and s.deck_count == 0:
            continue
        total, missing = 0, 0
        for r in range(KINDS):
            total += COST[way, r]
            missing += max(0, COST[way, r] - int(s.hand[p, r]))
        share = 1.0 - missing / total
        worth = _PURCHASE[way] * share * share
        if worth > best:
            best, second = worth, best
        elif worth > second:
            second = worth
    count = int(s.count[p])
    risk = 0.0
    if count > 7:
        risk = 0.22 * (count // 2)
    return best + 0.4 * second + _CARD * min(count, 12) - risk


@rule
def _races(s: Any, p: int) -> float:
    """Longest Road and Largest Army as far as they are still to be won or defended."""
    worth = _KNIGHT_PLAYED * int(s.army[p])
    longest, largest = 0, 0
    for q in range(s.players):
        if q != p:
            longest = max(longest, int(s.road_length[q]))
            largest = max(largest, int(s.army[q]))
    length = int(s.road_length[p])
    lead = length - max(longest, 4)
    if lead > -3 and length >= 3:
        worth += 1.2 * min(lead + 3, 5)
    if s.army[p] > 0 and int(s.army[p]) - max(largest, 2) >= -1:
        worth += 1.5
    return worth


@rule
def _public_strength(s: Any, p: int) -> float:
    packed = packed_dots(s, p, _BLOCKED)
    worth = _POINT * int(s.visible[p]) + _production_value(s, p, packed) + _races(s, p)
    return worth + _THEIR_CARD * int(s.card_count[p]) + 0.5 * min(int(s.count[p]), 8)


@rule
def evaluate(s: Any, seat: int) -> float:
    """The worth of a view or state for the seat, against the strongest and the other opponents."""
    packed = packed_dots(s, seat, _BLOCKED)
    worth = _POINT * int(s.visible[seat]) + _production_value(s, seat, packed) + _races(s, seat)
    worth += _site_prospects(s, seat, packed)
    if s.hand[seat, 0] != UNKNOWN:
        worth += hand_value(s, seat)
    if s.cards[seat, KNIGHT_CARD] != UNKNOWN:
        for kind in range(KINDS):
            worth += _OWN_CARDS[kind] * int(s.cards[seat, kind])
        if int(s.visible[seat]) + int(s.cards[seat, VICTORY_CARD]) >= s.goal:
            worth += 1000.0
    strongest, total = 0.0, 0.0
    for q in range(s.players):
        if q != seat:
            strength = _public_strength(s, q)
            strongest = max(strongest, strength)
            total += strength
    return worth - 0.25 * strongest - 0.08 * total
