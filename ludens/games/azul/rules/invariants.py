"""Azul: what every position of the game obeys, for positions from outside."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludens.core.positions import possible_if
from ludens.games.azul import phases
from ludens.games.azul.state import (
    COLOURS,
    EMPTY,
    FACTORY_ROOM,
    FLOOR_ROOM,
    MARKER,
    MAX_PLAYERS,
    MAX_SOURCES,
    NOBODY,
    SIZE,
    TILES_PER_COLOUR,
    Azul,
)

__all__ = ["check_position"]

_HIGHEST_SCORE = 1000  # more than anybody can reach


def _faults(s: Azul, begun: Azul) -> Iterator[str]:
    players = int(s["players"])
    if max(int(s["current"]), int(s["first"]), int(s["marker"])) >= players:
        yield f"there are {players} players"
    for name in ("score", "line_colour", "line_count", "wall", "floor", "floor_count"):
        if not np.array_equal(s[name][players:], begun[name][players:]):
            yield f"{name} of a seat that nobody has is not empty"
    yield from _boards(s, players)
    yield from _sources(s, begun)
    counted = np.concatenate([s["wall"].ravel(), s["floor"].ravel()])
    for colour, name in enumerate(COLOURS):
        lines = int(s["line_count"][s["line_colour"] == colour].sum())
        elsewhere = int(s["bag"][colour]) + int(s["lid"][colour]) + int(s["sources"][:, colour].sum())
        total = lines + elsewhere + int((counted == colour).sum())
        wanted = int(begun["bag"][colour]) + int(begun["sources"][:, colour].sum())
        if total != wanted:
            yield f"there are {wanted} {name} tiles, not {total} (AZ-3)"


def _boards(s: Azul, players: int) -> Iterator[str]:
    for p in range(players):
        wall, floor = s["wall"][p], s["floor"][p]
        for row in range(SIZE):
            colour, count = int(s["line_colour"][p, row]), int(s["line_count"][p, row])
            if count > row + 1:
                yield f"pattern line {row + 1} has room for {row + 1} tiles (AZ-5)"
            if (colour == EMPTY) != (count == 0):
                yield "a pattern line has tiles of one colour or none"
            if colour != EMPTY and colour in wall[row]:
                yield f"pattern line {row + 1} holds a colour that its row of the wall has already (AZ-22)"
        for row, column in np.argwhere(wall != EMPTY):
            colour = wall[row, column]
            if not s["grey"] and (colour + row) % SIZE != column:
                yield "a tile of the wall lies on the place of another colour (AZ-6)"
            if (wall[row] == colour).sum() > 1 or (wall[:, column] == colour).sum() > 1:
                yield "a row or column of the wall has a colour twice (AZ-38)"
        used = int(s["floor_count"][p])
        if (floor[:used] == EMPTY).any() or (floor[used:] != EMPTY).any():
            yield "the floor is filled from the left"
        if (floor == MARKER).sum() > int(s["marker"] == p):
            yield "the first-player marker lies where nobody has put it"


def _sources(s: Azul, begun: Azul) -> Iterator[str]:
    sources, phase, dealt = s["sources"], int(s["phase"]), int(s["dealt"])
    factories, left = int(s["factories"]), int(sources.sum())
    if int(s["tiles_left"]) != left:
        yield f"tiles_left counts the tiles of the sources, {left}"
    if (sources[:factories].sum(axis=1) > FACTORY_ROOM).any() or sources[factories + 1 :].any():
        yield f"{factories} factories hold {FACTORY_ROOM} tiles each (AZ-4)"
    if phase == phases.START and s.tobytes() != begun.tobytes():
        yield "before the first player is drawn nothing has happened"
    if phase == phases.DEALING:
        full = [min(FACTORY_ROOM, max(0, dealt - FACTORY_ROOM * k)) for k in range(factories)]
        if dealt >= FACTORY_ROOM * factories or sources[:factories].sum(axis=1).tolist() != full or left != dealt:
            yield "factories are filled one after the other (AZ-11)"
        if not s["bag"].any():
            yield "nothing is left to deal"
    if phase == phases.TAKING and left == 0:
        yield "there is nothing to take"
    if phase in (phases.PLACING, phases.OVER) and left:
        yield "the round is over, and tiles are left to take (AZ-26)"


check_position = possible_if(
    {
        "phase": (phases.START, phases.OVER),
        "factories": (0, MAX_SOURCES - 1),
        "current first": (0, MAX_PLAYERS - 1),
        "marker": (NOBODY, MAX_PLAYERS - 1),
        "cut_off": (0, 1),
        "dealt": (0, FACTORY_ROOM * MAX_SOURCES),
        "round_number": (1, 10_000),
        "score": (0, _HIGHEST_SCORE),
        "sources bag lid": (0, TILES_PER_COLOUR),
        "line_colour wall": (EMPTY, SIZE - 1),
        "line_count": (0, SIZE),
        "floor": (EMPTY, MARKER),
        "floor_count": (0, FLOOR_ROOM),
    },
    ("factories", "grey", "round_limit"),
    _faults,
)
"""Why a record cannot be a position of the game that begins with another record, or None."""
