"""Random games in numbers: two players agree with independent engines, any number of players comes to an end."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from ludens.core import kernels, record
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.games.azul import GAME
from ludens.games.azul.state import STEP

GAMES = 20_000


def _random_games(games: int, options: dict) -> np.ndarray:
    """(takes, rounds, mean score) of every game."""
    numbers = GAME.options({"first": "1", **options})
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(20_000, np.int64)
    chance_rng, policy_rng = generator(11, CHANCE_STREAM), generator(11, POLICY)
    states = record.blank(GAME.dtype)
    table = np.zeros((games, 3))
    for g in range(games):
        states[:] = 0
        kernels.reset_at(states, 0, numbers)
        length = kernels.random_game(states, chance_rng, policy_rng, legal, log)
        assert length < len(log)
        s = states[0]
        rounds = int(s.round_number)
        steps = int((log[:length] == STEP).sum())
        table[g] = length - 20 * rounds - steps, rounds, s.score[:2].mean()
    return table


def test_random_games_of_two_agree_with_independent_engines():
    """70.4 ± 0.5 moves, 6.60 ± 0.05 rounds, 3.0 ± 0.1 points a player."""
    moves, rounds, points = _random_games(GAMES, {"players": 2}).mean(axis=0)
    assert moves == pytest.approx(70.4, abs=0.5)
    assert rounds == pytest.approx(6.60, abs=0.05)
    assert points == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end_within_the_declared_bound(players: int, wall: str):
    options = GAME.options({"players": players, "wall": wall, "round_limit": 50})
    longest = GAME.spec.longest(options)
    assert longest is not None
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(longest + 1, np.int64)
    chance_rng, policy_rng = generator(players, CHANCE_STREAM), generator(players, POLICY)
    for _ in range(200):
        states = record.blank(GAME.dtype)
        kernels.reset_at(states, 0, options)
        assert kernels.random_game(states, chance_rng, policy_rng, legal, log) <= longest
        assert 5 <= int(states[0].round_number) <= 50, "AZ-33"
        complete = (states[0].wall[:players] >= 0).all(axis=2).any()
        assert bool(states[0].cut_off) != bool(complete)


def test_draws_follow_the_weights_of_the_bag():
    """A bag of 20, 10, 5, 4 and 1 tiles, drawn from ten thousand times."""
    states = record.blank(GAME.dtype)
    kernels.reset_at(states, 0, GAME.options({"first": "1"}))
    counts = np.array([20, 10, 5, 4, 1])
    states[0].bag[:] = counts
    rng = generator(3, CHANCE_STREAM)
    drawn = np.bincount([kernels.draw_at(states, 0, rng) for _ in range(10_000)], minlength=5)
    assert chisquare(drawn, counts / 40 * 10_000).pvalue > 0.001


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_starting_seat_is_drawn_evenly(players: int):
    states = record.blank(GAME.dtype)
    kernels.reset_at(states, 0, GAME.options({"players": players, "first": "random"}))
    rng = generator(5, CHANCE_STREAM)
    drawn = np.bincount([kernels.draw_at(states, 0, rng) for _ in range(6_000)], minlength=players)
    assert len(drawn) == players
    assert chisquare(drawn).pvalue > 0.001
