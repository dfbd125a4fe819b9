"""Azul: why an action is not legal now."""

from __future__ import annotations

from ludens.core.jit import plain
from ludens.games.azul import phases
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.state import COLOURS, EMPTY, FIRST_COLUMN, Azul
from ludens.games.azul.text.actions import split
from ludens.games.azul.text.position import open_columns
from ludens.i18n.messages import say

__all__ = ["refusal"]

_full_line = plain(full_line)


def refusal(s: Azul, a: int) -> str:
    """Why an action is not legal now, naming the rule."""
    if s.phase == phases.OVER:
        return "The game is over."
    if s.phase == phases.PLACING:
        return _refuse_placing(s, a)
    if a >= FIRST_COLUMN:
        return "Tiles are being taken now; the wall is tiled when all tiles are taken (AZ-26)."
    source, colour, line = split(a)
    if source > s.factories:
        return say("There are {n} factories and the centre (AZ-4).", n=int(s.factories))
    place = say("the centre") if source == s.factories else say("factory {n}", n=source + 1)
    if s.sources[source, colour] == 0:
        return say("There is no {colour} tile in {place} (AZ-15).", colour=COLOURS[colour], place=place)
    p = int(s.current)
    held = int(s.line_colour[p, line])
    if held == EMPTY:
        return say("Row {n} of the wall already has {colour} (AZ-22).", n=line + 1, colour=COLOURS[colour])
    if held != colour:
        return say("Pattern line {n} holds {colour} and takes only {colour} (AZ-21).", n=line + 1, colour=COLOURS[held])
    return say("Pattern line {n} is full (AZ-21).", n=line + 1)


def _refuse_placing(s: Azul, a: int) -> str:
    if a < FIRST_COLUMN:
        return "All tiles are taken; the walls are being tiled now (AZ-26)."
    columns = open_columns(s)
    if len(columns) <= 1:
        return "There is nothing to choose in this step; play 'step' (AZ-27)."
    line = _full_line(s, int(s.current))
    colour = COLOURS[int(s.line_colour[s.current, line])]
    allowed = ", ".join(str(c + 1) for c in columns)
    return say(
        "Choose a column for {colour} in row {row}: {allowed} (AZ-38).", colour=colour, row=line + 1, allowed=allowed
    )
