"""Scotland Yard: the symmetries of the grid, applied to whole situations (SY-57, SY-58)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

__all__ = ["CELLS", "DIRECTIONS", "SIZE", "Symmetries", "cell_maps", "orbit_count", "symmetries", "unfolded"]

SIZE = 5
CELLS = SIZE * SIZE
DIRECTIONS = np.array([-SIZE, -1, 1, SIZE], np.int64)
"""What a step up, left, right or down adds to a cell."""


class Symmetries(NamedTuple):
    """The eight symmetries, for situations (own cell, partner's cell, last seen cell)."""

    number: np.ndarray  # int64[cells³]: the number of a situation's class
    map: np.ndarray  # int64[cells³]: the symmetry that makes the situation its class's least one
    turned: np.ndarray  # int64[8, 4]: the direction that a direction becomes
    back: np.ndarray  # int64[8, 4]: the inverse
    classes: int


def cell_maps(reflections: bool = True) -> np.ndarray:
    """int64[4 or 8, cells]: where every cell goes under the rotations, and after them the reflections."""
    grid = np.arange(CELLS).reshape(SIZE, SIZE)
    pictures = [np.rot90(grid, k) for k in range(4)]
    if reflections:
        pictures += [np.rot90(grid.T, k) for k in range(4)]
    return np.array([np.argsort(picture.reshape(-1)) for picture in pictures])


def orbit_count(reflections: bool, swap: bool) -> int:
    """Classes of triples (detective, detective, Mr. X) under rotations, reflections and a swap of the detectives."""
    maps = cell_maps(reflections)
    first, second, seen = np.unravel_index(np.arange(CELLS**3), (CELLS,) * 3)
    codes = [np.ravel_multi_index((m[first], m[second], m[seen]), (CELLS,) * 3) for m in maps]
    if swap:
        codes += [np.ravel_multi_index((m[second], m[first], m[seen]), (CELLS,) * 3) for m in maps]
    return len(np.unique(np.min(codes, axis=0)))


@cache
def symmetries() -> Symmetries:
    """The tables for all eight symmetries."""
    maps = cell_maps()
    triples = np.unravel_index(np.arange(CELLS**3), (CELLS,) * 3)
    codes = np.array([np.ravel_multi_index(tuple(m[cells] for cells in triples), (CELLS,) * 3) for m in maps])
    least = codes.min(axis=0)
    known, number = np.unique(least, return_inverse=True)
    centre = CELLS // 2
    turned = np.array(
        [[list(DIRECTIONS).index(m[centre + step] - m[centre]) for step in DIRECTIONS] for m in maps], np.int64
    )
    return Symmetries(
        number.reshape(-1).astype(np.int64), codes.argmin(axis=0), turned, np.argsort(turned, axis=1), len(known)
    )


@cache
def unfolded() -> Symmetries:
    """The same tables with every situation a class of its own."""
    return symmetries()._replace(number=np.arange(CELLS**3), map=np.zeros(CELLS**3, np.int64), classes=CELLS**3)
