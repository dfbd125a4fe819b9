"""python experiments/champions/train.py RUN.toml --out FOLDER [--seconds S] [--set KEY=VALUE …]: trains a champion.

In the folder appear the network (`NAME.safetensors`), the curve (`NAME.csv`) and, every few minutes, a checkpoint
(`NAME.pt`, for this machine only: it is the trainer's own memory) from which the same command goes on. With `--seconds`
the number of iterations follows from the speed, which is measured all the time; the network's record says how many
there were. `--set` changes a setting of the file. With `--rival NETWORK`, or where its file names a rival, the run
learns nothing but to beat that network: how often it does is an estimate of how exploitable it is.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
import time
from collections import deque
from dataclasses import replace
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from experiments.champions.runs import Run, read
from ludens.learn.ppo import PPO

__all__ = ["train"]

_MEASURED = 15  # the last iterations, whose usual time decides how many there will be
_MOST_CLONING = 0.12  # of the seconds
_CHECKPOINT_SECONDS = 120.0


def train(
    run: Run, out: Path, seconds: float | None = None, device: str | None = None, rival: Path | None = None
) -> Path:
    """Trains a run in a folder, going on with what is there; returns the file of the network."""
    out.mkdir(parents=True, exist_ok=True)
    began, name = time.monotonic(), run.name
    changes = {"device": device or ("cuda" if torch.cuda.is_available() else "cpu")}
    if run.start:
        changes["start"] = str(out / f"{run.start}.safetensors")
    if rival is None and run.rival:
        rival = out / f"{run.rival}.safetensors"
    learner = PPO(run.setup(**changes, **({} if rival is None else {"against": (f"net:{rival},temperature=1",)})))
    checkpoint, file = out / f"{name}.pt", out / f"{name}.safetensors"
    if checkpoint.exists():
        learner.load(*torch.load(checkpoint, weights_only=False))
    else:
        learner.start()
    print(f"{name}: ready after {time.monotonic() - began:.0f} s on {learner.device}", flush=True)
    playing, kept, times = time.monotonic(), time.monotonic(), deque[float](maxlen=_MEASURED)
    with (out / f"{name}.csv").open("a", newline="", encoding="utf-8") as curve:
        writer = None
        while learner.iteration < learner.settings.schedule:
            step_began = time.monotonic()
            told = learner.step(learner.iteration)
            figures = {"iteration": learner.iteration, **told, "seconds": round(time.monotonic() - playing, 1)}
            times.append(time.monotonic() - step_began)
            if writer is None:
                writer = csv.DictWriter(curve, list(figures))
                if not curve.tell():
                    writer.writeheader()
            writer.writerow(figures)
            curve.flush()
            if seconds:
                _plan(learner, seconds, time.monotonic() - began, statistics.median(times))
            if learner.iteration % 20 == 0:
                speed = learner.settings.games * learner.settings.horizon / statistics.median(times)
                words = ", ".join(f"{key} {value:.3g}" for key, value in figures.items())
                print(f"{name}: {words}, {speed / 1e6:.3f} M steps/s of {learner.settings.schedule}", flush=True)
            if time.monotonic() - kept > _CHECKPOINT_SECONDS:
                kept = time.monotonic()
                torch.save(learner.save(), checkpoint)
                replace(learner.trained_network(), options=run.covers).save(file)
    return replace(learner.trained_network(), options=run.covers).save(file)


def _plan(learner: PPO, seconds: float, passed: float, each: float) -> None:
    """Sets the number of iterations by the time that is left, and ends cloning where it would take too much of it."""
    made, cfg = learner.iteration, learner.settings
    total = made + max(0, int((seconds - passed) / each))
    cloning = cfg.behaviour_cloning_steps
    if 4 <= made < cloning:
        cloning = max(made, min(cloning, int(_MOST_CLONING * seconds / each)))
    learner.settings = replace(cfg, schedule=total, behaviour_cloning_steps=cloning)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--device")
    parser.add_argument("--rival", type=Path)
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--threads", type=int, default=1, help="of torch on a CPU")
    given = parser.parse_args()
    run = read(given.run, [*given.set, f"threads={given.threads}"])
    train(run, given.out, given.seconds, given.device, given.rival)


if __name__ == "__main__":
    main()
