"""Scotland Yard: the record of a position, its constants, and the tables of the map it is played on.

The rules are written once; `tables(s)` is resolved from the record's type at compile time, so every
map has its own record type and its tables are constants in the compiled rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.np.numpy_support import from_dtype

from ludens.core.jit import by_record
from ludens.core.record import layout
from ludens.games.scotland_yard.maps import FERRY, MAX_PAWNS, Board

__all__ = [
    "BLACK",
    "BUS",
    "CAUGHT",
    "CHOOSING",
    "DOUBLE",
    "ESCAPED",
    "EXHAUSTED",
    "FLEEING",
    "HIDDEN",
    "MOVING",
    "NEVER",
    "NOWHERE",
    "OVER",
    "PLACING",
    "RUNNING",
    "STUCK",
    "TAXI",
    "TICKETS",
    "UNDERGROUND",
    "UNLIMITED",
    "WEIGHT_TOTAL",
    "WORDS",
    "WORD_BITS",
    "Tables",
    "bind_board",
    "board_of",
    "dtype_of",
    "record_for",
    "tables",
    "tables_of",
]

# tickets; an action's ticket is one of the first four, the fifth is spent by announcing a double move
TICKETS = ("taxi", "bus", "underground", "black", "double")
TAXI, BUS, UNDERGROUND, BLACK, DOUBLE = range(5)
UNLIMITED = -1  # number of tickets that never run out

# phases
PLACING = 0  # start cards are drawn: detectives openly, then Mr. X
FLEEING = 1  # Mr. X moves
CHOOSING = 2  # a controller chooses which of its pawns moves next
MOVING = 3  # the chosen pawn moves
OVER = 4

# how a game ended
RUNNING = 0
CAUGHT = 1  # detectives win: a detective stands on Mr. X's station (SY-8a, SY-28)
STUCK = 2  # detectives win: Mr. X has no move to a free station (SY-8b, SY-28)
ESCAPED = 3  # Mr. X wins: not caught by the end of the last round (SY-9, SY-28)
EXHAUSTED = 4  # Mr. X wins: no detective can move any more (SY-28)

NOWHERE = -1  # of a pawn: not on the board; of a station: not placed, never seen or not chosen yet
HIDDEN = -1  # of an entry of the travel log: the station was not shown
NEVER = -1  # of the move at which Mr. X was last seen

WORDS = 4
WORD_BITS = 60  # bits used of each word of a set of stations; the sign stays out of it
WEIGHT_TOTAL = 1 << 24  # what the weights of the possible stations sum to, about


class Tables(NamedTuple):
    """The map as the rules read it; a ticket index is the transport's, BLACK is any transport."""

    targets: np.ndarray  # int16[tickets, stations, room]: stations one ride away, ascending
    degree: np.ndarray  # int16[tickets, stations]: how many of them
    masks: np.ndarray  # int64[tickets, stations, WORDS]: the same as sets
    detective_starts: np.ndarray  # int16: stations of the detectives' cards, ascending
    mr_x_starts: np.ndarray  # int16: stations of Mr. X's cards, ascending


