"""Azul: a position as numbers for a network (AZ-71, AZ-72)."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.spec import Block
from ludens.games.azul import phases
from ludens.games.azul.rules.rounds import factories_of
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.state import EMPTY, FACTORY_ROOM, FLOOR_ROOM, NOBODY, SIZE, TILES_PER_COLOUR, Azul

__all__ = ["blocks", "observe"]

_TABLE, _BOARD = 3, 5
_NO_LIMIT = 50  # rounds: as in tournaments, by which networks learn; a game without a limit ends long before


def blocks(options: np.ndarray) -> tuple[Block, ...]:
    """The blocks of the observation in their order."""
    players, grey = int(options[0]), int(options[1])
    wall = (players, SIZE, SIZE, SIZE) if grey else (players, SIZE, SIZE)
    return (
        Block("factories", (factories_of(players, int(options[4])), SIZE), "tiles of each colour ÷ 4"),
        Block("centre", (SIZE,), "tiles of each colour ÷ 20"),
        Block(
            "table",
            (_TABLE,),
            "marker in the centre; round ÷ 10; rounds after this one ÷ 10, without a limit those to the 50th",
        ),
        Block("bag", (SIZE,), "tiles of each colour ÷ 20"),
        Block("lid", (SIZE,), "tiles of each colour ÷ 20"),
        Block("floors", (SIZE,), "tiles of each colour on all floors ÷ 20: they go to the lid"),
        Block("tiling", (SIZE,), "the line that is tiled now, one-hot"),
        Block("walls", wall, "rows and columns of each wall; on the grey wall the colour, one-hot"),
        Block("lines", (players, SIZE, SIZE + 1), "pattern lines: colour one-hot (5), share that is filled"),
        Block("boards", (players, _BOARD), "floor places ÷ 7, score ÷ 100, has the marker, started the round, to act"),
    )


@rule
def observe(v: Azul, seat: int, out: Array) -> None:
    """Values lie in 0 … 1 (scores and rounds may exceed it); boards from the observer on, for seat -1 from seat 0."""
    out[:] = 0.0
    k = 0
    for source in range(v.factories + 1):
        room = FACTORY_ROOM if source < v.factories else TILES_PER_COLOUR
        for colour in range(SIZE):
            out[k] = v.sources[source, colour] / room
            k += 1
    if v.marker == NOBODY:
        out[k] = 1.0
    out[k + 1] = v.round_number / 10
    limit = int(v.round_limit) if v.round_limit > 0 else _NO_LIMIT
    out[k + 2] = max(0, limit - int(v.round_number)) / 10
    k += _TABLE
    for colour in range(SIZE):
        out[k + colour] = v.bag[colour] / TILES_PER_COLOUR
        out[k + SIZE + colour] = v.lid[colour] / TILES_PER_COLOUR
    k += 2 * SIZE
    players = int(v.players)
    for colour in range(SIZE):
        tiles = 0
        for p in range(players):
            for place in range(v.floor_count[p]):
                if v.floor[p, place] == colour:
                    tiles += 1
        out[k + colour] = tiles / TILES_PER_COLOUR
    k += SIZE
    if v.phase == phases.PLACING:
        line = full_line(v, v.current)
        if line >= 0:
            out[k + line] = 1.0
    k += SIZE
    cells = SIZE * SIZE * SIZE if v.grey else SIZE * SIZE
    for offset in range(players):
        p = (max(seat, 0) + offset) % players
        _observe_wall(v, p, out, k + offset * cells)
        lines = k + players * cells + offset * SIZE * (SIZE + 1)
        _observe_lines(v, p, out, lines)
        board = k + players * (cells + SIZE * (SIZE + 1)) + offset * _BOARD
        out[board] = v.floor_count[p] / FLOOR_ROOM
        out[board + 1] = v.score[p] / 100
        out[board + 2] = 1.0 if v.marker == p else 0.0
        out[board + 3] = 1.0 if v.first == p else 0.0
        out[board + 4] = 1.0 if v.current == p else 0.0


@rule
def _observe_wall(v: Azul, p: int, out: Array, k: int) -> None:
    for r in range(SIZE):
        for c in range(SIZE):
            colour = int(v.wall[p, r, c])
            if v.grey:
                if colour != EMPTY:
                    out[k + colour] = 1.0
                k += SIZE
            else:
                if colour != EMPTY:
                    out[k] = 1.0
                k += 1


@rule
def _observe_lines(v: Azul, p: int, out: Array, k: int) -> None:
    for line in range(SIZE):
        colour = int(v.line_colour[p, line])
        if colour != EMPTY:
            out[k + colour] = 1.0
        out[k + SIZE] = v.line_count[p, line] / (line + 1)
        k += SIZE + 1
