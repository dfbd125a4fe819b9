"""Azul: the parts of the game as small objects (AZ-56 … AZ-63).

`TileGroup`, `Move`, `Factory`, `Centre` and `PatternLine` are plain immutable values. `Tiles` is a
heap of tiles to draw from. `Player` is a read-only look at one board of a position: it goes on
showing the position it was taken from, whatever happens in the game afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.jit import kernel, plain
from ludens.core.rng import pick
from ludens.games.azul import rules
from ludens.games.azul.state import (
    COLOURS,
    EMPTY,
    FACTORY_ROOM,
    FLOOR,
    MAX_SOURCES,
    OVER,
    SIZE,
    TILES_PER_COLOUR,
)

__all__ = [
    "NO_MOVE",
    "Centre",
    "Factory",
    "IllegalOperation",
    "Move",
    "PatternLine",
    "Player",
    "TileGroup",
    "Tiles",
    "checked",
]


class IllegalOperation(BadInput):
    """A call in the wrong phase, an id out of range or a misused part; nothing has changed (AZ-63)."""


def checked(value: Any, count: int, what: str) -> int:
    """The value as an id in 0 … count - 1; anything else is refused."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < count:
        raise IllegalOperation(f"{what} must be a whole number from 0 to {count - 1}, not {value!r}.")
    return int(value)


# --- values -------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class TileGroup:
    """Some tiles of one colour (AZ-60)."""

    colour: int
    count: int

    def __post_init__(self) -> None:
        checked(self.colour, SIZE, "The colour of a tile group")
        checked(self.count, TILES_PER_COLOUR + 1, "The size of a tile group")

    def __str__(self) -> str:
        return f"{self.count} {COLOURS[self.colour]}"


@dataclass(frozen=True, order=True)
class Move:
    """Take all tiles of a colour from a source and put them to a destination (AZ-61).

    Sources are the factories 0 … F - 1, then the centre F; destinations are the pattern
    lines 0 … 4, then the floor 5.
    """

    colour: int
    source: int
    destination: int

    def __post_init__(self) -> None:
        if (self.colour, self.source, self.destination) != (EMPTY, EMPTY, EMPTY):  # those of NO_MOVE
            checked(self.colour, SIZE, "The colour of a move")
            checked(self.source, MAX_SOURCES, "The source of a move")
            checked(self.destination, FLOOR + 1, "The destination of a move")

    def __str__(self) -> str:
        """Counted from 1, as people do; a position's `describe` also knows which source is the centre."""
        if self.colour == EMPTY:
            return "no move"
        place = "the floor" if self.destination == FLOOR else f"line {self.destination + 1}"
        return f"{COLOURS[self.colour]} from source {self.source + 1} to {place}"


NO_MOVE = Move(EMPTY, EMPTY, EMPTY)
"""The default move, which stands for none and is never legal (AZ-62)."""


@dataclass(frozen=True)
class Factory:
    """The tiles of one factory, counted by colour (AZ-56)."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        _check_counts(self.counts)
        if sum(self.counts) > FACTORY_ROOM:
            raise IllegalOperation(f"A factory has room for {FACTORY_ROOM} tiles, not {sum(self.counts)}.")

    @property
    def empty(self) -> bool:
        return not any(self.counts)

    def groups(self) -> tuple[TileGroup, ...]:
        """What lies here, colour by colour, without absent colours."""
        return tuple(TileGroup(colour, count) for colour, count in enumerate(self.counts) if count)

    def count(self, colour: int) -> int:
        """How many tiles of the colour lie here."""
        return self.counts[checked(colour, SIZE, "A colour")]


@dataclass(frozen=True)
class Centre(Factory):
    """The centre: a factory without a limit, and whether it has been taken from this round (AZ-56)."""

    taken_from: bool = False

    def __post_init__(self) -> None:
        _check_counts(self.counts)


def _check_counts(counts: tuple[int, ...]) -> None:
    if len(counts) != SIZE:
        raise IllegalOperation(f"Tiles are counted in {SIZE} colours, not {len(counts)}.")
    for count in counts:
        checked(count, TILES_PER_COLOUR + 1, "The number of tiles of a colour")


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


class Tiles:
    """A heap of tiles, counted by colour, to draw from (AZ-58)."""

    def __init__(self, colours: int = SIZE, total: int = SIZE * TILES_PER_COLOUR) -> None:
        """`total` tiles, equally many of each of the `colours`."""
        if colours < 1 or total < 0 or total % colours:
            raise IllegalOperation(f"{total} tiles cannot be split evenly into {colours} colours.")
        self._counts = [total // colours] * colours

    @classmethod
    def of(cls, counts: Any) -> Tiles:
        """A heap with the given number of tiles of each colour."""
        tiles = cls(len(counts), 0)
        for colour, count in enumerate(counts):
            tiles.add(colour, int(count))
        return tiles

    @property
    def colours(self) -> int:
        """The number of colours, present or not."""
        return len(self._counts)

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(self._counts)

    @property
    def total(self) -> int:
        return sum(self._counts)

    def count(self, colour: int) -> int:
        return self._counts[checked(colour, self.colours, "A colour")]

    def add(self, colour: int, count: int = 1) -> None:
        if count < 0:
            raise IllegalOperation(f"The number of tiles to add cannot be {count}.")
        self._counts[checked(colour, self.colours, "A colour")] += count

    def remove(self, colour: int, count: int = 1) -> None:
        if not 0 <= count <= self.count(colour):
            raise IllegalOperation(f"{count} tiles of colour {colour} cannot be removed from {self.count(colour)}.")
        self._counts[colour] -= count

    def merge(self, other: Tiles) -> None:
        """Adds copies of all tiles of the other heap, which must have the same colours."""
        if other.colours != self.colours:
            raise IllegalOperation(f"Heaps of {self.colours} and {other.colours} colours do not mix.")
        self._counts = [mine + its for mine, its in zip(self._counts, other._counts, strict=True)]

    def draw(self, count: int, rng: np.ndarray) -> Tiles:
        """Moves `count` random tiles into a new heap; `rng` is one of `ludens.core.rng.generator`."""
        if not 0 <= count <= self.total:
            raise IllegalOperation(f"{count} tiles cannot be drawn from {self.total}.")
        drawn = Tiles(self.colours, 0)
        for _ in range(count):
            ticket = pick(rng, self.total)
            colour = 0
            while ticket >= self._counts[colour]:
                ticket -= self._counts[colour]
                colour += 1
            self.remove(colour)
            drawn.add(colour)
        return drawn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tiles) and self._counts == other._counts

    __hash__ = None  # type: ignore[assignment]  # a heap changes

    def __repr__(self) -> str:
        return f"Tiles.of({self.counts})"


# --- a player's board ---------------------------------------------------------------------

_tile_points = plain(rules.tile_points)


@kernel
def _accepts(states: Any, p: int, line: int, colour: int) -> bool:
    return rules.line_accepts(states[0], p, line, colour)


@kernel
def _bonuses(states: Any, p: int) -> int:
    return rules.bonuses(states[0], p)


class Player:
    """One player of a position: name, score and board, to be read only (AZ-57)."""

    def __init__(self, states: np.ndarray, seat: int, name: str) -> None:
        """`states` is an array of one record, which nobody changes any more."""
        self._states = states
        self._record: Any = states[0]
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
        if self._record.phase == OVER:
            raise IllegalOperation("The game is over and its final bonuses are in the score already.")
        states = self._states.copy()
        states["score"][0, self.seat] += self.bonus
        return Player(states, self.seat, self.name)
