"""Catan: which actions look sensible, for searches; a full state is read, whose hidden cards were dealt."""

from __future__ import annotations

import math

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan.evaluate import (
    HAND_MADE,
    hand_value,
    packed_dots,
    site_value,
)
from ludens.games.catan.rules.island import EDGE_VERTICES, HEX_VERTICES, VERTEX_EDGES, VERTEX_HEXES, VERTEX_NEIGHBOURS
from ludens.games.catan.rules.roads import opponent_at
from ludens.games.catan.rules.robber import discarder
from ludens.games.catan.state import (
    ACCEPT,
    ANSWER,
    BUY,
    CANCEL,
    CITY,
    COUNTERING,
    DECLINE,
    DESERT,
    DISCARD,
    DISCARDING,
    DOTS,
    EXCHANGE,
    GIVE,
    KINDS,
    KNIGHT,
    MAIN,
    MAX_PLAYERS,
    MONOPOLY,
    NOBODY,
    PARTNER,
    PROPOSE,
    ROAD,
    ROAD_BUILDING,
    ROBBER,
    ROLL,
    SETTLEMENT,
    TAKE,
    VICTIM,
    WANT,
    Catan,
)

__all__ = ["dots_at", "prior", "worth_beyond"]


@rule
def prior(s: Catan, legal: Array, n: int, out: Array) -> None:
    """Building, and trades that bring a purchase nearer, are likely; nothing is excluded."""
    p = int(s.current)
    if s.phase == DISCARDING:
        p = discarder(s)
    elif ANSWER <= s.phase <= COUNTERING:
        p = int(s.responder)
    packed = packed_dots(s, p, 4)
    hand = hand_value(s, p, HAND_MADE)
    for k in range(n):
        out[k] = math.exp(min(_appeal(s, p, int(legal[k]), packed, hand), 6.0))


@rule
def _appeal(s: Catan, p: int, a: int, packed: int, hand: float) -> float:
    """The logarithm of how likely the action is, beside 0 for ending the turn."""
    if a < SETTLEMENT:
        waiting = s.phase == MAIN and int(s.open_sites) & int(s.touched[p]) != 0
        return 0.2 * worth_beyond(s, p, a - ROAD, packed) - (2.5 if waiting else 1.0)
    if a < CITY:
        return 0.3 * site_value(s, a - SETTLEMENT, packed, HAND_MADE) - (0.0 if s.phase == MAIN else 3.0)
    if a < ROBBER:
        return 2.5 + 0.15 * _dots(s, a - CITY)
    if a < VICTIM:
        return 0.3 * _harm(s, p, a - ROBBER)
    if a < DISCARD:
        return 0.3 * int(s.visible[a - VICTIM]) + 0.2 * min(int(s.count[a - VICTIM]), 5)
    if a < EXCHANGE:
        return _gain(s, p, a - DISCARD, 1, 0, 0) - hand
    if a < BUY:
        given, k = (a - EXCHANGE) // 4, (a - EXCHANGE) % 4
        return 0.6 * (_gain(s, p, given, int(s.price[p, given]), k if k < given else k + 1, 1) - hand) - 1.5
    if a == BUY:
        return 1.0
    if a == KNIGHT:
        return 1.5 if s.robber != NOBODY and dots_at(s, p, int(s.robber)) > 0 else 0.0
    if a < MONOPOLY:
        return 1.0 if a == ROAD_BUILDING else 0.5
    if a < TAKE:
        return 0.4 * _cards_of_others(s, p, a - MONOPOLY) - 1.5
    if a < GIVE:
        return _gain(s, p, 0, 0, a - TAKE, 1) - hand
    return _appeal_of_trade(s, p, a, hand)


@rule
def _appeal_of_trade(s: Catan, p: int, a: int, hand: float) -> float:
    if a < WANT:
        return 0.5 * (_gain(s, p, a - GIVE, 1, 0, 0) - hand) - (3.0 if s.phase == MAIN else 1.5)
    if a < PROPOSE:
        return 0.5 * (_gain(s, p, 0, 0, a - WANT, 1) - hand) - (4.0 if s.phase == MAIN else 1.0)
    if a == PROPOSE:
        return 1.0
    if a == CANCEL:
        return -1.0
    if a == ACCEPT:
        for r in range(KINDS):
            s.hand[p, r] += s.offer[r]
            s.count[p] += s.offer[r]
        worth = hand_value(s, p, HAND_MADE)
        for r in range(KINDS):
            s.hand[p, r] -= s.offer[r]
            s.count[p] -= s.offer[r]
        return worth - hand
    if a < PARTNER:
        return 0.5 if a == DECLINE else -3.0
    if a < ROLL:
        return 0.0
    return 1.0 if a == ROLL else 0.0


@rule
def _gain(s: Catan, p: int, given: int, less: int, got: int, more: int) -> float:
    """The worth of player p's hand with some cards fewer and others more; the state is left as it was."""
    s.hand[p, given] -= less
    s.hand[p, got] += more
    s.count[p] += more - less
    worth = hand_value(s, p, HAND_MADE)
    s.count[p] -= more - less
    s.hand[p, got] -= more
    s.hand[p, given] += less
    return worth


@rule
def _dots(s: Catan, vertex: int) -> int:
    dots = 0
    for k in range(3):
        h = VERTEX_HEXES[vertex, k]
        if h >= 0 and s.terrain[h] != DESERT:
            dots += DOTS[s.number[h]]
    return dots


@rule
def worth_beyond(s: Catan, p: int, edge: int, packed: int) -> float:
    """The best site at the ends of an edge, or one edge further at half its worth."""
    best = 0.0
    for end in range(2):
        v = EDGE_VERTICES[edge, end]
        if int(s.touched[p]) >> v & 1 or opponent_at(s, p, v):
            continue
        if int(s.open_sites) >> v & 1:
            best = max(best, site_value(s, v, packed, HAND_MADE))
        for k in range(3):
            n = VERTEX_NEIGHBOURS[v, k]
            if n >= 0 and s.road[VERTEX_EDGES[v, k]] == NOBODY and int(s.open_sites) >> n & 1:
                best = max(best, 0.5 * site_value(s, n, packed, HAND_MADE))
    return best


@rule
def dots_at(s: Catan, p: int, h: int) -> int:
    """Dots of player p's production on a hex."""
    buildings = 0
    for k in range(6):
        building = int(s.building[HEX_VERTICES[h, k]])
        if building != NOBODY and building % MAX_PLAYERS == p:
            buildings += 2 if building >= MAX_PLAYERS else 1
    return int(buildings * DOTS[s.number[h]])


@rule
def _harm(s: Catan, p: int, h: int) -> float:
    """What the robber on a hex takes from others, from leaders most, less what it takes from player p."""
    harm = 0.0
    for q in range(s.players):
        dots = dots_at(s, q, h)
        if q == p:
            harm -= 3.0 * dots
        elif dots > 0:
            harm += dots * (0.4 + 0.1 * int(s.visible[q])) + 0.4 * min(int(s.count[q]), 4)
    return harm


@rule
def _cards_of_others(s: Catan, p: int, kind: int) -> int:
    cards = 0
    for q in range(s.players):
        if q != p:
            cards += max(0, int(s.hand[q, kind]))
    return cards
