"""What part of results is luck, from the review of played games.

A review parts every side's way from its first chance to win to the result: what its own decisions lost, what those of
others gave it, and the rest, which is luck (the sums are exact; the page shows the same, `review/losses.ts`). Over
games, the part of the variance of the way that its luck explains, Cov(luck, way) / Var(way), is the share of luck; that
of the decisions is the rest to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.agents.analysis import review_match
from ludens.core.match import Match
from ludens.play.schedule import sides_of

__all__ = ["ShareOfLuck", "share_of_luck", "ways_of"]

_RESAMPLES = 2000
_FEWEST = 10  # games: of fewer nothing is said


@dataclass(frozen=True)
class ShareOfLuck:
    """A share with its bootstrap interval; nan where the games are too few or all alike."""

    games: int
    share: float
    low: float
    high: float


def ways_of(document: dict[str, Any], simulations: int, seed: int = 0) -> list[tuple[float, float]]:
    """Luck and way of every side of a saved match, in chances to win; reviewed with so many simulations a decision."""
    match = Match.from_json(document)
    sides = sides_of(match.game.spec, int(match.options[0]))
    count = max(sides) + 1
    reviews = list(review_match(match, simulations=simulations, seed=seed))
    moments = [np.array(review.analysis.results) for review in reviews] + [np.array(match.returns())]
    found = []
    for side in range(count):
        seats = [seat for seat, own in enumerate(sides) if own == side]
        worth = [min(1.0, max(0.0, (float(one[seats].mean()) * (count - 1) + 1) / count)) for one in moments]
        decided = 0.0
        for review in reviews:
            own = sides[review.analysis.seat] == side
            decided += review.loss * ((1 - count) if own else 1) / count
        way = worth[-1] - worth[0]
        found.append((way - decided, way))
    return found


def share_of_luck(
    ways: Sequence[Sequence[tuple[float, float]]], confidence: float = 0.95, seed: int = 0
) -> ShareOfLuck:
    """The share over games, each with the ways of its sides; games are drawn again for the interval."""
    numbers = np.array(ways, float)  # [game, side, luck and way]
    if len(numbers) < _FEWEST or np.ptp(numbers[:, :, 1]) == 0:
        return ShareOfLuck(len(numbers), np.nan, np.nan, np.nan)

    def share(games: np.ndarray) -> float:
        luck, way = (games[:, :, k] - games[:, :, k].mean(axis=0) for k in (0, 1))
        spread = float((way * way).sum())
        return float((luck * way).sum()) / spread if spread else np.nan

    draws = np.random.default_rng(seed).integers(len(numbers), size=(_RESAMPLES, len(numbers)))
    tail = (1 - confidence) / 2
    low, high = np.nanquantile([share(numbers[draw]) for draw in draws], [tail, 1 - tail])
    return ShareOfLuck(len(numbers), share(numbers), float(low), float(high))
