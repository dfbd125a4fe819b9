"""Batches on a GPU: are all numbers those of a CPU, bit for bit, and how many steps a second?

python benchmarks/gpu.py [GAME ...] [--out FILE] [--limit SECONDS] [--total SECONDS] [--cache FOLDER]

Every game runs in processes of its own, so that one that fails or takes longer than the limit stops no other. First all
games at once compile with an empty cache and are compared with `Batch`, for every number of players; then one after the
other they are timed: batches with mask and features at random play, in several sizes and forms, each kernel by itself,
and whole games without mask and features. Needs NumPy, Numba, numba-cuda and PyTorch only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

GAMES = ["azul", "catan", "discovery", "scotland_yard", "scotland_yard_grid"]
TARGETS = {"azul": 60, "catan": 15, "discovery": 10, "scotland_yard": 20, "scotland_yard_grid": 100}  # M steps/s
PLAYERS = {"azul": 2, "catan": 4, "discovery": 2, "scotland_yard": 4, "scotland_yard_grid": 2}
SIZES = (8_192, 32_768, 65_536, 131_072, 262_144)
BLOCKS = (32, 64, 128, 256)
MOST_BYTES = 40 << 30
CHECKS: list[dict[str, Any]] = [
    {},
    {"longest": 30, "all_seats": True},
    {"autoreset": False, "longest": 45, "buffers": {"rows": True}},
]


def say(**row: Any) -> None:
    print(json.dumps(row), flush=True)


def check(name: str) -> None:
    """Compiles the kernels of a game and compares all arrays of all player counts with the CPU's."""
    import torch

    from ludens.core.batch import Batch
    from ludens.core.random_play import play_on_cpu
    from ludens.core.registry import game
    from ludens.gpu.batch import GpuBatch
    from ludens.gpu.check import first_difference
    from ludens.gpu.random_play import play_on_gpu

    chosen = game(name)
    torch.zeros(1, device="cuda")
    start = time.perf_counter()
    batch = GpuBatch(chosen, 64)
    out = batch.buffers()
    batch.reset(out)
    batch.step(batch.sample(), out)
    torch.cuda.synchronize()
    kernels = {"step": batch.kernels.step.attributes(), "observe": batch.kernels.observe.attributes()}
    say(part="cold", seconds=round(time.perf_counter() - start, 1), kernels=kernels)
    start = time.perf_counter()
    other = Batch(chosen, 2)
    buffers = other.buffers()
    other.reset(buffers)
    other.step(other.sample(), buffers)
    say(part="cpu cold", seconds=round(time.perf_counter() - start, 1))
    for players in chosen.spec.players:
        for k, settings in enumerate(CHECKS):
            start = time.perf_counter()
            size, steps = (1000, 150) if k == 0 else (250, 100)
            found = first_difference(chosen, size, steps, seed=k, threads=3, players=players, **settings)
            say(
                part="equality", players=players, settings=settings, steps=size * steps, difference=found,
                seconds=round(time.perf_counter() - start, 1),
            )  # fmt: skip
    start = time.perf_counter()
    play_on_gpu(chosen, batch.options, 0, 64)
    say(part="playouts cold", seconds=round(time.perf_counter() - start, 1))
    play_on_cpu(chosen, batch.options, 0, 8)


