"""Catan: the expected results of an unfinished position, for every seat, by hand-made features; a point is worth 10.

`prospects` is one player's own side of it, for searches that have dealt the hidden cards: the verb `evaluate` compares
those of all players. `standing` is the same against opponents of whom only that is read which the seat may know:
points, buildings, roads, harbours, knights and numbers of cards. So the standing of a view and of any state that agrees
with it are the same.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.verbs import UNKNOWN
from ludens.core.weights import VALUE_NETWORK, read_weights, tuned_beside
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.island import lowest
from ludens.games.catan.rules.roads import sites_in_reach
from ludens.games.catan.rules.trade import take_offer
from ludens.games.catan.state import COST, DESERT, DOTS, GENERIC, KINDS, KNIGHT_CARD, VICTORY_CARD, Catan
from ludens.games.catan.value_network import SIZE, chances
from ludens.games.results import softmax_returns

__all__ = [
    "DRAWN_CARD",
    "EVALUATIONS",
    "HAND_MADE",
    "NAMES",
    "accepted_hand_value",
    "best_site",
    "changed_hand_value",
    "evaluate",
    "hand_value",
    "packed_dots",
    "prospects",
    "site_value",
    "standing",
]

NAMES = (
    "point",
    "brick dot",  # a dot of production, by resource
    "lumber dot",
    "wool dot",
    "grain dot",
    "ore dot",
    "new kind",  # the first production of a resource
    "site now",  # shares of a site's worth by its distance
    "site one road away",
    "site two roads away",
    "road in hand",  # holding the cards for a row of COST
    "settlement in hand",
    "city in hand",
    "card in hand",
    "any resource",
    "risk at seven",  # a card that a seven would take
    "own knight",  # unplayed development cards
    "own victory point",
    "own road building",
    "own year of plenty",
    "own monopoly",
    "their card",
    "knight played",
    "road race",
    "army race",
    "best opponent",  # shares of the opponents' worth in `standing`
    "every opponent",
    "sharpness",  # how much a difference tells about the winner: at the start …
    "late sharpness",  # … and what is added until the end
)
_AT = {name: place for place, name in enumerate(NAMES)}
_POINT, _NEED, _NEW_KIND = _AT["point"], _AT["brick dot"], _AT["new kind"]
_NOW, _ONE_ROAD, _TWO_ROADS = (_AT[f"site {way}"] for way in ("now", "one road away", "two roads away"))
_PURCHASE, _RESOURCE, _RISK = _AT["road in hand"], _AT["any resource"], _AT["risk at seven"]
_OWN_CARDS, _THEIR_CARD, _KNIGHT_PLAYED = _AT["own knight"], _AT["their card"], _AT["knight played"]
_ROAD_RACE, _ARMY_RACE = _AT["road race"], _AT["army race"]
_STRONGEST, _EVERY = _AT["best opponent"], _AT["every opponent"]
_SHARPNESS, _LATE_SHARPNESS = _AT["sharpness"], _AT["late sharpness"]

HAND_MADE = np.concatenate(
    [
        [10.0, 1.05, 1.05, 0.85, 1.1, 1.1, 2.5, 0.42, 0.26, 0.12, 2.0, 7.5, 8.5, 4.0, 0.35, 0.22],
        [2.4, 10.0, 3.0, 3.0, 3.2, 3.0, 1.6, 1.2, 1.5, 0.25, 0.08, 0.05, 0.05],
    ]
)
"""The weights, in the order of NAMES, of the player `value`."""

_LEARNED = read_weights(Path(__file__).with_name("value_network.json"))
EVALUATIONS = {**tuned_beside(__file__), "value": HAND_MADE, VALUE_NETWORK: _LEARNED}
"""The game's evaluations by name (see `Rules.evaluations`)."""

DRAWN_CARD = 4.4
"""Expected worth of a development card that is bought but not yet drawn."""

_BLOCKED = 1  # quarters of a dot that count under the robber, out of 4


