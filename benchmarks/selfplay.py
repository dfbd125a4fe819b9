"""How many decisions a second does self-play make, learning included, and where does the time go?

python benchmarks/selfplay.py [--run FILE] [--set KEY=VALUE ...] [--without NAMES ...] [--seconds S] [--profile]

Every variant trains from nothing: first the run as it is, then without each of the names given, which may be joined by
commas ("recorded,joined"). The first iterations compile and record and do not count. A second, shorter pass waits for
the GPU between playing, looking back and updating, and tells their shares. With --profile follow the kernels that take
most of an update and of a step of playing. A variant that fails says why, and the next one begins.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a bare checkout, not installed

import torch

from experiments.champions.runs import Run, read
from ludens.learn.ppo import PPO

SKIPPED = 7  # iterations; in them the first earlier selves sit down, and everything is compiled and recorded
SYNCHRONISED = 5  # iterations whose parts are timed


def say(text: str) -> None:
    print(text, flush=True)


def wait(learner: PPO) -> None:
    if learner.device.type == "cuda":
        torch.cuda.synchronize(learner.device)


def begun(run: Run, without: Sequence[str], device: str | None) -> tuple[PPO, float]:
    """A run past its first iterations, and the seconds they took."""
    began = time.perf_counter()
    changes = {"schedule": 10**6, "league_every": 2, "league_size": 2, "behaviour_cloning_steps": 0}
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    learner = PPO(run.setup(**changes, device=device), without)
    learner.start()
    for k in range(SKIPPED):
        learner.step(learner.iteration)
        wait(learner)
        if k == 0:
            say(f"  first iteration after {time.perf_counter() - began:.0f} s")
    return learner, time.perf_counter() - began


def speed(learner: PPO, seconds: float) -> tuple[float, float]:
    """Decisions a second, and milliseconds of an iteration; nothing waits in between that would not wait anyway."""
    wait(learner)
    began, before, iterations = time.perf_counter(), learner.decisions, 0
    while not iterations or time.perf_counter() - began < seconds:
        learner.step(learner.iteration)
        iterations += 1
    wait(learner)
    passed = time.perf_counter() - began
    return (learner.decisions - before) / passed, passed / iterations * 1000


def shares(learner: PPO) -> dict[str, float]:
    """Milliseconds of an iteration's parts, each waited for; queueing is what the CPU needs to ask for the playing."""
    spent = {"playing": 0.0, "of that queueing": 0.0, "updating": 0.0}

    def timed(part: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            wait(learner)
            began = time.perf_counter()
            found = method(*arguments)
            if part == "playing":
                spent["of that queueing"] += time.perf_counter() - began
            wait(learner)
            spent[part] += time.perf_counter() - began
            return found

        return run

    whole = iterated(learner, timed("playing", learner._play), timed("updating", learner._learn), SYNCHRONISED)
    spent["looking back and the rest"] = whole - spent["playing"] - spent["updating"]
    return {part: passed / SYNCHRONISED * 1000 for part, passed in spent.items()}


def iterated(learner: PPO, play: Any, learn: Any, times: int) -> float:
    """The seconds of some iterations with other ways to play and to learn."""
    own: Any = learner
    own._play, own._learn = play, learn
    try:
        began = time.perf_counter()
        for _ in range(times):
            learner.step(learner.iteration)
        wait(learner)
        return time.perf_counter() - began
    finally:
        del own._play, own._learn


def profile(learner: PPO, most: int = 25) -> None:
    """Prints the kernels of one iteration that take most time, divided by its updates and by its steps of playing."""
    from torch.profiler import ProfilerActivity
    from torch.profiler import profile as profiler

    on_gpu, cfg = learner.device.type == "cuda", learner.settings
    kinds = [ProfilerActivity.CUDA] if on_gpu else [ProfilerActivity.CPU]

    def watched(title: str, pieces: int, method: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            with profiler(activities=kinds) as found:
                result = method(*arguments)
                wait(learner)
            show(title, pieces, found.key_averages(), on_gpu, most)
            return result

        return run

    play = watched("a step of playing", cfg.horizon, learner._play)
    learn = watched("an update", cfg.epochs * cfg.minibatches, learner._learn)
    iterated(learner, play, learn, 1)


def show(title: str, pieces: int, events: Any, on_gpu: bool, most: int) -> None:
    def own(event: Any) -> float:
        names = ("self_device_time_total", "self_cuda_time_total") if on_gpu else ("self_cpu_time_total",)
        return float(next((getattr(event, name) for name in names if hasattr(event, name)), 0.0))

    found = sorted(((own(event), event.count, event.key) for event in events if own(event) > 0), reverse=True)
    total, count = sum(row[0] for row in found), sum(row[1] for row in found)
    say(f"\n{title}: {total / pieces:.0f} µs of kernels, {count / pieces:.0f} of them; microseconds and times each:")
    for passed, times, name in found[:most]:
        say(f"  {passed / pieces:8.1f}  {times / pieces:6.2f}  {name[:150]}")


def variant(run: Run, without: Sequence[str], given: argparse.Namespace) -> None:
    name = f"without {', '.join(without)}" if without else "as it is"
    say(f"{name}:")
    gc.collect()
    torch.compiler.reset()  # what was compiled for other networks counts towards a limit
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        learner, passed = begun(run, without, given.device)
        figures = learner.step(learner.iteration)
        told = ", ".join(f"{key} {value:.4g}" for key, value in figures.items())
        rate, each = speed(learner, given.seconds)
        parts = ", ".join(f"{part} {value:.1f} ms" for part, value in shares(learner).items())
        on_gpu = learner.device.type == "cuda"
        memory = f", {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB at most" if on_gpu else ""
        say(f"  {rate / 1e6:.3f} M decisions/s, {each:.1f} ms an iteration; waiting for each part: {parts}")
        say(f"  begun after {passed:.0f} s, {len(learner._recorded)} graphs recorded{memory}; {told}")
        if given.profile and not without:
            profile(learner)


def main(arguments: Sequence[str] | None = None) -> None:
    began = time.perf_counter()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, default=Path(__file__).parents[1] / "experiments/champions/azul2.toml")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE", help="changes settings of the run")
    parser.add_argument("--without", nargs="*", default=[], metavar="NAMES", help="compiled, recorded, joined")
    parser.add_argument("--seconds", type=float, default=8.0, help="measured of every variant")
    parser.add_argument("--limit", type=float, default=90.0, help="seconds after which no variant begins")
    parser.add_argument("--device")
    parser.add_argument("--threads", type=int, default=1, help="of torch on a CPU")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args(arguments)
    run = read(given.run, [*given.set, f"threads={given.threads}"])
    name = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    cfg = run.settings
    say(f"{run.name}, {cfg.games} games x {cfg.horizon} steps; torch {torch.__version__}, {name}")
    for names in ["", *given.without]:
        if time.perf_counter() - began > given.limit:
            say(f"without {names}: left out, no time")
            continue
        try:
            variant(run, [part for part in names.split(",") if part], given)
        except Exception:  # the others may work
            say(f"failed:\n{traceback.format_exc()[-3000:]}")
        say(f"  ({time.perf_counter() - began:.0f} s in all)")


if __name__ == "__main__":
    main()
