"""Azul's library: taking moves, their indices and the mask of the legal ones (AZ-61, AZ-62, AZ-65 … AZ-67)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core import kernels
from ludens.games.azul.library.errors import IllegalOperation, checked
from ludens.games.azul.state import COLOURS, EMPTY, FIRST_COLUMN, FLOOR, MAX_SOURCES, SIZE, STEP
from ludens.games.azul.text.actions import join, split

__all__ = ["ACTIONS", "NO_MOVE", "Move", "action_index", "action_mask", "move_at"]


ACTIONS = FIRST_COLUMN
"""The size of the space of taking moves, in every state and for any number of players (AZ-65)."""


@dataclass(frozen=True, order=True)
class Move:
    """Take all tiles of a colour from a source and put them to a destination (AZ-61).

    Sources are the factories 0 … F - 1, then the centre F; destinations are the pattern
    lines 0 … 4, then the floor 5.
    """

    colour: int
    source: int
    destination: int

    def __post_init__(self) -> None:
        if (self.colour, self.source, self.destination) != (EMPTY, EMPTY, EMPTY):  # those of NO_MOVE
            checked(self.colour, SIZE, "The colour of a move")
            checked(self.source, MAX_SOURCES, "The source of a move")
            checked(self.destination, FLOOR + 1, "The destination of a move")

    def __str__(self) -> str:
        """Counted from 1, as people do; a position's `describe` also knows which source is the centre."""
        if self.colour == EMPTY:
            return "no move"
        place = "the floor" if self.destination == FLOOR else f"line {self.destination + 1}"
        return f"{COLOURS[self.colour]} from source {self.source + 1} to {place}"


NO_MOVE = Move(EMPTY, EMPTY, EMPTY)
"""The default move, which stands for none and is never legal (AZ-62)."""


def action_index(move: Move) -> int:
    """`source · 30 + colour · 6 + destination` (AZ-66)."""
    if move == NO_MOVE:
        raise IllegalOperation("The default move stands for no move and has no index.")
    return join(move.source, move.colour, move.destination)


def move_at(index: int) -> Move:
    """The inverse of `action_index`."""
    source, colour, destination = split(checked(index, ACTIONS, "The index of a move"))
    return Move(colour, source, destination)


def action_mask(states: np.ndarray) -> np.ndarray:
    """`bool[300]`: the legal taking moves of states[0]; none while tiling and at the end (AZ-67)."""
    legal = np.zeros(STEP + 1, np.int64)
    n = kernels.legal_at(states, 0, legal)
    mask = np.zeros(STEP + 1, np.bool_)
    mask[legal[:n]] = True
    return mask[:ACTIONS]
