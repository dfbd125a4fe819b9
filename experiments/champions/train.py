"""python experiments/champions/train.py RUN.toml --out FOLDER [--seconds S] [--set KEY=VALUE …]: trains a champion.

RUN.toml names the game, its options and the settings of `ludens.learn.selfplay`. In the folder appear the network
(`NAME.safetensors`), the curve (`NAME.csv`) and, every few minutes, a checkpoint (`NAME.pt`, for this machine only:
it is the trainer's own memory) from which the same command goes on. With `--seconds` the number of iterations is set
from the speed of the first ones; the network's record says how many there were. `--set` changes a setting of the file.
"""

from __future__ import annotations

import argparse
import csv
import time
import tomllib
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import torch

from ludens.core.errors import BadInput, did_you_mean
from ludens.learn.selfplay import SelfPlay, Settings

_MEASURED = 12  # iterations whose speed decides how many there will be
_CHECKPOINT_SECONDS = 120.0


def read(path: Path, changes: Sequence[str] = ()) -> tuple[str, dict[str, object], Settings]:
    """The game, its options and the settings of a run, with changes written as key=value."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    document.setdefault("settings", {}).update(tomllib.loads("\n".join(changes)))
    for key in document:
        if key not in ("game", "options", "settings"):
            raise did_you_mean(key, ["game", "options", "settings"], "key of a run")
    known = {field.name for field in fields(Settings)}
    for key in document.get("settings", {}):
        if key not in known:
            raise did_you_mean(key, known, "setting of self-play")
    if "game" not in document:
        raise BadInput(f"{path} does not name a game.")
    return document["game"], document.get("options", {}), Settings(**document.get("settings", {}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--device")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--threads", type=int, default=1, help="of torch on a CPU")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    game, options, settings = read(arguments.run, arguments.set)
    name, out = arguments.run.stem, arguments.out
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    run = SelfPlay(game, options, settings, arguments.device)
    checkpoint = out / f"{name}.pt"
    if checkpoint.exists():
        run.load(torch.load(checkpoint, map_location=run.device, weights_only=False))
    print(f"{name}: ready after {time.monotonic() - began:.0f} s on {run.device}", flush=True)
    playing, kept, first = time.monotonic(), time.monotonic(), run.iteration
    with (out / f"{name}.csv").open("a", newline="", encoding="utf-8") as file:
        writer = None
        while run.iteration < run.settings.iterations:
            figures = {**run.step(), "seconds": round(time.monotonic() - playing, 1)}
            if writer is None:
                writer = csv.DictWriter(file, list(figures))
                if not file.tell():
                    writer.writeheader()
            writer.writerow(figures)
            file.flush()
            made = run.iteration - first
            if arguments.seconds and made == _MEASURED and first == 0:
                each = (time.monotonic() - playing) / made
                total = max(made, int((arguments.seconds - (time.monotonic() - began)) / each) + made)
                run.settings = replace(run.settings, iterations=total)
            if made % 20 == 0 or made == _MEASURED:
                speed = figures["decisions"] / max(1e-9, time.monotonic() - playing)
                words = ", ".join(f"{key} {value:.3g}" for key, value in figures.items())
                print(f"{name}: {words}, {speed / 1e6:.2f} M steps/s of {run.settings.iterations}", flush=True)
            if time.monotonic() - kept > _CHECKPOINT_SECONDS:
                kept = time.monotonic()
                torch.save(run.save(), checkpoint)
                run.trained_network().save(out / f"{name}.safetensors")
    run.trained_network().save(out / f"{name}.safetensors")


if __name__ == "__main__":
    main()
