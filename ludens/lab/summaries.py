"""Means with intervals, paired tests and distributions of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

__all__ = ["ALPHA", "Distribution", "PairedTest", "Summary", "distribution", "paired_test", "summary"]

ALPHA = 0.01
"""The level of tests and intervals unless another is asked for: intervals are of 99 %."""


@dataclass(frozen=True)
class Summary:
    """Mean, standard deviation and the interval of the mean; nan where there are too few numbers."""

    n: int
    mean: float
    sd: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        return {key: _plain(getattr(self, key)) for key in ("n", "mean", "sd", "low", "high")}


@dataclass(frozen=True)
class PairedTest:
    """Student's test of the hypothesis that a mean difference is zero."""

    difference: Summary
    p: float
    alpha: float

    @property
    def significant(self) -> bool:
        return self.p < self.alpha

    def to_json(self) -> dict[str, Any]:
        return {**self.difference.to_json(), "p": _plain(self.p), "significant": self.significant}


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
        return np.asarray(stats.norm.pdf(x, self.mean, self.sd) * self.counts.sum() * width)


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
    half = float(stats.t.ppf(1 - alpha / 2, n - 1)) * sd / math.sqrt(n)
    return Summary(n, mean, sd, mean - half, mean + half)


def paired_test(differences: Sequence[float] | np.ndarray, alpha: float = ALPHA) -> PairedTest:
    """The test on differences within games; p is 1 where all are zero and 0 where all are equal otherwise."""
    found = summary(differences, alpha)
    if found.n < 2:
        return PairedTest(found, math.nan, alpha)
    if found.sd == 0:
        return PairedTest(found, 1.0 if found.mean == 0 else 0.0, alpha)
    t = found.mean / (found.sd / math.sqrt(found.n))
    return PairedTest(found, float(2 * stats.t.sf(abs(t), found.n - 1)), alpha)


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
