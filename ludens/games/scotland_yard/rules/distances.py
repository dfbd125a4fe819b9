"""Scotland Yard: distances on the map, with and without regard to tickets (SY-37, SY-63)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ludens.core.jit import by_record, rule
from ludens.core.record import Array
from ludens.games.scotland_yard.rules.movement import can_hunt
from ludens.games.scotland_yard.rules.tables import dtype_of, neighbours, tables, tables_of
from ludens.games.scotland_yard.state import BLACK, UNLIMITED, WORD_BITS, WORDS, ScotlandYard

__all__ = [
    "FAR",
    "distance_between",
    "distance_of_pawn",
    "distances",
    "mean_distance_to_possible",
    "nearest_detective",
    "ticket_distance",
    "visit_room",
]

FAR = 99
"""A distance for what cannot be reached."""

_BUS_LIMIT, _UNDERGROUND_LIMIT = 8, 4  # rides of these kinds that a way may count; no pawn has more tickets


@cache
def distances(dtype: np.dtype) -> np.ndarray:
    """Moves between any two stations by taxi, bus and underground: int64[stations, stations]."""
    kinds, stations = tables_of(dtype).degree.shape
    near = [
        sorted({to for kind in range(min(kinds, BLACK)) for to in neighbours(dtype, kind, i)}) for i in range(stations)
    ]
    rows = []
    for start in range(stations):
        row = [FAR] * stations
        row[start] = 0
        queue = [start]
        for here in queue:  # grows while it is read
            for there in near[here]:
                if row[there] == FAR:
                    row[there] = row[here] + 1
                    queue.append(there)
        rows.append(row)
    found = np.array(rows, np.int64)
    found.flags.writeable = False
    return found


class DistanceTable(NamedTuple):
    """`distances` for compiled rules: small numbers, so that they stay in the processor's cache."""

    moves: np.ndarray  # int8[stations, stations]


@cache
def _distance_table_of(dtype: np.dtype) -> DistanceTable:
    return DistanceTable(distances(dtype).astype(np.int8))


def distance_table(s: ScotlandYard) -> DistanceTable:
    """The distances on the record's map, in rules."""
    return _distance_table_of(s.dtype)


by_record(distance_table, lambda record_type: _distance_table_of(dtype_of(record_type)), call=False)


@rule
def distance_between(s: ScotlandYard, here: int, there: int) -> int:
    """Moves between two stations, tickets aside."""
    return int(distance_table(s).moves[here, there])


@rule
def distance_of_pawn(s: ScotlandYard, pawn: int, station: int) -> int:
    """Moves from the detective to the station; FAR if it has left the game or is stuck for good."""
    return distance_between(s, int(s.pawn_station[pawn]), station) if can_hunt(s, pawn) else FAR


@rule
def nearest_detective(s: ScotlandYard, station: int) -> int:
    """Moves from the nearest detective to the station."""
    nearest = FAR
    for pawn in range(s.detectives):
        nearest = min(nearest, distance_of_pawn(s, pawn, station))
    return nearest


@rule
def mean_distance_to_possible(s: ScotlandYard, station: int, possible: int) -> float:
    """The mean distance from a station to those where Mr. X may be; `possible` is their number."""
    total = 0
    for word in range(WORDS):
        bits = int(s.possible[word])
        other = word * WORD_BITS
        while bits:
            if bits & 1:
                total += distance_between(s, station, other)
            bits >>= 1
            other += 1
    return total / max(1, possible)


def visit_room(dtype: np.dtype) -> np.ndarray:
    """Scratch for `ticket_distance`: marks of visited states, then the queue; the last mark counts the calls."""
    stations = tables_of(dtype).degree.shape[1]
    return np.zeros((3, stations * (_BUS_LIMIT + 1) * (_UNDERGROUND_LIMIT + 1) + 1), np.int64)


@rule
def ticket_distance(s: ScotlandYard, pawn: int, start: int, spent: int, goal: int, visits: Array) -> int:
    """Moves from `start` to `goal` that the pawn's tickets pay, after it has spent one of kind `spent`; FAR if none.

    Breadth first over (station, buses used, undergrounds used); the taxis used follow from the number
    of moves. `visits` comes from `visit_room`; its first row holds the number of the call that saw a state.
    """
    board = tables(s)
    kinds = min(3, board.degree.shape[0])
    taxis, buses, undergrounds = _left(s, pawn, 0, spent), _left(s, pawn, 1, spent), _left(s, pawn, 2, spent)
    if start == goal:
        return 0
    columns = _UNDERGROUND_LIMIT + 1
    layer = (_BUS_LIMIT + 1) * columns
    call = visits[0, -1] + 1
    visits[0, -1] = call
    head, tail = 0, 1
    visits[0, start * layer] = call
    visits[1, 0] = start * layer
    visits[2, 0] = 0
    while head < tail:
        state, steps = visits[1, head], visits[2, head]
        head += 1
        station, bus, underground = state // layer, state // columns % (_BUS_LIMIT + 1), state % columns
        taxi = steps - bus - underground
        for kind in range(kinds):
            if kind == 0:
                if taxi >= taxis:
                    continue
                extra = 0
            elif kind == 1:
                if bus >= min(buses, _BUS_LIMIT):
                    continue
                extra = columns
            else:
                if underground >= min(undergrounds, _UNDERGROUND_LIMIT):
                    continue
                extra = 1
            row = int(board.row[kind, station])
            for k in range(board.degree[kind, station]):
                target = int(board.targets[row, k])
                if target == goal:
                    return int(steps + 1)
                new = target * layer + bus * columns + underground + extra
                if visits[0, new] != call:
                    visits[0, new] = call
                    visits[1, tail] = new
                    visits[2, tail] = steps + 1
                    tail += 1
    return FAR


@rule
def _left(s: ScotlandYard, pawn: int, kind: int, spent: int) -> int:
    """Tickets of the kind after the one spent; plenty if they never run out."""
    held = int(s.pawn_tickets[pawn, kind])
    if held == UNLIMITED:
        return FAR
    return held - 1 if kind == spent else held
