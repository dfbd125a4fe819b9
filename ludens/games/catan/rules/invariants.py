"""Catan: what every position of the game obeys, for positions from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ludens.core.positions import possible_if
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import (
    ANSWERS,
    ASKED,
    BANK_CARDS,
    DECK,
    DESERT,
    GENERIC,
    HARBOURS,
    HEXES,
    KINDS,
    KNIGHT_CARD,
    LARGEST_ARMY_MINIMUM,
    LONGEST_ROAD_MINIMUM,
    MAX_CITIES,
    MAX_PLAYERS,
    MAX_ROADS,
    MAX_SETTLEMENTS,
    NOBODY,
    PLENTY_CARDS,
    THEFTS,
    UNLIMITED,
    VERTICES,
    VICTORY_CARD,
    Catan,
)

__all__ = ["check_position", "derive_pieces"]

_MOST_CARDS = 30_000  # in a hand, where the bank has no end


def _faults(s: Catan, begun: Catan) -> Iterator[str]:
    players = int(s["players"])
    seats = ("current", "responder", "victim", "road_holder", "army_holder", "winner")
    if max(int(s[name]) for name in seats) >= players:
        yield f"there are {players} players"
    owners = np.concatenate([s["building"] % MAX_PLAYERS, s["road"]])[np.concatenate([s["building"], s["road"]]) >= 0]
    if (owners >= players).any() or s["hand"][players:].any() or s["cards"][players:].any():
        yield "a seat that nobody has owns something"
    yield from _island(s)
    yield from _pieces(s)
    yield from _awards(s, players)
    yield from _cards(s)
    yield from _knowledge(s, players)
    yield from _turn(s, players)


# --- the island ---------------------------------------------------------------------------


def _island(s: Catan) -> Iterator[str]:
    """The set-up deals terrain, then tokens, then harbours; what is not dealt yet is in the supply (CA-5, CA-6)."""
    phase, dealt, supply = int(s["phase"]), int(s["dealt"]), s["supply"].astype(int)
    terrain, number, harbour = s["terrain"].astype(int), s["number"].astype(int), s["harbour"].astype(int)
    known = dealt if phase == phases.TERRAIN_DEAL else HEXES
    laid = np.bincount(terrain[:known], minlength=DESERT + 1)
    if (terrain[:known] < 0).any() or (phase == phases.TERRAIN_DEAL and (terrain[known:].any() or dealt >= HEXES)):
        yield "terrain is dealt hex by hex (CA-5)"
    if phase == phases.TERRAIN_DEAL and (laid + supply[: DESERT + 1] != island.TERRAIN_SUPPLY).any():
        yield "terrain on the island and terrain to be dealt are those of the box (CA-1)"
    if phase != phases.TERRAIN_DEAL and (laid != island.TERRAIN_SUPPLY).any():
        yield "the terrain of the island is not that of the box (CA-1)"
    tokens = np.bincount(number, minlength=13)[:13]
    tokens[0] = 0
    if (number[:known][terrain[:known] == DESERT] != 0).any() or (phase <= phases.SPIRAL and tokens.any()):
        yield "the desert has no token, and nothing has one before tokens are dealt (CA-2)"
    reds = tokens.sum() == dealt < 4 and tokens[6] == min(2, dealt) and tokens[8] <= 2
    if phase == phases.RED_DEAL and not reds:
        yield "6, 6, 8 and 8 are dealt first (CA-6)"
    bare = [h for h in range(HEXES) if number[h] == 0 and terrain[h] != DESERT]
    if phase == phases.TOKEN_DEAL and (not bare or bare[0] != dealt or (tokens + supply != island.TOKEN_SUPPLY).any()):
        yield "tokens are dealt hex by hex (CA-6)"
    if phase > phases.TOKEN_DEAL and (tokens != island.TOKEN_SUPPLY).any():
        yield "the tokens of the island are not those of the box (CA-4)"
    for k in range(2, 13):
        listed = [int(h) for h in s["sources"][k] if h != NOBODY]
        if sorted(listed) != np.flatnonzero(number == k).tolist() or (
            len(listed) == 1 and s["sources"][k, 0] == NOBODY
        ):
            yield "sources names the hexes of every number"
    if (s["sources"][:2] != NOBODY).any():
        yield "no hex has a token of 0 or 1"
    if phase == phases.HARBOUR_DEAL:
        there = np.bincount(harbour[:dealt], minlength=GENERIC + 1)
        if dealt >= HARBOURS or (there + supply[: GENERIC + 1] != island.HARBOUR_SUPPLY).any() or harbour[dealt:].any():
            yield "harbours are dealt one after the other (CA-3)"
    elif phase > phases.HARBOUR_DEAL and (np.bincount(harbour, minlength=GENERIC + 1) != island.HARBOUR_SUPPLY).any():
        yield "the harbours are not those of the box (CA-3)"
    if phase > phases.TERRAIN_DEAL and int(s["robber"]) == NOBODY:
        yield "the robber stands on a hex (CA-2)"


# --- roads, settlements, cities -----------------------------------------------------------


def derive_pieces(s: Catan) -> None:
    """Sets all that is kept of pieces from who owns which vertex and edge (CA-8, CA-14, CA-16, CA-18)."""
    building, road = s["building"], s["road"]
    s.open_sites = (1 << VERTICES) - 1
    for vertex in np.flatnonzero(building != NOBODY):
        s.open_sites &= ~int(island.NEAR[vertex])
    for p in range(MAX_PLAYERS):
        settlements, cities = np.flatnonzero(building == p), np.flatnonzero(building == MAX_PLAYERS + p)
        roads = np.flatnonzero(road == p)
        s["roads_left"][p] = MAX_ROADS - len(roads)
        s["settlements_left"][p] = MAX_SETTLEMENTS - len(settlements)
        s["cities_left"][p] = MAX_CITIES - len(cities)
        touched = _set(island.EDGE_VERTICES[roads].ravel())
        s["settlements"][p], s["cities"][p], s["touched"][p] = _set(settlements), _set(cities), touched
        s["roads"][p] = _words(roads)
        s["open_roads"][p] = _words(_open_roads(s, p, touched))
        s["road_length"][p] = _longest(s, p)
        s["price"][p] = 4
        for vertex in (*settlements, *cities):
            kind = (
                int(s["harbour"][island.HARBOUR_OF_VERTEX[vertex]]) if island.HARBOUR_OF_VERTEX[vertex] >= 0 else NOBODY
            )
            if kind == GENERIC:
                s["price"][p] = np.minimum(s["price"][p], 3)
            elif kind != NOBODY:
                s["price"][p, kind] = 2


_OF_PIECES = {
    "open_sites": "open_sites follows from the buildings",
    "roads_left": "pieces on the island and pieces left are those of the box (CA-8)",
    "settlements_left": "pieces on the island and pieces left are those of the box (CA-8)",
    "cities_left": "pieces on the island and pieces left are those of the box (CA-8)",
    "settlements": "settlements and cities name the buildings",
    "cities": "settlements and cities name the buildings",
    "roads": "roads and touched name the roads",
    "touched": "roads and touched name the roads",
    "open_roads": "open_roads follows from the roads (CA-14)",
    "road_length": "road_length is that of the longest road (CA-16)",
    "price": "price follows from the harbours (CA-18)",
}


def _pieces(s: Catan) -> Iterator[str]:
    buildings = np.flatnonzero(s["building"] != NOBODY)
    for vertex in buildings:
        if any(int(island.NEAR[vertex]) >> int(other) & 1 for other in buildings if other != vertex):
            yield "two buildings stand side by side (CA-14)"
    again = np.array([s], s.dtype)
    derive_pieces(again[0])
    if min(again[name].min() for name in ("roads_left", "settlements_left", "cities_left")) < 0:
        yield _OF_PIECES["roads_left"]
    for name, fault in _OF_PIECES.items():
        if not np.array_equal(again[name][0], s[name]):
            yield fault


def _set(numbers: Iterable[int]) -> int:
    found = 0
    for number in numbers:
        found |= 1 << int(number)
    return found


def _words(edges: Iterable[int]) -> list[int]:
    return [_set(int(edge) - 36 * word for edge in edges if int(edge) // 36 == word) for word in range(2)]


def _stops(s: Catan, p: int, vertex: int) -> bool:
    """Does a building of somebody else stand there?"""
    return bool(s["building"][vertex] != NOBODY and s["building"][vertex] % MAX_PLAYERS != p)


def _open_roads(s: Catan, p: int, touched: int) -> list[int]:
    ways = [v for v in range(VERTICES) if touched >> v & 1 and not _stops(s, p, v)]
    found = {int(edge) for v in ways for edge in island.VERTEX_EDGES[v] if edge >= 0}
    return [edge for edge in sorted(found) if s["road"][edge] == NOBODY]


def _longest(s: Catan, p: int) -> int:
    """Tries every trail."""
    mine = set(np.flatnonzero(s["road"] == p).tolist())

    def walk(vertex: int, walked: frozenset[int]) -> int:
        best = len(walked)
        if walked and _stops(s, p, vertex):
            return best
        for edge in island.VERTEX_EDGES[vertex]:
            if int(edge) in mine and int(edge) not in walked:
                best = max(best, walk(int(island.EDGE_VERTICES[edge].sum()) - vertex, walked | {int(edge)}))
        return best

    return max((walk(int(v), frozenset()) for edge in mine for v in island.EDGE_VERTICES[edge]), default=0)


def _awards(s: Catan, players: int) -> Iterator[str]:
    for name, lengths, least in (
        ("road_holder", s["road_length"][:players], LONGEST_ROAD_MINIMUM),
        ("army_holder", s["army"][:players], LARGEST_ARMY_MINIMUM),
    ):
        holder, best = int(s[name]), int(lengths.max())
        if holder == NOBODY and best >= least and (name == "army_holder" or (lengths == best).sum() == 1):
            yield f"{name}: somebody has earned the card (CA-16, CA-17)"
        if holder != NOBODY and (best < least or int(lengths[holder]) != best):
            yield f"{name} has not earned the card (CA-16, CA-17)"
    for p in range(players):
        points = int((s["building"] == p).sum()) + 2 * int((s["building"] == MAX_PLAYERS + p).sum())
        points += 2 * (int(s["road_holder"]) == p) + 2 * (int(s["army_holder"]) == p)
        if int(s["visible"][p]) != points:
            yield "visible counts the points that everybody sees (CA-19)"


# --- cards --------------------------------------------------------------------------------


def _cards(s: Catan) -> Iterator[str]:
    hand, bank = s["hand"].astype(int), s["bank"].astype(int)
    limited = bank != UNLIMITED
    if ((hand.sum(axis=0) + bank)[limited] != BANK_CARDS).any() or limited.any() != limited.all():
        yield f"there are {BANK_CARDS} cards of every resource (CA-10)"
    if (s["count"] != hand.sum(axis=1)).any():
        yield "count is the number of cards in a hand"
    cards, deck = s["cards"].astype(int), s["deck"].astype(int)
    if (cards.sum(axis=0) + deck + s["played"] != DECK).any():
        yield "development cards in the deck, in hands and played are those of the box (CA-9)"
    if int(s["deck_count"]) != deck.sum() or (s["card_count"] != cards.sum(axis=1)).any():
        yield "deck_count and card_count count the development cards"
    if (s["fresh"] > cards[int(s["current"])]).any() or int(s["fresh_count"]) != int(s["fresh"].sum()):
        yield "fresh are cards of the active player, bought in this turn"
    most = s["most_victory"].astype(int)
    if (most < 0).any() or (most >= int(s["goal"])).any() or int(s["offers_made"]) > int(s["max_offers"]):
        yield "most_victory is below the goal, and offers_made within the limit"
    if int(s["phase"]) != phases.OVER and (cards[:, VICTORY_CARD] > most).any():
        yield "somebody has more victory cards than everybody knows to be possible (CA-19)"
    if int(s["army"].sum()) != int(s["played"][KNIGHT_CARD]):
        yield "every knight that was played belongs to somebody's army (CA-17)"


def _knowledge(s: Catan, players: int) -> Iterator[str]:
    """hand = counted + what was stolen - what was lost in undecided thefts (see knowledge.py)."""
    thefts, expected = int(s["thefts"]), s["counted"].astype(int)
    for i in range(thefts):
        thief, robbed, kind = int(s["thief"][i]), int(s["robbed"][i]), int(s["stolen"][i])
        if not (0 <= thief < players and 0 <= robbed < players and thief != robbed and 0 <= kind < KINDS):
            yield "a theft has a thief, another who was robbed, and a resource (CA-13)"
        if not int(s["could"][i]) >> kind & 1 or int(s["could"][i]) >> KINDS:
            yield "a card was stolen that it could not be"
        expected[thief, kind] += 1
        expected[robbed, kind] -= 1
    if (expected != s["hand"]).any():
        yield "counted is what everybody knows of the hands (CA-20)"
    if int(s["clearings"]) > (2 if thefts else 0):
        yield "clearings are monopolies while thefts were undecided"
    for c in range(int(s["clearings"])):
        kind, after, who = int(s["cleared_kind"][c]), int(s["cleared_after"][c]), int(s["monopolist"][c])
        if not (0 <= kind < KINDS and 0 <= after < thefts and 0 <= who < players):
            yield "a clearing names a resource, a theft and a player"


# --- the turn -----------------------------------------------------------------------------


def _turn(s: Catan, players: int) -> Iterator[str]:
    phase, placed, current = int(s["phase"]), int(s["placed"]), int(s["current"])
    placing = phase in (phases.PLACE_SETTLEMENT, phases.PLACE_ROAD)
    if (int(s["turn_number"]) == 0) != (phase <= phases.HARBOUR_DEAL or placing):
        yield "turns are counted from the first roll on"
    begun = phase > phases.HARBOUR_DEAL
    standing = int((s["building"] != NOBODY).sum())
    if placing or not begun:
        yield from _placement(s, players)
    elif placed != 2 * players or standing < placed or int((s["road"] != NOBODY).sum()) < placed:
        yield "everybody begins with two settlements and two roads (CA-7)"
    offering = phase in (phases.OFFERING, phases.ANSWER, phases.COUNTERING, phases.PARTNERING)
    if not offering and (s["offer"].any() or s["counter"].any() or s["answer"].any()):
        yield "nothing is offered now"
    if offering and (s["offer"].clip(0) > s["hand"][current]).any():
        yield "the active player offers cards that are not there"
    responding = phase in (phases.ANSWER, phases.COUNTERING)
    responder = int(s["responder"])
    if responding != (responder != NOBODY) or (
        responding and (responder == current or s["answer"][responder] != ASKED)
    ):
        yield "somebody else is asked while an offer stands, and only then"
    if s["counter"].any() and not s["counter_offers"]:
        yield "there are no counter-offers (CA-21)"
    for p in range(MAX_PLAYERS):
        gives = (-s["counter"][p]).clip(0)
        if (p >= players or p == current) and (s["counter"][p].any() or s["answer"][p]):
            yield "only opponents answer"
        elif (gives > s["hand"][p]).any():
            yield "a counter-offer holds cards that are not there"
    theft, victim = phase == phases.THEFT, int(s["victim"])
    if theft != (victim != NOBODY) or (theft and s["count"][victim] == 0):
        yield "somebody with cards is robbed during a theft, and only then (CA-13)"
    if theft and victim == current:
        yield "nobody robs themselves"
    if (s["to_discard"][:players] > s["count"][:players]).any() or s["to_discard"][players:].any():
        yield "nobody discards more than they have (CA-13)"
    if bool(s["to_discard"].any()) != (phase == phases.DISCARDING):
        yield "cards are discarded after a seven, and only then (CA-13)"
    left = int(s["free_roads"]) > 0, int(s["to_take"]) > 0
    if left != (phase == phases.FREE_ROADS, phase == phases.PLENTY):
        yield "what is left of a card is left while it is played, and only then (CA-15)"
    if phase == phases.FREE_ROADS and int(s["roads_left"][current]) == 0:
        yield "no road is left (CA-15)"
    if phase != phases.OVER and int(s["winner"]) != NOBODY:
        yield "somebody has won, and the game goes on (CA-19)"


def _placement(s: Catan, players: int) -> Iterator[str]:
    """Settlements are placed forth and back, each with its road (CA-7)."""
    phase, placed, current = int(s["phase"]), int(s["placed"]), int(s["current"])
    if phase <= phases.HARBOUR_DEAL and (placed or current):
        yield "nobody has placed anything yet"
    if placed > 2 * players - (phase == phases.PLACE_SETTLEMENT) or (phase == phases.PLACE_ROAD and placed == 0):
        yield "everybody places two settlements (CA-7)"
    order = [*range(players), *reversed(range(players))]
    number = placed - (phase == phases.PLACE_ROAD)
    if phase > phases.HARBOUR_DEAL and order[number] != current:
        yield "first settlements are placed in seat order, forth and back (CA-7)"
    roads = [int((s["road"] == p).sum()) for p in range(players)]
    if roads != [order[:number].count(p) for p in range(players)]:
        yield "every first settlement has its road (CA-7)"
    if [int((s["building"] == p).sum()) for p in range(players)] != [order[:placed].count(p) for p in range(players)]:
        yield "settlements are placed one after the other (CA-7)"
    site = int(s["site"])
    own = site >= 0 and s["building"][site] == current and not int(s["touched"][current]) >> site & 1
    if phase == phases.PLACE_ROAD and not own:
        yield "the road belongs to the settlement that was just placed (CA-7)"
    if phase == phases.PLACE_ROAD and any(s["road"][edge] != NOBODY for edge in island.VERTEX_EDGES[site] if edge >= 0):
        yield "no road is at a settlement that was just placed (CA-14)"


check_position = possible_if(
    {
        "phase": (0, len(phases.PHASES) - 1),
        "current": (0, MAX_PLAYERS - 1),
        "responder road road_holder army_holder victim winner": (NOBODY, MAX_PLAYERS - 1),
        "turn_number": (0, 30_000),
        "bank": (0, UNLIMITED),
        "hand": (0, _MOST_CARDS),
        "counted before least cleared": (-_MOST_CARDS, _MOST_CARDS),
        "terrain": (0, DESERT),
        "number": (0, 12),
        "sources robber": (NOBODY, HEXES - 1),
        "harbour": (0, GENERIC),
        "supply dealt": (0, HEXES),
        "building": (NOBODY, 2 * MAX_PLAYERS - 1),
        "army": (0, int(DECK[KNIGHT_CARD])),
        "deck cards fresh played": (0, int(DECK.sum())),
        "rolled card_played has_built cut_off": (0, 1),
        "die": (0, 6),
        "offers_made to_discard": (0, 127),
        "free_roads clearings": (0, 2),
        "to_take": (0, PLENTY_CARDS),
        "placed": (0, 2 * MAX_PLAYERS),
        "site": (0, VERTICES - 1),
        "offer counter": (-60, 60),
        "answer": (0, len(ANSWERS) - 1),
        "thefts": (0, THEFTS),
    },
    ("spiral", "counter_offers", "offer_limit", "first_acceptor", "max_offers", "strict", "goal", "turn_limit"),
    _faults,
)
"""Why a record cannot be a position of the game that begins with another record, or None."""
