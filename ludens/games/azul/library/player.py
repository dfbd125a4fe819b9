"""Azul's library: a player and the pattern lines of a board, to be read only (AZ-57, AZ-59)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core.jit import kernel, plain
from ludens.core.record import Records
from ludens.games.azul import phases
from ludens.games.azul.library.errors import IllegalOperation, checked
from ludens.games.azul.rules.rounds import bonuses
from ludens.games.azul.rules.taking import line_accepts
from ludens.games.azul.rules.wall import tile_points
from ludens.games.azul.state import EMPTY, FLOOR, SIZE, Azul

__all__ = ["PatternLine", "Player"]


@dataclass(frozen=True)
class PatternLine:
    """One pattern line: its capacity, its colour (or EMPTY) and its number of tiles (AZ-59)."""

    capacity: int
    colour: int = EMPTY
    count: int = 0

    def __post_init__(self) -> None:
        if checked(self.capacity, SIZE + 1, "The capacity of a pattern line") == 0:
            raise IllegalOperation("A pattern line has room for one tile at least.")
        checked(self.count, self.capacity + 1, "The number of tiles in this pattern line")
        if self.colour != EMPTY:
            checked(self.colour, SIZE, "The colour of a pattern line")
        if (self.colour == EMPTY) != (self.count == 0):
            raise IllegalOperation("A pattern line has a colour if, and only if, it has tiles.")

    @property
    def full(self) -> bool:
        return self.count == self.capacity

    @property
    def free(self) -> int:
        """How many more tiles find room."""
        return self.capacity - self.count

    def accepts(self, colour: int) -> bool:
        """Does the line take this colour, as far as the line itself is concerned? (AZ-21)"""
        return not self.full and self.colour in (EMPTY, checked(colour, SIZE, "A colour"))


_tile_points = plain(tile_points)


@kernel
def _accepts(states: Records[Azul], p: int, line: int, colour: int) -> bool:
    return line_accepts(states[0], p, line, colour)


@kernel
def _bonuses(states: Records[Azul], p: int) -> int:
    return bonuses(states[0], p)


class Player:
    """One player of a position: name, score and board, to be read only (AZ-57).

    It goes on showing the position it was taken from, whatever happens in the game afterwards.
    """

    def __init__(self, states: np.ndarray, seat: int, name: str) -> None:
        """`states` is an array of one record, which nobody changes any more."""
        self._states = states
        self._record: Azul = states[0]
        self.seat = seat
        self.name = name

    def __repr__(self) -> str:
        return f"<Player {self.name}: {self.score} points>"

    @property
    def score(self) -> int:
        return int(self._record.score[self.seat])

    @property
    def wall(self) -> tuple[tuple[int, ...], ...]:
        """Rows of colour ids or EMPTY."""
        return tuple(tuple(row) for row in self._record.wall[self.seat].tolist())

    @property
    def floor(self) -> tuple[int, ...]:
        """Colour ids and the MARKER, from the left, occupied places only."""
        return tuple(self._record.floor[self.seat, : self._record.floor_count[self.seat]].tolist())

    @property
    def starts_next(self) -> bool:
        """Has this player taken the marker, and so will start the next round?"""
        return bool(self._record.marker == self.seat)

    @property
    def lines(self) -> tuple[PatternLine, ...]:
        return tuple(self.line(index) for index in range(SIZE))

    def line(self, index: int) -> PatternLine:
        """The colour and the number of tiles of a pattern line."""
        index = checked(index, SIZE, "A pattern line")
        s = self._record
        return PatternLine(index + 1, int(s.line_colour[self.seat, index]), int(s.line_count[self.seat, index]))

    @property
    def full_lines(self) -> tuple[int, ...]:
        """The indices of the full pattern lines, from the top."""
        return tuple(index for index, line in enumerate(self.lines) if line.full)

    @property
    def has_full_line(self) -> bool:
        return bool(self.full_lines)

    def can_place(self, colour: int, line: int) -> bool:
        """May tiles of this colour go to this line, or to the floor (line 5)? (AZ-21, AZ-22, AZ-24)"""
        colour = checked(colour, SIZE, "A colour")
        line = checked(line, FLOOR + 1, "A destination")
        return line == FLOOR or bool(_accepts(self._states, self.seat, line, colour))

    def points(self, row: int, column: int) -> int:
        """What a tile at this cell scores, whether it lies there already or not (AZ-29)."""
        row, column = checked(row, SIZE, "A row"), checked(column, SIZE, "A column")
        return int(_tile_points(self._record.wall[self.seat], row, column))

    @property
    def bonus(self) -> int:
        """The final bonuses that the wall is worth as it stands (AZ-34)."""
        return int(_bonuses(self._states, self.seat))

    def with_bonus(self) -> Player:
        """This player with the final bonuses added to the score; refused once the game has added them."""
        if self._record.phase == phases.OVER:
            raise IllegalOperation("The game is over and its final bonuses are in the score already.")
        states = self._states.copy()
        states["score"][0, self.seat] += self.bonus
        return Player(states, self.seat, self.name)
