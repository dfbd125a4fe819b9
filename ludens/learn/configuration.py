"""What a training is told, and which line of a file says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludens.core.errors import BadInput
from ludens.core.toml_files import TomlFile

__all__ = ["Configuration", "read_config"]


class Configuration(dict[str, Any]):
    """Keys and tables, of a file or not; what the file says and nobody has overridden is refused with its line."""

    file: TomlFile | None = None

    def refuse(self, error: BadInput, *path: str) -> BadInput:
        """The error for what stands at a path."""
        if self.file is None or not self._is_of_the_file(path):
            return error
        return self.file.refuse(error, *path)

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """What is refused in this block stands at the path."""
        try:
            yield
        except BadInput as error:
            raise self.refuse(error, *path) from error

    @contextmanager
    def within(self, table: str) -> Iterator[None]:
        """What is refused here stands in the table, at the key that the sentence names or whose text it cites."""
        try:
            yield
        except BadInput as error:
            words, given = re.findall(r"\w+", str(error)), self.get(table, {})
            named = [key for key in given if key in words]
            cited = [key for key in given if any(repr(text) in str(error) for text in _texts(given[key]))]
            raise self.refuse(error, table, *[*named, *cited][:1]) from error

    def _is_of_the_file(self, path: tuple[str, ...]) -> bool:
        own: Any = self
        given: Any = self.file.content if self.file is not None else {}
        for key in path:
            if not isinstance(own, Mapping) or not isinstance(given, Mapping) or key not in own or key not in given:
                return False
            own, given = own[key], given[key]
        return own is given or (isinstance(own, Mapping) and isinstance(given, Mapping))


def _texts(value: Any) -> list[str]:
    """The text, or the texts of a list."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def read_config(path: str | Path) -> Configuration:
    """What a TOML file says; a malformed one is refused."""
    file = TomlFile(path)
    found = Configuration(file.content)
    found.file = file
    return found
