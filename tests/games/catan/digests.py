"""Digests of a few games, printed as JSON when run as a program: the same with JIT on and off."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from ludens.core import kernels, record
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, DETERMINIZE, POLICY, generator
from ludens.games.catan import GAME
from ludens.games.catan.players.thesis_features import BASE
from ludens.games.catan.players.value import ValueAgent
from tests.games.catan.compiled import base_features_at

__all__ = ["game_digests"]


def game_digests() -> dict[str, str]:
    """Name of a game -> digest of its log, last state, guesses and features."""
    digests = {}
    for players, preset in ((2, "thesis"), (3, "official"), (4, "official")):
        options = GAME.options({"players": players, "preset": preset, "board": "variable", "turn_limit": 25})
        digests[f"random {players} {preset}"] = _random_digest(options, players)
    digests["value"] = _value_digest()
    return digests


def _random_digest(options: np.ndarray, seed: int) -> str:
    state, log = record.blank(GAME.dtype), np.zeros(100_000, np.int64)
    kernels.reset_at(state, 0, options)
    rngs = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    n = kernels.random_game(state, *rngs, np.zeros(GAME.spec.actions, np.int64), log)
    parts = [log[:n].tobytes(), state.tobytes()]
    half = record.blank(GAME.dtype)
    kernels.reset_at(half, 0, options)
    outcomes, weights = np.zeros(GAME.spec.outcomes, np.int64), np.zeros(GAME.spec.outcomes)
    kernels.replay(half, log[: 3 * n // 4], np.zeros(GAME.spec.actions, np.int64), outcomes, weights)
    rng = generator(seed, DETERMINIZE)
    for seat in range(int(options[0])):
        view, guess = record.blank(GAME.dtype), record.blank(GAME.dtype)
        kernels.view_at(half, 0, seat, view)
        kernels.determinize_at(view, 0, seat, rng, guess)
        observation = np.zeros(GAME.spec.observation_size(options), np.float32)
        kernels.observe_at(view, 0, seat, observation)
        base = np.zeros(BASE)
        base_features_at(view, 0, seat, False, base)
        parts += [view.tobytes(), guess.tobytes(), np.round(observation, 5).tobytes(), np.round(base, 9).tobytes()]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _value_digest() -> str:
    match = Match(GAME, {"players": 3, "turn_limit": 12}, 4)
    agents = [ValueAgent() for _ in range(3)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, 4))
    while not match.over:
        match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    return hashlib.sha256(np.array(match.log, np.int64).tobytes()).hexdigest()


if __name__ == "__main__":
    print(json.dumps(game_digests()))
