"""Catan: the 56 base features of the thesis and their quadratic expansion to 1653 (CA-47 … CA-52).

The order is that of CA-47, resources in the order brick, lumber, wool, grain, ore; weight files depend on it:

     0 –  9  best opponent: points, resource cards, road length, army, free vertices, production (5)
    10 – 19  mean of all opponents: the same
    20 – 28  player: points, road length, army, Longest Road, Largest Army, roads, settlements, cities, free vertices
    29 – 33  production of each resource
    34 – 37  production for a road, a settlement, a city, a development card
    38 – 42  resources in hand
    43 – 46  can afford a road, a settlement, a city, a development card
    47 – 50  holds a knight, road building, year of plenty, monopoly card
    51 – 55  bank price of each resource
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan.evaluate import packed_dots
from ludens.games.catan.rules import island
from ludens.games.catan.rules.building import can_afford
from ludens.games.catan.rules.island import bits, lowest
from ludens.games.catan.state import (
    COST,
    DESERT,
    DOTS,
    KINDS,
    KNIGHT_CARD,
    MONOPOLY_CARD,
    PLENTY_CARD,
    ROAD_CARD,
    VICTORY_CARD,
    WAYS,
    Catan,
)

__all__ = [
    "BASE",
    "EXPANDED",
    "base_features",
    "expand",
    "production",
    "squash",
    "swap_resources",
]

BASE = 56
EXPANDED = 1 + BASE + BASE + BASE * (BASE - 1) // 2
_OPPONENT = 10
_HAND, _AFFORDABLE = 38, 43
_HELD = np.array([KNIGHT_CARD, ROAD_CARD, PLENTY_CARD, MONOPOLY_CARD], np.int64)


@rule
def production(v: Catan, p: int, kind: int, as_probability: bool) -> float:
    """Expected cards of a kind a roll, or the probability of at least one (CA-49); the robber's hex yields none."""
    towns = int(v.settlements[p]) | int(v.cities[p])
    expected, numbers = 0, 0
    while towns != 0:
        x = lowest(towns)
        towns &= towns - 1
        size = 2 if int(v.cities[p]) >> x & 1 else 1
        for k in range(3):
            h = island.VERTEX_HEXES[x, k]
            if h >= 0 and h != v.robber and v.terrain[h] == kind and kind != DESERT:
                expected += size * DOTS[v.number[h]]
                numbers |= 1 << int(v.number[h])
    if as_probability:
        expected = 0
        while numbers != 0:
            expected += DOTS[lowest(numbers)]
            numbers &= numbers - 1
    return expected / 36.0


@rule
def _production_of(v: Catan, p: int, kind: int, packed: int, as_probability: bool) -> float:
    """`production`, taken from `packed_dots` where it is an expectation."""
    if as_probability:
        return production(v, p, kind, True)
    return (packed >> 12 * kind & 4095) / 144.0  # quarters of dots


@rule
def _free_vertices(v: Catan, p: int) -> int:
    """Sites by position: reached by an own road, not next to a building (CA-48)."""
    return bits(int(v.open_sites) & int(v.touched[p]))


@rule
def _opponent_feature(v: Catan, q: int, k: int, packed: int, as_probability: bool) -> float:
    """One of the ten features of an opponent with these dots; only visible points count (CA-49)."""
    if k == 0:
        return float(v.visible[q])
    if k == 1:
        return float(v.count[q])
    if k == 2:
        return float(v.road_length[q])
    if k == 3:
        return float(v.army[q])
    if k == 4:
        return float(_free_vertices(v, q))
    return _production_of(v, q, k - 5, packed, as_probability)


