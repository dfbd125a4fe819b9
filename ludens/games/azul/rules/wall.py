"""Azul: the walls: which tile may stand where, and what it scores (AZ-6, AZ-29, AZ-38)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.azul.state import EMPTY, SIZE, Azul

__all__ = ["only_column", "tile_points", "wall_column", "wall_columns"]


@rule
def wall_column(row: int, colour: int) -> int:
    """The column of a colour in a row of the fixed wall (AZ-6)."""
    return (colour + row) % SIZE


@rule
def _column_is_free(s: Azul, p: int, row: int, column: int, colour: int) -> bool:
    """Is the cell empty and the colour not yet in this column? (AZ-38; the row is kept by AZ-22)"""
    if s.wall[p, row, column] != EMPTY:
        return False
    for r in range(SIZE):
        if s.wall[p, r, column] == colour:
            return False
    return True


@rule
def wall_columns(s: Azul, p: int, row: int, colour: int, out: Array) -> int:
    """The columns where this colour may stand in this wall row, ascending, into out[:n] (AZ-6, AZ-38)."""
    n = 0
    for c in range(SIZE):
        if (s.grey or c == wall_column(row, colour)) and _column_is_free(s, p, row, c, colour):
            out[n] = c
            n += 1
    return n


@rule
def only_column(s: Azul, p: int, row: int, colour: int) -> int:
    """The first column where this colour may stand in this row, or -1; there is no other."""
    if not s.grey:
        return wall_column(row, colour)
    for c in range(SIZE):
        if _column_is_free(s, p, row, c, colour):
            return c
    return -1


@rule
def _run(wall: Array, row: int, column: int, down: int, right: int) -> int:
    """Tiles without a gap from a cell on, in one direction."""
    tiles, r, c = 0, row + down, column + right
    while 0 <= r < SIZE and 0 <= c < SIZE and wall[r, c] != EMPTY:
        tiles, r, c = tiles + 1, r + down, c + right
    return tiles


@rule
def tile_points(wall: Array, row: int, column: int) -> int:
    """Points of a tile at this cell, whether it lies there already or not (AZ-29)."""
    across = 1 + _run(wall, row, column, 0, -1) + _run(wall, row, column, 0, 1)
    down = 1 + _run(wall, row, column, -1, 0) + _run(wall, row, column, 1, 0)
    if across == 1:
        return down
    if down == 1:
        return across
    return across + down
