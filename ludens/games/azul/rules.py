"""Azul: the rules, verb by verb. Numbers such as AZ-17 are those of the specification."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import rule
from ludens.core.rng import below
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.azul.state import (
    DEALING,
    EMPTY,
    FACTORY_ROOM,
    FIRST_COLUMN,
    FLOOR,
    FLOOR_PENALTY,
    FLOOR_ROOM,
    MARKER,
    NOBODY,
    OVER,
    PLACING,
    SIZE,
    START,
    STEP,
    TAKING,
    TILES_PER_COLOUR,
)

__all__ = [
    "actor",
    "apply",
    "bonuses",
    "chance",
    "complete_colours",
    "complete_columns",
    "complete_rows",
    "draw",
    "full_line",
    "legal",
    "line_accepts",
    "reset",
    "returns",
    "scores",
    "tile_points",
    "wall_column",
    "wall_columns",
]


@rule
def reset(s: Any, options: Any) -> None:
    """options: players, grey, first (0 random, else seat + 1), round_limit."""
    players = options[0]
    s.players = players
    s.factories = 2 * players + 1  # AZ-4
    s.grey = options[1]
    s.round_limit = options[3]
    s.round_number = 1
    s.marker = NOBODY
    for colour in range(SIZE):
        s.bag[colour] = TILES_PER_COLOUR
    for p in range(s.wall.shape[0]):
        s.floor_count[p] = 0
        for r in range(SIZE):
            s.line_colour[p, r] = EMPTY
            for c in range(SIZE):
                s.wall[p, r, c] = EMPTY
        for k in range(FLOOR_ROOM):
            s.floor[p, k] = EMPTY
    if options[2] == 0:
        s.phase = START  # AZ-8: the first seat is drawn
    else:
        _begin_round(s, options[2] - 1)


@rule
def actor(s: Any) -> int:
    if s.phase == TAKING or s.phase == PLACING:
        return int(s.current)
    if s.phase == OVER:
        return TERMINAL
    return CHANCE


# --- chance: the starting seat, then the deal, tile by tile ------------------------------


@rule
def chance(s: Any, outcomes: Any, weights: Any) -> int:
    if s.phase == START:
        for seat in range(s.players):
            outcomes[seat] = seat
            weights[seat] = 1.0 / int(s.players)
        return int(s.players)
    if s.phase != DEALING:
        return 0
    total = 0
    for colour in range(SIZE):
        total += int(s.bag[colour])
    n = 0
    for colour in range(SIZE):
        if s.bag[colour] > 0:
            outcomes[n] = colour
            weights[n] = int(s.bag[colour]) / total
            n += 1
    return n


@rule
def draw(s: Any, rng: Any) -> int:
    if s.phase == START:
        return below(rng, int(s.players))
    total = 0
    for colour in range(SIZE):
        total += int(s.bag[colour])
    ticket = below(rng, total)
    colour = 0
    while ticket >= s.bag[colour]:
        ticket -= int(s.bag[colour])
        colour += 1
    return colour


@rule
def _begin_round(s: Any, first: int) -> None:
    """Empties the table for the deal of a new round (AZ-11)."""
    s.first = first
    s.current = first
    s.marker = NOBODY
    s.dealt = 0
    s.tiles_left = 0
    s.phase = DEALING
    _refill_bag(s)
    if _bag_is_empty(s):  # AZ-14: not a single tile can be dealt
        _finish(s)


@rule
def _bag_is_empty(s: Any) -> bool:
    for colour in range(SIZE):
        if s.bag[colour] > 0:
            return False
    return True


@rule
def _refill_bag(s: Any) -> None:
    """An empty bag takes the tiles of the lid (AZ-12)."""
    if _bag_is_empty(s):
        for colour in range(SIZE):
            s.bag[colour] = s.lid[colour]
            s.lid[colour] = 0


@rule
def _deal(s: Any, colour: int) -> None:
    """Puts one drawn tile on the next free factory place (AZ-11)."""
    s.bag[colour] -= 1
    s.sources[s.dealt // FACTORY_ROOM, colour] += 1
    s.dealt += 1
    s.tiles_left += 1
    if s.dealt == FACTORY_ROOM * s.factories:
        s.phase = TAKING
    else:
        _refill_bag(s)
        if _bag_is_empty(s):  # AZ-13: the round starts with what there is
            s.phase = TAKING


# --- decisions ----------------------------------------------------------------------------


@rule
def line_accepts(s: Any, p: int, line: int, colour: int) -> bool:
    """May tiles of this colour go to this pattern line of player p? (AZ-21, AZ-22)"""
    held = s.line_colour[p, line]
    if held != EMPTY:
        return held == colour and s.line_count[p, line] <= line
    if s.grey:
        for c in range(SIZE):
            if s.wall[p, line, c] == colour:
                return False
        return True
    return s.wall[p, line, wall_column(line, colour)] == EMPTY


@rule
def legal(s: Any, out: Any) -> int:
    if s.phase == TAKING:
        return _legal_takes(s, out)
    if s.phase != PLACING:
        return 0
    n = 0
    if s.grey:
        line = full_line(s, s.current)
        if line >= 0:
            n = wall_columns(s, s.current, line, s.line_colour[s.current, line], out)
    if n <= 1:  # nothing to choose: AZ-27 on the fixed wall, AZ-39, or only the floor is left
        out[0] = STEP
        return 1
    for k in range(n):
        out[k] += FIRST_COLUMN
    return n


@rule
def _legal_takes(s: Any, out: Any) -> int:
    """Every colour of every source to every line that accepts it, and to the floor (AZ-15 … AZ-24)."""
    p = int(s.current)
    accepts = (0, 0, 0, 0, 0)
    lines_0, lines_1, lines_2, lines_3, lines_4 = accepts
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
def apply(s: Any, a: int) -> None:
    if s.phase == TAKING:
        _take(s, a // 30, a // 6 % 5, a % 6)
    elif s.phase == PLACING:
        _tile(s, a)
    elif s.phase == DEALING:
        _deal(s, a)
    else:
        _begin_round(s, a)


@rule
def _take(s: Any, source: int, colour: int, destination: int) -> None:
    p = int(s.current)
    centre = int(s.factories)
    count = int(s.sources[source, colour])
    s.sources[source, colour] = 0
    s.tiles_left -= count
    if source == centre:
        if s.marker == NOBODY:  # AZ-17: the marker goes to the floor before the tiles
            s.marker = p
            _to_floor(s, p, MARKER, 1)
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
    _to_floor(s, p, colour, over)
    if s.tiles_left == 0:  # AZ-26
        s.phase = PLACING
        s.current = s.first
    else:
        s.current = (p + 1) % s.players


@rule
def _to_floor(s: Any, p: int, tile: int, count: int) -> None:
    """Floor places from the left; what finds no place goes to the lid (AZ-25), the marker nowhere (AZ-18)."""
    used = int(s.floor_count[p])
    for _ in range(count):
        if used < FLOOR_ROOM:
            s.floor[p, used] = tile
            used += 1
        elif tile != MARKER:
            s.lid[tile] += 1
    s.floor_count[p] = used


# --- tiling, one step a call (AZ-27, AZ-49) -----------------------------------------------


@rule
def wall_column(row: int, colour: int) -> int:
    """The column of a colour in a row of the fixed wall (AZ-6)."""
    return (colour + row) % SIZE


@rule
def full_line(s: Any, p: int) -> int:
    """The topmost full pattern line of player p, or -1."""
    for line in range(SIZE):
        if s.line_count[p, line] == line + 1:
            return line
    return -1


@rule
def _column_is_free(s: Any, p: int, row: int, column: int, colour: int) -> bool:
    """Is the cell empty and the colour not yet in this column? (AZ-38; the row is kept by AZ-22)"""
    if s.wall[p, row, column] != EMPTY:
        return False
    for r in range(SIZE):
        if s.wall[p, r, column] == colour:
            return False
    return True


@rule
def wall_columns(s: Any, p: int, row: int, colour: int, out: Any) -> int:
    """The columns where this colour may stand in this wall row, ascending, into out[:n] (AZ-6, AZ-38)."""
    n = 0
    for c in range(SIZE):
        if (s.grey or c == wall_column(row, colour)) and _column_is_free(s, p, row, c, colour):
            out[n] = c
            n += 1
    return n


@rule
def _only_column(s: Any, p: int, row: int, colour: int) -> int:
    """The first column where this colour may stand in this row, or -1; there is no other."""
    if not s.grey:
        return wall_column(row, colour)
    for c in range(SIZE):
        if _column_is_free(s, p, row, c, colour):
            return c
    return -1


@rule
def _tile(s: Any, a: int) -> None:
    p = int(s.current)
    line = full_line(s, p)
    if line >= 0:
        colour = int(s.line_colour[p, line])
        s.line_colour[p, line] = EMPTY
        s.line_count[p, line] = 0
        column = _only_column(s, p, line, colour) if a == STEP else a - FIRST_COLUMN
        if column < 0:  # AZ-39: nowhere to go, the whole line falls to the floor
            _to_floor(s, p, colour, line + 1)
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
def tile_points(wall: Any, row: int, column: int) -> int:
    """Points of a tile at this cell, whether it lies there already or not (AZ-29)."""
    across = 1
    c = column - 1
    while c >= 0 and wall[row, c] != EMPTY:
        across += 1
        c -= 1
    c = column + 1
    while c < SIZE and wall[row, c] != EMPTY:
        across += 1
        c += 1
    down = 1
    r = row - 1
    while r >= 0 and wall[r, column] != EMPTY:
        down += 1
        r -= 1
    r = row + 1
    while r < SIZE and wall[r, column] != EMPTY:
        down += 1
        r += 1
    if across == 1:
        return down
    if down == 1:
        return across
    return across + down


@rule
def _settle_floor(s: Any, p: int) -> None:
    """Subtracts the floor's penalty, not below zero, and empties it into the lid (AZ-30, AZ-31)."""
    used = int(s.floor_count[p])
    s.score[p] = max(0, int(s.score[p]) - int(FLOOR_PENALTY[used]))
    for k in range(used):
        tile = int(s.floor[p, k])
        if tile != MARKER:
            s.lid[tile] += 1
        s.floor[p, k] = EMPTY
    s.floor_count[p] = 0


