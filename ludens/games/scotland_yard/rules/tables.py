"""Scotland Yard: the tables of the map that a record is played on.

The rules are written once; `tables(s)` is resolved from the record's type at compile time, so every
map has its own record type and its tables are constants in the compiled rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.np.numpy_support import from_dtype

from ludens.core.jit import by_record
from ludens.games.scotland_yard.rules.maps import FERRY, StationMap
from ludens.games.scotland_yard.state import BLACK, NOWHERE, TAXI, WORD_BITS, WORDS, ScotlandYard

__all__ = [
    "DETECTIVES_DECK",
    "MR_X_DECK",
    "Tables",
    "bind_map",
    "dtype_of",
    "map_of",
    "neighbours",
    "tables",
    "tables_of",
]

DETECTIVES_DECK, MR_X_DECK = range(2)


class Tables(NamedTuple):
    """The map as the rules read it; a ticket index is the transport's, BLACK is any transport.

    Where tickets reach the same stations they share a row: all this, and the distances, are constants of compiled
    rules, and a GPU has room for 64 KB of them. No compiled function may return an array: CUDA has none that do.
    """

    row: np.ndarray  # int16[tickets, stations]: the row of `targets` and `masks`
    degree: np.ndarray  # int8[tickets, stations]: how many stations are one ride away
    targets: np.ndarray  # int16[rows, room]: which, ascending
    masks: np.ndarray  # int64[rows, WORDS]: the same as sets
    starts: np.ndarray  # int16[decks, room]: stations of the start cards, ascending
    cards: np.ndarray  # int16[decks]: how many of them


def make_tables(board: StationMap) -> Tables:
    """The tables of a map; a map of taxis alone has one kind of ticket only."""
    stations = len(board.numbers)
    kinds = 1 if all(kind == TAXI for _, _, kind in board.connections) else 4
    reach: list[list[set[int]]] = [[set() for _ in range(stations)] for _ in range(kinds)]
    for a, b, kind in board.connections:
        for here, there in ((a, b), (b, a)):
            if kind != FERRY:
                reach[kind][here].add(there)
            if kinds > 1:
                reach[BLACK][here].add(there)  # SY-24: a black ticket stands for any transport
    rows: dict[tuple[int, ...], int] = {}
    row = [[rows.setdefault(tuple(sorted(stops)), len(rows)) for stops in ticket] for ticket in reach]
    targets = np.full((len(rows), max(len(stops) for stops in rows)), NOWHERE, np.int16)
    masks = np.zeros((len(rows), WORDS), np.int64)
    for stops, number in rows.items():
        targets[number, : len(stops)] = stops
        for station in stops:
            masks[number, station // WORD_BITS] |= 1 << (station % WORD_BITS)
    degree = np.array([[len(stops) for stops in ticket] for ticket in reach], np.int8)
    decks = board.detective_starts, board.mr_x_starts
    cards = np.array([len(deck) for deck in decks], np.int16)
    starts = np.full((2, cards.max()), NOWHERE, np.int16)
    for number, deck in enumerate(decks):
        starts[number, : cards[number]] = deck
    return Tables(np.array(row, np.int16), degree, targets, masks, starts, cards)


_MAP_BY_DTYPE: dict[np.dtype, StationMap] = {}
_BY_DTYPE: dict[np.dtype, Tables] = {}
_DTYPE_BY_TYPE: dict[Any, np.dtype] = {}


def bind_map(dtype: np.dtype, board: StationMap) -> None:
    """Makes `tables` and `map_of` of records of this type those of the map."""
    _MAP_BY_DTYPE[dtype] = board
    _BY_DTYPE[dtype] = make_tables(board)
    _DTYPE_BY_TYPE[from_dtype(dtype)] = dtype


def map_of(s: ScotlandYard | np.ndarray | np.dtype) -> StationMap:
    """The map that a record (or an array of records, or their type) is played on."""
    return _MAP_BY_DTYPE[s if isinstance(s, np.dtype) else s.dtype]


def tables_of(dtype: np.dtype) -> Tables:
    """The tables of the map of records of this type, for Python."""
    return _BY_DTYPE[dtype]


def tables(s: ScotlandYard) -> Tables:
    """The tables of the record's map, in rules."""
    return _BY_DTYPE[s.dtype]


def neighbours(dtype: np.dtype, ticket: int, station: int) -> list[int]:
    """The stations one ride away, ascending, for Python."""
    board = _BY_DTYPE[dtype]
    return [int(target) for target in board.targets[board.row[ticket, station]] if target != NOWHERE]


def dtype_of(record_type: Any) -> np.dtype:
    """The NumPy type for the type of a record in compiled code."""
    found = _DTYPE_BY_TYPE.get(record_type)
    if found is None:  # CUDA's own type system has equal records that are other objects
        found = next(other for known, other in _DTYPE_BY_TYPE.items() if str(known) == str(record_type))
    return found


by_record(tables, lambda record_type: _BY_DTYPE[dtype_of(record_type)], call=False)
