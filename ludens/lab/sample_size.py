"""How many games it takes: advice before a series, and a test that says when enough was played."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ludens.core.errors import BadInput

__all__ = ["Sprt", "games_for_difference", "games_for_share", "visible_difference", "visible_share"]


def games_for_difference(difference: float, sd: float, alpha: float = 0.01, power: float = 0.9) -> int:
    """Games after which a mean difference of this size is told from zero, in a paired test with this power."""
    _check(alpha, power)
    if not difference:
        raise BadInput("No number of games tells a difference of 0 from none.")
    z = float(stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power))
    return max(2, math.ceil((z * sd / difference) ** 2))


def visible_difference(games: int, sd: float, alpha: float = 0.01, power: float = 0.9) -> float:
    """The mean difference that so many games tell from zero with this power."""
    _check(alpha, power)
    return float(stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)) * sd / math.sqrt(games)


def games_for_share(share: float, even: float = 0.5, alpha: float = 0.05, power: float = 0.9) -> int:
    """Games after which a share of victories is told from an even one."""
    _check(alpha, power)
    if not 0 <= share <= 1 or share == even:
        raise BadInput(f"A share to be told from {even} lies between 0 and 1 and differs from it, not {share}.")
    spread = float(stats.norm.ppf(1 - alpha / 2)) * math.sqrt(even * (1 - even))
    spread += float(stats.norm.ppf(power)) * math.sqrt(share * (1 - share))
    return max(2, math.ceil((spread / (share - even)) ** 2))


def visible_share(games: int, even: float = 0.5, alpha: float = 0.05, power: float = 0.9) -> float | None:
    """The smallest share of victories above an even one that so many games tell from it; None where none can."""
    if games_for_share(1.0, even, alpha, power) > games:
        return None
    low, high = even, 1.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if games_for_share(middle, even, alpha, power) <= games else (middle, high)
    return high


def _check(alpha: float, power: float) -> None:
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0 < value < 1:
            raise BadInput(f"The {name} of a test lies between 0 and 1, not {value}.")


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a mean share of victory: `low` against `high`, with these probabilities of error.

    The likelihood ratio is that of normal means with the variance seen so far, which draws need. The verdict depends
    on the games in the order of their numbers alone: whoever plays them, and however often a run is broken off.
    """

    low: float = 0.5
    high: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 20  # games before the first look

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise BadInput(f"A sequential test needs 0 ≤ low < high ≤ 1, not {self.low} and {self.high}.")
        _check(self.alpha, 1 - self.beta)
        if self.alpha + self.beta >= 1:
            raise BadInput(f"The errors of a sequential test sum to less than 1, not {self.alpha} and {self.beta}.")
        if self.least < 1:
            raise BadInput(f"A sequential test looks after 1 game or more, not {self.least}.")

    def ratios(self, shares: Sequence[float] | np.ndarray) -> np.ndarray:
        """The logarithm of the likelihood ratio after every game."""
        values = np.asarray(shares, float)
        n = np.arange(1, len(values) + 1)
        mean = np.cumsum(values) / n
        variance = np.maximum(np.cumsum(values**2) / n - mean**2, 1 / (4 * n))
        return np.asarray(n * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance))

    def decided(self, shares: Sequence[float] | np.ndarray) -> tuple[int, bool] | None:
        """After how many games it is decided and whether for `high`; None if it is still open."""
        ratios = self.ratios(shares)
        upper, lower = math.log((1 - self.beta) / self.alpha), math.log(self.beta / (1 - self.alpha))
        over = np.flatnonzero(((ratios >= upper) | (ratios <= lower)) & (np.arange(len(ratios)) + 1 >= self.least))
        return None if len(over) == 0 else (int(over[0]) + 1, bool(ratios[over[0]] >= upper))
