"""Catan: what would help somebody else to win at once, from what the seat to act knows.

A trade helps a player who can build the last points with the cards that it brings, and could not without them. So does
a discard that puts into the bank what such a player can exchange for, and a robber who passes by a player who holds all
that is missing. Cards that were stolen unseen count as whatever would help, and a player who has unplayed
development cards is thought to have one victory card. Cards yet to be drawn or played are left out of account.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.roads import free_ways, longest_road, opponent_at
from ludens.games.catan.rules.robber import discarder, owners_at
from ludens.games.catan.rules.verbs import actor
from ludens.games.catan.state import (
    COST,
    COUNTERED,
    EDGES,
    HEXES,
    KINDS,
    LONGEST_ROAD_MINIMUM,
    MAX_ROADS,
    UNLIMITED,
    VICTORY_CARD,
    Catan,
)

__all__ = ["can_win", "helps", "offer_helps", "without_help"]

_MOST_POINTS = 4  # of two builds and the Longest Road, more than anybody gets in one turn
_MOST_BUILDS = 2  # settlements, and cities
_MOST_ROADS = 5


# --- who can win --------------------------------------------------------------------------


@rule
def can_win(s: Catan, p: int, secret: int, unseen: int) -> bool:
    """Could player p, with so many secret points and unseen cards that help, build what wins from the hand?"""
    missing = int(s.goal) - int(s.visible[p]) - secret
    return bool(missing <= _MOST_POINTS and _can_build(s, p, missing, unseen))


@rule
def _most_secret(s: Catan, p: int) -> int:
    """The secret points that player p is thought to have at most."""
    return int(s.card_count[p] > 0 and s.most_victory[p] > 0)


@rule
def _wins_itself(s: Catan, seat: int) -> bool:
    """Could the seat, which knows its own cards, win now by building?"""
    return can_win(s, seat, max(0, int(s.cards[seat, VICTORY_CARD])), 0)


@rule
def _remember(s: Catan, seat: int) -> None:
    """Counts the cards that the seat itself stole or lost, whose kinds it knows; `_count_as_all` undoes it."""
    for i in range(s.thefts):
        if s.thief[i] == seat or s.robbed[i] == seat:
            s.counted[s.thief[i], s.stolen[i]] += 1
            s.counted[s.robbed[i], s.stolen[i]] -= 1
            s.thief[i] = -2 - int(s.thief[i])


@rule
def _count_as_all(s: Catan) -> None:
    for i in range(s.thefts):
        if s.thief[i] < 0:
            s.thief[i] = -2 - int(s.thief[i])
            s.counted[s.thief[i], s.stolen[i]] -= 1
            s.counted[s.robbed[i], s.stolen[i]] += 1


@rule
def _unseen(s: Catan, p: int) -> int:
    """Cards of player p whose kind the seat that remembers does not know."""
    cards = 0
    for i in range(s.thefts):
        cards += int(s.thief[i] == p)
    return cards


@rule
def _can_build(s: Catan, p: int, missing: int, unseen: int) -> bool:
    """Could player p build the missing points, where so many cards of the hand may be of any kind?"""
    if missing <= 0:
        return True
    ready = int(s.open_sites) & int(s.touched[p])
    room = min(_MOST_ROADS, int(s.roads_left[p]))
    for roads in range(room + 1):
        award, sites = 0, ready
        if roads > 0:
            if not _payable(s, p, roads, 0, 0, unseen):
                return False
            award, sites = _by_roads(s, p, roads)
        for settlements in range(min(_MOST_BUILDS, int(s.settlements_left[p])) + 1):
            if settlements > 0 and sites & (sites - 1 if settlements > 1 else -1) == 0:
                continue
            for cities in range(min(_MOST_BUILDS, int(s.cities_left[p])) + 1):
                upgraded = s.settlements[p]
                if cities > 0 and settlements == 0 and (upgraded & (upgraded - 1) if cities > 1 else upgraded) == 0:
                    continue
                enough = award + settlements + cities >= missing
                if enough and _payable(s, p, roads, settlements, cities, unseen):
                    return True
    return False


@rule
def _payable(s: Catan, p: int, roads: int, settlements: int, cities: int, unseen: int) -> bool:
    """Do the counted cards pay for these builds, with the bank's help and so many cards of any kind?"""
    lacking, exchanges, holds = 0, 0, True
    for r in range(KINDS):
        cost = roads * COST[0, r] + settlements * COST[1, r] + cities * COST[2, r]
        spare = int(s.counted[p, r]) - cost
        if spare < 0:
            lacking -= spare
            if s.bank[r] != UNLIMITED and -spare > int(s.bank[r]) + unseen:
                holds = False
        else:
            exchanges += spare // int(s.price[p, r])
    return bool(holds and lacking <= unseen + exchanges)


