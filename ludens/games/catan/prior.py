"""Catan: which actions look sensible, for searches; a full state is read, whose hidden cards were dealt."""

from __future__ import annotations

import math

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.evaluate import (
    HAND_MADE,
    accepted_hand_value,
    best_site,
    changed_hand_value,
    hand_value,
    packed_dots,
    site_value,
)
from ludens.games.catan.rules import island
from ludens.games.catan.rules.roads import beyond
from ludens.games.catan.rules.robber import discarder
from ludens.games.catan.rules.trade import exchanged
from ludens.games.catan.state import DESERT, DOTS, MAX_PLAYERS, NOBODY, Catan

__all__ = ["dots_at", "prior", "worth_beyond"]


@rule
def prior(s: Catan, legal: Array, n: int, out: Array) -> None:
    """Building, and trades that bring a purchase nearer, are likely; nothing is excluded."""
    p = int(s.current)
    if s.phase == phases.DISCARDING:
        p = discarder(s)
    elif phases.ANSWER <= s.phase <= phases.COUNTERING:
        p = int(s.responder)
    packed = packed_dots(s, p, 4)
    hand = hand_value(s, p, HAND_MADE)
    for k in range(n):
        out[k] = math.exp(min(_appeal(s, p, int(legal[k]), packed, hand), 6.0))


@rule
def _appeal(s: Catan, p: int, a: int, packed: int, hand: float) -> float:
    """The logarithm of how likely the action is, beside 0 for ending the turn."""
    if a < ids.SETTLEMENT:
        waiting = s.phase == phases.MAIN and int(s.open_sites) & int(s.touched[p]) != 0
        return 0.2 * worth_beyond(s, p, a - ids.ROAD, packed) - (2.5 if waiting else 1.0)
    if a < ids.CITY:
        return 0.3 * site_value(s, a - ids.SETTLEMENT, packed, HAND_MADE) - (0.0 if s.phase == phases.MAIN else 3.0)
    if a < ids.ROBBER:
        return 2.5 + 0.15 * _dots(s, a - ids.CITY)
    if a < ids.VICTIM:
        return 0.3 * _harm(s, p, a - ids.ROBBER)
    if a < ids.DISCARD:
        return 0.3 * int(s.visible[a - ids.VICTIM]) + 0.2 * min(int(s.count[a - ids.VICTIM]), 5)
    if a < ids.EXCHANGE:
        return changed_hand_value(s, p, a - ids.DISCARD, 1, 0, 0) - hand
    if a < ids.BUY:
        given, wanted = exchanged(a)
        return 0.6 * (changed_hand_value(s, p, given, int(s.price[p, given]), wanted, 1) - hand) - 1.5
    if a == ids.BUY:
        return 1.0
    if a == ids.KNIGHT:
        return 1.5 if s.robber != NOBODY and dots_at(s, p, int(s.robber)) > 0 else 0.0
    if a < ids.MONOPOLY:
        return 1.0 if a == ids.ROAD_BUILDING else 0.5
    if a < ids.TAKE:
        return 0.4 * _cards_of_others(s, p, a - ids.MONOPOLY) - 1.5
    if a < ids.GIVE:
        return changed_hand_value(s, p, 0, 0, a - ids.TAKE, 1) - hand
    return _appeal_of_trade(s, p, a, hand)


@rule
def _appeal_of_trade(s: Catan, p: int, a: int, hand: float) -> float:
    if a < ids.WANT:
        return 0.5 * (changed_hand_value(s, p, a - ids.GIVE, 1, 0, 0) - hand) - (3.0 if s.phase == phases.MAIN else 1.5)
    if a < ids.PROPOSE:
        return 0.5 * (changed_hand_value(s, p, 0, 0, a - ids.WANT, 1) - hand) - (4.0 if s.phase == phases.MAIN else 1.0)
    if a == ids.PROPOSE:
        return 1.0
    if a == ids.CANCEL:
        return -1.0
    if a == ids.ACCEPT:
        return accepted_hand_value(s, p) - hand
    if a < ids.PARTNER:
        return 0.5 if a == ids.DECLINE else -3.0
    if a < ids.ROLL:
        return 0.0
    return 1.0 if a == ids.ROLL else 0.0


@rule
def _dots(s: Catan, vertex: int) -> int:
    dots = 0
    for k in range(3):
        h = island.VERTEX_HEXES[vertex, k]
        if h >= 0 and s.terrain[h] != DESERT:
            dots += DOTS[s.number[h]]
    return dots


@rule
def worth_beyond(s: Catan, p: int, edge: int, packed: int) -> float:
    """The best site at the ends of an edge, or one edge further at half its worth."""
    near, far = beyond(s, p, edge)
    return max(best_site(s, near, packed, HAND_MADE), 0.5 * best_site(s, far, packed, HAND_MADE))


@rule
def dots_at(s: Catan, p: int, h: int) -> int:
    """Dots of player p's production on a hex."""
    buildings = 0
    for k in range(6):
        building = int(s.building[island.HEX_VERTICES[h, k]])
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
