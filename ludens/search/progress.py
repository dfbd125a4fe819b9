"""Where a search with its own stack of frames stands: what it needs to be left and re-entered at any step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import rule

__all__ = ["PROGRESS", "make_progress", "start_progress"]

PROGRESS = np.dtype(
    (
        np.record,
        [
            ("top", np.int64),  # the frame that is being looked at
            ("finished", np.int64),  # 1: there is nothing left to do
            ("guesses", np.int64),  # leaves valued by the evaluation, or by a memory of it: not by the end of the game
            ("leaves", np.int64),  # altogether
        ],
    )
)


def make_progress() -> np.ndarray:
    """One record: compiled code changes it through `progress[0]`."""
    return np.zeros(1, PROGRESS)


@rule
def start_progress(progress: Any) -> None:
    """A new search begins at the root."""
    progress.top = 0
    progress.finished = 0
    progress.guesses = 0
    progress.leaves = 0
