"""Scotland Yard: the record of a position and the constants of the box."""

from __future__ import annotations

import numpy as np

from ludens.core.record import Position, int8, int16, int32, int64, layout

# tickets; an action's ticket is one of the first four, the fifth is spent by announcing a double move
TICKETS = ("taxi", "bus", "underground", "black", "double")
TAXI, BUS, UNDERGROUND, BLACK, DOUBLE = range(5)
UNLIMITED = -1  # number of tickets that never run out

NOWHERE = -1  # of a pawn: not on the board; of a station: not placed, never seen or not chosen yet
HIDDEN = -1  # of an entry of the travel log: the station was not shown
NEVER = -1  # of the move at which Mr. X was last seen

MAX_PAWNS = 5
WORDS = 4
WORD_BITS = 60  # bits used of each word of a set of stations; the sign stays out of it
MAX_STATIONS = WORDS * WORD_BITS
WEIGHT_TOTAL = 1 << 24  # what the weights of the possible stations sum to, about


class ScotlandYard(Position):
    """The table of a game on a map: so many stations, so long a travel log."""

    current = int8()  # seat to act: 0 Mr. X, 1 … the controllers of detectives
    # --- the rules in force
    detectives = int8()  # pawns, bobbies included
    bobbies = int8()  # the last so many pawns need no tickets (SY-15)
    classic = int8()  # classic edition: Mr. X receives the detectives' used tickets (SY-20)
    together = int8()  # pawns step all at once, only their targets are compared (SY-7)
    detectives_first = int8()  # who opens a round (SY-6, SY-22)
    start_visible = int8()  # Mr. X's start is shown (SY-10)
    keeps_weights = int8()  # the record holds weights of the possible stations (SY-62)
    max_rounds = int16()
    max_moves = int16()  # 0 for no limit (SY-29)
    reveal_moves = int64()  # bit m: Mr. X shows himself after his move m (SY-25)
    # --- the table
    round_number = int16()  # counted from 1
    pawn = int8()  # the pawn that moves in phase MOVING
    double_left = int8()  # moves left of an announced double move: 0, 2 or 1 (SY-26)
    ending = int8()
    pawn_station = int16(MAX_PAWNS)  # NOWHERE: left the game (SY-27), or does not take part
    pawn_target = int16(MAX_PAWNS)  # chosen step of pawns that move together
    pawn_left = int16(MAX_PAWNS)  # where a pawn left the game: everybody saw it go there
    pawn_moved = int8(MAX_PAWNS)  # 1: has moved in this round
    pawn_tickets = int16(MAX_PAWNS, 3)
    mr_x_tickets = int16(5)
    mr_x_station = int16()  # hidden from the detectives between reveals
    # --- what everybody may remember
    moves = int16()  # of Mr. X: entries of the travel log
    log_ticket = int8("longest_log")
    log_station = int16("longest_log")  # HIDDEN unless he showed himself there
    seen_station = int16()  # where he was last seen
    seen_move = int16()  # after which of his moves that was; 0 is the start
    possible = int64(WORDS)  # set of the stations where he may be (SY-62)
    weight_side = int8()  # which of the two rows of weights holds
    weight = int32(2, "stations")  # of the possible stations, if kept
    # --- last, where records were padded before: older bytes keep their meaning
    stuck_stay = int8()  # detectives without a usable ticket stay and block; else they leave (SY-27)
    starts_apart = int8()  # no detective can catch Mr. X with a first move (SY-6, SY-21)


def record_for(name: str, stations: int, longest_log: int) -> np.dtype:
    """The record type of the game of that name on a map of so many stations."""
    return layout(name, ScotlandYard, stations=stations, longest_log=longest_log)
