"""Random play on a GPU against one CPU core: decisions a second, and whether the final states agree bit by bit.

    python benchmarks/gpu.py [GAME ...]
"""

from __future__ import annotations

import json
import sys
import time

from ludens.core.playout import _cuda, play_on_cpu, play_on_gpu
from ludens.core.registry import game, names

GAMES_CHECKED = 20_000
GAMES_TIMED = 2_000_000


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
            best = 0.0
            for attempt in range(2):
                gpu_from = time.perf_counter()
                _, decisions = play_on_gpu(chosen, options, 2 + attempt, GAMES_TIMED)
                best = max(best, decisions / (time.perf_counter() - gpu_from))
            row = {
                "game": name,
                "players": players,
                "device": cuda.get_current_device().name.decode(),
                "gpu decisions/s (with transfers)": round(best),
                "cpu decisions/s": round(cpu_decisions / cpu),
                "identical": on_cpu.tobytes() == on_gpu.tobytes(),
                "gpu compile s": round(compiled, 1),
            }
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
