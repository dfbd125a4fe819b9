"""Azul: the board as one record, and the constants of the box (AZ-3 … AZ-7, AZ-62)."""

from __future__ import annotations

import numpy as np

from ludens.core.record import layout

__all__ = [
    "COLOURS",
    "DEALING",
    "DTYPE",
    "EMPTY",
    "FACTORY_ROOM",
    "FIRST_COLUMN",
    "FLOOR",
    "FLOOR_PENALTY",
    "FLOOR_ROOM",
    "LETTERS",
    "MARKER",
    "MAX_PLAYERS",
    "MAX_SOURCES",
    "NOBODY",
    "OVER",
    "PLACING",
    "SIZE",
    "START",
    "STEP",
    "TAKING",
    "TILES_PER_COLOUR",
]

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

# Phases. START and DEALING are chance nodes.
START, DEALING, TAKING, PLACING, OVER = range(5)

# Actions: 0 … 299 take (AZ-66), then the owner's columns on the grey wall, then the forced step.
FLOOR = 5  # the destination after the pattern lines 0 … 4
FIRST_COLUMN = 300
STEP = 305

DTYPE = layout(
    "azul",
    [
        ("players", "i1"),
        ("phase", "i1"),
        ("factories", "i1"),  # how many; the centre is the source with this index (AZ-61)
        ("grey", "i1"),  # 1 on the grey wall (AZ-37)
        ("current", "i1"),  # seat to take or to tile
        ("first", "i1"),  # seat that started this round
        ("marker", "i1"),  # seat that took the marker this round, or NOBODY: the one source of truth (AZ-45)
        ("cut_off", "i1"),  # 1 if the round limit ended the game (AZ-36)
        ("dealt", "i1"),  # factory places filled in this deal
        ("tiles_left", "i1"),  # tiles on factories and centre
        ("round_number", "i2"),  # counted from 1
        ("round_limit", "i2"),  # 0: none
        ("score", "i2", (MAX_PLAYERS,)),
        ("sources", "i1", (MAX_SOURCES, SIZE)),  # tiles of each colour
        ("bag", "i1", (SIZE,)),
        ("lid", "i1", (SIZE,)),
        ("line_colour", "i1", (MAX_PLAYERS, SIZE)),  # or EMPTY
        ("line_count", "i1", (MAX_PLAYERS, SIZE)),
        ("wall", "i1", (MAX_PLAYERS, SIZE, SIZE)),  # colour or EMPTY
        ("floor", "i1", (MAX_PLAYERS, FLOOR_ROOM)),  # colour, MARKER or EMPTY, filled from the left
        ("floor_count", "i1", (MAX_PLAYERS,)),
    ],
)
