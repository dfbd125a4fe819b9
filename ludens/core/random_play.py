"""Random play of whole games, many at once; on a GPU see `gpu.random_play`.

Game i draws as a match with the seed `game_seed(seed, i)` does, and chooses from that seed's stream POLICY.
"""

from __future__ import annotations

import numpy as np

from ludens.core import record, verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generators, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL

__all__ = ["play_on_cpu", "play_one", "play_range", "streams"]


@rule
def play_one(s: Position, chance_rng: Array, policy_rng: Array, legal: Array, first_automatic: int) -> int:
    """Plays a state to its end with uniform choices; returns the number of choices (automatic steps aside)."""
    decisions = 0
    while True:
        who = verbs.actor(s)
        if who == TERMINAL:
            return decisions
        if who == CHANCE:
            a = int(verbs.draw(s, chance_rng))
            next_event(chance_rng)
        else:
            n = verbs.legal(s, legal)
            a = int(legal[0])
            if n > 1:
                a = int(legal[below(policy_rng, n)])
            if a < first_automatic:
                decisions += 1
        verbs.apply(s, a)


@kernel
def play_range(
    states: Records[Position], low: int, high: int, options: Array, chance_rngs: Array, policy_rngs: Array,
    legal: Array, first: int,
) -> int:  # fmt: skip
    """Plays the blank states low … high-1 from the start to the end; returns the number of choices."""
    decisions = 0
    for i in range(low, high):
        s = states[i]
        verbs.reset(s, options)
        decisions += play_one(s, chance_rngs[i], policy_rngs[i], legal, first)
    return decisions


def streams(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The generators of chance and of choices, a row each a game."""
    return generators(seed, count, CHANCE_STREAM), generators(seed, count, POLICY)


def play_on_cpu(game: Game, options: np.ndarray, seed: int, count: int) -> tuple[np.ndarray, int]:
    """The final states of `count` random games, and the number of choices made."""
    states, legal = record.blank(game.dtype, count), np.zeros(game.spec.actions, np.int64)
    chance_rngs, policy_rngs = streams(seed, count)
    first = game.spec.first_automatic
    return states, int(play_range(states, 0, count, options, chance_rngs, policy_rngs, legal, first))
