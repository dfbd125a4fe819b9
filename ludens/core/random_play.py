"""Random play of whole games, many at once: on CPU cores and on a GPU, bit for bit the same.

Game i draws as a match with the seed `game_seed(seed, i)` does, and chooses from that seed's stream POLICY.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import record, verbs
from ludens.core.jit import kernel, rule
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generators, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL

__all__ = ["play_on_cpu", "play_on_gpu", "play_range", "start_on_gpu"]


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


def play_on_gpu(game: Game, options: np.ndarray, seed: int, count: int, block: int = 64) -> tuple[np.ndarray, int]:
    """`play_on_cpu` on a GPU: the same final states, bit by bit."""
    words, decisions, _ = start_on_gpu(game, options, seed, count, block)
    from ludens.core.gpu_kernels import records_of

    return records_of(game.dtype, words.cpu().numpy()), int(decisions.sum())


def start_on_gpu(game: Game, options: np.ndarray, seed: int, count: int, block: int = 64) -> tuple[Any, Any, Any]:
    """Starts the games on the GPU, one thread a game, and does not wait: words of the final states, choices made,
    and two events around the kernel."""
    from ludens.core.gpu import DeviceArray, gpu_errors, torch_with_gpu
    from ludens.core.gpu_kernels import play_kernel, words_of

    torch = torch_with_gpu()
    if game.dtype not in _on_device:
        _on_device[game.dtype] = play_kernel(game)
    with gpu_errors(f"{count} random games of {game.spec.title}"):
        given = [
            torch.from_numpy(array).cuda() for array in (options, *(s.view(np.int64) for s in _streams(seed, count)))
        ]
        words = torch.empty((words_of(game.dtype), count), dtype=torch.int32, device="cuda")
        decisions = torch.empty(count, dtype=torch.int64, device="cuda")
        events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        arrays = [DeviceArray(tensor) for tensor in (words, *given, decisions)]
        _on_device[game.dtype].launch(count, block, *arrays)
        events[1].record()
        return words, decisions, events