def speed(name: str) -> None:
    """Times a game: first how long a warm start takes, then steps of batches, then whole games."""
    import torch

    from ludens.core.registry import game
    from ludens.gpu.batch import GpuBatch

    chosen, players = game(name), PLAYERS.get(name)
    torch.zeros(1, device="cuda")
    start = time.perf_counter()
    batch = GpuBatch(chosen, 64, players=players)
    out = batch.buffers()
    batch.reset(out)
    batch.step(batch.sample(), out)
    torch.cuda.synchronize()
    say(part="warm", seconds=round(time.perf_counter() - start, 2))
    width = chosen.spec.observation_size(batch.options)
    each = 8 * width + 3 * chosen.spec.actions + 2 * chosen.dtype.itemsize
    best = (0.0, 0, 0)
    for size in SIZES:
        if size * each < MOST_BYTES:
            rate = steps_per_second(GpuBatch(chosen, size, players=players, check=False, block=64))
            say(part="steps", form="columns", size=size, block=64, rate=round(rate))
            best = max(best, (rate, size, 64))
    for block in BLOCKS:
        rate = steps_per_second(GpuBatch(chosen, best[1], players=players, check=False, block=block))
        say(part="steps", form="columns", size=best[1], block=block, rate=round(rate))
        best = max(best, (rate, best[1], block))
    _, size, block = best
    for form, tables in (("rows", {"rows": True}), ("bfloat16", {"features": torch.bfloat16})):
        rate = steps_per_second(GpuBatch(chosen, size, players=players, check=False, block=block), **tables)
        say(part="steps", form=form, size=size, block=block, rate=round(rate))
    rate = steps_per_second(GpuBatch(chosen, size, players=players, block=block))
    say(part="steps", form="checked", size=size, block=block, rate=round(rate))
    say(part="kernels", size=size, block=block, **kernel_times(GpuBatch(chosen, size, players=players, block=block)))
    say(part="best", players=players, rate=round(best[0]), size=size, block=block, device=torch.cuda.get_device_name())
    for count in chosen.spec.players:
        say(part="playouts", players=count, **playouts(chosen, count))


def steps_per_second(batch: Any, **tables: Any) -> float:
    """Steps a second at random play with mask and features, games in all stages; the better of two timings."""
    import torch

    out = batch.buffers(**tables)
    batch.reset(out)
    start = time.perf_counter()
    warm = 0
    while warm < 200 and (warm < 20 or time.perf_counter() - start < 1.0):
        batch.step(batch.sample(), out)
        warm += 1
        if warm % 10 == 0:
            torch.cuda.synchronize()
    best = 0.0
    for _ in range(2):
        start, steps = time.perf_counter(), 0
        while time.perf_counter() - start < 0.4:
            for _ in range(10):
                batch.step(batch.sample(), out)
            steps += 10
            torch.cuda.synchronize()
        best = max(best, steps * len(batch) / (time.perf_counter() - start))
    return best


