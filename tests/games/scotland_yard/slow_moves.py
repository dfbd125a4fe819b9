"""Who may go where, with plain sets from the list of connections: slow, obvious, and sharing no code with the rules."""

from __future__ import annotations

from typing import Any

from ludens.games.scotland_yard.rules.maps import FERRY, StationMap
from ludens.games.scotland_yard.state import BLACK, DOUBLE, NOWHERE, UNLIMITED

__all__ = ["SlowMoves"]

Ride = tuple[int, int]  # ticket, station


class SlowMoves:
    """The moves of both sides on one map."""

    def __init__(self, board: StationMap) -> None:
        self._board = board
        self._known: dict[Ride, set[int]] = {}

    def around(self, station: int, ticket: int) -> set[int]:
        """Stations one ride away."""
        if (ticket, station) not in self._known:
            lines = [line for line in self._board.connections if station in line[:2]]
            wanted = [(a, b) for a, b, kind in lines if (kind == ticket if ticket != BLACK else kind <= FERRY)]
            self._known[ticket, station] = {b if station == a else a for a, b in wanted}
        return self._known[ticket, station]

    def _rides(self, station: int, tickets: list[int], s: Any) -> list[Ride]:
        """Every ride that the tickets pay to a station without a detective."""
        taken = {int(pawn) for pawn in s.pawn_station}
        kinds = [kind for kind, left in enumerate(tickets) if left != 0]
        return [(kind, to) for kind in kinds for to in sorted(self.around(station, kind) - taken)]

    def first_legs(self, station: int, s: Any) -> list[Ride]:
        """Rides of Mr. X after which he has another one (SY-26)."""
        tickets = [int(n) for n in s.mr_x_tickets[:DOUBLE]]
        legs = []
        for kind, to in self._rides(station, tickets, s):
            left = tickets.copy()
            if left[kind] != UNLIMITED:
                left[kind] -= 1
            if self._rides(to, left, s):
                legs.append((kind, to))
        return legs

    def flights(self, station: int, s: Any) -> list[Ride]:
        """Rides that Mr. X may make now, if he is at the station."""
        if s.double_left == 2:
            return self.first_legs(station, s)
        return self._rides(station, [int(n) for n in s.mr_x_tickets[:DOUBLE]], s)

    def may_double(self, s: Any) -> bool:
        """May Mr. X announce a double move? (SY-26, SY-29)"""
        if s.double_left or not s.mr_x_tickets[DOUBLE] or (s.max_moves and s.moves + 2 > s.max_moves):
            return False
        return bool(self.first_legs(int(s.mr_x_station), s))

    def rides_of(self, pawn: int, s: Any) -> list[Ride]:
        """Rides of a detective; none if it is not on the board."""
        here = int(s.pawn_station[pawn])
        return [] if here == NOWHERE else self._rides(here, [int(n) for n in s.pawn_tickets[pawn]], s)

    def has_use_for_a_ticket(self, pawn: int, s: Any) -> bool:
        """Is a ticket of the detective of any use where it stands, other pieces aside? (SY-27)"""
        here = int(s.pawn_station[pawn])
        return any(left != 0 and self.around(here, kind) for kind, left in enumerate(s.pawn_tickets[pawn]))
