"""Random play on a GPU against one CPU core: decisions a second, and whether the final states agree bit by bit.

python benchmarks/gpu.py [GAME ...]
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

from ludens.core.random_play import _cuda, _device_kernel, play_on_cpu, play_on_gpu
from ludens.core.record import blank
from ludens.core.registry import game, names
from ludens.core.rng import CHANCE_STREAM, POLICY, generators
from ludens.core.spec import Game

GAMES_CHECKED = 20_000
DECISIONS_TIMED = 400_000_000
MOST_TIMED = 2_000_000


def _timed(cuda: Any, chosen: Game, options: np.ndarray, games: int) -> tuple[float, int]:
    """Seconds of the kernel itself over so many games, the better of two runs, and the decisions it made."""
    best = (float("inf"), 1)
    for seed in (2, 3):
        states = cuda.to_device(blank(chosen.dtype, games))
        streams = [cuda.to_device(generators(seed, games, path)) for path in (CHANCE_STREAM, POLICY)]
        counts = cuda.to_device(np.zeros(games, np.int32))
        given = cuda.to_device(options)
        cuda.synchronize()
        start = time.perf_counter()
        _device_kernel(chosen)[(games + 63) // 64, 64](states, given, *streams, counts)
        cuda.synchronize()
        seconds = time.perf_counter() - start
        best = min(best, (seconds, int(counts.copy_to_host().sum())))
    return best


def main() -> None:
    cuda = _cuda()
    for name in sys.argv[1:] or names():
        chosen = game(name)
        for players in chosen.spec.players:
            options = chosen.options({**chosen.spec.tournament, "players": players})
            compile_from = time.perf_counter()
            play_on_gpu(chosen, options, 0, 64)
            compiled = time.perf_counter() - compile_from
            play_on_cpu(chosen, options, 0, 64)
            cpu_from = time.process_time()
            on_cpu, cpu_decisions = play_on_cpu(chosen, options, 1, GAMES_CHECKED)
            cpu = time.process_time() - cpu_from
            on_gpu, _ = play_on_gpu(chosen, options, 1, GAMES_CHECKED)
            games = min(MOST_TIMED, DECISIONS_TIMED * GAMES_CHECKED // cpu_decisions)
            seconds, decisions = _timed(cuda, chosen, options, games)
            row = {
                "game": name,
                "players": players,
                "device": str(cuda.get_current_device().name),
                "gpu decisions/s": round(decisions / seconds),
                "cpu decisions/s": round(cpu_decisions / cpu),
                "identical": on_cpu.tobytes() == on_gpu.tobytes(),
                "gpu compile s": round(compiled, 1),
            }
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
