"""Azul: which moves look sensible."""

from __future__ import annotations

import math

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.azul import phases
from ludens.games.azul.evaluate import column_for, points_at, wall_bits
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.rules.wall import tile_points
from ludens.games.azul.state import FLOOR, FLOOR_PENALTY, FLOOR_ROOM, NOBODY, SIZE, STEP, Azul

__all__ = ["prior"]


@rule
def prior(s: Azul, legal: Array, n: int, out: Array) -> None:
    """Moves that gain points at once, fill lines and spill little are likely; others are not excluded."""
    p = int(s.current)
    if s.phase == phases.PLACING:
        for k in range(n):
            out[k] = 1.0
        if legal[0] != STEP:
            line = full_line(s, p)
            for k in range(n):
                out[k] = math.exp(1.0 * tile_points(s.wall[p], line, legal[k] % SIZE))
        return
    used = int(s.floor_count[p])
    bits = wall_bits(s, p)
    for k in range(n):
        a = int(legal[k])
        source, colour, line = a // 30, a // 6 % 5, a % 6
        taken = int(s.sources[source, colour])
        first = 1 if source == s.factories and s.marker == NOBODY else 0
        over, gain = taken, -1.0
        if line != FLOOR:
            room = line + 1 - int(s.line_count[p, line])
            over = max(0, taken - room)
            if over > 0 or taken == room:
                column = column_for(s, p, bits, line, colour)
                gain = 0.5 + 0.25 * line + (points_at(bits, line, column) if column >= 0 else -2)
            else:
                gain = 0.4 * (line + 1 - room + taken) / (line + 1) * (2 - 0.25 * (room - taken))
        lost = int(FLOOR_PENALTY[min(FLOOR_ROOM, used + over + first)] - FLOOR_PENALTY[used])
        out[k] = math.exp(gain - lost + 0.7 * first)
