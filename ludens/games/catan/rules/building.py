"""Catan: what building costs, where it is allowed and what it does; the first settlements (CA-7, CA-8, CA-14)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.island import write_bits
from ludens.games.catan.rules.knowledge import pay, take
from ludens.games.catan.rules.roads import interrupt_roads, lay_road
from ludens.games.catan.rules.turn import begin_turn, check_victory, resume_turn
from ludens.games.catan.state import BRICK, COST, DESERT, GENERIC, GRAIN, KINDS, LUMBER, MAX_PLAYERS, ORE, WOOL, Catan

__all__ = [
    "build_city",
    "build_road",
    "build_settlement",
    "can_afford",
    "can_lay_road",
    "first_yield",
    "found",
    "legal_buildings",
    "legal_free_roads",
    "legal_initial_roads",
    "legal_initial_settlements",
    "next_placement",
    "pay_cost",
    "upgrade",
]


@rule
def can_afford(s: Catan, p: int, way: int) -> bool:
    """Does player p hold the cards for a row of COST?"""
    for r in range(KINDS):
        if s.hand[p, r] < COST[way, r]:
            return False
    return True


@rule
def pay_cost(s: Catan, p: int, way: int) -> None:
    for r in range(KINDS):
        if COST[way, r] > 0:
            pay(s, p, r, COST[way, r])


# --- where one may build ------------------------------------------------------------------


@rule
def legal_free_roads(s: Catan, p: int, out: Array, n: int) -> int:
    """Appends the edges where player p may build a road, whatever it costs."""
    n = write_bits(int(s.open_roads[p, 0]), ids.ROAD, out, n)
    return write_bits(int(s.open_roads[p, 1]), ids.ROAD + 36, out, n)


@rule
def legal_buildings(s: Catan, p: int, out: Array, n: int) -> int:
    """Appends the roads, settlements and cities that player p can pay and place."""
    if s.hand[p, BRICK] > 0 and s.hand[p, LUMBER] > 0:
        if s.roads_left[p] > 0:
            n = legal_free_roads(s, p, out, n)
        if s.settlements_left[p] > 0 and s.hand[p, WOOL] > 0 and s.hand[p, GRAIN] > 0:
            n = write_bits(int(s.open_sites) & int(s.touched[p]), ids.SETTLEMENT, out, n)
    if s.cities_left[p] > 0 and s.hand[p, ORE] >= 3 and s.hand[p, GRAIN] >= 2:
        n = write_bits(int(s.settlements[p]), ids.CITY, out, n)
    return n


# --- building -----------------------------------------------------------------------------


@rule
def build_road(s: Catan, p: int, edge: int) -> None:
    """A road that is paid for, one of the road building card, or the one beside a first settlement."""
    phase = int(s.phase)
    if phase == phases.MAIN:
        pay_cost(s, p, 0)
        s.has_built = 1
    lay_road(s, p, edge)
    if phase == phases.PLACE_ROAD:
        next_placement(s, p)
        return
    check_victory(s)
    if phase == phases.FREE_ROADS:
        s.free_roads -= 1
        if s.phase == phases.OVER or not can_lay_road(s, p):  # CA-15: one only if a second cannot be placed
            s.free_roads = 0
        if s.free_roads == 0:
            resume_turn(s)


@rule
def can_lay_road(s: Catan, p: int) -> bool:
    """Has player p a road left and a place for it?"""
    return bool(s.roads_left[p] > 0 and (s.open_roads[p, 0] != 0 or s.open_roads[p, 1] != 0))


@rule
def build_settlement(s: Catan, p: int, vertex: int) -> None:
    """A settlement that is paid for, or one of the first two."""
    first = s.phase == phases.PLACE_SETTLEMENT
    if not first:
        pay_cost(s, p, 1)
        s.has_built = 1
    found(s, p, vertex)
    if first:
        first_yield(s, p, vertex)
    else:
        check_victory(s)


@rule
def build_city(s: Catan, p: int, vertex: int) -> None:
    pay_cost(s, p, 2)
    upgrade(s, p, vertex)
    s.has_built = 1
    check_victory(s)


@rule
def upgrade(s: Catan, p: int, vertex: int) -> None:
    """A city stands in place of player p's settlement."""
    s.building[vertex] = MAX_PLAYERS + p
    s.settlements[p] &= ~(1 << vertex)
    s.cities[p] |= 1 << vertex
    s.cities_left[p] -= 1
    s.settlements_left[p] += 1  # CA-8: the piece returns to the supply
    s.visible[p] += 1


@rule
def found(s: Catan, p: int, vertex: int) -> None:
    """A settlement stands: distance rule, harbour, roads of others."""
    s.building[vertex] = p
    s.settlements[p] |= 1 << vertex
    s.settlements_left[p] -= 1
    s.open_sites &= ~island.NEAR[vertex]
    s.visible[p] += 1
    slot = island.HARBOUR_OF_VERTEX[vertex]
    if slot >= 0:
        kind = int(s.harbour[slot])
        if kind == GENERIC:
            for r in range(KINDS):
                s.price[p, r] = min(3, int(s.price[p, r]))
        else:
            s.price[p, kind] = 2
    interrupt_roads(s, p, vertex)


# --- the first two settlements of everybody, each with its road (CA-7) ------------------------


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
