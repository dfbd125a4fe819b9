"""Random play of whole games, many at once: on CPU cores and on a GPU, bit for bit the same.

Game i draws as a match with the seed `game_seed(seed, i)` does, and chooses from that seed's stream POLICY.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import record, verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generators, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL

__all__ = ["play_on_cpu", "play_on_gpu", "play_range"]


@rule
def play_one(s: Any, chance_rng: Any, policy_rng: Any, legal: Any, first_automatic: int) -> int:
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
    states: Any, low: int, high: int, options: Any, chance_rngs: Any, policy_rngs: Any, legal: Any, first: int
) -> int:
    """Plays the blank states low … high-1 from the start to the end; returns the number of choices."""
    decisions = 0
    for i in range(low, high):
        s = states[i]
        verbs.reset(s, options)
        decisions += play_one(s, chance_rngs[i], policy_rngs[i], legal, first)
    return decisions


def _streams(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    return generators(seed, count, CHANCE_STREAM), generators(seed, count, POLICY)


def play_on_cpu(game: Game, options: np.ndarray, seed: int, count: int) -> tuple[np.ndarray, int]:
    """The final states of `count` random games, and the number of choices made."""
    states, legal = record.blank(game.dtype, count), np.zeros(game.spec.actions, np.int64)
    chance_rngs, policy_rngs = _streams(seed, count)
    first = game.spec.first_automatic
    return states, int(play_range(states, 0, count, options, chance_rngs, policy_rngs, legal, first))


_on_device: dict[np.dtype, Any] = {}


def _cuda() -> Any:
    """Numba's CUDA, or one clear sentence."""
    if not hasattr(np, "row_stack"):  # numba-cuda still imports a name that NumPy 2.5 dropped
        np.row_stack = np.vstack
    try:
        from numba import cuda
    except ImportError as error:
        raise BadInput("Playing on a GPU needs the gpu extra: pip install 'ludens[gpu]'.") from error
    if not cuda.is_available():
        raise BadInput("Playing on a GPU needs an NVIDIA GPU with its driver, and none was found.")
    return cuda


def _device_kernel(game: Game) -> Any:
    """One thread a game; the state lives in the thread's own memory while it plays."""
    if game.dtype not in _on_device:
        cuda = _cuda()
        from numba.np.numpy_support import from_dtype

        actions, first, record_type = game.spec.actions, game.spec.first_automatic, from_dtype(game.dtype)

        def play(states: Any, options: Any, chance_rngs: Any, policy_rngs: Any, decisions: Any) -> None:
            i = cuda.grid(1)
            if i < states.shape[0]:
                legal = cuda.local.array(actions, np.int16)
                own = cuda.local.array(1, record_type, alignment=16)  # by itself a record is laid at any byte
                own[0] = states[i]
                verbs.reset(own[0], options)
                decisions[i] = play_one(own[0], chance_rngs[i], policy_rngs[i], legal, first)
                states[i] = own[0]

        _on_device[game.dtype] = cuda.jit(play)
    return _on_device[game.dtype]


def play_on_gpu(game: Game, options: np.ndarray, seed: int, count: int, block: int = 64) -> tuple[np.ndarray, int]:
    """`play_on_cpu` on a GPU: the same final states, bit by bit."""
    cuda = _cuda()
    states = cuda.to_device(record.blank(game.dtype, count))
    chance_rngs, policy_rngs = (cuda.to_device(rngs) for rngs in _streams(seed, count))
    decisions = cuda.to_device(np.zeros(count, np.int32))
    launch = _device_kernel(game)[(count + block - 1) // block, block]
    launch(states, cuda.to_device(options), chance_rngs, policy_rngs, decisions)
    return states.copy_to_host(), int(decisions.copy_to_host().sum())
