"""Positions as one line of text, as FEN is for chess: for links, forums, puzzles and tests (docs/positions.md).

`azul/1:players=3;round=3;factories=B2Y2,-,R4,-,-,-;walls=...`: the game and the version of its notation, the options
that are not the default, then parts. A part that is not given is as at the beginning of the game, or follows from
others. A game writes down the parts that people read (`Notation`); a field of the record that these leave open
follows as plain numbers, so that every position can be written and comes back the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core.errors import BadInput

__all__ = ["LONGEST", "Notation", "Part", "bags", "build", "choice", "number", "numbers", "symbols"]

LONGEST = 20_000  # characters: a stranger's text may be of any length
_REPEATED = re.compile(r"(-?\d+)(?:\*(\d+))?")
_COUNTED = re.compile(r"([A-Za-z])(\d+|\*)?")
_SEPARATORS = ("", "/", ",")  # between the cells of a row, rows, and boards

Rows = Callable[[Any], int]


@dataclass(frozen=True)
class Part:
    """One named part: how it is written of a record, and read into one."""

    name: str
    write: Callable[[Any], str]
    read: Callable[[Any, str], None]  # a text that cannot be read raises ValueError
    follows: bool = False  # it usually follows from the other parts, and is written where it does not


@dataclass(frozen=True)
class Notation:
    """A game's notation: its version, its parts in their order, and what follows from them."""

    version: int = 1
    parts: Sequence[Part] = ()
    derive: Callable[[Any, Any], None] = lambda s, begun: None
    """Sets all fields that follow from the parts: of the record with the parts, and of the beginning of the game."""
    tidy: Callable[[Any], None] = lambda s: None
    """Empties what no rule reads any more, so that only what matters is written."""


def build(notation: Notation, begun: np.ndarray, given: Mapping[str, str]) -> np.ndarray:
    """The record with these parts, with what follows from them, and with the fields that are given as numbers."""
    state = begun.copy()
    named = {part.name: part for part in notation.parts}
    fields = {f".{field}": field for field in state.dtype.names or ()}
    for name in given:
        if name not in named and name not in fields:
            raise BadInput(f"A position of this game has no part '{name[:40]}'.")
    for part in notation.parts:  # in their order: one may count on those before it
        if part.name in given and not part.follows:
            _read(part, state[0], given[part.name])
    if given:
        _derive(notation, state[0], begun[0])
    for part in notation.parts:
        if part.name in given and part.follows:
            _read(part, state[0], given[part.name])
    for name, field in fields.items():
        if name in given:
            _read(numbers(name, field), state[0], given[name])
    return state


def _read(part: Part, s: Any, text: str) -> None:
    try:
        part.read(s, text)
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        why = f": {error}" if isinstance(error, ValueError) and error.args else ""
        raise BadInput(f"The part {part.name}={text[:60]} of the position cannot be read{why}.") from error


def _derive(notation: Notation, s: Any, begun: Any) -> None:
    try:
        notation.derive(s, begun)
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        raise BadInput(f"The position is not possible: {error}.") from error


# --- parts that several games have ---------------------------------------------------------


def number(name: str, field: str, empty: int | None = None, first: int = 0) -> Part:
    """A field of one number, counted from `first`; the one for nothing is written as a dash."""

    def write(s: Any) -> str:
        return "-" if int(s[field]) == empty else str(int(s[field]) + first)

    def read(s: Any, text: str) -> None:
        if text == "-" and empty is not None:
            s[field] = empty
        else:
            s[field] = _fitting(s[field].dtype, [int(text) - first])[0]

    return Part(name, write, read)


def choice(name: str, field: str, words: Sequence[str]) -> Part:
    """A field of one number that is written as one of these words."""

    def read(s: Any, text: str) -> None:
        if text not in words:
            raise ValueError(f"it is one of {', '.join(words)}")
        s[field] = words.index(text)

    return Part(name, lambda s: words[int(s[field])], read)