@rule
def packed_dots(s: Catan, p: int, blocked: int) -> int:
    """Quarters of dots that produce for player p, twelve bits a resource; `blocked` quarters under the robber."""
    packed = 0
    towns = int(s.settlements[p]) | int(s.cities[p])
    while towns != 0:
        v = lowest(towns)
        towns &= towns - 1
        size = 2 if int(s.cities[p]) >> v & 1 else 1
        for k in range(3):
            h = island.VERTEX_HEXES[v, k]
            if h >= 0 and s.terrain[h] != DESERT:
                quarters = blocked if h == s.robber else 4
                packed += (size * quarters * DOTS[s.number[h]]) << 12 * int(s.terrain[h])
    return packed


@rule
def site_value(s: Catan, v: int, packed: int, weights: Array) -> float:
    """The worth of a settlement on a vertex for somebody who produces `packed` already."""
    worth = 0.0
    fresh = 0
    for k in range(3):
        h = island.VERTEX_HEXES[v, k]
        if h >= 0 and s.terrain[h] != DESERT:
            kind = int(s.terrain[h])
            worth += DOTS[s.number[h]] * weights[_NEED + kind]
            if packed >> 12 * kind & 4095 == 0 and not fresh >> kind & 1:
                worth += weights[_NEW_KIND]
                fresh |= 1 << kind
    slot = island.HARBOUR_OF_VERTEX[v]
    if slot >= 0:
        kind = int(s.harbour[slot])
        if kind == GENERIC:
            worth += 1.5
        else:
            worth += 0.5 + 0.1 * (packed >> 12 * kind & 4095)
    return worth


@rule
def best_site(s: Catan, sites: int, packed: int, weights: Array) -> float:
    """The worth of the best of these sites for somebody who produces `packed` already; 0 where there is none."""
    best = 0.0
    while sites != 0:
        best = max(best, site_value(s, lowest(sites), packed, weights))
        sites &= sites - 1
    return best


@rule
def _production_value(s: Catan, p: int, packed: int, weights: Array) -> float:
    """Production, its diversity, and harbours that match it."""
    worth = 0.0
    for r in range(KINDS):
        dots = (packed >> 12 * r & 4095) / 4.0
        worth += dots * weights[_NEED + r]
        if dots > 0:
            worth += weights[_NEW_KIND]
        if s.price[p, r] == 2:
            worth += 0.4 * dots + 0.5
        elif s.price[p, r] == 3:
            worth += 0.12 * dots + 0.15
    return worth


@rule
def _site_prospects(s: Catan, p: int, packed: int, weights: Array) -> float:
    """The best sites that player p can reach at once, with one road and with two, each at its share."""
    ready, one_road, two_roads = sites_in_reach(s, p)
    now = weights[_NOW] * best_site(s, ready, packed, weights)
    near = weights[_ONE_ROAD] * best_site(s, one_road, packed, weights)
    far = weights[_TWO_ROADS] * best_site(s, two_roads, packed, weights)
    # A site counts once, at the nearest distance that makes it best.
    return float(max(now + 0.3 * near, near + 0.3 * far, far))