@rule
def _by_roads(s: Catan, p: int, roads: int) -> tuple[int, int]:
    """The points of the Longest Road that so many new roads win, and the sites that are in reach then."""
    others = LONGEST_ROAD_MINIMUM - 1
    for q in range(s.players):
        if q != p:
            others = max(others, int(s.road_length[q]))
    longest, sites = 0, int(s.open_sites) & int(s.touched[p])
    for edge in range(EDGES):
        word, bit = island.EDGE_WORD[edge], island.EDGE_BIT[edge]
        if s.open_roads[p, word] & bit == 0:
            continue
        touched = s.touched[p]
        s.roads[p, word] ^= bit
        for end in range(2):
            vertex = island.EDGE_VERTICES[edge, end]
            s.touched[p] |= 1 << vertex
            if roads > 1 and not opponent_at(s, p, vertex):
                sites |= int(s.open_sites) & free_ways(s, vertex)
        sites |= int(s.open_sites) & int(s.touched[p])
        if s.road_holder != p and MAX_ROADS - int(s.roads_left[p]) + roads > others:
            longest = max(longest, longest_road(s, p))
        s.touched[p] = touched
        s.roads[p, word] ^= bit
    award = 0
    if s.road_holder != p and longest + roads - 1 > others:
        award = 2
    return award, sites


# --- what helps ---------------------------------------------------------------------------


@rule
def helps(s: Catan, a: int) -> bool:
    """Would the seat to act, by this action, help somebody else to win at once? s is left as it was.

    It asks as the table counts, and once more with what the seat alone knows of its own thefts.
    """
    if _helps(s, a):
        return True
    _remember(s, int(actor(s)))
    found = _helps(s, a)
    _count_as_all(s)
    return found


@rule
def _helps(s: Catan, a: int) -> bool:
    phase = int(s.phase)
    if phase == phases.ANSWER:
        return bool(a == ids.ACCEPT and _swap_helps(s, int(s.responder), int(s.current), int(s.responder), False))
    if phase == phases.OFFERING:
        return bool(a == ids.PROPOSE and _offer_helps(s))
    if phase == phases.COUNTERING:
        return bool(a == ids.PROPOSE and _swap_helps(s, int(s.responder), int(s.current), int(s.responder), True))
    if phase == phases.PARTNERING:
        q = a - ids.PARTNER
        return bool(q >= 0 and _swap_helps(s, int(s.current), q, q, s.answer[q] == COUNTERED))
    if phase == phases.DISCARDING:
        return _discard_helps(s, a - ids.DISCARD)
    if phase in (phases.ROBBING, phases.VICTIMISING):
        return _robber_helps(s, a)
    return False


@rule
def without_help(s: Catan, legal: Array, n: int) -> int:
    """Keeps those of legal[:n] that help nobody else to win at once, and returns how many; all where all do."""
    if not phases.DISCARDING <= s.phase <= phases.PARTNERING:
        return n
    m = 0
    for k in range(n):
        a = int(legal[k])
        if not helps(s, a):
            legal[m] = a
            m += 1
    return m if m > 0 else n


