"""Where a search with its own stack of frames stands: what it needs to be left and re-entered at any step."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Record, Records, blank, int64, layout

__all__ = ["Progress", "Resumable", "make_progress", "start_progress"]


class Progress(Record):
    """Where a search stands."""

    top = int64()  # the frame that is being looked at
    finished = int64()  # 1: there is nothing left to do
    guesses = int64()  # leaves valued by the evaluation, or by a memory of it: not by the end of the game
    leaves = int64()  # altogether


_PROGRESS = layout("progress", Progress)


class Resumable(Protocol):
    """The stack of such a search."""

    @property
    def next(self) -> np.ndarray: ...

    @property
    def root_values(self) -> np.ndarray: ...

    @property
    def progress(self) -> Records[Progress]: ...


def make_progress() -> np.ndarray:
    """One record: compiled code changes it through `progress[0]`."""
    return blank(_PROGRESS)


@rule
def start_progress(progress: Progress) -> None:
    """A new search begins at the root."""
    progress.top = 0
    progress.finished = 0
    progress.guesses = 0
    progress.leaves = 0
