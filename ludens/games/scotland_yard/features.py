"""Scotland Yard: a position as numbers for a network, from what the seat may know.

Detectives know the same and win together, whoever moves them: a position reads the same for any number of players. The
columns that once told players apart hold what they hold where one leads all detectives.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.spec import Block
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.maps import StationMap
from ludens.games.scotland_yard.rules.possible import holds
from ludens.games.scotland_yard.state import MAX_PAWNS, NEVER, NOWHERE, UNLIMITED, ScotlandYard

__all__ = ["blocks", "observe"]

_PLANES, _PAWN, _MR_X, _TABLE = 3, 10, 9, 7
_LOG, _LOG_TICKETS = 6, 4  # the longest time between two of his appearances; the tickets that rides are paid with
_STARTS = np.array([11.0, 8.0, 4.0, 5.0, 2.0])  # tickets of every kind


def blocks(board: StationMap) -> Callable[[np.ndarray], tuple[Block, ...]]:
    """The blocks of the observation in their order, the same for all options."""
    stations = len(board.numbers)
    found = (
        Block("mr_x", (_PLANES, stations), "stations where Mr. X may be; where he is known to be; where last seen"),
        Block(
            "pawns",
            (MAX_PAWNS, stations),
            "where each detective stands, or the step already chosen where they step together",
        ),
        Block(
            "pawn_rows",
            (MAX_PAWNS, _PAWN),
            "in the game; tickets ÷ 11, 8, 4 (3); needs no tickets; has moved; moves now; the detectives are on move; "
            "the observer is one of them; 1 ÷ 5",
        ),
        Block(
            "tickets",
            (_MR_X,),
            "Mr. X's tickets ÷ 11, 8, 4, 5, 2 (5); his plain tickets never run out; receives used tickets; a double "
            "move is announced; its second half is due",
        ),
        Block("log", (_LOG, _LOG_TICKETS), "tickets of Mr. X's last moves, the latest first, one-hot"),
        Block("phase", (phases.OVER + 1,), "one-hot"),
        Block(
            "table",
            (_TABLE,),
            "round ÷ 24; rounds after this one ÷ 24; his moves ÷ 24; moves after those ÷ 24, 0 without a limit; moves "
            "since he was seen ÷ 6; moves until he shows himself ÷ 6, 0 if never again; stuck detectives stay",
        ),
        Block("observer", (1,), "the observer is Mr. X"),
    )
    return lambda options: found


@rule
def observe(v: ScotlandYard, seat: int, out: Array) -> None:
    """Values lie in 0 … 1, roughly; tickets that never run out count as 1, those of absent pawns as 0."""
    out[:] = 0.0
    stations = v.weight.shape[1]
    for station in range(stations):
        if holds(v, station):
            out[station] = 1.0
    if v.mr_x_station >= 0:
        out[stations + v.mr_x_station] = 1.0
    if v.seen_station != NOWHERE:
        out[2 * stations + v.seen_station] = 1.0
    k = (_PLANES + MAX_PAWNS) * stations
    for pawn in range(v.detectives):
        station = int(v.pawn_station[pawn])
        if station != NOWHERE:
            shown = station if v.pawn_target[pawn] == NOWHERE else int(v.pawn_target[pawn])
            out[(_PLANES + pawn) * stations + shown] = 1.0
            _observe_pawn(v, pawn, seat, out, k + pawn * _PAWN)
    k += MAX_PAWNS * _PAWN
    for ticket in range(5):
        out[k + ticket] = _share(int(v.mr_x_tickets[ticket]), ticket)
    out[k + 5] = 1.0 if v.mr_x_tickets[0] == UNLIMITED else 0.0
    out[k + 6] = v.classic
    out[k + 7] = 1.0 if v.double_left == 2 else 0.0
    out[k + 8] = 1.0 if v.double_left == 1 else 0.0
    k += _MR_X
    for back in range(min(_LOG, int(v.moves))):
        out[k + back * _LOG_TICKETS + int(v.log_ticket[int(v.moves) - 1 - back])] = 1.0
    k += _LOG * _LOG_TICKETS
    out[k + int(v.phase)] = 1.0
    _observe_table(v, out, k + phases.OVER + 1)
    if seat == 0:
        out[k + phases.OVER + 1 + _TABLE] = 1.0


@rule
def _observe_pawn(v: ScotlandYard, pawn: int, seat: int, out: Array, k: int) -> None:
    out[k] = 1.0
    for ticket in range(3):
        out[k + 1 + ticket] = _share(int(v.pawn_tickets[pawn, ticket]), ticket)
    out[k + 4] = 1.0 if v.pawn_tickets[pawn, 0] == UNLIMITED else 0.0
    out[k + 5] = v.pawn_moved[pawn]
    out[k + 6] = 1.0 if v.phase == phases.MOVING and v.pawn == pawn else 0.0
    out[k + 7] = 1.0 if v.phase < phases.OVER and v.current != 0 else 0.0
    out[k + 8] = 1.0 if seat > 0 else 0.0
    out[k + 9] = 0.2


@rule
def _observe_table(v: ScotlandYard, out: Array, k: int) -> None:
    moves = int(v.moves)
    out[k] = v.round_number / 24.0
    out[k + 1] = (int(v.max_rounds) - int(v.round_number)) / 24.0
    out[k + 2] = moves / 24.0
    if v.max_moves > 0:
        out[k + 3] = (int(v.max_moves) - moves) / 24.0
    since = moves if v.seen_move == NEVER else moves - int(v.seen_move)
    out[k + 4] = since / 6.0
    later = int(v.reveal_moves) >> (moves + 1)
    if later != 0:
        wait = 1
        while later & 1 == 0:
            later >>= 1
            wait += 1
        out[k + 5] = wait / 6.0
    out[k + 6] = v.stuck_stay


@rule
def _share(tickets: int, kind: int) -> float:
    """Tickets as a part of what a player starts with; without limit is 1."""
    return 1.0 if tickets < 0 else tickets / _STARTS[kind]
