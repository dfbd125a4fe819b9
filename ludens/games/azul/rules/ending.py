"""Azul: the end of the game: complete rows, columns and colours, and their bonuses (AZ-33, AZ-34)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.azul import phases
from ludens.games.azul.state import EMPTY, SIZE, Azul

__all__ = ["bonuses", "complete_colours", "complete_columns", "complete_rows", "finish"]


@rule
def complete_rows(s: Azul, p: int) -> int:
    rows = 0
    for r in range(SIZE):
        full = 1
        for c in range(SIZE):
            if s.wall[p, r, c] == EMPTY:
                full = 0
        rows += full
    return rows


@rule
def complete_columns(s: Azul, p: int) -> int:
    columns = 0
    for c in range(SIZE):
        full = 1
        for r in range(SIZE):
            if s.wall[p, r, c] == EMPTY:
                full = 0
        columns += full
    return columns


@rule
def complete_colours(s: Azul, p: int) -> int:
    colours = 0
    for colour in range(SIZE):
        tiles = 0
        for r in range(SIZE):
            for c in range(SIZE):
                if s.wall[p, r, c] == colour:
                    tiles += 1
        if tiles == SIZE:
            colours += 1
    return colours


@rule
def bonuses(s: Azul, p: int) -> int:
    """Final bonuses: 2 a row, 7 a column, 10 a colour (AZ-34)."""
    return 2 * complete_rows(s, p) + 7 * complete_columns(s, p) + 10 * complete_colours(s, p)


@rule
def finish(s: Azul) -> None:
    """Adds everybody's bonuses and ends the game."""
    for p in range(s.players):
        s.score[p] += bonuses(s, p)
    s.phase = phases.OVER
