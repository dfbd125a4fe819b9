"""Digests of a few games and decisions, printed as JSON when run as a program: the same with JIT on and off."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.core.jit import kernel
from ludens.core.rng import AGENT, CHANCE_STREAM, POLICY, generator
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery import GAME
from ludens.games.discovery.players.one_step import ROOM, choose_turn
from ludens.games.discovery.players.settings import GREEDY, POTENTIAL, RANDOM, blank_workspace, make_settings
from ludens.search.whole_turns import make_walk, play_best_turn

__all__ = ["game_digests"]


def game_digests() -> dict[str, str]:
    """Name of a game or decision -> digest of log, states, features, chosen turns."""
    digests = {}
    for players in GAME.spec.players:
        options = {"players": players, "unplaceable_tile": ("discard", "return")[players % 2]}
        digests[f"random {players}"] = _random_game(options, seed=players)
    for name, heuristic in (("random", RANDOM), ("greedy", GREEDY), ("potential", POTENTIAL)):
        digests[f"decisions {name}"] = _decisions(make_settings(heuristic, random_ties=heuristic == GREEDY))
    digests["decisions by the short cut"] = _short_cuts()
    return digests


def _random_game(options: dict, seed: int) -> str:
    numbers = GAME.options(options)
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(4000, np.int64)
    state = record.blank(GAME.dtype)
    kernels.reset_at(state, 0, numbers)
    length = kernels.random_game(state, generator(seed, CHANCE_STREAM), generator(seed, POLICY), legal, log)
    vector = np.zeros(GAME.spec.observation_size(numbers), np.float32)
    kernels.observe_at(state, 0, 1, vector)
    turned = record.blank(GAME.dtype)
    kernels.transform_at(state, 0, 5, turned)  # a quarter turn, and seats moved on
    data = [log[:length].tobytes(), state.tobytes(), vector.tobytes(), turned.tobytes()]
    return hashlib.sha256(b"".join(data)).hexdigest()


def _decisions(settings: np.ndarray) -> str:
    """The first turns of a game: from then on plain Python is slow."""
    state, scratch = record.blank(GAME.dtype), record.blank(GAME.dtype)
    kernels.reset_at(state, 0, GAME.options({"players": 3}))
    draws, own = generator(5, CHANCE_STREAM), generator(5, AGENT)
    legal, room, plan = np.zeros(GAME.spec.actions, np.int64), np.zeros(ROOM, np.int64), np.zeros(2, np.int64)
    workspace = blank_workspace()
    chosen = []
    for _ in range(9):
        kernels.apply_at(state, 0, kernels.draw_at(state, 0, draws))
        n = kernels.legal_at(state, 0, legal)
        choose_turn(state, legal[:n], settings, workspace, scratch, room, own, plan)
        chosen += plan.tolist()
        for action in plan.tolist():
            kernels.apply_at(state, 0, action)
    return hashlib.sha256(json.dumps(chosen).encode() + state.tobytes()).hexdigest()


def _short_cuts() -> str:
    """The greedy game of two players that `best_turn` finds."""
    state, walk = record.blank(GAME.dtype), make_walk(GAME.dtype, GAME.spec.actions, 2, 2)
    kernels.reset_at(state, 0, GAME.options({"players": 2}))
    draws = generator(6, CHANCE_STREAM)
    values = []
    while (actor := kernels.actor_at(state, 0)) != TERMINAL:
        if actor == CHANCE:
            kernels.apply_at(state, 0, kernels.draw_at(state, 0, draws))
        else:
            _play_greedily(state, walk, GAME.rules.heuristics["greedy"])
            values += walk.value.tolist()
    return hashlib.sha256(json.dumps(values).encode() + state.tobytes()).hexdigest()


@kernel
def _play_greedily(states: Any, walk: Any, weights: Any) -> None:
    play_best_turn(walk, states, weights, True)


if __name__ == "__main__":
    print(json.dumps(game_digests()))
