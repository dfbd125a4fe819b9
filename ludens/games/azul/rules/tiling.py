"""Azul: tiling the wall, one step a call, and what follows when all have tiled (AZ-27 … AZ-33, AZ-39, AZ-49)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.azul.rules.rounds import begin_round, complete_rows, finish
from ludens.games.azul.rules.taking import to_floor
from ludens.games.azul.rules.wall import only_column, tile_points
from ludens.games.azul.state import EMPTY, FIRST_COLUMN, FLOOR_PENALTY, MARKER, NOBODY, SIZE, STEP, Azul

__all__ = ["full_line", "tiling_step"]


@rule
def full_line(s: Azul, p: int) -> int:
    """The topmost full pattern line of player p, or -1."""
    for line in range(SIZE):
        if s.line_count[p, line] == line + 1:
            return line
    return -1


@rule
def tiling_step(s: Azul, a: int) -> None:
    """Tiles the topmost full line; with the last one settles the floor and passes the turn on (AZ-27, AZ-49)."""
    p = int(s.current)
    line = full_line(s, p)
    if line >= 0:
        colour = int(s.line_colour[p, line])
        s.line_colour[p, line] = EMPTY
        s.line_count[p, line] = 0
        column = only_column(s, p, line, colour) if a == STEP else a - FIRST_COLUMN
        if column < 0:  # AZ-39: nowhere to go, the whole line falls to the floor
            to_floor(s, p, colour, line + 1)
        else:
            s.wall[p, line, column] = colour
            s.score[p] += tile_points(s.wall[p], line, column)
            s.lid[colour] += line
        if full_line(s, p) >= 0:
            return
    _settle_floor(s, p)
    s.current = (p + 1) % s.players
    if s.current == s.first:  # AZ-28: everybody has tiled
        _end_round(s)


@rule
def _settle_floor(s: Azul, p: int) -> None:
    """Subtracts the floor's penalty, not below zero, and empties it into the lid (AZ-30, AZ-31)."""
    used = int(s.floor_count[p])
    s.score[p] = max(0, int(s.score[p]) - int(FLOOR_PENALTY[used]))
    for k in range(used):
        tile = int(s.floor[p, k])
        if tile != MARKER:
            s.lid[tile] += 1
        s.floor[p, k] = EMPTY
    s.floor_count[p] = 0


@rule
def _end_round(s: Azul) -> None:
    for p in range(s.players):
        if complete_rows(s, p) > 0:  # AZ-33
            finish(s)
            return
    if s.round_limit > 0 and s.round_number >= s.round_limit:  # AZ-36
        s.cut_off = 1
        finish(s)
        return
    s.round_number += 1
    first = int(s.first) if s.marker == NOBODY else int(s.marker)  # AZ-32
    begin_round(s, first)
