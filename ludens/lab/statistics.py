"""Statistics of independent numbers: intervals, paired tests, distributions, and how many games it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.lab.distributions import normal_quantile, student_quantile, student_tails

__all__ = [
    "ALPHA",
    "CONFIDENCE",
    "Distribution",
    "PairedTest",
    "Summary",
    "check_errors",
    "distribution",
    "games_for_difference",
    "games_for_share",
    "holm",
    "mean_interval",
    "paired_test",
    "share_interval",
    "summary",
    "visible_difference",
    "visible_share",
]

CONFIDENCE = 0.95
ALPHA = 0.01
"""The level of tests and intervals of reports unless another is asked for: intervals are of 99 %."""


def share_interval(total: float, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval for a mean share of victory, `total` being the sum of the shares.

    A share lies between 0 and 1, so its variance is at most that of wins and losses with the same
    mean: for plain wins this is Wilson's interval exactly, with shared victories it errs on the wide side.
    """
    if games == 0:
        return 0.0, 1.0
    z = normal_quantile(0.5 + confidence / 2)
    mean = total / games
    centre = mean + z * z / (2 * games)
    spread = z * math.sqrt(max(0.0, mean * (1 - mean)) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    # At the ends the formula gives exactly 0 or 1, but for rounding.
    low = 0.0 if total <= 0 else (centre - spread) / scale
    high = 1.0 if total >= games else (centre + spread) / scale
    return low, high


def mean_interval(values: Sequence[float] | np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Student's interval for a mean; None for fewer than two values."""
    n = len(values)
    if n < 2:
        return None
    numbers = np.asarray(values, float)
    spread = student_quantile(n - 1, 0.5 + confidence / 2) * float(numbers.std(ddof=1)) / math.sqrt(n)
    mean = float(numbers.mean())
    return mean - spread, mean + spread


@dataclass(frozen=True)
class Summary:
    """Mean, standard deviation and the interval of the mean; nan where there are too few numbers."""

    n: int
    mean: float
    sd: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        return {key: _plain(value) for key, value in asdict(self).items()}


@dataclass(frozen=True)
class PairedTest:
    """Student's test of the hypothesis that a mean difference is zero."""

    difference: Summary
    p: float
    alpha: float
    corrected: float | None = None  # p among all tests of the same table, by Holm

    @property
    def significant(self) -> bool:
        return (self.p if self.corrected is None else self.corrected) < self.alpha

    def to_json(self) -> dict[str, Any]:
        told = {} if self.corrected is None else {"corrected": _plain(self.corrected)}
        return {**self.difference.to_json(), "p": _plain(self.p), **told, "significant": self.significant}


@dataclass(frozen=True)
class Distribution:
    """A histogram and the normal curve of the same mean and spread."""

    edges: np.ndarray
    counts: np.ndarray
    mean: float
    sd: float

    def normal(self, x: np.ndarray) -> np.ndarray:
        """Games expected a bin, were the numbers normal."""
        width = float(self.edges[1] - self.edges[0])
        density = np.exp(-(((x - self.mean) / self.sd) ** 2) / 2) / math.sqrt(2 * math.pi) / self.sd
        return np.asarray(density * self.counts.sum() * width)


def summary(values: Sequence[float] | np.ndarray, alpha: float = ALPHA) -> Summary:
    """The mean of independent numbers with Student's interval of 1 - alpha."""
    numbers = np.asarray(values, float)
    n = len(numbers)
    if n == 0:
        return Summary(0, math.nan, math.nan, math.nan, math.nan)
    mean = float(numbers.mean())
    if n == 1:
        return Summary(1, mean, math.nan, math.nan, math.nan)
    sd = float(numbers.std(ddof=1))
    half = student_quantile(n - 1, 1 - alpha / 2) * sd / math.sqrt(n)
    return Summary(n, mean, sd, mean - half, mean + half)


def paired_test(differences: Sequence[float] | np.ndarray, alpha: float = ALPHA) -> PairedTest:
    """The test on differences within games; p is 1 where all are zero and 0 where all are equal otherwise."""
    found = summary(differences, alpha)
    if found.n < 2:
        return PairedTest(found, math.nan, alpha)
    if found.sd == 0:
        return PairedTest(found, 1.0 if found.mean == 0 else 0.0, alpha)
    t = found.mean / (found.sd / math.sqrt(found.n))
    return PairedTest(found, student_tails(found.n - 1, t), alpha)


def holm(p: Sequence[float]) -> list[float]:
    """Holm's corrected p of every test of a family: below α with a chance of at most α if nothing differs anywhere.

    A test without a p (nan) is none of the family.
    """
    order = sorted((value, place) for place, value in enumerate(p) if not math.isnan(value))
    found, highest = [math.nan] * len(p), 0.0
    for rank, (value, place) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * value))
        found[place] = highest
    return found


def distribution(values: Sequence[float] | np.ndarray, bins: int = 30) -> Distribution:
    """The histogram of these numbers, with bins of whole width where the numbers are whole."""
    numbers = np.asarray(values, float)
    low, high = float(numbers.min()), float(numbers.max())
    width = max((high - low) / bins, 1e-9)
    if np.all(numbers == np.round(numbers)):
        width = max(1.0, math.ceil(width))
        low -= 0.5
    count = max(1, math.ceil((high - low) / width + 1e-9))
    edges = low + width * np.arange(count + 1)
    counts, _ = np.histogram(numbers, edges)
    sd = float(numbers.std(ddof=1)) if len(numbers) > 1 else math.nan
    return Distribution(edges, counts, float(numbers.mean()), sd)


def _plain(number: float) -> float | int | None:
    return None if isinstance(number, float) and math.isnan(number) else number


def games_for_difference(difference: float, sd: float, alpha: float = 0.01, power: float = 0.9) -> int:
    """Games after which a mean difference of this size is told from zero, in a paired test with this power."""
    check_errors(alpha, power)
    if not difference:
        raise BadInput("No number of games tells a difference of 0 from none.")
    z = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return max(2, math.ceil((z * sd / difference) ** 2))


def visible_difference(games: int, sd: float, alpha: float = 0.01, power: float = 0.9) -> float:
    """The mean difference that so many games tell from zero with this power."""
    check_errors(alpha, power)
    return (normal_quantile(1 - alpha / 2) + normal_quantile(power)) * sd / math.sqrt(games)


def games_for_share(share: float, even: float = 0.5, alpha: float = 0.05, power: float = 0.9) -> int:
    """Games after which a share of victories is told from an even one."""
    check_errors(alpha, power)
    if not 0 <= share <= 1 or share == even:
        raise BadInput(f"A share to be told from {even} lies between 0 and 1 and differs from it, not {share}.")
    spread = normal_quantile(1 - alpha / 2) * math.sqrt(even * (1 - even))
    spread += normal_quantile(power) * math.sqrt(share * (1 - share))
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


def check_errors(alpha: float, power: float) -> None:
    """Refuses impossible errors of a test."""
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0 < value < 1:
            raise BadInput(f"The {name} of a test lies between 0 and 1, not {value}.")
