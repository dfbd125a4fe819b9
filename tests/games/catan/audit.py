"""Random games of Catan in compiled code, with the invariants of CA-83 checked at every step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.rng import below, next_event
from ludens.core.verbs import CHANCE, TERMINAL, UNKNOWN, view
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.island import bits
from ludens.games.catan.state import (
    BANK_CARDS,
    DECK,
    EDGES,
    KINDS,
    MAX_CITIES,
    MAX_PLAYERS,
    MAX_ROADS,
    MAX_SETTLEMENTS,
    NOBODY,
    UNLIMITED,
    VERTICES,
    VICTORY_CARD,
)

FAULTS = {
    1: "bank and hands are not 19 of each resource",
    2: "a hand is negative or its count is wrong",
    3: "a hand is not what was counted and stolen",
    4: "pieces are lost or too many",
    5: "development cards are lost",
    6: "visible points are wrong",
    7: "the distance rule is broken",
    8: "bit sets and boards disagree",
    9: "the stolen cards do not explain what was spent",
    10: "a determinised state contradicts its view",
    11: "the game goes on although the active player has won",
    12: "legal actions are not ascending, or none",
}


@rule
def fault_of(s: Any) -> int:
    players = int(s.players)
    for r in range(KINDS):
        total = int(s.bank[r])
        cards = int(s.deck[r]) + int(s.played[r])
        for p in range(players):
            total += int(s.hand[p, r])
            cards += int(s.cards[p, r])
            if s.hand[p, r] < 0 or s.cards[p, r] < 0:
                return 2
        if s.bank[r] != UNLIMITED and (total != BANK_CARDS or s.bank[r] < 0):
            return 1
        if cards != DECK[r]:
            return 5
    for p in range(players):
        held, owned = 0, 0
        for r in range(KINDS):
            held += int(s.hand[p, r])
            owned += int(s.cards[p, r])
            expected = int(s.counted[p, r])
            for i in range(s.thefts):
                if s.stolen[i] == r:
                    if s.thief[i] == p:
                        expected += 1
                    elif s.robbed[i] == p:
                        expected -= 1
            if expected != s.hand[p, r]:
                return 3
        if held != s.count[p]:
            return 2
        if owned != s.card_count[p]:
            return 5
        found = _fault_of_pieces(s, p)
        if found:
            return found
    if s.phase != phases.OVER and s.turn_number > 0:
        p = int(s.current)
        if int(s.visible[p]) + int(s.cards[p, VICTORY_CARD]) >= s.goal:
            return 11
    return 0


@rule
def _fault_of_pieces(s: Any, p: int) -> int:
    settlements, cities, roads = bits(int(s.settlements[p])), bits(int(s.cities[p])), 0
    for e in range(EDGES):
        mine = 1 if s.road[e] == p else 0
        roads += mine
        if (1 if int(s.roads[p, island.EDGE_WORD[e]]) & island.EDGE_BIT[e] else 0) != mine:
            return 8
    if roads + int(s.roads_left[p]) != MAX_ROADS or s.roads_left[p] < 0:
        return 4
    if settlements + int(s.settlements_left[p]) != MAX_SETTLEMENTS or s.settlements_left[p] < 0:
        return 4
    if cities + int(s.cities_left[p]) != MAX_CITIES or s.cities_left[p] < 0:
        return 4
    points = settlements + 2 * cities
    if s.road_holder == p:
        points += 2
    if s.army_holder == p:
        points += 2
    if points != s.visible[p]:
        return 6
    for v in range(VERTICES):
        if (int(s.settlements[p]) >> v & 1) != (1 if s.building[v] == p else 0):
            return 8
        if (int(s.cities[p]) >> v & 1) != (1 if s.building[v] == MAX_PLAYERS + p else 0):
            return 8
        if s.building[v] != NOBODY:
            for k in range(3):
                n = island.VERTEX_NEIGHBOURS[v, k]
                if n >= 0 and s.building[n] != NOBODY:
                    return 7
    return 0


@rule
def explains(s: Any) -> bool:
    """Do the kinds of the undecided thefts agree with all that everybody saw?"""
    net = np.zeros((MAX_PLAYERS, KINDS), np.int64)
    for i in range(s.thefts):
        kind = int(s.stolen[i])
        if not int(s.could[i]) >> kind & 1:
            return False
        if int(s.before[i, kind]) + net[s.robbed[i], kind] <= 0:
            return False
        net[s.thief[i], kind] += 1
        net[s.robbed[i], kind] -= 1
        for p in range(s.players):
            for r in range(KINDS):
                if int(s.least[i, p, r]) + net[p, r] < 0:
                    return False
        for c in range(s.clearings):
            if s.cleared_after[c] == i:
                for p in range(s.players):
                    if p != s.monopolist[c] and int(s.cleared[c, p]) + net[p, s.cleared_kind[c]] != 0:
                        return False
    return True


@kernel
def explains_at(states: Any) -> bool:
    return explains(states[0])


@kernel
def fault_at(states: Any) -> int:
    return fault_of(states[0])


@rule
def _differ(a: Any, b: Any) -> bool:
    """Do two views of the same position differ in what they hide?"""
    for p in range(a.players):
        for r in range(KINDS):
            if a.hand[p, r] != b.hand[p, r] or a.cards[p, r] != b.cards[p, r]:
                return True
    for i in range(a.thefts):
        if a.stolen[i] != b.stolen[i]:
            return True
    for r in range(KINDS):
        if a.deck[r] != b.deck[r] or a.fresh[r] != b.fresh[r]:
            return True
    return False


@rule
def _fault_of_view(s: Any, seat: int, rng: Any, scratch: Any) -> int:
    """`scratch` is an array of three records."""
    seen, guess, again = scratch[0:1], scratch[1:2], scratch[2:3]
    view(s, seat, seen)
    verbs.determinize(seen[0], seat, rng, guess)
    if fault_of(guess[0]) or not explains(guess[0]):
        return 10
    for p in range(s.players):
        for r in range(KINDS):
            if guess[0].hand[p, r] == UNKNOWN or guess[0].cards[p, r] == UNKNOWN:
                return 10
    view(guess[0], seat, again)
    return 10 if _differ(seen[0], again[0]) else 0


@kernel
def audit(states: Any, scratch: Any, chance_rng: Any, policy_rng: Any, legal: Any, tally: Any) -> int:
    """Plays states[0] to its end; returns the number of the first fault, or 0.

    tally: [decisions, log entries, most undecided thefts, turns] are written at the end.
    """
    s = states[0]
    decisions, length, thefts = 0, 0, 0
    while True:
        who = verbs.actor(s)
        found = fault_of(s)
        if found:
            return found
        if not explains(s):
            return 9
        thefts = max(thefts, int(s.thefts))
        if length % 5 == 0:
            found = _fault_of_view(s, length // 5 % (int(s.players) + 1) - 1, policy_rng, scratch)
            if found:
                return found
        if who == TERMINAL:
            break
        if who == CHANCE:
            a = verbs.draw(s, chance_rng)
            next_event(chance_rng)
        else:
            n = verbs.legal(s, legal)
            if n < 1:
                return 12
            for k in range(1, n):
                if legal[k] <= legal[k - 1]:
                    return 12
            a = legal[0]
            if n > 1:
                a = legal[below(policy_rng, n)]
            decisions += 1
        length += 1
        verbs.apply(s, a)
    tally[0], tally[1], tally[2], tally[3] = decisions, length, thefts, int(s.turn_number)
    return 0
