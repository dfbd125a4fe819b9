"""Azul: taking tiles from a source to a pattern line or the floor (AZ-15 … AZ-26)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.azul import phases
from ludens.games.azul.rules.wall import wall_column
from ludens.games.azul.state import EMPTY, FLOOR, FLOOR_ROOM, MARKER, NOBODY, SIZE, Azul

__all__ = ["legal_takes", "line_accepts", "take", "to_floor"]


@rule
def line_accepts(s: Azul, p: int, line: int, colour: int) -> bool:
    """May tiles of this colour go to this pattern line of player p? (AZ-21, AZ-22)"""
    held = s.line_colour[p, line]
    if held != EMPTY:
        return bool(held == colour and s.line_count[p, line] <= line)
    if s.grey:
        for c in range(SIZE):
            if s.wall[p, line, c] == colour:
                return False
        return True
    return bool(s.wall[p, line, wall_column(line, colour)] == EMPTY)


@rule
def legal_takes(s: Azul, out: Array) -> int:
    """Every colour of every source to every line that accepts it, and to the floor (AZ-15 … AZ-24)."""
    p = int(s.current)
    lines_0, lines_1, lines_2, lines_3, lines_4 = 0, 0, 0, 0, 0  # a word a colour: one word for all is slower
    for line in range(SIZE):
        bit = 1 << line
        if line_accepts(s, p, line, 0):
            lines_0 |= bit
        if line_accepts(s, p, line, 1):
            lines_1 |= bit
        if line_accepts(s, p, line, 2):
            lines_2 |= bit
        if line_accepts(s, p, line, 3):
            lines_3 |= bit
        if line_accepts(s, p, line, 4):
            lines_4 |= bit
    n = 0
    for source in range(s.factories + 1):
        for colour in range(SIZE):
            if s.sources[source, colour] > 0:
                base = source * 30 + colour * 6
                lines = lines_0
                if colour == 1:
                    lines = lines_1
                elif colour == 2:
                    lines = lines_2
                elif colour == 3:
                    lines = lines_3
                elif colour == 4:
                    lines = lines_4
                for line in range(SIZE):
                    if lines >> line & 1:
                        out[n] = base + line
                        n += 1
                out[n] = base + FLOOR
                n += 1
    return n


@rule
def take(s: Azul, source: int, colour: int, destination: int) -> None:
    """Takes a colour from a source to a line or the floor; the next player follows, or the tiling (AZ-16 … AZ-26)."""
    p = int(s.current)
    centre = int(s.factories)
    count = int(s.sources[source, colour])
    s.sources[source, colour] = 0
    s.tiles_left -= count
    if source == centre:
        if s.marker == NOBODY:  # AZ-17: the marker goes to the floor before the tiles
            s.marker = p
            to_floor(s, p, MARKER, 1)
    else:
        for other in range(SIZE):  # AZ-16
            s.sources[centre, other] += s.sources[source, other]
            s.sources[source, other] = 0
    over = count
    if destination != FLOOR:
        room = destination + 1 - int(s.line_count[p, destination])
        placed = min(count, room)
        s.line_colour[p, destination] = colour
        s.line_count[p, destination] += placed
        over = count - placed  # AZ-23
    to_floor(s, p, colour, over)
    if s.tiles_left == 0:  # AZ-26
        s.phase = phases.PLACING
        s.current = s.first
    else:
        s.current = (p + 1) % s.players


@rule
def to_floor(s: Azul, p: int, tile: int, count: int) -> None:
    """Floor places from the left; what finds no place goes to the lid (AZ-25), the marker nowhere (AZ-18)."""
    used = int(s.floor_count[p])
    for _ in range(count):
        if used < FLOOR_ROOM:
            s.floor[p, used] = tile
            used += 1
        elif tile != MARKER:
            s.lid[tile] += 1
    s.floor_count[p] = used
