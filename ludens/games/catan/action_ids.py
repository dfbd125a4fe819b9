"""Catan: the ids of actions, one flat range, every block in ascending order."""

from __future__ import annotations

from ludens.games.catan.state import EDGES, HEXES, KINDS, MAX_PLAYERS, VERTICES

ROAD = 0  # + edge
SETTLEMENT = ROAD + EDGES  # + vertex
CITY = SETTLEMENT + VERTICES  # + vertex
ROBBER = CITY + VERTICES  # + hex
VICTIM = ROBBER + HEXES  # + seat
DISCARD = VICTIM + MAX_PLAYERS  # + resource
EXCHANGE = DISCARD + KINDS  # + 4 * given + (wanted, without the given one)
COASTAL_TRADES = 20
BUY = EXCHANGE + COASTAL_TRADES
KNIGHT = BUY + 1
ROAD_BUILDING = KNIGHT + 1
YEAR_OF_PLENTY = ROAD_BUILDING + 1
MONOPOLY = YEAR_OF_PLENTY + 1  # + resource
TAKE = MONOPOLY + KINDS  # + resource, for the year of plenty
GIVE = TAKE + KINDS  # + resource, one more card on the own side of an offer
WANT = GIVE + KINDS  # + resource, one more card on the other side
PROPOSE = WANT + KINDS
CANCEL = PROPOSE + 1
ACCEPT = CANCEL + 1
DECLINE = ACCEPT + 1
COUNTER = DECLINE + 1
PARTNER = COUNTER + 1  # + seat
ROLL = PARTNER + MAX_PLAYERS
END = ROLL + 1
ACTIONS = END + 1
