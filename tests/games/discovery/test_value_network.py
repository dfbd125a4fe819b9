"""The value network: what it sees, and its layers against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core.jit import kernel
from ludens.games.discovery import GAME
from ludens.games.discovery.state import DRAWING, FOLLOWER, PLACING
from ludens.games.discovery.value_network import FEATURES, FIRST, SECOND, SIZE, describe
from tests.games.discovery.positions import positions
from tests.search.positions import evaluate_at

RANDOM = np.random.default_rng(3).normal(0, 0.2, SIZE)
VALUE_NETWORK = GAME.rules.evaluations.get("value-network", RANDOM)


@kernel
def _describe(states: Any, out: Any) -> None:
    describe(states[0], out)


def seen(state: np.ndarray, players: int) -> np.ndarray:
    out = np.full((players, FEATURES), np.nan)
    _describe(state, out)
    return out


def slow_chances(features: np.ndarray) -> np.ndarray:
    """The network in numpy, as expected returns."""
    left, x = VALUE_NETWORK, features
    for rows, columns in ((FEATURES, FIRST), (FIRST, SECOND), (SECOND, 1)):
        matrix, biases = left[: rows * columns].reshape(rows, columns), left[rows * columns :][:columns]
        left = left[(rows + 1) * columns :]
        x = x @ matrix + biases
        if columns > 1:
            x = np.maximum(x, 0)
    assert len(left) == 0
    chances = np.exp(x[:, 0] - x.max())
    chances /= chances.sum()
    players = len(features)
    return (players * chances - 1) / (players - 1)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("phase", [DRAWING, PLACING, FOLLOWER])
def test_the_kernel_is_the_network_and_shares_out_one_victory(players: int, phase: int) -> None:
    out = np.zeros(players)
    for state in positions(players, 7, phase, every=5):
        evaluate_at(state, 0, VALUE_NETWORK, out)
        assert out == pytest.approx(slow_chances(seen(state, players)), abs=1e-9)
        assert out.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("scoring", ["open", "closed", "actual"])
def test_features_are_finite_and_of_one_size(scoring: str) -> None:
    for players in (2, 5):
        for state in positions(players, 8, FOLLOWER, every=3, final_scoring=scoring):
            features = seen(state, players)
            assert np.isfinite(features).all()
            assert (np.abs(features) <= 3).all()


def test_points_are_liked_if_it_has_learned_and_the_seats_are_alike() -> None:
    out, richer, swapped = np.zeros(2), np.zeros(2), np.zeros(2)
    for state in positions(2, 9, DRAWING, every=10):
        evaluate_at(state, 0, VALUE_NETWORK, out)
        if VALUE_NETWORK is not RANDOM:
            state["score"][0, 0] += 10
            evaluate_at(state, 0, VALUE_NETWORK, richer)
            assert richer[0] > out[0]
            state["score"][0, 0] -= 10
        for field in ("score", "follower_count", "follower"):
            state[field][0, :2] = state[field][0, 1::-1].copy()
        state["current"] = 1 - state["current"]
        evaluate_at(state, 0, VALUE_NETWORK, swapped)
        assert swapped[::-1] == pytest.approx(out, abs=1e-9)


def test_the_weights_are_those_of_the_network() -> None:
    assert len(VALUE_NETWORK) == SIZE
