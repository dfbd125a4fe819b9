"""Where a game turned: moves that the search would not have made and after which the expectation fell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["turning_points"]

_WORTH_SHOWING = 0.15  # of an even share of the chance to win; for two sides, of a result between -1 and 1
_MOST = 6


def turning_points(points: Sequence[Mapping[str, Any]], returns: Sequence[float] | None, sides: int = 2) -> list[int]:
    """The indices of the decisions where the game turned, in their order.

    A move that was hardly looked at is valued roughly, and an expectation also falls by bad luck. So a turning
    point needs both: the search preferred another move, and its next look at the game was worse for the player.
    """
    costs = []
    for k, point in enumerate(points):
        seat = point["seat"]
        after = points[k + 1]["results"] if k + 1 < len(points) else returns
        fall = point["results"][seat] - after[seat] if after else point["loss"]
        costs.append((min(point["loss"], fall), k))
    worst = sorted((cost for cost in costs if cost[0] * (sides - 1) >= _WORTH_SHOWING), reverse=True)[:_MOST]
    return sorted(k for _, k in worst)
