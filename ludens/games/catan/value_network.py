"""Catan: everybody's chance to win by a small network that has seen how games end.

All players are described by the same FEATURES and valued by the same two layers; the chances are a softmax over the
players. It needs a full state, whose hidden cards were dealt, and is one of the evaluations that searches may use:
its weights are SIZE numbers, matrix by matrix, each followed by its biases. `ludens train catan td-value` finds them
(`learn/td_value.py`).
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.island import lowest
from ludens.games.catan.rules.roads import sites_in_reach
from ludens.games.catan.state import COST, DESERT, DOTS, KINDS, VICTORY_CARD, Catan
from ludens.games.results import softmax_returns

__all__ = ["FEATURES", "FIRST", "SECOND", "SIZE", "chances", "describe", "player_features"]

FEATURES = 64
FIRST, SECOND = 32, 16  # how wide the layers are
_AT_SECOND = (FEATURES + 1) * FIRST
_AT_LAST = _AT_SECOND + (FIRST + 1) * SECOND
SIZE = _AT_LAST + SECOND + 1

_PURCHASES = 4  # rows of COST
_LONG_ROAD, _LARGE_ARMY = 4, 2  # one more wins the award


@rule
def _site_dots(s: Catan, v: int, produced: int) -> float:
    """Dots of a vertex, and two more for every kind that is not produced yet."""
    worth, fresh = 0.0, 0
    for k in range(3):
        h = island.VERTEX_HEXES[v, k]
        if h >= 0 and s.terrain[h] != DESERT:
            kind = int(s.terrain[h])
            worth += DOTS[s.number[h]]
            if not (produced | fresh) >> kind & 1:
                worth += 2.0
                fresh |= 1 << kind
    return worth


@rule
def _best_site(s: Catan, sites: int, produced: int) -> float:
    """The most that one of these sites is worth, as `_site_dots` counts."""
    best = 0.0
    while sites != 0:
        best = max(best, _site_dots(s, lowest(sites), produced))
        sites &= sites - 1
    return best


@rule
def _production(s: Catan, p: int, out: Array) -> int:
    """Dots of every kind into out[:5], those under the robber into out[5]; returns the kinds as a bit set."""
    produced = 0
    towns = int(s.settlements[p]) | int(s.cities[p])
    while towns != 0:
        v = lowest(towns)
        towns &= towns - 1
        size = 2 if int(s.cities[p]) >> v & 1 else 1
        for k in range(3):
            h = island.VERTEX_HEXES[v, k]
            if h >= 0 and s.terrain[h] != DESERT:
                kind, dots = int(s.terrain[h]), size * DOTS[s.number[h]]
                produced |= 1 << kind
                out[KINDS if h == s.robber else kind] += dots
    return produced


@rule
def _hand(s: Catan, p: int, out: Array) -> None:
    """Cards and how near they are to every purchase: 15 numbers."""
    for r in range(KINDS):
        out[r] = min(max(0, int(s.hand[p, r])), 6) / 5
    count = int(s.count[p])
    out[5] = min(count, 15) / 10
    out[6] = max(0, count - 7) / 10
    for way in range(_PURCHASES):
        total, missing = 0, 0
        for r in range(KINDS):
            total += COST[way, r]
            missing += max(0, COST[way, r] - max(0, int(s.hand[p, r])))
        out[7 + way] = 1.0 - missing / total
        out[11 + way] = 1.0 if missing == 0 else 0.0


@rule
def _under_way(s: Catan, p: int, mine: bool, out: Array) -> None:
    """What is about to happen: 6 numbers, of which most positions have none."""
    phase = int(s.phase)
    out[0] = 1.0 if phase == phases.DICE else 0.0
    out[1] = 1.0 if mine and phase == phases.DICE else 0.0
    out[2] = 1.0 if mine and phases.ROBBING <= phase <= phases.VICTIMISING else 0.0
    out[3] = 1.0 if mine and phase == phases.THEFT else 0.0
    out[4] = 1.0 if phase == phases.THEFT and s.victim == p else 0.0
    out[5] = int(s.to_take) / 2 if mine and phase == phases.PLENTY else 0.0


@rule
def player_features(s: Catan, p: int, out: Array) -> None:
    """What the network sees of player p: FEATURES numbers of about 0 to 1."""
    out[:FEATURES] = 0.0
    produced = _production(s, p, out[:6])
    kinds, total = 0, 0.0
    for r in range(KINDS):
        kinds += produced >> r & 1
        total += out[r]
        if s.price[p, r] == 2:
            out[6] += out[r] / 10
        elif s.price[p, r] == 3:
            out[7] = 1.0
    for k in range(6):
        out[k] /= 10
    out[8], out[9] = kinds / KINDS, total / 20
    ready, one_road, two_roads = sites_in_reach(s, p)
    out[10] = _best_site(s, ready, produced) / 15
    out[11] = _best_site(s, one_road, produced) / 15
    out[12] = _best_site(s, two_roads, produced) / 15
    _hand(s, p, out[13:28])
    longest, largest, best, others = _LONG_ROAD, _LARGE_ARMY, 0, 0
    for q in range(s.players):
        if q != p:
            longest, largest = max(longest, int(s.road_length[q])), max(largest, int(s.army[q]))
            best, others = max(best, int(s.visible[q])), others + int(s.visible[q])
    victory = max(0, int(s.cards[p, VICTORY_CARD]))
    points = int(s.visible[p]) + victory
    lacking = int(s.goal) - points
    k = 28
    out[k], out[k + 1], out[k + 2] = int(s.visible[p]) / 10, victory / 3, points / 10
    out[k + 3], out[k + 4], out[k + 5] = lacking <= 1, lacking <= 2, lacking <= 3
    out[k + 6], out[k + 7] = best / 10, others / (10 * max(1, int(s.players) - 1))
    out[k + 8] = 1.0 if best >= int(s.goal) - 2 else 0.0
    out[k + 9], out[k + 10] = int(s.road_length[p]) / 10, 1.0 if s.road_holder == p else 0.0
    out[k + 11] = max(-6, min(6, int(s.road_length[p]) - longest)) / 6
    out[k + 12], out[k + 13] = int(s.army[p]) / 5, 1.0 if s.army_holder == p else 0.0
    out[k + 14] = max(-4, min(4, int(s.army[p]) - largest)) / 4
    for kind in range(KINDS - 1):  # victory cards were counted
        out[k + 15 + kind] = max(0, int(s.cards[p, kind if kind < VICTORY_CARD else kind + 1])) / 2
    k = 47
    out[k] = 1.0 if s.phase == phases.DEAL and s.current == p else 0.0
    out[k + 1] = int(s.roads_left[p]) / 15
    out[k + 2] = int(s.settlements_left[p]) / 5
    out[k + 3] = int(s.cities_left[p]) / 4
    mine = s.current == p
    out[k + 4] = 1.0 if mine else 0.0
    out[k + 5] = ((p - int(s.current)) % int(s.players)) / int(s.players)
    out[k + 6] = 1.0 if mine and not s.rolled else 0.0
    out[k + 7] = int(s.free_roads) / 2 if mine else 0.0
    out[k + 8] = int(s.to_discard[p]) / 5
    out[k + 9] = min(int(s.turn_number), 150) / 100
    out[k + 10] = 1.0 if s.deck_count > 0 else 0.0
    _under_way(s, p, mine, out[58:])


@rule
def describe(s: Catan, out: Array) -> None:
    """What the network sees of every player."""
    for p in range(s.players):
        player_features(s, p, out[p])


@rule
def _forward(weights: Array, features: Array, first: Array, second: Array) -> float:
    """The logit of a player."""
    first[:] = weights[FEATURES * FIRST : _AT_SECOND]
    for i in range(FEATURES):
        x = features[i]
        if x != 0.0:
            for j in range(FIRST):
                first[j] += x * weights[i * FIRST + j]
    second[:] = weights[_AT_LAST - SECOND : _AT_LAST]
    for i in range(FIRST):
        x = first[i]
        if x > 0.0:
            for j in range(SECOND):
                second[j] += x * weights[_AT_SECOND + i * SECOND + j]
    logit = weights[SIZE - 1]
    for i in range(SECOND):
        logit += max(second[i], 0.0) * weights[_AT_LAST + i]
    return float(logit)


@rule
def chances(s: Catan, weights: Array, out: Array) -> None:
    """Everybody's chance to win, as expected returns."""
    players = int(s.players)
    features, first, second = np.empty(FEATURES), np.empty(FIRST), np.empty(SECOND)
    for p in range(players):
        player_features(s, p, features)
        out[p] = _forward(weights, features, first, second)
    softmax_returns(out, players, 1.0)
