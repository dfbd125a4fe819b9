"""Azul: how a round is dealt, tile by tile, and how the game ends (AZ-11 … AZ-14, AZ-33, AZ-34)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.azul import phases
from ludens.games.azul.state import EMPTY, FACTORY_ROOM, NOBODY, SIZE, Azul

__all__ = [
    "begin_round",
    "bonuses",
    "complete_colours",
    "complete_columns",
    "complete_rows",
    "deal",
    "factories_of",
    "finish",
]


@rule
def factories_of(players: int, wanted: int) -> int:
    """The number of factories: as an option says, or as many as the players need (AZ-4, AZ-140)."""
    return wanted if wanted > 0 else 2 * players + 1


@rule
def begin_round(s: Azul, first: int) -> None:
    """Empties the table for the deal of a new round (AZ-11)."""
    s.first = first
    s.current = first
    s.marker = NOBODY
    s.dealt = 0
    s.tiles_left = 0
    s.phase = phases.DEALING
    _refill_bag(s)
    if _bag_is_empty(s):  # AZ-14: not a single tile can be dealt
        finish(s)


@rule
def deal(s: Azul, colour: int) -> None:
    """Puts one drawn tile on the next free factory place (AZ-11)."""
    s.bag[colour] -= 1
    s.sources[s.dealt // FACTORY_ROOM, colour] += 1
    s.dealt += 1
    s.tiles_left += 1
    if s.dealt == FACTORY_ROOM * s.factories:
        s.phase = phases.TAKING
    else:
        _refill_bag(s)
        if _bag_is_empty(s):  # AZ-13: the round starts with what there is
            s.phase = phases.TAKING


@rule
def _bag_is_empty(s: Azul) -> bool:
    for colour in range(SIZE):
        if s.bag[colour] > 0:
            return False
    return True


@rule
def _refill_bag(s: Azul) -> None:
    """An empty bag takes the tiles of the lid (AZ-12)."""
    if _bag_is_empty(s):
        for colour in range(SIZE):
            s.bag[colour] = s.lid[colour]
            s.lid[colour] = 0


# --- the end: complete rows, columns and colours, and their bonuses ---------------------------


@rule
def complete_rows(s: Azul, p: int) -> int:
    rows = 0
    for r in range(SIZE):
        full = 1
        for c in range(SIZE):
            if s.wall[p, r, c] == EMPTY:
                full = 0
        rows += full
    return rows


@rule
def complete_columns(s: Azul, p: int) -> int:
    columns = 0
    for c in range(SIZE):
        full = 1
        for r in range(SIZE):
            if s.wall[p, r, c] == EMPTY:
                full = 0
        columns += full
    return columns


@rule
def complete_colours(s: Azul, p: int) -> int:
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
def bonuses(s: Azul, p: int) -> int:
    """Final bonuses: 2 a row, 7 a column, 10 a colour (AZ-34)."""
    return 2 * complete_rows(s, p) + 7 * complete_columns(s, p) + 10 * complete_colours(s, p)


@rule
def finish(s: Azul) -> None:
    """Adds everybody's bonuses and ends the game."""
    for p in range(s.players):
        s.score[p] += bonuses(s, p)
    s.phase = phases.OVER
