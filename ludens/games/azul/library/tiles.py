"""Azul's library: tiles in groups, on factories, in the centre and in heaps (AZ-56, AZ-58, AZ-60)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludens.core.rng import pick
from ludens.games.azul.library.errors import IllegalOperation, checked
from ludens.games.azul.state import COLOURS, FACTORY_ROOM, SIZE, TILES_PER_COLOUR

__all__ = ["Centre", "Factory", "TileGroup", "Tiles"]


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


class Tiles:
    """A heap of tiles, counted by colour, to draw from (AZ-58)."""

    def __init__(self, colours: int = SIZE, total: int = SIZE * TILES_PER_COLOUR) -> None:
        """`total` tiles, equally many of each of the `colours`."""
        if colours < 1 or total < 0 or total % colours:
            raise IllegalOperation(f"{total} tiles cannot be split evenly into {colours} colours.")
        self._counts = [total // colours] * colours

    @classmethod
    def of(cls, counts: Sequence[int] | np.ndarray) -> Tiles:
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
