"""Returns from what several games end with: who has won, and how well the players of an unfinished game stand."""

from __future__ import annotations

import math

from ludens.core.jit import rule
from ludens.core.record import Array

__all__ = ["share_victory", "softmax_returns"]


@rule
def share_victory(out: Array, players: int) -> None:
    """Winners, marked by 1 in out[:players] and the others by 0, have 1 and the others share -1; several share it."""
    winners = 0.0
    for p in range(players):
        winners += out[p]
    for p in range(players):
        out[p] = (players * (out[p] / winners) - 1.0) / (players - 1)


@rule
def softmax_returns(out: Array, players: int, sharpness: float) -> None:
    """Everybody's prospects in out become chances to win, a softmax of them, and these returns that sum to zero."""
    best = -1e9
    for p in range(players):
        best = max(best, out[p])
    total = 0.0
    for p in range(players):
        out[p] = math.exp(sharpness * (out[p] - best))
        total += out[p]
    for p in range(players):
        out[p] = (players * out[p] / total - 1.0) / (players - 1)
