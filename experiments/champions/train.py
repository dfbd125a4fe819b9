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
import tomllib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from ludens.core.errors import BadInput, did_you_mean
from ludens.learn.selfplay import SelfPlay, Settings
from ludens.networks.network import Network, load

__all__ = ["Run", "read", "train"]

_MEASURED = 15  # the last iterations, whose usual time decides how many there will be
_MOST_COPYING = 0.12  # of the seconds
_CHECKPOINT_SECONDS = 120.0
_KEYS = ("game", "options", "settings", "covers", "start", "rival", "seconds", "against")


@dataclass(frozen=True)
class Run:
    """A run as its file tells."""

    name: str
    game: str
    options: dict[str, Any]  # what is played
    settings: Settings
    covers: dict[str, list[Any]]  # the options that the network is for; those that are not named do not matter
    start: str | None  # the run whose network it begins with, as far as that fits
    rival: str | None  # the run whose network it learns to beat, and nothing else
    seconds: float  # its part of the time when all runs share some
    against: list[dict[str, Any]]  # series to evaluate it by: agents with NET and RIVAL, games, fixed sides or not


def read(path: Path, changes: Sequence[str] = ()) -> Run:
    """The run of a file, with changes of its settings written as key=value."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    for key in document:
        if key not in _KEYS:
            raise did_you_mean(key, _KEYS, "key of a run")
    if "game" not in document:
        raise BadInput(f"{path} does not name a game.")
    settings = {**document.get("settings", {}), **tomllib.loads("\n".join(changes))}
    known = {field.name for field in fields(Settings)}
    for key in settings:
        if key not in known:
            raise did_you_mean(key, known, "setting of self-play")
    options = document.get("options", {})
    return Run(
        name=path.stem,
        game=document["game"],
        options=options,
        settings=Settings(**settings),
        covers=document.get("covers", {"players": [options["players"]]} if "players" in options else {}),
        start=document.get("start"),
        rival=document.get("rival"),
        seconds=float(document.get("seconds", 60.0)),
        against=document.get("against", []),
    )


def train(
    run: Run, out: Path, seconds: float | None = None, device: str | None = None, rival: Network | None = None
) -> Path:
    """Trains a run in a folder, going on with what is there; returns the file of the network."""
    out.mkdir(parents=True, exist_ok=True)
    began, name = time.monotonic(), run.name
    start = load(out / f"{run.start}.safetensors") if run.start else None
    if rival is None and run.rival:
        rival = load(out / f"{run.rival}.safetensors")
    learner = SelfPlay(run.game, run.options, run.settings, device, start, rival)
    checkpoint, file = out / f"{name}.pt", out / f"{name}.safetensors"
    if checkpoint.exists():
        learner.load(torch.load(checkpoint, map_location=learner.device, weights_only=False))
    print(f"{name}: ready after {time.monotonic() - began:.0f} s on {learner.device}", flush=True)
    playing, kept, times = time.monotonic(), time.monotonic(), deque[float](maxlen=_MEASURED)
    with (out / f"{name}.csv").open("a", newline="", encoding="utf-8") as curve:
        writer = None
        while learner.iteration < learner.settings.iterations:
            step_began = time.monotonic()
            figures = {**learner.step(), "seconds": round(time.monotonic() - playing, 1)}
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
                speed = learner.settings.games * learner.settings.steps / statistics.median(times)
                words = ", ".join(f"{key} {value:.3g}" for key, value in figures.items())
                print(f"{name}: {words}, {speed / 1e6:.3f} M steps/s of {learner.settings.iterations}", flush=True)
            if time.monotonic() - kept > _CHECKPOINT_SECONDS:
                kept = time.monotonic()
                torch.save(learner.save(), checkpoint)
                replace(learner.trained_network(), options=run.covers).save(file)
    return replace(learner.trained_network(), options=run.covers).save(file)


def _plan(learner: SelfPlay, seconds: float, passed: float, each: float) -> None:
    """Sets the number of iterations by the time that is left, and ends copying where it would take too much of it."""
    made, cfg = learner.iteration, learner.settings
    total = made + max(0, int((seconds - passed) / each))
    copying = cfg.copying
    if 4 <= made < copying:
        copying = max(made, min(copying, int(_MOST_COPYING * seconds / each)))
    learner.settings = replace(cfg, iterations=total, copying=copying)


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
    torch.set_num_threads(given.threads)
    rival = load(given.rival) if given.rival else None
    train(read(given.run, given.set), given.out, given.seconds, given.device, rival)


if __name__ == "__main__":
    main()
