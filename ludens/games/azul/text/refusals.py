"""Azul: why an action is not legal now."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import plain
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.state import COLOURS, EMPTY, FIRST_COLUMN, OVER, PLACING
from ludens.games.azul.text.actions import split
from ludens.games.azul.text.position import open_columns

__all__ = ["refusal"]

_full_line = plain(full_line)


def refusal(s: Any, a: int) -> str:
    """Why an action is not legal now, naming the rule."""
    if s.phase == OVER:
        return "The game is over."
    if s.phase == PLACING:
        return _refuse_placing(s, a)
    if a >= FIRST_COLUMN:
        return "Tiles are being taken now; the wall is tiled when all tiles are taken (AZ-26)."
    source, colour, line = split(a)
    if source > s.factories:
        return f"There are {int(s.factories)} factories and the centre (AZ-4)."
    place = "the centre" if source == s.factories else f"factory {source + 1}"
    if s.sources[source, colour] == 0:
        return f"There is no {COLOURS[colour]} tile in {place} (AZ-15)."
    p = int(s.current)
    held = int(s.line_colour[p, line])
    if held == EMPTY:
        return f"Row {line + 1} of the wall already has {COLOURS[colour]} (AZ-22)."
    if held != colour:
        return f"Pattern line {line + 1} holds {COLOURS[held]} and takes only {COLOURS[held]} (AZ-21)."
    return f"Pattern line {line + 1} is full (AZ-21)."


def _refuse_placing(s: Any, a: int) -> str:
    if a < FIRST_COLUMN:
        return "All tiles are taken; the walls are being tiled now (AZ-26)."
    columns = open_columns(s)
    if len(columns) <= 1:
        return "There is nothing to choose in this step; play 'step' (AZ-27)."
    line = _full_line(s, int(s.current))
    colour = COLOURS[int(s.line_colour[s.current, line])]
    allowed = ", ".join(str(c + 1) for c in columns)
    return f"Choose a column for {colour} in row {line + 1}: {allowed} (AZ-38)."