def kernel_times(batch: Any) -> dict[str, float]:
    """Microseconds of every kernel of a step, by itself."""
    import torch

    from ludens.gpu import batch as gpu_batch

    batch.check = False
    out = batch.buffers()
    batch.reset(out)
    for _ in range(60):
        batch.step(batch.sample(), out)
    spent: dict[str, list[Any]] = {}
    parts = {"step": batch.kernels.step, "observe": batch.kernels.observe, "sample": gpu_batch._common["sample"]}
    for name, kernel in parts.items():
        kernel.launch = _timed(kernel, kernel.launch, name, spent)
    start = time.perf_counter()
    for _ in range(30):
        batch.step(batch.sample(), out)
    queued = time.perf_counter() - start
    torch.cuda.synchronize()
    for kernel in parts.values():
        del kernel.launch
    found = {}
    for name, pairs in spent.items():
        times = sorted(first.elapsed_time(last) * 1000 for first, last in pairs)
        found[name] = round(times[len(times) // 2], 1)
    return {**found, "queueing a step, on the CPU": round(queued / 30 * 1e6, 1)}


def _timed(kernel: Any, launch: Any, name: str, spent: dict[str, list[Any]]) -> Any:
    import torch

    def launched(size: int, block: int, *arguments: Any) -> None:
        label = f"{name} the last positions" if name == "observe" and arguments[3].words[2] else name
        events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        launch(size, block, *arguments)
        events[1].record()
        spent.setdefault(label, []).append(events)

    return launched


def playouts(chosen: Any, players: int) -> dict[str, Any]:
    """Random games without mask and features: decisions a second on the GPU and on one core, and are they equal?"""
    import torch

    from ludens.core.random_play import play_on_cpu
    from ludens.gpu.random_play import play_on_gpu, start_on_gpu

    options = chosen.options({**chosen.spec.tournament, "players": players})
    play_on_cpu(chosen, options, 0, 8)
    start = time.process_time()
    on_cpu, decisions = play_on_cpu(chosen, options, 1, 2000)
    cpu = time.process_time() - start
    on_gpu, _ = play_on_gpu(chosen, options, 1, 2000)
    count = min(1_000_000, 200_000_000 * 2000 // decisions)
    best = 0.0
    for seed in (2, 3):
        _, made, events = start_on_gpu(chosen, options, seed, count)
        torch.cuda.synchronize()
        best = max(best, int(made.sum()) / (events[0].elapsed_time(events[1]) / 1000))
    return {
        "gpu": round(best),
        "cpu": round(decisions / cpu),
        "identical": on_cpu.tobytes() == on_gpu.tobytes(),
    }


def child(work: str, name: str, cache: str, limit: float) -> list[dict[str, Any]]:
    """Runs one part of one game in a process of its own; what it said, and how it ended."""
    environment = {**os.environ, "LUDENS_CACHE": cache, "PYTHONUNBUFFERED": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), environment.get("PYTHONPATH", "")])
    command = [sys.executable, __file__, "--work", work, name]
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
        try:
            done = subprocess.run(command, env=environment, stdout=said, stderr=complained, timeout=limit)
            ended = "" if done.returncode == 0 else f"ended with {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = f"stopped after {limit:.0f} s"
        said.seek(0)
        complained.seek(0)
        rows = [json.loads(line) for line in said if line.startswith("{")]
        if ended:
            rows.append({"part": "failure", "work": work, "how": ended, "text": complained.read()[-3000:]})
    return [{"game": name, **row} for row in rows]


def table(rows: list[dict[str, Any]]) -> str:
    """The figures for people."""
    lines = ["| game | players | M steps/s | aim | games | block | compile s | warm s | equal |", "|---" * 9 + "|"]
    for name in dict.fromkeys(row["game"] for row in rows):
        own: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            if row["game"] == name:
                own.setdefault(row["part"], []).append(row)
        best = own.get("best", [{}])[0]
        checks = own.get("equality", [])
        wrong = [row for row in checks if row["difference"]]
        equal = f"{len(checks) - len(wrong)} of {len(checks)}"
        cells = [
            name, best.get("players"), round(best.get("rate", 0) / 1e6, 1), TARGETS.get(name), best.get("size"),
            best.get("block"), own.get("cold", [{}])[0].get("seconds"), own.get("warm", [{}])[0].get("seconds"), equal,
        ]  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        lines += [f"  different: {row['players']} players, {row['settings']}: {row['difference']}" for row in wrong]
        lines += [f"  {row['work']} {row['how']}: {row['text'][-700:]}" for row in own.get("failure", [])]
        for row in own.get("kernels", []):
            lines.append(f"  µs: { {key: row[key] for key in row if key not in ('game', 'part')} }")
        lines.append(
            f"  forms: {[(r['form'], r['size'], r['block'], round(r['rate'] / 1e6, 1)) for r in own.get('steps', [])]}"
        )
        lines += [f"  code: {row['kernels']}" for row in own.get("cold", [])]
        lines += [
            f"  {row['part']}: {row['seconds']} s"
            for part in ("cpu cold", "playouts cold")
            for row in own.get(part, [])
        ]
        for row in own.get("playouts", []):
            figures = f"{row['gpu'] / 1e6:.0f} M decisions/s, one core {row['cpu'] / 1e6:.2f} M"
            lines.append(f"  whole games, {row['players']} players: {figures}, identical: {row['identical']}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--out", type=Path, help="a file for all figures, as JSON")
    parser.add_argument("--limit", type=float, default=240, help="seconds a part of a game may take")
    parser.add_argument("--total", type=float, default=3600, help="seconds that all games may take together")
    parser.add_argument("--cache", help="a folder of compiled kernels; a fresh one unless given")
    parser.add_argument("--work", choices=("check", "speed"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    chosen = given.games or GAMES
    if given.work:
        {"check": check, "speed": speed}[given.work](chosen[0])
        return
    start = time.perf_counter()

    def run(work: str, name: str) -> list[dict[str, Any]]:
        left = given.total - (time.perf_counter() - start)
        return child(work, name, cache, max(1.0, min(given.limit, left)))

    with tempfile.TemporaryDirectory() as fresh, ThreadPoolExecutor(len(chosen)) as pool:
        cache = given.cache or fresh
        rows = [row for own in pool.map(lambda name: run("check", name), chosen) for row in own]
        print(f"compiled and compared after {time.perf_counter() - start:.0f} s", flush=True)
        for name in chosen:
            rows += run("speed", name)
            if given.out:
                given.out.write_text(json.dumps(rows, indent=1))
            print(f"{name} timed after {time.perf_counter() - start:.0f} s", flush=True)
    print(table(rows))


if __name__ == "__main__":
    main()