@rule
def offer_helps(s: Catan, given: int, n: int, wanted: int) -> bool:
    """Would the active player's offer of n cards of one kind for one of another help somebody who takes it?"""
    gives, wants = s.offer[given], s.offer[wanted]
    s.offer[given], s.offer[wanted] = n, -1
    found = _offer_helps(s)
    _remember(s, int(s.current))
    found = found or _offer_helps(s)
    _count_as_all(s)
    s.offer[given], s.offer[wanted] = gives, wants
    return found


@rule
def _offer_helps(s: Catan) -> bool:
    for q in range(s.players):
        if q != s.current and _swap_helps(s, int(s.current), q, q, False):
            return True
    return False


@rule
def _swap_helps(s: Catan, seat: int, p: int, partner: int, countered: bool) -> bool:
    """Can player p win by the seat's trade of the active player with a partner, who could not without it?

    What wins the game for the seat itself first helps nobody else.
    """
    if int(s.goal) - int(s.visible[p]) > _MOST_POINTS + 1 or not _can_pay(s, partner, countered):
        return False
    found = False
    for secret in range(_most_secret(s, p) + 1):
        if not can_win(s, p, secret, 0):
            _swap(s, partner, countered, 1)
            found = found or (
                can_win(s, p, secret, _unseen(s, p)) and not (seat == s.current and _wins_itself(s, seat))
            )
            _swap(s, partner, countered, -1)
    return found


@rule
def _can_pay(s: Catan, partner: int, countered: bool) -> bool:
    """May the partner hold what the terms ask for, for all that is public?"""
    unseen, lacking = _unseen(s, partner), 0
    for r in range(KINDS):
        asked = -int(s.counter[partner, r]) if countered else -int(s.offer[r])
        lacking += max(0, asked - max(0, int(s.counted[partner, r])))
    return bool(lacking <= unseen)


@rule
def _swap(s: Catan, partner: int, countered: bool, sign: int) -> None:
    """The cards of an offer, or of the partner's counter-offer, change hands as everybody counts them."""
    for r in range(KINDS):
        n = sign * (int(s.counter[partner, r]) if countered else int(s.offer[r]))
        s.counted[s.current, r] -= n
        s.counted[partner, r] += n


@rule
def _discard_helps(s: Catan, kind: int) -> bool:
    """Does the bank get by it what somebody can exchange for and win?"""
    if s.bank[kind] == UNLIMITED:
        return False
    seat, found = int(discarder(s)), False
    for q in range(s.players):
        if q != seat and int(s.goal) - int(s.visible[q]) <= _MOST_POINTS:
            before = can_win(s, q, 0, _unseen(s, q))
            s.bank[kind] += 1
            found = found or (not before and can_win(s, q, 0, _unseen(s, q)))
            s.bank[kind] -= 1
    return found


@rule
def _robber_helps(s: Catan, a: int) -> bool:
    """Does the robber pass by a player who holds what wins, though it could take a card from one?

    A seat that lacks a point or two itself may have better uses for it.
    """
    seat = int(s.current)
    if int(s.goal) - int(s.visible[seat]) <= 2:
        return False
    if s.phase == phases.VICTIMISING:
        if _threatens(s, seat, a - ids.VICTIM):
            return False
        for q in range(s.players):
            if _threatens(s, seat, q) and owners_at(s, int(s.robber)) >> q & 1:
                return True
        return False
    within, elsewhere = False, False
    for q in range(s.players):
        if _threatens(s, seat, q):
            for h in range(HEXES):
                if h != s.robber and owners_at(s, h) >> q & 1:
                    within = within or h == a - ids.ROBBER
                    elsewhere = True
    return bool(elsewhere and not within)


@rule
def _threatens(s: Catan, seat: int, q: int) -> bool:
    return bool(q != seat and s.count[q] > 0 and can_win(s, q, 0, 0))
