"""Digests of a handful of games, printed as JSON when run as a program: the same with JIT on and off."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np

from ludens.core import kernels, record
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.games.azul import GAME
from ludens.games.azul.players.heuristic import HeuristicAgent

__all__ = ["game_digests"]

SEEDS = (1, 2)


def game_digests() -> dict[str, str]:
    """Name of a game -> digest of its log, final state, scores, returns and features."""
    digests = {}
    for players in GAME.spec.players:
        for wall in ("coloured", "grey"):
            options = {"players": players, "wall": wall, "round_limit": 6}
            for seed in SEEDS:
                digests[f"random {players} {wall} {seed}"] = _digest(*_random_game(options, seed))
            digests[f"heuristic {players} {wall}"] = _digest(*_heuristic_game(options, SEEDS[0]))
    return digests


def _random_game(options: dict, seed: int) -> tuple[np.ndarray, np.ndarray]:
    numbers = GAME.options(options)
    longest = GAME.spec.longest(numbers)
    assert longest is not None
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(longest, np.int64)
    states = record.blank(GAME.dtype)
    kernels.reset_at(states, 0, numbers)
    length = kernels.random_game(states, generator(seed, CHANCE_STREAM), generator(seed, POLICY), legal, log)
    return log[:length], states


def _heuristic_game(options: dict, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Ties are drawn, so that the agents' random numbers are compared, too."""
    match = Match(GAME, options, seed=seed)
    agents = [HeuristicAgent(ties="random") for _ in range(match.players)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, seed))
    while not match.over:
        match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    return np.array(match.log, np.int64), match.state()


def _digest(log: np.ndarray, states: np.ndarray) -> str:
    return hashlib.sha256(b"".join([log.tobytes(), states.tobytes(), *_results(states)])).hexdigest()


def _results(states: np.ndarray) -> Iterator[bytes]:
    players = int(states[0].players)
    scores, returns = np.zeros(players), np.zeros(players)
    kernels.scores_at(states, 0, scores)
    kernels.returns_at(states, 0, returns)
    yield scores.tobytes()
    yield np.round(returns, 12).tobytes()
    options = GAME.options({"players": players, "wall": "grey" if states[0].grey else "coloured"})
    features = np.zeros(GAME.spec.observation_size(options), np.float32)
    for seat in range(players):
        kernels.observe_at(states, 0, seat, features)
        yield features.tobytes()


if __name__ == "__main__":
    print(json.dumps(game_digests()))
