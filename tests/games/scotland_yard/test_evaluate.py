"""The evaluation of unfinished positions and the prior of moves: fair, bounded, and better than guessing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record, verbs
from ludens.core.jit import kernel
from ludens.core.rng import CHANCE_STREAM, generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.scotland_yard import GRID, LONDON
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.play.game import play_game

GAMES = (LONDON, GRID)


@kernel
def _advice(states: Any, weights: Any, legal: Any, expected: Any, priors: Any) -> int:
    """Expected returns and priors of a position; returns the number of legal actions."""
    n = verbs.legal(states[0], legal)
    verbs.evaluate(states[0], weights, expected)
    if n > 0:
        verbs.prior(states[0], legal, n, priors)
    return n


def advice(game: Game, state: np.ndarray, players: int = 2) -> tuple[np.ndarray, np.ndarray]:
    legal, priors = np.zeros(game.spec.actions, np.int64), np.zeros(game.spec.actions)
    expected = np.zeros(players)
    n = _advice(state, next(iter(game.rules.evaluations.values())), legal, expected, priors)
    return expected, priors[:n].copy()


def positions(game: Game, codes: list[str], seed: int, **options: object) -> list[tuple[np.ndarray, float]]:
    """Every position of a game with what Mr. X got in the end."""
    values = game.options(options)
    outcome = play_game(game, values, codes, seed)
    state, rng, choices = record.blank(game.dtype), generator(outcome.seed, CHANCE_STREAM), iter(outcome.choices)
    kernels.reset_at(state, 0, values)
    found = []
    legal = np.zeros(game.spec.actions, np.int64)
    while (actor := kernels.actor_at(state, 0)) != TERMINAL:
        found.append((state.copy(), outcome.returns[0]))
        if actor == CHANCE:
            action = int(kernels.draw_at(state, 0, rng))
            next_event(rng)
        else:
            kernels.legal_at(state, 0, legal)
            action = int(legal[0])
            if action < game.spec.first_automatic:
                action = next(choices)
        kernels.apply_at(state, 0, action)
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_sy_3_expected_returns_are_bounded_and_detectives_share_them(game: Game) -> None:
    players = 3 if 3 in game.spec.players else 2
    for state, _ in positions(game, ["random"] * players, 1, players=players):
        expected, priors = advice(game, state, players)
        assert -1 <= expected[0] <= 1
        assert (expected[1:] == -expected[0]).all()
        assert (priors > 0).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_the_winner_is_foretold_better_than_by_the_toss_of_a_coin(game: Game) -> None:
    """Positions of the last third of games that were not part of the fit."""
    right = asked = 0
    for seed in range(40):
        played = positions(game, ["evade", "shrink"], 90_000 + seed)
        for state, result in played[2 * len(played) // 3 :]:
            right += (advice(game, state)[0][0] > 0) == (result > 0)
            asked += 1
    assert right / asked > 0.6


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_sy_24_the_detectives_prior_does_not_depend_on_where_mr_x_really_is(game: Game) -> None:
    compared = 0
    for state, _ in positions(game, ["random", "random"], 3):
        if kernels.actor_at(state, 0) != 1:
            continue
        _, priors = advice(game, state)
        for station in possible_stations(state[0])[:6]:
            other = state.copy()
            other["mr_x_station"][0] = station
            assert np.array_equal(advice(game, other)[1], priors)
            compared += 1
    assert compared > 10
