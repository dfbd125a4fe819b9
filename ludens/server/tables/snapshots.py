"""Earlier positions of a game: any ply within milliseconds, from states that are kept every so many entries.

A `Snapshots` belongs to one log that only grows; after an undo the table begins a new one. It may be asked by threads.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import numpy as np

from ludens.core import kernels
from ludens.core.fields import Fields
from ludens.core.match import Match, Step
from ludens.core.record import copied
from ludens.core.spec import Game

__all__ = ["EVERY", "Snapshots"]

EVERY = 64
"""Entries of the log between two kept states."""


class Snapshots:
    """The states of a game at ply 0, 64, 128, …, made when they are first asked for."""

    def __init__(self, match: Match) -> None:
        self._game: Game = match.game
        self._kept = [match.at(0).state()]
        self._making = threading.Lock()

    def state_at(self, log: Sequence[int], ply: int) -> np.ndarray:
        """The state after `ply` entries of the log, as an array of one."""
        with self._making:
            while len(self._kept) <= ply // EVERY:
                self._kept.append(self._played(self._kept[-1], log, (len(self._kept) - 1) * EVERY, EVERY))
        first = ply // EVERY * EVERY
        return self._played(self._kept[ply // EVERY], log, first, ply - first)

    def steps(self, log: Sequence[int], start: int, end: int) -> Iterator[tuple[Step, np.ndarray]]:
        """The steps from ply `start` to before `end`, each with the state after it, which the next step changes."""
        state = self.state_at(log, start)
        for ply in range(start, end):
            before = copied(state)
            kernels.apply_at(state, 0, log[ply])
            who = int(kernels.actor_at(before, 0))
            events = tuple(self._game.text.events(Fields(before), log[ply], Fields(state)))
            yield Step(ply, who, log[ply], events), state

    def _played(self, state: np.ndarray, log: Sequence[int], first: int, count: int) -> np.ndarray:
        state = copied(state)
        for ply in range(first, first + count):
            kernels.apply_at(state, 0, log[ply])
        return state