@rule
def base_features(v: Catan, seat: int, as_probability: bool, out: Array) -> None:
    """The 56 features of a view of the seat into out[:56]."""
    best = (seat + 1) % int(v.players)
    for q in range(v.players):
        if q != seat and v.visible[q] > v.visible[best]:
            best = q
    for k in range(_OPPONENT):
        out[_OPPONENT + k] = 0.0
    for q in range(v.players):
        if q == seat:
            continue
        packed = packed_dots(v, q, 0)
        for k in range(_OPPONENT):
            feature = _opponent_feature(v, q, k, packed, as_probability)
            out[_OPPONENT + k] += feature
            if q == best:
                out[k] = feature
    for k in range(_OPPONENT):
        out[_OPPONENT + k] /= int(v.players) - 1
    out[20] = int(v.visible[seat]) + int(v.cards[seat, VICTORY_CARD])
    out[21] = v.road_length[seat]
    out[22] = v.army[seat]
    out[23] = 1.0 if v.road_holder == seat else 0.0
    out[24] = 1.0 if v.army_holder == seat else 0.0
    out[25] = bits(int(v.roads[seat, 0])) + bits(int(v.roads[seat, 1]))
    out[26] = bits(int(v.settlements[seat]))
    out[27] = bits(int(v.cities[seat]))
    out[28] = _free_vertices(v, seat)
    packed = packed_dots(v, seat, 0)
    for r in range(KINDS):
        out[29 + r] = _production_of(v, seat, r, packed, as_probability)
        out[_HAND + r] = v.hand[seat, r]
        out[51 + r] = v.price[seat, r]
    for way in range(WAYS):
        product = 1.0
        for r in range(KINDS):
            if COST[way, r] > 0:
                product *= out[29 + r]
        out[34 + way] = product
        out[_AFFORDABLE + way] = 1.0 if can_afford(v, seat, way) else 0.0
        out[47 + way] = 1.0 if v.cards[seat, _HELD[way]] > 0 else 0.0


@rule
def swap_resources(out: Array, given: int, size: int, wanted: int) -> None:
    """The features of a player who got `size` cards of the given kind for one of the wanted kind."""
    out[_HAND + given] += size
    out[_HAND + wanted] -= 1
    for way in range(WAYS):
        missing = 0
        for r in range(KINDS):
            missing += out[_HAND + r] < COST[way, r]
        out[_AFFORDABLE + way] = 1.0 if missing == 0 else 0.0


@rule
def expand(base: Array, mean: Array, deviation: Array, as_printed: bool, out: Array) -> None:
    """(1, s, s², s_i s_j for i < j) of the normalised features, products squashed (CA-50 … CA-52).

    `deviation` has no zeros. The squash is tanh(x / 2); as printed in the thesis it is 1 / (1 + eˣ).
    """
    out[0] = 1.0
    for i in range(BASE):
        out[1 + i] = (base[i] - mean[i]) / deviation[i]
        out[1 + BASE + i] = squash(out[1 + i] * out[1 + i])
    k = 1 + 2 * BASE
    for i in range(BASE):
        first = out[1 + i]
        for j in range(i + 1, BASE):
            out[k + j - i - 1] = squash(first * out[1 + j])
        k += BASE - 1 - i
    if as_printed:
        for k in range(1 + BASE, EXPANDED):
            out[k] = 0.5 - 0.5 * out[k]


@rule
def squash(x: float) -> float:
    """tanh(x / 2) to eight digits, without calls or branches: loops over it are vectorised (CA-52).

    e^(x/32) is a polynomial and its 32nd power five squarings; beyond ±20 the result is ±1 to eight digits.
    """
    u = min(max(x, -20.0), 20.0) * 0.03125
    e = 1.0 + u * (1.0 + u * (1 / 2 + u * (1 / 6 + u * (1 / 24 + u * (1 / 120 + u * (1 / 720 + u * (1 / 5040)))))))
    e += u * u * u * u * u * u * u * u * (1 / 40320 + u * (1 / 362880 + u * (1 / 3628800)))
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    squashed: float = 1.0 - np.divide(2.0, e + 1.0)  # a division by "/" would look for zeros and end the vectors
    return squashed
