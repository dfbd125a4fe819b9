"""The stations where Mr. X may be, tracked with plain sets from what everybody sees (SY-62)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.maps import StationMap
from tests.games.scotland_yard.slow_moves import SlowMoves

__all__ = ["SlowBelief"]


class SlowBelief:
    """Follows one game; `weights` shares every station's weight among all moves he had there."""

    def __init__(self, board: StationMap) -> None:
        self._board = board
        self._moves = SlowMoves(board)
        self.possible: set[int] = set()
        self.weights: dict[int, Fraction] = {}

    def follow(self, before: Any, action: int, after: Any) -> None:
        """Takes in one step, reading public fields, and of the actions only the detectives'."""
        if before.phase == phases.PLACING:
            if after.phase != phases.PLACING:
                self.possible = set(self._board.mr_x_starts) - {int(pawn) for pawn in after.pawn_station}
                if after.start_visible:
                    self.possible = {int(after.seen_station)}
                self.weights = {station: Fraction(1) for station in self.possible}
        elif before.phase == phases.FLEEING and after.moves > before.moves:
            self._flight(before, after)
        elif before.phase == phases.MOVING:
            self._drop({int(pawn) for pawn in after.pawn_station})
            if not before.together:  # the pawn may have left the game, but it has been there
                self._drop({action % len(self._board.numbers)} if action < _rides(self._board) else set())
        if after.phase == phases.OVER:
            self.possible = {int(after.seen_station)}
            self.weights = {int(after.seen_station): Fraction(1)}
        elif after.phase == phases.FLEEING:  # the game goes on: he is nowhere without a move
            self._drop({station for station in self.possible if not self._moves.flights(station, after)})

    def _flight(self, before: Any, after: Any) -> None:
        entry = int(after.moves) - 1
        ticket = int(after.log_ticket[entry])
        spread: dict[int, Fraction] = {}
        for station, weight in self.weights.items():
            flights = self._moves.flights(station, before)
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
