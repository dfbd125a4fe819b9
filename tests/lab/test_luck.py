"""Luck by covariance: all luck, none, and half by half."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ludens.lab.luck import share_of_luck


def test_what_is_all_luck_or_all_skill_is_told_so() -> None:
    ends = np.array([0.5, -0.5] * 10)
    assert share_of_luck([[(way, way), (-way, -way)] for way in ends]).share == pytest.approx(1)
    assert share_of_luck([[(0.0, way), (0.0, -way)] for way in ends]).share == 0


def test_independent_halves_are_half_luck() -> None:
    rng = np.random.default_rng(0)
    luck, skill = rng.normal(size=(2, 4000))
    found = share_of_luck([[(a, a + b)] for a, b in zip(luck, skill, strict=True)])
    assert found.low < 0.5 < found.high
    assert found.high - found.low < 0.1


def test_few_games_tell_nothing() -> None:
    assert math.isnan(share_of_luck([[(0.1, 0.2)]] * 3).share)