def numbers(name: str, field: str, rows: Rows | None = None, follows: bool = False) -> Part:
    """A field of many numbers, or its first so many rows; 3*4 stands for four times 3."""

    def part_of(s: Any) -> np.ndarray:
        return np.asarray(s[field]) if rows is None else np.asarray(s[field])[: rows(s)]

    def read(s: Any, text: str) -> None:
        there = part_of(s)
        values = _fitting(there.dtype, _numbers(text))
        if len(values) != there.size:
            raise ValueError(f"{there.size} numbers belong where {len(values)} stand")
        if rows is None:
            s[field] = values.reshape(there.shape)
        else:
            s[field][: rows(s)] = values.reshape(there.shape)

    return Part(name, lambda s: _write_numbers(part_of(s).ravel()), read, follows)


def symbols(name: str, field: str, signs: Mapping[int, str], rows: Rows | None = None) -> Part:
    """A field whose numbers are signs of one letter: cells side by side, rows divided by /, boards by a comma."""
    values = {sign: value for value, sign in signs.items()}

    def write(cells: np.ndarray) -> str:
        if cells.ndim == 0:
            return signs[int(cells)]
        return _SEPARATORS[cells.ndim - 1].join(write(np.asarray(cell)) for cell in cells)

    def read_into(cells: np.ndarray, text: str) -> None:
        between = _SEPARATORS[cells.ndim - 1]
        parts = text.split(between) if between else list(text)
        if len(parts) != len(cells):
            raise ValueError(f"{len(cells)} signs or rows belong where {len(parts)} stand")
        for k, part in enumerate(parts):
            if cells.ndim == 1:
                if part not in values:
                    raise ValueError(f"'{part}' is none of {' '.join(values)}")
                cells[k] = values[part]
            else:
                read_into(cells[k], part)

    def read(s: Any, text: str) -> None:
        read_into(s[field][: rows(s) if rows else None], text)

    return Part(name, lambda s: write(np.asarray(s[field][: rows(s) if rows else None])), read)


def bags(
    name: str, field: str, letters: str, first: Rows | None = None, last: Rows | None = None, endless: int | None = None
) -> Part:
    """Numbers of things by letters, as B2Y: one bag, or the bags from `first` to `last` with commas between.

    The number `endless` is written as a star.
    """

    def counted(n: int) -> str:
        return "*" if n == endless else str(n) if n > 1 else ""

    def write_one(counts: np.ndarray) -> str:
        held = zip(letters, counts.tolist(), strict=True)
        return "".join(f"{letter}{counted(n)}" for letter, n in held if n) or "-"

    def read_one(counts: np.ndarray, text: str) -> None:
        counts[:] = 0
        rest = "" if text == "-" else text
        if _COUNTED.sub("", rest):
            raise ValueError(f"'{text[:20]}' is not written as {letters[0]}2{letters[1]}")
        for letter, n in _COUNTED.findall(rest):
            if letter not in letters or (n == "*" and endless is None):
                raise ValueError(f"'{letter}{n}' is not one of {letters} and a number")
            counts[letters.index(letter)] = endless if n == "*" else _fitting(counts.dtype, [int(n or 1)])[0]

    def part_of(s: Any) -> np.ndarray:
        low, high = first(s) if first else 0, last(s) if last else None
        return np.atleast_2d(np.asarray(s[field]))[low:high]

    def read(s: Any, text: str) -> None:
        rows, texts = part_of(s), text.split(",")
        if len(texts) != len(rows):
            raise ValueError(f"{len(rows)} belong where {len(texts)} stand")
        for counts, one in zip(rows, texts, strict=True):
            read_one(counts, one)

    return Part(name, lambda s: ",".join(write_one(counts) for counts in part_of(s)), read)


def _write_numbers(values: np.ndarray) -> str:
    runs: list[list[int]] = []
    for value in values.tolist():
        if runs and runs[-1][0] == value:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    return ",".join(f"{value}*{n}" if n > 1 else str(value) for value, n in runs)


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for one in text.split(","):
        match = _REPEATED.fullmatch(one)
        if match is None or int(match[2] or 1) > LONGEST:
            raise ValueError(f"'{one[:20]}' is not a number")
        found += [int(match[1])] * int(match[2] or 1)
    return found


def _fitting(kind: np.dtype, values: Sequence[int]) -> np.ndarray:
    limits = np.iinfo(kind)
    if any(not limits.min <= value <= limits.max for value in values):
        raise ValueError("a number is too large")
    return np.array(values, kind)
