"""Catan: the seven and the robber: discards, the move and the theft (CA-13)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.knowledge import pay, steal
from ludens.games.catan.rules.turn import following, resume_turn
from ludens.games.catan.state import HEXES, KINDS, MAX_PLAYERS, NOBODY, Catan

__all__ = [
    "apply_theft",
    "choose_victim",
    "discard",
    "discarder",
    "legal_discards",
    "legal_robber",
    "legal_victims",
    "move_robber",
    "owners_at",
    "roll_seven",
]


@rule
def roll_seven(s: Catan) -> None:
    """Whoever holds more than seven cards discards half of them before the robber moves (CA-13)."""
    s.phase = phases.ROBBING
    for p in range(s.players):
        s.to_discard[p] = 0
        if s.count[p] > 7:
            s.to_discard[p] = s.count[p] // 2
            s.phase = phases.DISCARDING


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
            out[n] = ids.DISCARD + r
            n += 1
    return n


@rule
def discard(s: Catan, kind: int) -> None:
    p = discarder(s)
    pay(s, p, kind, 1)
    s.to_discard[p] -= 1
    if discarder(s) == NOBODY:
        s.phase = phases.ROBBING


# --- the robber ---------------------------------------------------------------------------


@rule
def legal_robber(s: Catan, out: Array) -> int:
    """Every other hex, the desert too (CA-13)."""
    n = 0
    for h in range(HEXES):
        if h != s.robber:
            out[n] = ids.ROBBER + h
            n += 1
    return n


@rule
def owners_at(s: Catan, h: int) -> int:
    """Who has a building at a hex, as a bit set of seats."""
    seats = 0
    for k in range(6):
        building = int(s.building[island.HEX_VERTICES[h, k]])
        if building != NOBODY:
            seats |= 1 << building % MAX_PLAYERS
    return seats


@rule
def _neighbours_of_robber(s: Catan) -> int:
    """The opponents with a building at the robber's hex, as a bit set of seats."""
    return owners_at(s, int(s.robber)) & ~(1 << int(s.current))


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
        s.phase = phases.VICTIMISING


@rule
def legal_victims(s: Catan, out: Array) -> int:
    seats = _neighbours_of_robber(s)
    n = 0
    for p in range(s.players):
        if seats >> p & 1:
            out[n] = ids.VICTIM + p
            n += 1
    return n


@rule
def choose_victim(s: Catan, p: int) -> None:
    if s.count[p] > 0:
        s.victim = p
        s.phase = phases.THEFT
    else:
        resume_turn(s)


@rule
def apply_theft(s: Catan, kind: int) -> None:
    steal(s, int(s.current), int(s.victim), kind)
    s.victim = NOBODY
    resume_turn(s)
