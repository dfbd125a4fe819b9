"""Catan: the dice, production, the seven and the robber (CA-10, CA-12, CA-13)."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import rule
from ludens.core.rng import below
from ludens.games.catan.building import following, resume_turn
from ludens.games.catan.island import HEX_VERTICES, HEXES
from ludens.games.catan.knowledge import pay, steal, take
from ludens.games.catan.state import (
    DISCARD,
    DISCARDING,
    KINDS,
    MAIN,
    MAX_PLAYERS,
    NOBODY,
    ROBBER,
    ROBBING,
    THEFT,
    VICTIM,
    VICTIMISING,
)

__all__ = [
    "apply_dice",
    "apply_theft",
    "chance_of_theft",
    "choose_victim",
    "discard",
    "discarder",
    "draw_theft",
    "legal_discards",
    "legal_robber",
    "legal_victims",
    "move_robber",
    "produce",
]


@rule
def apply_dice(s: Any, outcome: int) -> None:
    """Outcomes are 6 * (first die - 1) + second die - 1."""
    s.die[0] = outcome // 6 + 1
    s.die[1] = outcome % 6 + 1
    s.rolled = 1
    total = int(s.die[0]) + int(s.die[1])
    if total == 7:
        _seven(s)
    else:
        produce(s, total)
        s.phase = MAIN


@rule
def _yield_of(s: Any, h: int) -> int:
    """Cards a hex owes to every player, eight bits each; none under the robber."""
    owed = 0
    if h != NOBODY and h != s.robber:
        for k in range(6):
            building = int(s.building[HEX_VERTICES[h, k]])
            if building != NOBODY:
                if building >= MAX_PLAYERS:
                    owed += 2 << 8 * (building - MAX_PLAYERS)
                else:
                    owed += 1 << 8 * building
    return owed


@rule
def produce(s: Any, total: int) -> None:
    """Everybody gets the cards of this number (CA-12)."""
    first, second = int(s.sources[total, 0]), int(s.sources[total, 1])
    owed_first, owed_second = _yield_of(s, first), _yield_of(s, second)
    if first != NOBODY and second != NOBODY and s.terrain[first] == s.terrain[second]:
        owed_first += owed_second
        owed_second = 0
    if owed_first:
        _hand_out(s, int(s.terrain[first]), owed_first)
    if owed_second:
        _hand_out(s, int(s.terrain[second]), owed_second)


@rule
def _hand_out(s: Any, kind: int, owed: int) -> None:
    """Too few cards in the bank: nobody gets any, but an only creditor gets what is left (CA-10)."""
    total, creditors = 0, 0
    for p in range(s.players):
        n = owed >> 8 * p & 255
        total += n
        if n > 0:
            creditors += 1
    left = int(s.bank[kind])
    if total > left and creditors > 1:
        return
    for p in range(s.players):
        n = min(owed >> 8 * p & 255, left)
        if n > 0:
            take(s, p, kind, n)


# --- seven --------------------------------------------------------------------------------


@rule
def _seven(s: Any) -> None:
    s.phase = ROBBING
    for p in range(s.players):
        s.to_discard[p] = 0
        if s.count[p] > 7:
            s.to_discard[p] = s.count[p] // 2
            s.phase = DISCARDING


@rule
def discarder(s: Any) -> int:
    """Who discards next: in seat order from the active player on; NOBODY if all have."""
    p = int(s.current)
    for _ in range(s.players):
        if s.to_discard[p] > 0:
            return p
        p = following(p, int(s.players))
    return NOBODY


@rule
def legal_discards(s: Any, out: Any) -> int:
    p = discarder(s)
    n = 0
    for r in range(KINDS):
        if s.hand[p, r] > 0:
            out[n] = DISCARD + r
            n += 1
    return n


@rule
def discard(s: Any, kind: int) -> None:
    p = discarder(s)
    pay(s, p, kind, 1)
    s.to_discard[p] -= 1
    if discarder(s) == NOBODY:
        s.phase = ROBBING


# --- the robber ---------------------------------------------------------------------------


@rule
def legal_robber(s: Any, out: Any) -> int:
    """Every other hex, the desert too (CA-13)."""
    n = 0
    for h in range(HEXES):
        if h != s.robber:
            out[n] = ROBBER + h
            n += 1
    return n


@rule
def _neighbours_of_robber(s: Any) -> int:
    """The opponents with a building at the robber's hex, as a bit set of seats."""
    seats = 0
    for k in range(6):
        building = int(s.building[HEX_VERTICES[s.robber, k]])
        if building != NOBODY and building % MAX_PLAYERS != s.current:
            seats |= 1 << building % MAX_PLAYERS
    return seats


@rule
def move_robber(s: Any, h: int) -> None:
    s.robber = h
    seats = _neighbours_of_robber(s)
    cards, candidates, last = 0, 0, NOBODY
    for p in range(s.players):
        if seats >> p & 1:
            cards += int(s.count[p])
            candidates += 1
            last = p
    if cards == 0:
        resume_turn(s)
    elif candidates == 1:
        choose_victim(s, last)
    else:
        s.phase = VICTIMISING


@rule
def legal_victims(s: Any, out: Any) -> int:
    seats = _neighbours_of_robber(s)
    n = 0
    for p in range(s.players):
        if seats >> p & 1:
            out[n] = VICTIM + p
            n += 1
    return n


@rule
def choose_victim(s: Any, p: int) -> None:
    if s.count[p] > 0:
        s.victim = p
        s.phase = THEFT
    else:
        resume_turn(s)


@rule
def chance_of_theft(s: Any, outcomes: Any, weights: Any) -> int:
    p = int(s.victim)
    n = 0
    for r in range(KINDS):
        if s.hand[p, r] > 0:
            outcomes[n] = r
            weights[n] = int(s.hand[p, r]) / int(s.count[p])
            n += 1
    return n


@rule
def draw_theft(s: Any, rng: Any) -> int:
    p = int(s.victim)
    ticket = below(rng, int(s.count[p]))
    kind = 0
    while ticket >= s.hand[p, kind]:
        ticket -= int(s.hand[p, kind])
        kind += 1
    return kind


@rule
def apply_theft(s: Any, kind: int) -> None:
    steal(s, int(s.current), int(s.victim), kind)
    s.victim = NOBODY
    resume_turn(s)
