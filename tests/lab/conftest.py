"""The example games, registered for the time of one test."""

from __future__ import annotations

from tests.play.conftest import duel, pig

__all__ = ["duel", "pig"]
