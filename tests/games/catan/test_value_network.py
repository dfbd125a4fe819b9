"""The value network: its features, its sums, and what it has learnt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.games.catan import GAME
from ludens.games.catan.evaluate import EVALUATIONS
from ludens.games.catan.players.value import ValueAgent
from ludens.games.catan.rules import island
from ludens.games.catan.state import DESERT, HEXES, KINDS, NOBODY
from ludens.games.catan.value_network import FEATURES, FIRST, SECOND, SIZE, player_features

WEIGHTS = EVALUATIONS["value-network"]


@kernel
def _features(states: Any, p: int, out: Any) -> None:
    player_features(states[0], p, out)


def features(states: np.ndarray, p: int) -> np.ndarray:
    out = np.full(FEATURES, np.nan)
    _features(states, p, out)
    return out


def valued(states: np.ndarray) -> np.ndarray:
    out = np.zeros(int(states[0]["players"]))
    kernels.evaluate_at(states, 0, WEIGHTS, out)
    return out


def slowly(states: np.ndarray) -> np.ndarray:
    """The same chances by plain matrices."""
    cuts = np.cumsum([FEATURES * FIRST, FIRST, FIRST * SECOND, SECOND, SECOND])
    first, first_bias, second, second_bias, last, last_bias = np.split(WEIGHTS, cuts)
    players = int(states[0]["players"])
    x = np.stack([features(states, p) for p in range(players)])
    x = np.maximum(x @ first.reshape(FEATURES, FIRST) + first_bias, 0)
    x = np.maximum(x @ second.reshape(FIRST, SECOND) + second_bias, 0)
    logits = x @ last + last_bias
    chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    return np.asarray((players * chances - 1) / (players - 1))


def played(seed: int, players: int) -> Match:
    rng, match = np.random.default_rng(seed), Match(GAME, {"players": players, "board": "variable"}, seed=seed)
    for _ in range(60 * seed):
        if not match.over:
            match.play(int(rng.choice(match.legal())))
    return match


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_kernel_agrees_with_plain_matrices(seed: int, players: int) -> None:
    states = played(seed, players).state()
    for p in range(players):
        x = features(states, p)
        assert np.isfinite(x).all()
        assert (np.abs(x) <= 4).all()
    assert valued(states) == pytest.approx(slowly(states), abs=1e-9)
    assert valued(states).sum() == pytest.approx(0, abs=1e-9)


def test_the_weights_have_the_size_of_the_network() -> None:
    assert len(WEIGHTS) == SIZE == (FEATURES + 1) * FIRST + (FIRST + 1) * SECOND + SECOND + 1


@pytest.mark.parametrize("seed", range(1, 7))
def test_production_is_counted_hex_by_hex(seed: int) -> None:
    s = played(seed, 4).state()[0]
    for p in range(4):
        expected = np.zeros(KINDS + 1)
        for h in range(HEXES):
            if s.terrain[h] != DESERT:
                towns = [int(s.building[v]) for v in island.HEX_VERTICES[h]]
                size = towns.count(p) + 2 * towns.count(4 + p)
                dots = size * (6 - abs(7 - int(s.number[h])))
                expected[KINDS if h == s.robber else int(s.terrain[h])] += dots
        assert features(played(seed, 4).state(), p)[: KINDS + 1] == pytest.approx(expected / 10)


def sensible(seed: int, choices: int) -> np.ndarray:
    """A position of a game of `value` against itself."""
    match = Match(GAME, {"board": "variable"}, seed=seed)
    agents = [ValueAgent() for _ in range(4)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, seed))
    for _ in range(choices):
        if not match.over:
            match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    return match.state()


def test_what_wins_games_is_worth_something() -> None:
    """A victory card more, or all cards for a city more, is thought better in nearly every position."""
    better, counted = np.zeros(2), 0
    for seed in range(8):
        states = sensible(seed, 60 + 25 * seed)
        if states[0]["winner"] != NOBODY:
            continue
        for p in range(4):
            counted += 1
            for k, (field, gift) in enumerate((("cards", [0, 1, 0, 0, 0]), ("hand", [0, 0, 0, 2, 3]))):
                more = states.copy()
                more[0][field][p] += np.array(gift, more.dtype[field].base)
                if field == "hand":
                    more[0]["count"][p] += 5
                better[k] += valued(more)[p] > valued(states)[p]
    assert counted >= 20
    assert (better / counted >= 0.9).all()
