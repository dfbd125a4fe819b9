"""Azul: the board as one record, and the constants of the box (AZ-3 … AZ-7, AZ-62)."""

from __future__ import annotations

import numpy as np

from ludens.core.record import Position, int8, int16, layout

SIZE = 5  # colours, rows, columns, pattern lines
TILES_PER_COLOUR = 20  # AZ-3
FACTORY_ROOM = 4  # AZ-4
FLOOR_ROOM = 7  # AZ-5
MAX_PLAYERS = 4
MAX_SOURCES = 10  # nine factories and the centre
COLOURS = ("blue", "yellow", "red", "black", "white")  # AZ-3, in the order of their ids
LETTERS = "BYRKW"  # likewise; K for black, as printers say

EMPTY = -1  # no tile in a wall cell, pattern line or floor place
MARKER = 5  # the first-player marker on a floor
NOBODY = -1  # nobody has taken the marker this round: it lies in the centre

# Points lost for 0 … 7 occupied floor places (AZ-7).
FLOOR_PENALTY = np.array([0, 1, 2, 4, 6, 8, 11, 14], np.int64)

# Actions: 0 … 299 take (AZ-66), then the owner's columns on the grey wall, then the forced step.
FLOOR = 5  # the destination after the pattern lines 0 … 4
FIRST_COLUMN = 300
STEP = 305


class Azul(Position):
    """The board."""

    factories = int8()  # how many; the centre is the source with this index (AZ-61)
    grey = int8()  # 1 on the grey wall (AZ-37)
    current = int8()  # seat to take or to tile
    first = int8()  # seat that started this round
    marker = int8()  # seat that took the marker this round, or NOBODY: the one source of truth (AZ-45)
    cut_off = int8()  # 1 if the round limit ended the game (AZ-36)
    dealt = int8()  # factory places filled in this deal
    tiles_left = int8()  # tiles on factories and centre
    round_number = int16()  # counted from 1
    round_limit = int16()  # 0: none
    score = int16(MAX_PLAYERS)
    sources = int8(MAX_SOURCES, SIZE)  # tiles of each colour
    bag = int8(SIZE)
    lid = int8(SIZE)
    line_colour = int8(MAX_PLAYERS, SIZE)  # or EMPTY
    line_count = int8(MAX_PLAYERS, SIZE)
    wall = int8(MAX_PLAYERS, SIZE, SIZE)  # colour or EMPTY
    floor = int8(MAX_PLAYERS, FLOOR_ROOM)  # colour, MARKER or EMPTY, filled from the left
    floor_count = int8(MAX_PLAYERS)


DTYPE = layout("azul", Azul)
