"""Catan: the first two settlements of everybody, each with its road (CA-7)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.bit_sets import write_bits
from ludens.games.catan.rules.knowledge import take
from ludens.games.catan.rules.turn import begin_turn
from ludens.games.catan.state import DESERT, Catan

__all__ = ["first_yield", "legal_initial_roads", "legal_initial_settlements", "next_placement"]


@rule
def legal_initial_settlements(s: Catan, out: Array) -> int:
    return write_bits(int(s.open_sites), ids.SETTLEMENT, out, 0)


@rule
def legal_initial_roads(s: Catan, out: Array) -> int:
    """The free edges at the settlement just placed; all of them are free (CA-7, CA-14)."""
    n = 0
    for slot in range(3):
        edge = island.VERTEX_EDGES[s.site, slot]
        if edge >= 0:
            out[n] = ids.ROAD + edge
            n += 1
    return n


@rule
def first_yield(s: Catan, p: int, vertex: int) -> None:
    """The second settlement yields a card a hex; then its road is placed."""
    if s.placed >= s.players:
        for k in range(3):
            h = island.VERTEX_HEXES[vertex, k]
            if h >= 0 and s.terrain[h] != DESERT:
                take(s, p, int(s.terrain[h]), 1)
    s.placed += 1
    s.site = vertex
    s.phase = phases.PLACE_ROAD


@rule
def next_placement(s: Catan, p: int) -> None:
    """In seat order forth, then back; then the first turn begins."""
    players = int(s.players)
    if s.placed < players:
        s.current = p + 1
    elif s.placed > players:
        s.current = p - 1
    s.phase = phases.PLACE_SETTLEMENT
    if s.placed == 2 * players:
        s.turn_number = 1
        s.current = 0
        begin_turn(s)
