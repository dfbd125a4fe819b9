"""What the candidates of a tuning have earned, generation by generation, in a file: enough to go on after a break.

The strategy draws from its seed alone, so that telling it again what was earned brings it to where it was.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludens import __version__
from ludens.core.errors import BadInput
from ludens.core.files import read_json, write_text
from ludens.core.renamed import with_new_names

__all__ = ["Journal"]

_FORMAT = "ludens-tuning/1"


class Journal:
    """The file, or nothing where no path is given. One of another tuning or version is refused."""

    def __init__(self, path: Path | None, identity: dict[str, Any]) -> None:
        self._path = path
        self._head = {"format": _FORMAT, "ludens": __version__, **identity}
        self._earned: list[list[float]] = []
        if path is not None and path.exists():
            self._earned = self._read(path)

    def _read(self, path: Path) -> list[list[float]]:
        document = read_json(path, "is no tuning to go on with")
        if not isinstance(document, dict) or document.get("format") != _FORMAT or "earned" not in document:
            raise BadInput(f"{path} is no tuning to go on with: its format is not {_FORMAT}.")
        document["agent"] = with_new_names(document.get("agent"))
        differing = [key for key, value in self._head.items() if document.get(key) != value]
        if differing:
            raise BadInput(
                f"{path} holds a tuning with other {' and '.join(differing)}; delete it or name another file."
            )
        earned: list[list[float]] = document["earned"]
        return earned

    def of(self, generation: int) -> list[float]:
        """What the candidates of a generation (from 1) have earned; nothing if it was not played."""
        return self._earned[generation - 1] if generation <= len(self._earned) else []

    def add(self, earned: list[float]) -> None:
        """One more generation."""
        self._earned.append(earned)
        if self._path is not None:
            write_text(self._path, json.dumps({**self._head, "earned": self._earned}) + "\n")
