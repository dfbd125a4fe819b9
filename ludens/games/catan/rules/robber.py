"""Catan: the seven and the robber: discards, the move and the theft (CA-13)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below
from ludens.games.catan.rules.island import HEX_VERTICES
from ludens.games.catan.rules.knowledge import pay, steal
from ludens.games.catan.rules.turn import following, resume_turn
from ludens.games.catan.state import (
    DISCARD,
    DISCARDING,
    HEXES,
    KINDS,
    MAX_PLAYERS,
    NOBODY,
    ROBBER,
    ROBBING,
    THEFT,
    VICTIM,
    VICTIMISING,
    Catan,
)

__all__ = [
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
    "roll_seven",
]


@rule
def roll_seven(s: Catan) -> None:
    """Whoever holds more than seven cards discards half of them before the robber moves (CA-13)."""
    s.phase = ROBBING
    for p in range(s.players):
        s.to_discard[p] = 0
        if s.count[p] > 7:
            s.to_discard[p] = s.count[p] // 2
            s.phase = DISCARDING


@rule
def discarder(s: Catan) -> int:
    """Who discards next: in seat order from the active player on; NOBODY if all have."""
    p = int(s.current)
    for _ in range(s.players):
        if s.to_discard[p] > 0:
            return p
        p = following(p, int(s.players))
    return NOBODY


@rule
def legal_discards(s: Catan, out: Array) -> int:
    p = discarder(s)
    n = 0
    for r in range(KINDS):
        if s.hand[p, r] > 0:
            out[n] = DISCARD + r
            n += 1
    return n


@rule
def discard(s: Catan, kind: int) -> None:
    p = discarder(s)
    pay(s, p, kind, 1)
    s.to_discard[p] -= 1
    if discarder(s) == NOBODY:
        s.phase = ROBBING


# --- the robber ---------------------------------------------------------------------------


@rule
def legal_robber(s: Catan, out: Array) -> int:
    """Every other hex, the desert too (CA-13)."""
    n = 0
    for h in range(HEXES):
        if h != s.robber:
            out[n] = ROBBER + h
            n += 1
    return n


@rule
def _neighbours_of_robber(s: Catan) -> int:
    """The opponents with a building at the robber's hex, as a bit set of seats."""
    seats = 0
    for k in range(6):
        building = int(s.building[HEX_VERTICES[s.robber, k]])
        if building != NOBODY and building % MAX_PLAYERS != s.current:
            seats |= 1 << building % MAX_PLAYERS
    return seats


@rule
def move_robber(s: Catan, h: int) -> None:
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
def legal_victims(s: Catan, out: Array) -> int:
    seats = _neighbours_of_robber(s)
    n = 0
    for p in range(s.players):
        if seats >> p & 1:
            out[n] = VICTIM + p
            n += 1
    return n


@rule
def choose_victim(s: Catan, p: int) -> None:
    if s.count[p] > 0:
        s.victim = p
        s.phase = THEFT
    else:
        resume_turn(s)


@rule
def chance_of_theft(s: Catan, outcomes: Array, weights: Array) -> int:
    p = int(s.victim)
    n = 0
    for r in range(KINDS):
        if s.hand[p, r] > 0:
            outcomes[n] = r
            weights[n] = int(s.hand[p, r]) / int(s.count[p])
            n += 1
    return n


@rule
def draw_theft(s: Catan, rng: Array) -> int:
    p = int(s.victim)
    ticket = below(rng, int(s.count[p]))
    kind = 0
    while ticket >= s.hand[p, kind]:
        ticket -= int(s.hand[p, kind])
        kind += 1
    return kind


@rule
def apply_theft(s: Catan, kind: int) -> None:
    steal(s, int(s.current), int(s.victim), kind)
    s.victim = NOBODY
    resume_turn(s)
