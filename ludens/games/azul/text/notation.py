"""Azul: a position as one line of text (docs/positions.md)."""

from __future__ import annotations

import re

from ludens.core.notation import Notation, Part, bags, choice, number, numbers, symbols
from ludens.games.azul import phases
from ludens.games.azul.state import (
    EMPTY,
    FACTORY_ROOM,
    LETTERS,
    MARKER,
    NOBODY,
    SIZE,
    Azul,
)

__all__ = ["notation"]

_TILES = {EMPTY: ".", **dict(enumerate(LETTERS))}
_LINE = re.compile(rf"\.|([{LETTERS}])([1-{SIZE}])")


def _players(s: Azul) -> int:
    return int(s.players)


def _write_lines(s: Azul) -> str:
    def line(colour: int, count: int) -> str:
        return f"{LETTERS[colour]}{count}" if count else "."

    return ",".join(
        "".join(map(line, s.line_colour[p].tolist(), s.line_count[p].tolist())) for p in range(int(s.players))
    )


def _read_lines(s: Azul, text: str) -> None:
    boards = text.split(",")
    if len(boards) != int(s.players):
        raise ValueError(f"there are {int(s.players)} boards")
    for p, board in enumerate(boards):
        lines = list(_LINE.finditer(board))
        if len(lines) != SIZE or _LINE.sub("", board):
            raise ValueError(f"a board has {SIZE} lines, each a dot or a colour and a number, as in .B2..W5")
        for row, line in enumerate(lines):
            s.line_colour[p, row] = LETTERS.index(line[1]) if line[1] else EMPTY
            s.line_count[p, row] = int(line[2] or 0)


def _derive(s: Azul, begun: Azul) -> None:
    s.tiles_left = s.sources.sum()
    s.dealt = s.tiles_left if s.phase == phases.DEALING else FACTORY_ROOM * s.factories
    s.floor_count = (s.floor != EMPTY).sum(axis=1)


def notation() -> Notation:
    """Tiles by letter (B Y R K W), x for the first-player marker, seats counted from 1."""
    return Notation(
        parts=(
            number("round", "round_number"),
            choice("phase", "phase", ("start", "deal", "take", "place", "over")),
            number("turn", "current", first=1),
            number("first", "first", first=1),
            number("marker", "marker", NOBODY, first=1),
            bags("factories", "sources", LETTERS, last=lambda s: int(s.factories)),
            bags("centre", "sources", LETTERS, lambda s: int(s.factories), lambda s: int(s.factories) + 1),
            bags("bag", "bag", LETTERS),
            bags("lid", "lid", LETTERS),
            numbers("scores", "score", _players),
            Part("lines", _write_lines, _read_lines),
            symbols("walls", "wall", _TILES, _players),
            symbols("floors", "floor", {**_TILES, MARKER: "x"}, _players),
        ),
        derive=_derive,
    )
