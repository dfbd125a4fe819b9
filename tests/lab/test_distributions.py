"""Quantiles and tails are those of SciPy, which no bare install has."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from ludens.lab.distributions import normal_quantile, student_quantile, student_tails

FREEDOMS = (1, 2, 3, 5, 10, 29, 59, 60, 61, 200, 9_999, 1_000_000)


@pytest.mark.parametrize("p", [1e-9, 0.005, 0.3, 0.5, 0.51, 0.9, 0.975, 0.995, 0.9999, 1 - 1e-9])
def test_quantiles(p: float) -> None:
    assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-12)
    for freedom in FREEDOMS:
        assert student_quantile(freedom, p) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-8, abs=1e-15), freedom


@pytest.mark.parametrize("t", [0.0, 1e-6, 0.5, 1.0, 1.7, 2.0, 5.0, 30.0, 1e6])
def test_tails(t: float) -> None:
    for freedom in FREEDOMS:
        found = student_tails(freedom, -t)
        assert found == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-9, abs=1e-300), freedom


def test_what_lies_outside() -> None:
    assert (normal_quantile(0.0), normal_quantile(1.0)) == (-math.inf, math.inf)
    assert (student_quantile(4, 0.0), student_quantile(4, 1.0)) == (-math.inf, math.inf)
    assert student_tails(4, math.inf) == 0
    assert math.isnan(student_tails(4, math.nan))