@rule
def hand_value(s: Catan, p: int, weights: Array) -> float:
    """How far the own cards go towards the best purchases, less what a seven would take."""
    best, second = 0.0, 0.0
    for way in range(4):
        if way == 0 and s.roads_left[p] == 0:
            continue
        if way == 1 and (s.settlements_left[p] == 0 or int(s.open_sites) & int(s.touched[p]) == 0):
            continue
        if way == 2 and (s.cities_left[p] == 0 or s.settlements[p] == 0):
            continue
        if way == 3 and s.deck_count == 0:
            continue
        total, missing = 0, 0
        for r in range(KINDS):
            total += COST[way, r]
            missing += max(0, COST[way, r] - int(s.hand[p, r]))
        share = 1.0 - missing / total
        worth = weights[_PURCHASE + way] * share * share
        if worth > best:
            best, second = worth, best
        elif worth > second:
            second = worth
    count = int(s.count[p])
    risk = 0.0
    if count > 7:
        risk = weights[_RISK] * (count // 2)
    return float(best + 0.4 * second + weights[_RESOURCE] * min(count, 12) - risk)


@rule
def changed_hand_value(s: Catan, p: int, given: int, less: int, got: int, more: int) -> float:
    """The hand-made worth of player p's hand with some cards fewer and others more; the state is left as it was."""
    s.hand[p, given] -= less
    s.hand[p, got] += more
    s.count[p] += more - less
    worth = hand_value(s, p, HAND_MADE)
    s.count[p] -= more - less
    s.hand[p, got] -= more
    s.hand[p, given] += less
    return worth


@rule
def accepted_hand_value(s: Catan, p: int) -> float:
    """The hand-made worth of player p's hand with the offer on the table accepted; the state is left as it was."""
    take_offer(s, p, 1)
    worth = hand_value(s, p, HAND_MADE)
    take_offer(s, p, -1)
    return worth


@rule
def _races(s: Catan, p: int, weights: Array) -> float:
    """Longest Road and Largest Army as far as they are still to be won or defended."""
    worth = weights[_KNIGHT_PLAYED] * int(s.army[p])
    longest, largest = 0, 0
    for q in range(s.players):
        if q != p:
            longest = max(longest, int(s.road_length[q]))
            largest = max(largest, int(s.army[q]))
    length = int(s.road_length[p])
    lead = length - max(longest, 4)
    if lead > -3 and length >= 3:
        worth += weights[_ROAD_RACE] * min(lead + 3, 5)
    if s.army[p] > 0 and int(s.army[p]) - max(largest, 2) >= -1:
        worth += weights[_ARMY_RACE]
    return float(worth)


@rule
def _on_the_board(s: Catan, p: int, packed: int, weights: Array) -> float:
    """What everybody sees of player p's position."""
    return float(weights[_POINT] * int(s.visible[p]) + _production_value(s, p, packed, weights) + _races(s, p, weights))


@rule
def prospects(s: Catan, p: int, weights: Array) -> float:
    """The worth of player p's own position: board, sites in reach and, where they are known, cards."""
    packed = packed_dots(s, p, _BLOCKED)
    worth = _on_the_board(s, p, packed, weights) + _site_prospects(s, p, packed, weights)
    if s.hand[p, 0] != UNKNOWN:
        worth += hand_value(s, p, weights)
    if s.cards[p, KNIGHT_CARD] != UNKNOWN:
        for kind in range(KINDS):
            worth += weights[_OWN_CARDS + kind] * int(s.cards[p, kind])
        if int(s.visible[p]) + int(s.cards[p, VICTORY_CARD]) >= s.goal:
            worth += 1000.0
    return worth


@rule
def standing(s: Catan, seat: int, weights: Array) -> float:
    """The worth of a view or state for the seat, against the strongest and the other opponents."""
    strongest, total = 0.0, 0.0
    for q in range(s.players):
        if q != seat:
            strength = _on_the_board(s, q, packed_dots(s, q, _BLOCKED), weights)
            strength += weights[_THEIR_CARD] * int(s.card_count[q]) + 0.5 * min(int(s.count[q]), 8)
            strongest = max(strongest, strength)
            total += strength
    return float(prospects(s, seat, weights) - weights[_STRONGEST] * strongest - weights[_EVERY] * total)


@rule
def evaluate(s: Catan, weights: Array, out: Array) -> None:
    """Everybody's chance to win, a softmax of the prospects that sharpens towards the end, as expected returns.

    Weights of the other size are those of the network that has learned to tell it.
    """
    if weights.shape[0] == SIZE:
        chances(s, weights, out)
        return
    players = int(s.players)
    most = 0
    for p in range(players):
        out[p] = prospects(s, p, weights)
        if s.phase == phases.DEAL and s.current == p:
            out[p] += DRAWN_CARD
        most = max(most, int(s.visible[p]))
    sharpness = weights[_SHARPNESS] + weights[_LATE_SHARPNESS] * most / int(s.goal)
    softmax_returns(out, players, sharpness)
