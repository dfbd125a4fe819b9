"""Scotland Yard: the stations where Mr. X may be, exactly, and optionally with weights (SY-62).

The set follows from what everybody has seen, so it is part of the record and of every view.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below, drawn
from ludens.games.scotland_yard.rules.movement import (
    can_double_from,
    count_flights,
    may_ride,
    may_start,
    mr_x_can_leave,
)
from ludens.games.scotland_yard.rules.tables import MR_X_DECK, map_of, tables
from ludens.games.scotland_yard.state import NOWHERE, TAXI, WEIGHT_TOTAL, WORD_BITS, WORDS, ScotlandYard

__all__ = [
    "count",
    "double_announced",
    "exclude",
    "holds",
    "possible_stations",
    "sample",
    "see",
    "spread",
    "still_running",
    "suspect_starts",
]


@rule
def _bit(station: int) -> int:
    """The station's bit in its word."""
    return 1 << (int(station) % WORD_BITS)


@rule
def holds(s: ScotlandYard, station: int) -> bool:
    """May Mr. X be there?"""
    return (int(s.possible[station // WORD_BITS]) & _bit(station)) != 0


@rule
def count(s: ScotlandYard) -> int:
    """The number of stations where he may be."""
    n = 0
    for word in range(WORDS):
        bits = int(s.possible[word])
        while bits:
            bits &= bits - 1
            n += 1
    return n


@rule
def _include(s: ScotlandYard, station: int) -> None:
    s.possible[station // WORD_BITS] |= _bit(station)


@rule
def exclude(s: ScotlandYard, station: int) -> None:
    """He is not there: a detective stands on the station and the game goes on (SY-62, step 3)."""
    s.possible[station // WORD_BITS] &= ~_bit(station)
    if s.keeps_weights:
        s.weight[s.weight_side, station] = 0


@rule
def see(s: ScotlandYard, station: int) -> None:
    """He shows himself (SY-62, step 1)."""
    for word in range(WORDS):
        s.possible[word] = 0
    _include(s, station)
    s.seen_station = station
    s.seen_move = s.moves
    if s.keeps_weights:
        side = int(s.weight_side)
        for other in range(s.weight.shape[1]):
            s.weight[side, other] = 0
        s.weight[side, station] = WEIGHT_TOTAL


@rule
def suspect_starts(s: ScotlandYard) -> None:
    """Before he is first seen he may be on any of his start cards that is free (SY-62, step 1)."""
    board = tables(s)
    cards = int(board.cards[MR_X_DECK])
    for k in range(cards):
        station = int(board.starts[MR_X_DECK, k])
        if may_start(s, MR_X_DECK, station):
            _include(s, station)
            if s.keeps_weights:
                s.weight[s.weight_side, station] = WEIGHT_TOTAL // cards


@rule
def spread(s: ScotlandYard, ticket: int) -> None:
    """He has moved with this ticket, to a station free of detectives (SY-62, step 2).

    Called before the ticket is paid: the weights share each station's among all his moves from there.
    """
    board = tables(s)
    new_0, new_1, new_2, new_3 = 0, 0, 0, 0
    for word in range(WORDS):
        bits = int(s.possible[word])
        station = word * WORD_BITS
        while bits:
            if bits & 1:
                row = int(board.row[ticket, station])
                new_0 |= int(board.masks[row, 0])
                new_1 |= int(board.masks[row, 1])
                new_2 |= int(board.masks[row, 2])
                new_3 |= int(board.masks[row, 3])
            bits >>= 1
            station += 1
    s.possible[0] = new_0
    s.possible[1] = new_1
    s.possible[2] = new_2
    s.possible[3] = new_3
    for pawn in range(s.detectives):
        station = int(s.pawn_station[pawn])
        if station != NOWHERE:
            s.possible[station // WORD_BITS] &= ~_bit(station)
    if s.keeps_weights:
        _spread_weights(s, ticket)


@rule
def _spread_weights(s: ScotlandYard, ticket: int) -> None:
    """Every move he had from a station takes an equal part of the station's weight (SY-62, step 4)."""
    board = tables(s)
    old = int(s.weight_side)
    new = 1 - old
    for station in range(s.weight.shape[1]):
        s.weight[new, station] = 0
    for station in range(s.weight.shape[1]):
        if s.weight[old, station] > 0:
            flights = count_flights(s, station)
            if flights > 0:
                part = int(s.weight[old, station]) // flights
                row = int(board.row[ticket, station])
                for k in range(board.degree[ticket, station]):
                    target = int(board.targets[row, k])
                    if s.double_left != 2 or may_ride(s, ticket, target):
                        s.weight[new, target] += part
    total = 0
    for station in range(s.weight.shape[1]):
        if not holds(s, station):
            s.weight[new, station] = 0
        total += int(s.weight[new, station])
    for station in range(s.weight.shape[1]):
        if holds(s, station):  # no possible station may fall to zero by rounding
            s.weight[new, station] = max(1, int(s.weight[new, station]) * WEIGHT_TOTAL // max(1, total))
    s.weight_side = new


@rule
def still_running(s: ScotlandYard) -> None:
    """He is to move and the game is not over, so he is nowhere without a move (SY-8b, SY-10, SY-28)."""
    board = tables(s)
    any_transport = board.degree.shape[0] - 1
    for word in range(WORDS):
        suspects = int(s.possible[word])
        if s.mr_x_tickets[TAXI] != 0:  # then only a station beside a detective can be shut in
            near = 0
            for pawn in range(s.detectives):
                if s.pawn_station[pawn] != NOWHERE:
                    near |= int(board.masks[board.row[any_transport, s.pawn_station[pawn]], word])
            suspects &= near
        station = word * WORD_BITS
        while suspects:
            if suspects & 1 and not mr_x_can_leave(s, station):
                exclude(s, station)
            suspects >>= 1
            station += 1


@rule
def double_announced(s: ScotlandYard) -> None:
    """He has announced a double move, so he is nowhere without its two legs (SY-26)."""
    scarce = False  # with two tickets of a kind he can go there and back
    for ticket in range(tables(s).degree.shape[0]):
        if s.mr_x_tickets[ticket] == 1:
            scarce = True
    if scarce:
        for station in range(s.weight.shape[1]):
            if holds(s, station) and not can_double_from(s, station):
                exclude(s, station)


@rule
def sample(v: ScotlandYard, rng: Array) -> int:
    """A possible station: uniformly, or by the weights if the record keeps them."""
    if v.keeps_weights:
        total = 0
        for station in range(v.weight.shape[1]):
            total += int(v.weight[v.weight_side, station])
        return drawn(rng, v.weight[v.weight_side], total)
    left = below(rng, count(v))
    station = 0
    while True:
        if holds(v, station):
            if left == 0:
                return station
            left -= 1
        station += 1


def possible_stations(v: ScotlandYard) -> list[int]:
    """The stations where Mr. X may be, ascending, for Python (SY-62)."""
    words = [int(word) for word in v.possible]
    count = len(map_of(v).numbers)
    return [i for i in range(count) if (words[i // WORD_BITS] >> (i % WORD_BITS)) & 1]
