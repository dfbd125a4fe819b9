"""Logs for TensorBoard, where it is installed; without it nothing is written."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["Log"]


class Log:
    """Scalars of a training, by step."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None
        self._missing = False

    def write(self, step: int, figures: Mapping[str, float]) -> None:
        """Adds the figures of a step; where the disk is full there are no more logs, and the training goes on."""
        try:
            if self._writer is None and not self._missing:
                self._open()
            if self._writer is not None:
                for name, value in figures.items():
                    if name != "step":
                        self._writer.add_scalar(name, float(value), step)
        except OSError:
            self._missing, self._writer = True, None

    def _open(self) -> None:
        try:
            logging.getLogger("tensorboard").setLevel(logging.ERROR)
            from tensorboard.summary import Writer
        except ImportError:
            self._missing = True
            return
        self._folder.mkdir(exist_ok=True)
        self._writer = Writer(str(self._folder))

    def close(self) -> None:
        """Writes what is left."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(OSError):
                writer.close()
