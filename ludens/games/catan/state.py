"""Catan: the table as one record, and the constants of the box (CA-8 … CA-10)."""

from __future__ import annotations

import numpy as np

from ludens.core.record import Position, int8, int16, int64, layout

HEXES, VERTICES, EDGES, HARBOURS = 19, 54, 72, 9  # CA-1, CA-3
MAX_PLAYERS = 4
MAX_ROADS, MAX_SETTLEMENTS, MAX_CITIES = 15, 5, 4  # CA-8
LONGEST_ROAD_MINIMUM, LARGEST_ARMY_MINIMUM = 5, 3  # CA-16, CA-17
BANK_CARDS = 19  # CA-10
PLENTY_CARDS = 2  # CA-15
UNLIMITED = 9999  # what stands in the bank of the thesis, and never changes (CA-21)
NOBODY = -1

BRICK, LUMBER, WOOL, GRAIN, ORE = range(5)  # the order of CA-47
KINDS = 5
RESOURCES = ("brick", "lumber", "wool", "grain", "ore")
DESERT = 5  # the terrain without a resource; the others have the number of theirs
TERRAINS = ("hills", "forest", "pasture", "fields", "mountains", "desert")
GENERIC = 5  # the harbour of any resource

KNIGHT_CARD, VICTORY_CARD, ROAD_CARD, PLENTY_CARD, MONOPOLY_CARD = range(5)
CARD_KINDS = ("knight", "victory point", "road building", "year of plenty", "monopoly")
DECK = np.array([14, 5, 2, 2, 2], np.int64)  # CA-9

# What a road, a settlement, a city and a development card cost (CA-8).
COST = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0], [0, 0, 0, 2, 3], [0, 0, 1, 1, 1]], np.int64)
WAYS = 4  # rows of COST

# Ways of 36 to roll a number (CA-4); nothing for the desert's 0, and for 7 none produces.
DOTS = np.array([0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], np.int64)

THEFTS = 16  # thefts that may stay undecided at once; see rules/knowledge.py

OUTCOMES = 36  # the dice: 6 * (first - 1) + second - 1

# Offers a turn by the choices of the option; the first stands for the preset's number, the last for no limit: nobody
# makes so many, and their number fits into the record.
OFFERS_UNLIMITED = 120
OFFER_CHOICES = np.array([0, 0, 1, 3, 5, 10, 20, OFFERS_UNLIMITED], np.int64)

# Answers to an offer.
NOT_ASKED, ASKED, DECLINED, ACCEPTED, COUNTERED = range(5)
ANSWERS = ("not asked", "asked", "declined", "accepted", "countered")


class Catan(Position):
    """The table."""

    # bit sets (see rules/island.py)
    open_sites = int64()  # vertices where the distance rule allows a settlement (CA-14)
    touched = int64(MAX_PLAYERS)  # vertices at the player's roads
    settlements = int64(MAX_PLAYERS)
    cities = int64(MAX_PLAYERS)
    roads = int64(MAX_PLAYERS, 2)
    open_roads = int64(MAX_PLAYERS, 2)  # edges where the player may build (CA-14)
    # time
    turn_number = int16()  # counted from 1; 0 before the first turn
    turn_limit = int16()  # 0: none
    # cards
    bank = int16(KINDS)  # UNLIMITED in the thesis (CA-21)
    hand = int16(MAX_PLAYERS, KINDS)  # hidden: the true cards
    count = int16(MAX_PLAYERS)  # how many resource cards, known to all
    counted = int16(MAX_PLAYERS, KINDS)  # the hand as counted by all, without undecided thefts
    before = int16(THEFTS, KINDS)  # the victim's counted cards just before the theft
    least = int16(THEFTS, MAX_PLAYERS, KINDS)  # least counted cards from a theft to the next one
    cleared = int16(2, MAX_PLAYERS)  # counted cards of a monopolised resource just after it
    current = int8()  # the seat whose turn it is, or who places
    responder = int8()  # the seat that answers an offer
    # options
    spiral = int8()  # 1: tokens along the spiral, 0: at random (CA-6)
    counter_offers = int8()  # 1 if an answer may be a counter-offer (CA-21)
    offer_limit = int8()  # 1 if offers are 1 or 2 cards for 1 (CA-21)
    first_acceptor = int8()  # 1 if the first who accepts gets the trade (CA-21)
    max_offers = int8()  # offers a turn
    strict = int8()  # 1 if all trading comes before building (CA-11)
    goal = int8()  # points that win
    # board
    terrain = int8(HEXES)
    number = int8(HEXES)  # the token, 0 on the desert
    sources = int8(13, 2)  # the hexes of a number, or NOBODY
    harbour = int8(HARBOURS)  # a resource, or GENERIC
    supply = int8(13)  # what the set-up still deals: terrain, tokens by number or harbours
    dealt = int8()  # places filled in this part of the set-up
    robber = int8()  # its hex
    building = int8(VERTICES)  # NOBODY, the owner of a settlement, or 4 + the owner of a city
    road = int8(EDGES)  # the owner, or NOBODY
    # players
    roads_left = int8(MAX_PLAYERS)
    settlements_left = int8(MAX_PLAYERS)
    cities_left = int8(MAX_PLAYERS)
    price = int8(MAX_PLAYERS, KINDS)  # cards of this kind for one from the bank (CA-18)
    visible = int8(MAX_PLAYERS)  # points that everybody sees
    road_length = int8(MAX_PLAYERS)
    army = int8(MAX_PLAYERS)  # knights played
    road_holder = int8()  # who has the Longest Road, or NOBODY
    army_holder = int8()  # who has the Largest Army, or NOBODY
    # development cards
    deck = int8(KINDS)  # hidden from all: cards left, by kind
    deck_count = int8()
    cards = int8(MAX_PLAYERS, KINDS)  # hidden: unplayed cards, those bought this turn included
    card_count = int8(MAX_PLAYERS)
    fresh = int8(KINDS)  # hidden: the active player's cards bought this turn
    fresh_count = int8()
    played = int8(KINDS)  # cards played by all, by kind
    most_victory = int8(MAX_PLAYERS)  # victory cards one can have and not have won on the last own turn
    # the turn
    rolled = int8()
    die = int8(2)  # of this turn, 0 before the roll
    card_played = int8()  # 1 if a development card was played this turn
    has_built = int8()  # 1 if something was built or bought this turn (strict phases)
    offers_made = int8()
    to_discard = int8(MAX_PLAYERS)
    victim = int8()  # who is being robbed, or NOBODY
    free_roads = int8()  # roads left of the road building card
    to_take = int8()  # cards left of the year of plenty
    placed = int8()  # settlements placed before the first turn, by all
    site = int8()  # the settlement whose road is being placed
    # trade: + cards the active player gives, - cards the active player gets
    offer = int8(KINDS)
    counter = int8(MAX_PLAYERS, KINDS)  # the terms of counter-offers
    answer = int8(MAX_PLAYERS)
    # what everybody knows about thefts (see rules/knowledge.py)
    thefts = int8()  # how many are undecided
    thief = int8(THEFTS)
    robbed = int8(THEFTS)
    stolen = int8(THEFTS)  # hidden from all but thief and victim
    could = int8(THEFTS)  # the kinds it could have been, as a bit set
    clearings = int8()  # monopolies while thefts were undecided
    cleared_kind = int8(2)
    cleared_after = int8(2)  # the last theft before it
    monopolist = int8(2)
    # the end
    winner = int8()  # or NOBODY
    cut_off = int8()  # 1 if the turn limit ended the game


DTYPE = layout("catan", Catan)
