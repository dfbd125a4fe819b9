"""Azul: actions as text and JSON, and back.

People count factories, lines and columns from 1; ids and JSON count from 0, as the rules' formulas.
A move reads `source colour destination`: `2 blue 3` (factory 2, pattern line 3),
`centre red floor`. On the grey wall a column is chosen by `column 4`. The forced step is `step`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ludens.core.errors import BadInput, checked_index
from ludens.games.azul import phases
from ludens.games.azul.state import COLOURS, FIRST_COLUMN, FLOOR, LETTERS, SIZE, STEP, Azul

__all__ = [
    "action_from_json",
    "action_from_text",
    "action_to_json",
    "action_to_text",
    "chance_to_text",
    "join",
    "split",
]

_WORDS = {**{name: i for i, name in enumerate(COLOURS)}, **{x.lower(): i for i, x in enumerate(LETTERS)}}
_HELP = "a move reads 'source colour destination', for example '2 blue 3' or 'centre red floor'"


def split(action: int) -> tuple[int, int, int]:
    """(source, colour, destination) of a taking action (AZ-66)."""
    return action // 30, action // 6 % 5, action % 6


def join(source: int, colour: int, destination: int) -> int:
    """The taking action of (source, colour, destination) (AZ-66)."""
    return source * 30 + colour * 6 + destination


def action_to_text(s: Azul, a: int) -> str:
    return _text(int(s.factories), a)


@cache
def _text(factories: int, a: int) -> str:
    if a == STEP:
        return "step"
    if a >= FIRST_COLUMN:
        return f"column {a - FIRST_COLUMN + 1}"
    source, colour, destination = split(a)
    place = "centre" if source == factories else str(source + 1)
    return f"{place} {COLOURS[colour]} {'floor' if destination == FLOOR else destination + 1}"


def action_from_text(s: Azul, text: str) -> int:
    words = text.lower().replace(",", " ").split()
    if words == ["step"]:
        return STEP
    if len(words) == 2 and words[0] in ("column", "c"):
        return FIRST_COLUMN + _number(words[1], SIZE, "Columns")
    if len(words) != 3:
        raise BadInput(f"{text!r} is not a move; {_HELP}.")
    source = (
        int(s.factories) if words[0] in ("centre", "center", "c") else _number(words[0], int(s.factories), "Factories")
    )
    if words[1] not in _WORDS:
        raise BadInput(f"{words[1]!r} is not a colour; the colours are {', '.join(COLOURS)}.")
    destination = FLOOR if words[2] in ("floor", "f") else _number(words[2], SIZE, "Pattern lines")
    return join(source, _WORDS[words[1]], destination)


def _number(word: str, count: int, what: str) -> int:
    """A number that people count from 1, as an index."""
    if not (word.isascii() and word.isdigit() and 1 <= int(word) <= count):
        raise BadInput(f"{what} are numbered 1 to {count}, not {word!r}; {_HELP}.")
    return int(word) - 1


def action_to_json(s: Azul, a: int) -> dict[str, Any]:
    return _form(a).copy()


@cache
def _form(a: int) -> dict[str, Any]:
    if a == STEP:
        return {"type": "step"}
    if a >= FIRST_COLUMN:
        return {"type": "column", "column": a - FIRST_COLUMN}
    source, colour, destination = split(a)
    return {"type": "take", "source": source, "colour": COLOURS[colour], "destination": destination}


def action_from_json(s: Azul, data: Mapping[str, Any]) -> int:
    kind = data.get("type")
    if kind == "step" and set(data) == {"type"}:
        return STEP
    if kind == "column" and set(data) == {"type", "column"}:
        return FIRST_COLUMN + checked_index(data["column"], SIZE, "column")
    if kind == "take" and set(data) == {"type", "source", "colour", "destination"}:
        if data["colour"] not in COLOURS:
            raise BadInput(f"colour must be one of {', '.join(COLOURS)}, not {data['colour']!r}.")
        source = checked_index(data["source"], int(s.factories) + 1, "source")
        return join(source, COLOURS.index(data["colour"]), checked_index(data["destination"], FLOOR + 1, "destination"))
    raise BadInput(
        'A move of azul is {"type": "take", "source", "colour", "destination"}, '
        '{"type": "column", "column"} or {"type": "step"}.'
    )


def chance_to_text(s: Azul, outcome: int) -> str:
    return f"seat {outcome + 1} starts" if s.phase == phases.START else f"draw {COLOURS[outcome]}"