# --- the end ------------------------------------------------------------------------------


@rule
def _end_round(s: Any) -> None:
    for p in range(s.players):
        if complete_rows(s, p) > 0:  # AZ-33
            _finish(s)
            return
    if s.round_limit > 0 and s.round_number >= s.round_limit:  # AZ-36
        s.cut_off = 1
        _finish(s)
        return
    s.round_number += 1
    first = int(s.first) if s.marker == NOBODY else int(s.marker)  # AZ-32
    _begin_round(s, first)


@rule
def _finish(s: Any) -> None:
    for p in range(s.players):
        s.score[p] += bonuses(s, p)
    s.phase = OVER


@rule
def complete_rows(s: Any, p: int) -> int:
    rows = 0
    for r in range(SIZE):
        full = 1
        for c in range(SIZE):
            if s.wall[p, r, c] == EMPTY:
                full = 0
        rows += full
    return rows


@rule
def complete_columns(s: Any, p: int) -> int:
    columns = 0
    for c in range(SIZE):
        full = 1
        for r in range(SIZE):
            if s.wall[p, r, c] == EMPTY:
                full = 0
        columns += full
    return columns


@rule
def complete_colours(s: Any, p: int) -> int:
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
def bonuses(s: Any, p: int) -> int:
    """Final bonuses: 2 a row, 7 a column, 10 a colour (AZ-34)."""
    return 2 * complete_rows(s, p) + 7 * complete_columns(s, p) + 10 * complete_colours(s, p)


@rule
def scores(s: Any, out: Any) -> None:
    for p in range(s.players):
        out[p] = s.score[p]


@rule
def returns(s: Any, out: Any) -> None:
    """The winner has 1, the others share -1; several winners share the victory (AZ-35)."""
    players = int(s.players)
    for p in range(players):
        out[p] = 0.0
    if s.phase != OVER:
        return
    best = -1
    for p in range(players):
        best = max(best, int(s.score[p]) * 8 + complete_rows(s, p))
    winners = 0
    for p in range(players):
        if int(s.score[p]) * 8 + complete_rows(s, p) == best:
            winners += 1
    for p in range(players):
        share = 0.0
        if int(s.score[p]) * 8 + complete_rows(s, p) == best:
            share = 1.0 / winners
        out[p] = (players * share - 1.0) / (players - 1)
