"""Manners: what an agent that plays with people leaves undone, though the rules allow it.

A game that needs them has a class (`Game.manners`) that keeps to `Manners`. They leave out moves; which of the
others is best, the agent decides.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ludens.core.agent import Seating

__all__ = ["Manners", "manners_of"]


class Manners(Protocol):
    """The manners of one agent in one game."""

    def polite(self, view: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Those of the legal actions that people would not mind, in their order; never none."""
        ...

    def chosen(self, view: np.ndarray, action: int) -> None:
        """To be told of every choice, so that it can be remembered."""
        ...


def manners_of(seating: Seating) -> Manners | None:
    """The manners of an agent that sits down; None in a game that needs none."""
    make = seating.game.manners
    if make is None:
        return None
    found: Manners = make()(seating)
    return found
