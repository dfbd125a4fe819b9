"""Catan: a view as numbers for a network, in the shape of the island's graph.

The vector is a row of blocks, each a table in row order; players are counted from the observer on (a spectator sees
from seat 0), so that "mine" is always first. `blocks` names them with their shapes.

With the tables of rules/island.py (HEX_VERTICES, EDGE_VERTICES, …) this is a graph. Flat it suits a plain network too,
which would need very many games to find out by itself which corner lies at which hexes: what a site brings, what
everybody produces, what lies beyond an edge and how many cards a purchase lacks are worked out here.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.spec import Block
from ludens.core.verbs import UNKNOWN
from ludens.games.catan.evaluate import packed_dots
from ludens.games.catan.prior import dots_at, worth_beyond
from ludens.games.catan.rules import island
from ludens.games.catan.rules.knowledge import sure_cards
from ludens.games.catan.rules.verbs import actor
from ludens.games.catan.state import (
    ACCEPTED,
    BANK_CARDS,
    COST,
    COUNTERED,
    DESERT,
    DOTS,
    EDGES,
    HEXES,
    KINDS,
    MAX_PLAYERS,
    NOBODY,
    UNLIMITED,
    VERTICES,
    Catan,
)

__all__ = ["blocks", "observe"]

_HEX, _VERTEX, _EDGE, _PLAYER, _TABLE = 11, 21, 6, 38, 90
_MOST_OFFERS = 20  # of the choices with a limit
_PURCHASES = 4  # rows of COST: road, settlement, city, card
_NO_LIMIT = 500  # turns: as in tournaments, by which networks learn; a game without a limit ends long before

_BLOCKS = (
    Block(
        "hexes",
        (HEXES, _HEX),
        "terrain one-hot (6); chance of its token × 36 ÷ 5; robber; the token is above 7, which tells 5 from 9; dots "
        "that it brings to the observer ÷ 10, to all others ÷ 10",
    ),
    Block(
        "vertices",
        (VERTICES, _VERTEX),
        "settlement of each player (4); city of each player (4); harbour kind one-hot (6); free by the distance rule; "
        "reached by an own road; dots of each kind ÷ 5 (5) where it is free or an own settlement",
    ),
    Block(
        "edges",
        (EDGES, _EDGE),
        "road of each player (4); open to the observer; if so, the best site at its ends or one edge beyond ÷ 20",
    ),
    Block(
        "players",
        (MAX_PLAYERS, _PLAYER),
        "present; to act; whose turn; cards ÷ 10: all, surely of each kind (5), of unknown kind; development cards ÷ 5"
        "; knights ÷ 5; road ÷ 15; Longest Road; Largest Army; visible points ÷ 10; pieces left as shares (3); bank "
        "prices ÷ 4 (5); accepts; counters; cards to discard ÷ 10; counter-offer ÷ 4 (5, as terms of the active "
        "player); production in dots of each kind ÷ 10 (5), dots under the robber ÷ 10; zeros for seats that are not "
        "in the game",
    ),
    Block(
        "table",
        (_TABLE,),
        "own hand ÷ 10 (5); own development cards ÷ 5 (5), those of them bought this turn (5); bank as shares (5);"
        " deck as a share; cards played of each kind ÷ 5 (5); offer ÷ 4 (5); phase one-hot (22); dice one-hot by"
        " their sum (13); rolled; card played; built; offers left ÷ 5; free roads ÷ 2; cards to take ÷ 2; turns ÷ 100;"
        " goal ÷ 10; strict; counter-offers; offer limit; first acceptor; unlimited bank; players ÷ 4; ended by the"
        " turn limit; turns after this one ÷ 100, without a limit those to the 500th; for road, settlement, city and"
        " card: the own hand has all that it costs (4), cards that it lacks ÷ 4 (4)",
    ),
)


def blocks(options: np.ndarray) -> tuple[Block, ...]:
    """The same for all options: absent players are zeros."""
    return _BLOCKS


@rule
def observe(v: Catan, seat: int, out: Array) -> None:
    out[:] = 0.0
    first = max(seat, 0)
    packed = packed_dots(v, first, 4)
    _observe_hexes(v, first, out)
    k = HEXES * _HEX
    for x in range(VERTICES):
        _observe_vertex(v, first, x, out, k)
        k += _VERTEX
    for e in range(EDGES):
        owner = int(v.road[e])
        if owner != NOBODY:
            out[k + (owner - first) % int(v.players)] = 1.0
        if int(v.open_roads[first, island.EDGE_WORD[e]]) & island.EDGE_BIT[e]:
            out[k + 4] = 1.0
            out[k + 5] = worth_beyond(v, first, e, packed) / 20
        k += _EDGE
    for offset in range(v.players):
        _observe_player(v, (first + offset) % int(v.players), out, k + offset * _PLAYER)
    _observe_table(v, seat, out, k + MAX_PLAYERS * _PLAYER)


@rule
def _observe_hexes(v: Catan, first: int, out: Array) -> None:
    for h in range(HEXES):
        k = h * _HEX
        out[k + int(v.terrain[h])] = 1.0
        out[k + 6] = DOTS[v.number[h]] / 5
        if h == v.robber:
            out[k + 7] = 1.0
        if v.number[h] > 7:
            out[k + 8] = 1.0
        for p in range(v.players):
            out[k + (9 if p == first else 10)] += dots_at(v, p, h) / 10


@rule
def _observe_vertex(v: Catan, first: int, x: int, out: Array, k: int) -> None:
    building = int(v.building[x])
    if building != NOBODY:
        relative = (building % MAX_PLAYERS - first) % int(v.players)
        out[k + relative + (MAX_PLAYERS if building >= MAX_PLAYERS else 0)] = 1.0
    slot = island.HARBOUR_OF_VERTEX[x]
    if slot >= 0:
        out[k + 8 + int(v.harbour[slot])] = 1.0
    out[k + 14] = int(v.open_sites) >> x & 1
    out[k + 15] = int(v.touched[first]) >> x & 1
    if int(v.open_sites) >> x & 1 or building == first:
        for n in range(3):
            h = island.VERTEX_HEXES[x, n]
            if h >= 0 and v.terrain[h] != DESERT:
                out[k + 16 + int(v.terrain[h])] += DOTS[v.number[h]] / 5


@rule
def _observe_player(v: Catan, p: int, out: Array, k: int) -> None:
    out[k] = 1.0
    out[k + 1] = 1.0 if actor(v) == p else 0.0
    out[k + 2] = 1.0 if v.current == p else 0.0
    out[k + 3] = v.count[p] / 10
    unknown = int(v.count[p])
    for r in range(KINDS):
        sure = sure_cards(v, p, r)
        unknown -= sure
        out[k + 4 + r] = sure / 10
        out[k + 19 + r] = v.price[p, r] / 4
        out[k + 27 + r] = v.counter[p, r] / 4
    out[k + 9] = unknown / 10
    out[k + 10] = v.card_count[p] / 5
    out[k + 11] = v.army[p] / 5
    out[k + 12] = v.road_length[p] / 15
    out[k + 13] = 1.0 if v.road_holder == p else 0.0
    out[k + 14] = 1.0 if v.army_holder == p else 0.0
    out[k + 15] = v.visible[p] / 10
    out[k + 16] = v.roads_left[p] / 15
    out[k + 17] = v.settlements_left[p] / 5
    out[k + 18] = v.cities_left[p] / 4
    out[k + 24] = 1.0 if v.answer[p] == ACCEPTED else 0.0
    out[k + 25] = 1.0 if v.answer[p] == COUNTERED else 0.0
    out[k + 26] = v.to_discard[p] / 10
    packed = packed_dots(v, p, 4)
    for r in range(KINDS):
        out[k + 32 + r] = (packed >> 12 * r & 4095) / 40  # quarters of dots
    if v.robber != NOBODY:
        out[k + 37] = dots_at(v, p, int(v.robber)) / 10


@rule
def _observe_table(v: Catan, seat: int, out: Array, k: int) -> None:
    if seat >= 0:
        for r in range(KINDS):
            if v.hand[seat, r] != UNKNOWN:
                out[k + r] = v.hand[seat, r] / 10
            if v.cards[seat, r] != UNKNOWN:
                out[k + 5 + r] = v.cards[seat, r] / 5
            if v.current == seat and v.fresh[r] != UNKNOWN:
                out[k + 10 + r] = v.fresh[r] / 5
    for r in range(KINDS):
        out[k + 15 + r] = 1.0 if v.bank[r] == UNLIMITED else v.bank[r] / BANK_CARDS
        out[k + 21 + r] = v.played[r] / 5
        out[k + 26 + r] = v.offer[r] / 4
    out[k + 20] = v.deck_count / 25
    out[k + 31 + int(v.phase)] = 1.0
    out[k + 53 + int(v.die[0]) + int(v.die[1])] = 1.0
    k += 66
    out[k] = v.rolled
    out[k + 1] = v.card_played
    out[k + 2] = v.has_built
    out[k + 3] = min(int(v.max_offers) - int(v.offers_made), _MOST_OFFERS) / 5
    out[k + 4] = v.free_roads / 2
    out[k + 5] = v.to_take / 2
    out[k + 6] = v.turn_number / 100
    out[k + 7] = v.goal / 10
    out[k + 8] = v.strict
    out[k + 9] = v.counter_offers
    out[k + 10] = v.offer_limit
    out[k + 11] = v.first_acceptor
    out[k + 12] = 1.0 if v.bank[0] == UNLIMITED else 0.0
    out[k + 13] = v.players / 4
    out[k + 14] = v.cut_off
    limit = int(v.turn_limit) if v.turn_limit > 0 else _NO_LIMIT
    out[k + 15] = max(0, limit - int(v.turn_number)) / 100
    if seat >= 0 and v.hand[seat, 0] != UNKNOWN:
        for way in range(_PURCHASES):
            missing = 0
            for r in range(KINDS):
                missing += max(0, COST[way, r] - int(v.hand[seat, r]))
            out[k + 16 + way] = 1.0 if missing == 0 else 0.0
            out[k + 20 + way] = missing / 4
