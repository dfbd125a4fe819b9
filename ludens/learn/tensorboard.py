"""Where the figures of a training go besides its files: TensorBoard, where it is installed, and a callback."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludens.agents.guests import import_named
from ludens.core.errors import BadInput

__all__ = ["Callback", "Log", "named_callback"]

Callback = Callable[[int, Mapping[str, float]], None]
"""Called with the step and its figures by name, in the order of the steps; MLflow and Weights & Biases go behind it."""


def named_callback(name: str) -> Callback:
    """The callback that `module:function` names; modules are also looked for in the present folder."""
    found = import_named(name, f"Callback {name}")
    if not callable(found):
        raise BadInput(f"Callback {name} cannot be called.")
    return found


class Log:
    """Scalars of a training, by step."""

    def __init__(self, folder: Path, callback: Callback | None = None) -> None:
        self._folder, self._callback = folder, callback
        self._writer: Any = None
        self._missing = False

    def write(self, step: int, figures: Mapping[str, float]) -> None:
        """Adds the figures of a step; where the disk is full there are no more logs, and the training goes on."""
        told = {name: float(value) for name, value in figures.items() if name != "step"}
        try:
            if self._writer is None and not self._missing:
                self._open()
            if self._writer is not None:
                for name, value in told.items():
                    self._writer.add_scalar(name, value, step)
        except OSError:
            self._missing, self._writer = True, None
        if self._callback is not None:
            self._callback(step, told)

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
