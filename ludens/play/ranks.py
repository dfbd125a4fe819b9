"""Ranks at the table: who came first, second, third."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ranks"]


def ranks(returns: Sequence[float], scores: Sequence[float], sides: Sequence[int]) -> list[float]:
    """The rank of every seat, 1 for the best; equal seats share the mean of their ranks, a team is one rank.

    The returns decide, and the scores among equal returns: most games tell only winners and losers apart.
    """
    best: dict[int, tuple[float, float]] = {}
    for seat, side in enumerate(sides):
        best[side] = max(best.get(side, (-2.0, float("-inf"))), (round(returns[seat], 9), scores[seat]))
    own = [best[side] for side in sides]
    teams = list(best.values())
    return [sum(other > mine for other in teams) + (1 + sum(other == mine for other in teams)) / 2 for mine in own]
