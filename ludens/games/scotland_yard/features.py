"""Scotland Yard: a position as numbers for a network, from what the seat may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.games.scotland_yard.rules.maps import StationMap
from ludens.games.scotland_yard.rules.movement import owner
from ludens.games.scotland_yard.rules.possible import holds
from ludens.games.scotland_yard.state import MAX_PAWNS, MOVING, NEVER, NOWHERE, OVER

__all__ = ["observation_size", "observe"]

_PLANES = 6  # possible, Mr. X, last seen, detectives yet to move, detectives that have moved, the moving pawn
_PAWN = 5  # tickets of three kinds, in the game, owned by the observer
_REST = 5 + 5 + 4  # Mr. X's tickets, phases, and round, moves, moves since he was seen, second half of a double


def observation_size(board: StationMap) -> Callable[[np.ndarray], int]:
    """Planes over the stations, then the pawns, then the rest; the same for all options."""
    size = _PLANES * len(board.numbers) + MAX_PAWNS * _PAWN + _REST
    return lambda options: size


@rule
def observe(v: Any, seat: int, out: Any) -> None:
    """Values lie in 0 … 1, roughly; tickets that never run out count as 1.

    Six planes of one number a station: may Mr. X be there; is he known to be there; was he last seen
    there; does a detective stand there that has yet to move, that has moved, that moves now (a step
    already chosen counts as a detective that has moved). Pawn by pawn: tickets ÷ 11, 8, 4, in the game,
    moved by the observer. Mr. X's tickets ÷ 11, 8, 4, 5, 2; the phase, one-hot; round ÷ last round,
    moves ÷ last round, moves since he was seen ÷ 6, whether the second half of a double move is due.
    """
    out[:] = 0.0
    stations = v.weight.shape[1]
    for station in range(stations):
        if holds(v, station):
            out[station] = 1.0
    if v.mr_x_station >= 0:
        out[stations + v.mr_x_station] = 1.0
    if v.seen_station != NOWHERE:
        out[2 * stations + v.seen_station] = 1.0
    k = _PLANES * stations
    for pawn in range(MAX_PAWNS):
        station = int(v.pawn_station[pawn])
        if station != NOWHERE:
            plane = 4 if v.pawn_moved[pawn] else 3
            shown = station if v.pawn_target[pawn] == NOWHERE else int(v.pawn_target[pawn])
            out[plane * stations + shown] = 1.0
            if v.phase == MOVING and v.pawn == pawn:
                out[5 * stations + station] = 1.0
            for ticket in range(3):
                out[k + ticket] = _share(int(v.pawn_tickets[pawn, ticket]), ticket)
            out[k + 3] = 1.0
            if owner(v, pawn) == seat:
                out[k + 4] = 1.0
        k += _PAWN
    for ticket in range(5):
        out[k + ticket] = _share(int(v.mr_x_tickets[ticket]), ticket)
    k += 5
    for phase in range(OVER + 1):
        if v.phase == phase:
            out[k + phase] = 1.0
    k += OVER + 1
    out[k] = int(v.round_number) / int(v.max_rounds)
    out[k + 1] = int(v.moves) / int(v.max_rounds)
    since = int(v.moves) if v.seen_move == NEVER else int(v.moves) - int(v.seen_move)
    out[k + 2] = since / 6.0
    if v.double_left == 1:
        out[k + 3] = 1.0


@rule
def _share(tickets: int, kind: int) -> float:
    """Tickets as a part of what a player starts with; without limit is 1."""
    if tickets < 0:
        return 1.0
    if kind == 0:
        return tickets / 11.0
    if kind == 1:
        return tickets / 8.0
    if kind == 2:
        return tickets / 4.0
    if kind == 3:
        return tickets / 5.0
    return tickets / 2.0
