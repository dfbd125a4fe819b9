"""Published tables of results, which the arena plays again and prints next to the printed figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Matchup", "Published"]


@dataclass(frozen=True)
class Matchup:
    """One line of a table: who plays, and what was printed."""

    name: str
    agents: tuple[str, ...]  # a code for every side; sides are kept in all games
    share: float  # printed share of victories of the side that counts, 0 … 1
    length: float  # printed mean length of the games it won


@dataclass(frozen=True)
class Published:
    """A table of one source."""

    title: str
    source: str  # where the figures were printed
    side: int  # whose victories are counted
    counted: str  # what the shares are, in words
    unit: str  # what a game's length counts
    length: Callable[[Any], int]  # last record of a game -> its length
    matchups: tuple[Matchup, ...]
