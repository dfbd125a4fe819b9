"""Catan: placing and building, and what it is worth (CA-7, CA-8, CA-14, CA-19)."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import rule
from ludens.games.catan.bits import lowest
from ludens.games.catan.island import (
    HARBOUR_OF_VERTEX,
    NEAR,
    VERTEX_EDGES,
    VERTEX_HEXES,
)
from ludens.games.catan.knowledge import pay, take
from ludens.games.catan.roads import interrupt_roads, lay_road
from ludens.games.catan.state import (
    BEFORE_ROLL,
    BRICK,
    CITY,
    COST,
    DESERT,
    FREE_ROADS,
    GENERIC,
    GRAIN,
    KINDS,
    LUMBER,
    MAIN,
    MAX_PLAYERS,
    NOBODY,
    ORE,
    OVER,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    ROAD,
    SETTLEMENT,
    VICTORY_CARD,
    WOOL,
)

__all__ = [
    "begin_turn",
    "build_city",
    "build_road",
    "build_settlement",
    "can_afford",
    "can_lay_road",
    "check_victory",
    "following",
    "found",
    "legal_buildings",
    "legal_free_roads",
    "legal_initial_roads",
    "legal_initial_settlements",
    "pay_cost",
    "resume_turn",
    "upgrade",
]


@rule
def can_afford(s: Any, p: int, way: int) -> bool:
    """Does player p hold the cards for a row of COST?"""
    for r in range(KINDS):
        if s.hand[p, r] < COST[way, r]:
            return False
    return True


@rule
def pay_cost(s: Any, p: int, way: int) -> None:
    for r in range(KINDS):
        if COST[way, r] > 0:
            pay(s, p, r, COST[way, r])


# --- where one may build ------------------------------------------------------------------


@rule
def _write_bits(word: int, first: int, out: Any, n: int) -> int:
    """Appends first + k for every bit k of the word."""
    while word != 0:
        out[n] = first + lowest(word)
        n += 1
        word &= word - 1
    return n


@rule
def legal_free_roads(s: Any, p: int, out: Any, n: int) -> int:
    """Appends the edges where player p may build a road, whatever it costs."""
    n = _write_bits(int(s.open_roads[p, 0]), ROAD, out, n)
    return _write_bits(int(s.open_roads[p, 1]), ROAD + 36, out, n)


@rule
def legal_buildings(s: Any, p: int, out: Any, n: int) -> int:
    """Appends the roads, settlements and cities that player p can pay and place."""
    if s.hand[p, BRICK] > 0 and s.hand[p, LUMBER] > 0:
        if s.roads_left[p] > 0:
            n = legal_free_roads(s, p, out, n)
        if s.settlements_left[p] > 0 and s.hand[p, WOOL] > 0 and s.hand[p, GRAIN] > 0:
            n = _write_bits(int(s.open_sites) & int(s.touched[p]), SETTLEMENT, out, n)
    if s.cities_left[p] > 0 and s.hand[p, ORE] >= 3 and s.hand[p, GRAIN] >= 2:
        n = _write_bits(int(s.settlements[p]), CITY, out, n)
    return n


@rule
def legal_initial_settlements(s: Any, out: Any) -> int:
    return _write_bits(int(s.open_sites), SETTLEMENT, out, 0)


@rule
def legal_initial_roads(s: Any, out: Any) -> int:
    """The free edges at the settlement just placed; all of them are free (CA-7, CA-14)."""
    n = 0
    for slot in range(3):
        edge = VERTEX_EDGES[s.site, slot]
        if edge >= 0:
            out[n] = ROAD + edge
            n += 1
    return n


# --- building -----------------------------------------------------------------------------


@rule
def build_road(s: Any, p: int, edge: int) -> None:
    """A road that is paid for, one of the road building card, or the one beside a first settlement."""
    phase = int(s.phase)
    if phase == MAIN:
        pay_cost(s, p, 0)
        s.has_built = 1
    lay_road(s, p, edge)
    if phase == PLACE_ROAD:
        _next_placement(s, p)
        return
    check_victory(s)
    if phase == FREE_ROADS:
        s.free_roads -= 1
        if s.phase == OVER or not can_lay_road(s, p):  # CA-15: one only if a second cannot be placed
            s.free_roads = 0
        if s.free_roads == 0:
            resume_turn(s)


@rule
def can_lay_road(s: Any, p: int) -> bool:
    """Has player p a road left and a place for it?"""
    return s.roads_left[p] > 0 and (s.open_roads[p, 0] != 0 or s.open_roads[p, 1] != 0)


@rule
def build_settlement(s: Any, p: int, vertex: int) -> None:
    """A settlement that is paid for, or one of the first two."""
    first = s.phase == PLACE_SETTLEMENT
    if not first:
        pay_cost(s, p, 1)
        s.has_built = 1
    found(s, p, vertex)
    if first:
        _first_yield(s, p, vertex)
    else:
        check_victory(s)


@rule
def build_city(s: Any, p: int, vertex: int) -> None:
    pay_cost(s, p, 2)
    upgrade(s, p, vertex)
    s.has_built = 1
    check_victory(s)


@rule
def upgrade(s: Any, p: int, vertex: int) -> None:
    """A city stands in place of player p's settlement."""
    s.building[vertex] = MAX_PLAYERS + p
    s.settlements[p] &= ~(1 << vertex)
    s.cities[p] |= 1 << vertex
    s.cities_left[p] -= 1
    s.settlements_left[p] += 1  # CA-8: the piece returns to the supply
    s.visible[p] += 1