def make_tables(board: Board) -> Tables:
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
    room = max(len(targets) for ticket in reach for targets in ticket)
    targets = np.full((kinds, stations, room), NOWHERE, np.int16)
    degree = np.zeros((kinds, stations), np.int16)
    masks = np.zeros((kinds, stations, WORDS), np.int64)
    for ticket in range(kinds):
        for here in range(stations):
            stops = sorted(reach[ticket][here])
            targets[ticket, here, : len(stops)] = stops
            degree[ticket, here] = len(stops)
            for station in stops:
                masks[ticket, here, station // WORD_BITS] |= 1 << (station % WORD_BITS)
    starts = np.array(board.detective_starts, np.int16), np.array(board.mr_x_starts, np.int16)
    return Tables(targets, degree, masks, *starts)


def record_for(name: str, board: Board, longest_log: int) -> np.dtype:
    """The record type of the game of that name on that map."""
    stations = len(board.numbers)
    return layout(
        f"{name}:{board.digest}",
        [
            ("players", "i1"),
            ("phase", "i1"),
            ("current", "i1"),  # seat to act: 0 Mr. X, 1 … the controllers of detectives
            # --- the rules in force
            ("detectives", "i1"),  # pawns, bobbies included
            ("bobbies", "i1"),  # the last so many pawns need no tickets (SY-15)
            ("classic", "i1"),  # classic edition: Mr. X receives the detectives' used tickets (SY-20)
            ("together", "i1"),  # pawns step all at once, only their targets are compared (SY-7)
            ("detectives_first", "i1"),  # who opens a round (SY-6, SY-22)
            ("start_visible", "i1"),  # Mr. X's start is shown (SY-10)
            ("keeps_weights", "i1"),  # the record holds weights of the possible stations (SY-62)
            ("max_rounds", "i2"),
            ("max_moves", "i2"),  # 0 for no limit (SY-29)
            ("reveal_moves", "i8"),  # bit m: Mr. X shows himself after his move m (SY-25)
            # --- the table
            ("round_number", "i2"),  # counted from 1
            ("pawn", "i1"),  # the pawn that moves in phase MOVING
            ("double_left", "i1"),  # moves left of an announced double move: 0, 2 or 1 (SY-26)
            ("ending", "i1"),
            ("pawn_station", "i2", (MAX_PAWNS,)),  # NOWHERE: left the game (SY-27), or does not take part
            ("pawn_target", "i2", (MAX_PAWNS,)),  # chosen step of pawns that move together
            ("pawn_left", "i2", (MAX_PAWNS,)),  # where a pawn left the game: everybody saw it go there
            ("pawn_moved", "i1", (MAX_PAWNS,)),  # 1: has moved in this round
            ("pawn_tickets", "i2", (MAX_PAWNS, 3)),
            ("mr_x_tickets", "i2", (5,)),
            ("mr_x_station", "i2"),  # hidden from the detectives between reveals
            # --- what everybody may remember
            ("moves", "i2"),  # of Mr. X: entries of the travel log
            ("log_ticket", "i1", (longest_log,)),
            ("log_station", "i2", (longest_log,)),  # HIDDEN unless he showed himself there
            ("seen_station", "i2"),  # where he was last seen
            ("seen_move", "i2"),  # after which of his moves that was; 0 is the start
            ("possible", "i8", (WORDS,)),  # set of the stations where he may be (SY-62)
            ("weight_side", "i1"),  # which of the two rows of weights holds
            ("weight", "i4", (2, stations)),  # of the possible stations, if kept
        ],
    )


_BOARD_BY_DTYPE: dict[np.dtype, Board] = {}
_BY_DTYPE: dict[np.dtype, Tables] = {}
_DTYPE_BY_TYPE: dict[Any, np.dtype] = {}


def bind_board(dtype: np.dtype, board: Board) -> None:
    """Makes `tables` and `board_of` of records of this type those of the map."""
    _BOARD_BY_DTYPE[dtype] = board
    _BY_DTYPE[dtype] = make_tables(board)
    _DTYPE_BY_TYPE[from_dtype(dtype)] = dtype


def board_of(s: Any) -> Board:
    """The map that a record (or an array of records, or their type) is played on."""
    return _BOARD_BY_DTYPE[s if isinstance(s, np.dtype) else s.dtype]


def tables_of(dtype: np.dtype) -> Tables:
    """The tables of the map of records of this type, for Python."""
    return _BY_DTYPE[dtype]


def tables(s: Any) -> Tables:
    """The tables of the record's map, in rules."""
    return _BY_DTYPE[s.dtype]


def dtype_of(record_type: Any) -> np.dtype:
    """The NumPy type for the type of a record in compiled code."""
    found = _DTYPE_BY_TYPE.get(record_type)
    if found is None:  # CUDA's own type system has equal records that are other objects
        found = next(other for known, other in _DTYPE_BY_TYPE.items() if str(known) == str(record_type))
    return found


by_record(tables, lambda record_type: _BY_DTYPE[dtype_of(record_type)], call=False)
