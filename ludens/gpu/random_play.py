"""Random play of whole games on a GPU, one thread a game: bit for bit as `core.random_play` on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.random_play import streams
from ludens.core.spec import Game
from ludens.gpu.device import DeviceArray, DeviceKernel, gpu_errors, torch_with_gpu
from ludens.gpu.kernels import play_kernel, records_of, words_of

__all__ = ["play_on_gpu", "start_on_gpu"]

_kernels: dict[np.dtype, DeviceKernel] = {}


def play_on_gpu(game: Game, options: np.ndarray, seed: int, count: int, block: int = 64) -> tuple[np.ndarray, int]:
    """The final states of `count` random games, and the number of choices made."""
    words, decisions, _ = start_on_gpu(game, options, seed, count, block)
    with gpu_errors(f"{count} random games of {game.spec.title}"):
        return records_of(game.dtype, words.cpu().numpy()), int(decisions.sum())


def start_on_gpu(game: Game, options: np.ndarray, seed: int, count: int, block: int = 64) -> tuple[Any, Any, Any]:
    """Starts the games and does not wait: words of the final states, choices made, two events around the kernel."""
    torch = torch_with_gpu()
    if game.dtype not in _kernels:
        _kernels[game.dtype] = play_kernel(game)
    with gpu_errors(f"{count} random games of {game.spec.title}"):
        signed = (rows.view(np.int64) for rows in streams(seed, count))
        given = [torch.from_numpy(array).cuda() for array in (options, *signed)]
        words = torch.empty((words_of(game.dtype), count), dtype=torch.int32, device="cuda")
        decisions = torch.empty(count, dtype=torch.int64, device="cuda")
        events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        _kernels[game.dtype].launch(count, block, *map(DeviceArray, (words, *given, decisions)))
        events[1].record()
    return words, decisions, events
