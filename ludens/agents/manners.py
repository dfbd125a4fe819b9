"""Manners: what an agent that plays with people leaves undone, though the rules allow it.

A game that needs them has a class (`Game.manners`) that keeps to `core.spec.Manners`. They leave out moves; which of
the others is best, the agent decides.
"""

from __future__ import annotations

from ludens.core.agent import Seating
from ludens.core.spec import Manners

__all__ = ["manners_of"]


def manners_of(seating: Seating) -> Manners | None:
    """The manners of an agent that sits down; None in a game that needs none."""
    make = seating.game.manners
    return None if make is None else make()(seating)
