"""Catan: the dice, and what the island yields (CA-10, CA-12); a seven calls the robber."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.knowledge import take
from ludens.games.catan.rules.robber import roll_seven
from ludens.games.catan.state import MAX_PLAYERS, NOBODY, Catan

__all__ = ["apply_dice", "produce"]


@rule
def apply_dice(s: Catan, outcome: int) -> None:
    """Outcomes are 6 * (first die - 1) + second die - 1."""
    s.die[0] = outcome // 6 + 1
    s.die[1] = outcome % 6 + 1
    s.rolled = 1
    total = int(s.die[0]) + int(s.die[1])
    if total == 7:
        roll_seven(s)
    else:
        produce(s, total)
        s.phase = phases.MAIN


@rule
def _yield_of(s: Catan, h: int) -> int:
    """Cards a hex owes to every player, eight bits each; none under the robber."""
    owed = 0
    if h != NOBODY and h != s.robber:
        for k in range(6):
            building = int(s.building[island.HEX_VERTICES[h, k]])
            if building != NOBODY:
                if building >= MAX_PLAYERS:
                    owed += 2 << 8 * (building - MAX_PLAYERS)
                else:
                    owed += 1 << 8 * building
    return owed


@rule
def produce(s: Catan, total: int) -> None:
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
def _hand_out(s: Catan, kind: int, owed: int) -> None:
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
