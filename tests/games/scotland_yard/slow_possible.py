"""The stations where Mr. X may be, tracked with plain sets from what everybody sees (SY-62)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ludens.games.scotland_yard.rules.maps import FERRY, StationMap
from ludens.games.scotland_yard.state import BLACK, FLEEING, MOVING, OVER, PLACING

__all__ = ["SlowBelief"]


class SlowBelief:
    """Follows one game; `weights` shares every station's weight among all moves he had there."""

    def __init__(self, board: StationMap) -> None:
        self._board = board
        self._known: dict[tuple[int, int], set[int]] = {}
        self.possible: set[int] = set()
        self.weights: dict[int, Fraction] = {}

    def _around(self, station: int, ticket: int) -> set[int]:
        if (station, ticket) not in self._known:
            lines = [line for line in self._board.connections if station in line[:2]]
            wanted = [(a, b) for a, b, kind in lines if (kind == ticket if ticket != BLACK else kind <= FERRY)]
            self._known[station, ticket] = {b if station == a else a for a, b in wanted}
        return self._known[station, ticket]

    def _flights(self, station: int, s: Any) -> list[tuple[int, int]]:
        taken = {int(pawn) for pawn in s.pawn_station}
        kinds = [ticket for ticket in range(4) if s.mr_x_tickets[ticket] != 0]
        return [(ticket, to) for ticket in kinds for to in self._around(station, ticket) - taken]

    def follow(self, before: Any, action: int, after: Any) -> None:
        """Takes in one step, reading public fields, and of the actions only the detectives'."""
        if before.phase == PLACING:
            if after.phase != PLACING:
                self.possible = set(self._board.mr_x_starts) - {int(pawn) for pawn in after.pawn_station}
                if after.start_visible:
                    self.possible = {int(after.seen_station)}
                self.weights = {station: Fraction(1) for station in self.possible}
        elif before.phase == FLEEING and after.moves > before.moves:
            self._flight(before, after)
        elif before.phase == MOVING:
            self._drop({int(pawn) for pawn in after.pawn_station})
            if not before.together:  # the pawn may have left the game, but it has been there
                self._drop({action % len(self._board.numbers)} if action < _rides(self._board) else set())
        if after.phase == OVER:
            self.possible = {int(after.seen_station)}
            self.weights = {int(after.seen_station): Fraction(1)}
        elif after.phase == FLEEING:  # the game goes on: he is nowhere without a move
            self._drop({station for station in self.possible if not self._flights(station, after)})

    def _flight(self, before: Any, after: Any) -> None:
        entry = int(after.moves) - 1
        ticket = int(after.log_ticket[entry])
        spread: dict[int, Fraction] = {}
        for station, weight in self.weights.items():
            flights = self._flights(station, before)
            for used, to in flights:
                if used == ticket:
                    spread[to] = spread.get(to, Fraction(0)) + weight / len(flights)
        self.weights = spread
        if after.log_station[entry] >= 0:
            self.weights = {int(after.log_station[entry]): Fraction(1)}
        self.possible = set(self.weights)

    def _drop(self, stations: set[int]) -> None:
        self.possible -= stations
        self.weights = {station: weight for station, weight in self.weights.items() if station in self.possible}


def _rides(board: StationMap) -> int:
    """How many ids are rides: four kinds of tickets, or one on a map of taxis."""
    return len(board.numbers) * (4 if any(kind for _, _, kind in board.connections) else 1)
