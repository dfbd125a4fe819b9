"""How well the players stand, as the returns that may be expected: what the evaluations of several games end with."""

from __future__ import annotations

import math

from ludens.core.jit import rule
from ludens.core.record import Array

__all__ = ["softmax_returns"]


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
