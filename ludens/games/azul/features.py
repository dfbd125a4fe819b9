"""Azul: a position as numbers for a network (AZ-71, AZ-72)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.state import EMPTY, FACTORY_ROOM, FLOOR_ROOM, NOBODY, PLACING, SIZE, TILES_PER_COLOUR

__all__ = ["observation_size", "observe"]

_BOARD = 5 * 6 + 4  # lines, floor, score, starts-next flag, to act: all of a board but its wall


def observation_size(options: np.ndarray) -> int:
    """Sources, marker, bag and lid, the line to tile, then the boards from the observer on."""
    players, grey = int(options[0]), int(options[1])
    return 5 * (2 * players + 2) + 1 + 10 + 5 + players * (_BOARD + (125 if grey else 25))


@rule
def observe(v: Any, seat: int, out: Any) -> None:
    """Values lie in 0 … 1 (scores may exceed it); seat -1 sees the boards from seat 0 on.

    Sources: tiles of each colour, ÷ 4 (centre ÷ 20). Marker in the centre. Bag and lid: tiles
    of each colour ÷ 20. The line being tiled, one-hot. Each board: wall (25 bits, or 125 on the
    grey wall), lines as colour one-hot and fill ratio, floor ÷ 7, score ÷ 100, marker, to act.
    """
    out[:] = 0.0
    k = 0
    for source in range(v.factories + 1):
        room = FACTORY_ROOM if source < v.factories else TILES_PER_COLOUR
        for colour in range(SIZE):
            out[k] = v.sources[source, colour] / room
            k += 1
    if v.marker == NOBODY:
        out[k] = 1.0
    k += 1
    for colour in range(SIZE):
        out[k + colour] = v.bag[colour] / TILES_PER_COLOUR
        out[k + SIZE + colour] = v.lid[colour] / TILES_PER_COLOUR
    k += 2 * SIZE
    if v.phase == PLACING:
        line = full_line(v, v.current)
        if line >= 0:
            out[k + line] = 1.0
    k += SIZE
    players = int(v.players)
    for offset in range(players):
        k = _observe_board(v, (max(seat, 0) + offset) % players, out, k)


@rule
def _observe_board(v: Any, p: int, out: Any, k: int) -> int:
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
    for line in range(SIZE):
        colour = int(v.line_colour[p, line])
        if colour != EMPTY:
            out[k + colour] = 1.0
        out[k + SIZE] = v.line_count[p, line] / (line + 1)
        k += SIZE + 1
    out[k] = v.floor_count[p] / FLOOR_ROOM
    out[k + 1] = v.score[p] / 100
    if v.marker == p:
        out[k + 2] = 1.0
    if v.current == p:
        out[k + 3] = 1.0
    return k + 4