@rule
def found(s: Any, p: int, vertex: int) -> None:
    """A settlement stands: distance rule, harbour, roads of others."""
    s.building[vertex] = p
    s.settlements[p] |= 1 << vertex
    s.settlements_left[p] -= 1
    s.open_sites &= ~NEAR[vertex]
    s.visible[p] += 1
    slot = HARBOUR_OF_VERTEX[vertex]
    if slot >= 0:
        kind = int(s.harbour[slot])
        if kind == GENERIC:
            for r in range(KINDS):
                s.price[p, r] = min(3, int(s.price[p, r]))
        else:
            s.price[p, kind] = 2
    interrupt_roads(s, p, vertex)


# --- before the first turn (CA-7) ---------------------------------------------------------


@rule
def _first_yield(s: Any, p: int, vertex: int) -> None:
    """The second settlement yields a card a hex; then its road is placed."""
    if s.placed >= s.players:
        for k in range(3):
            h = VERTEX_HEXES[vertex, k]
            if h >= 0 and s.terrain[h] != DESERT:
                take(s, p, int(s.terrain[h]), 1)
    s.placed += 1
    s.site = vertex
    s.phase = PLACE_ROAD


@rule
def _next_placement(s: Any, p: int) -> None:
    """In seat order forth, then back; then the first turn begins."""
    players = int(s.players)
    if s.placed < players:
        s.current = p + 1
    elif s.placed > players:
        s.current = p - 1
    s.phase = PLACE_SETTLEMENT
    if s.placed == 2 * players:
        s.turn_number = 1
        s.current = 0
        begin_turn(s)


# --- turns and the end --------------------------------------------------------------------


@rule
def following(seat: int, players: int) -> int:
    """The next seat round the table."""
    return seat + 1 if seat + 1 < players else 0


@rule
def begin_turn(s: Any) -> None:
    s.rolled = 0
    s.die[0] = 0
    s.die[1] = 0
    s.card_played = 0
    s.has_built = 0
    s.offers_made = 0
    s.fresh_count = 0
    for k in range(KINDS):
        s.fresh[k] = 0
    s.phase = BEFORE_ROLL
    check_victory(s)  # CA-19: points that came on another's turn


@rule
def resume_turn(s: Any) -> None:
    """Back to what the active player may do, after a card, the robber or a build."""
    if s.phase != OVER:
        s.phase = MAIN if s.rolled else BEFORE_ROLL


@rule
def check_victory(s: Any) -> None:
    """The active player wins with enough points, hidden ones included (CA-19)."""
    if s.turn_number == 0:
        return
    p = int(s.current)
    needed = int(s.goal) - int(s.visible[p])
    if s.cards[p, VICTORY_CARD] >= needed:
        s.winner = p
        s.phase = OVER
        s.victim = NOBODY
    else:
        s.most_victory[p] = needed - 1  # everybody sees that the game goes on
