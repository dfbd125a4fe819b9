"""Who has won: the share of victory of every side of a game."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["victory_shares"]


def victory_shares(returns: Sequence[float], sides: Sequence[int]) -> list[float]:
    """The share of victory of every side: 1 / k for each of the k sides with the highest return."""
    by_side = [
        max(returns[seat] for seat in range(len(sides)) if sides[seat] == side) for side in range(max(sides) + 1)
    ]
    best = max(by_side)
    winners = [math.isclose(value, best, abs_tol=1e-9) for value in by_side]
    return [1 / sum(winners) if won else 0.0 for won in winners]
