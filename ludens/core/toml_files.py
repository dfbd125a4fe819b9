"""Where something stands in a TOML file: complaints name the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.files import read_text

__all__ = ["TomlFile", "wrong_alone"]

_HEADER = re.compile(r"\s*\[(\[)?\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*(?:\.|=)""")


class _Value:
    """Whether a value goes on with the next line: brackets that are open, and texts of several lines."""

    def __init__(self) -> None:
        self._depth, self._quote = 0, ""

    @property
    def open(self) -> bool:
        return bool(self._depth or self._quote)

    def read(self, line: str) -> None:
        at = 0
        while at < len(line):
            sign, step = line[at], 1
            if self._quote:
                if sign == "\\" and self._quote[0] == '"':
                    step = 2  # what is escaped ends no text
                elif line.startswith(self._quote, at):
                    step, self._quote = len(self._quote), ""
            elif sign == "#":
                break
            elif sign in ('"', "'"):
                self._quote = 3 * sign if line.startswith(3 * sign, at) else sign
                step = len(self._quote)
            else:
                self._depth += (sign in "[{") - (sign in "]}")
            at += step
        if len(self._quote) == 1:
            self._quote = ""


class TomlFile:
    """A TOML document with the lines of its keys. Paths are keys and, within lists of tables, numbers."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser()
        text = read_text(path)
        try:
            self.content: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadInput(f"{path} is not TOML: {error}.") from error
        self._lines: dict[tuple[str | int, ...], int] = {}
        self._read(text)

    def _read(self, text: str) -> None:
        table: tuple[str | int, ...] = ()
        counts: dict[tuple[str | int, ...], int] = {}
        value = _Value()
        for number, line in enumerate(text.split("\n"), 1):
            if value.open:  # a list or a text that began on a line above
                value.read(line)
            elif header := _HEADER.match(line):
                path: tuple[str | int, ...] = ()
                parts = [part.strip().strip("\"'") for part in header[2].split(".")]
                for place, part in enumerate(parts):
                    path = (*path, part)
                    last = place == len(parts) - 1
                    if last and header[1]:
                        counts[path] = counts.get(path, -1) + 1
                    if path in counts:
                        path = (*path, counts[path])
                table = path
                self._lines.setdefault(table, number)
            elif key := _KEY.match(line):
                self._lines.setdefault((*table, key[1] or key[2] or key[3]), number)
                value.read(line)

    def line(self, *path: str | int) -> int:
        """The line of a key, or of the nearest table around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def refuse(self, sentence: str | BadInput, *path: str | int) -> BadInput:
        """The error for something that stands there."""
        return BadInput(f"{self.path}, line {self.line(*path)}: {sentence}")

    def table(self, *path: str | int, known: Sequence[str] | None = None) -> dict[str, Any]:
        """The table at a path (empty where there is none), with known keys only."""
        found: Any = self.content
        for key in path:
            found = found.get(key, {}) if isinstance(found, dict) else found[key]
        if not isinstance(found, dict):
            told = path[-1] if isinstance(path[-1], str) else f"entry {path[-1] + 1} of {path[-2]}"
            raise self.refuse(f"{told} must be a table.", *path)
        for key in found if known is not None else ():
            if key not in (known or ()):
                raise self.refuse(did_you_mean(key, known or (), "key"), *path, key)
        return found


def wrong_alone(check: Callable[[dict[str, Any]], Any], values: Mapping[str, Any]) -> list[str]:
    """The keys whose values are refused without the others, so that a complaint about all can name a line."""
    found = []
    for key, value in values.items():
        try:
            check({key: value})
        except BadInput:
            found.append(key)
    return found
