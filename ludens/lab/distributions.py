"""Quantiles and tails of the normal and of Student's distribution, so that a bare install needs no SciPy."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

__all__ = ["normal_quantile", "student_quantile", "student_tails"]

_TINY = 1e-300
_STEPS = 100_000
_SERIES_FROM = 30.0  # from here on four terms of Stirling's series are exact to the last digits


def normal_quantile(p: float) -> float:
    """The number below which a standard normal number lies with probability p."""
    if not 0 < p < 1:
        return -math.inf if p <= 0 else math.inf
    return NormalDist().inv_cdf(p)


@lru_cache(maxsize=4096)
def student_quantile(freedom: int, p: float) -> float:
    """The number below which Student's t with so many degrees of freedom lies with probability p."""
    tail = min(p, 1 - p)
    t = -normal_quantile(tail)
    if t not in (0, math.inf):
        # The tails are convex for t > 0 and heavier than the normal ones, so Newton's steps only go up.
        for _ in range(_STEPS):
            step = (student_tails(freedom, t) - 2 * tail) / (2 * _density(freedom, t))
            if step <= 4e-16 * t:
                break
            t += step
    return t if p >= 0.5 else -t


def student_tails(freedom: int, t: float) -> float:
    """The probability that Student's t lies further from zero than t, on either side."""
    if math.isnan(t) or math.isinf(t):
        return math.nan if math.isnan(t) else 0.0
    a, square = freedom / 2, t * t
    x, rest = freedom / (freedom + square), square / (freedom + square)
    # x^a (1-x)^(1/2) / B(a, 1/2), then the fraction that converges (Abramowitz and Stegun 26.5.2, 26.5.8)
    front = math.exp(_log_ratio(a) - a * math.log1p(square / freedom)) * math.sqrt(rest / math.pi)
    if x < (a + 1) / (a + 2.5):
        return front * _fraction(a, 0.5, x) / a
    return 1 - front * _fraction(0.5, a, rest) / 0.5


def _density(freedom: int, t: float) -> float:
    scale = math.exp(_log_ratio(freedom / 2) - (freedom + 1) / 2 * math.log1p(t * t / freedom))
    return scale / math.sqrt(freedom * math.pi)


def _log_ratio(a: float) -> float:
    """log Γ(a + 1/2) − log Γ(a), without the cancellation of two large numbers."""
    if a < _SERIES_FROM:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    return math.log(a) / 2 - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5) + 17 / (14336 * a**7)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, from its front (Lentz' method)."""
    above, below = 1.0, 1 / _far(1 - (a + b) * x / (a + 1))
    value = below
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            below, above = 1 / _far(1 + term * below), _far(1 + term / above)
            value *= below * above
        if abs(below * above - 1) < 1e-15:
            break
    return value


def _far(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
