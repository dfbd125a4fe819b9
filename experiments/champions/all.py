"""Trains all champions one after another, judges each by games as soon as it is there, and packs what came out.

    python experiments/champions/all.py --out FOLDER --seconds 1450 --processes 14

The seconds are shared by the runs as their files say; `--runs azul2 grid` trains these alone. While the next run has
the GPU, the last one plays its series on the CPU's cores. In FOLDER appear `networks.zip`, `curves.csv` (about sixty
points a run) and `evaluations.json`, also when a run fails: its error stands in its place. What is in the folder
`--work` is not trained again, so that a command that was broken off goes on; `--finish` only plays games and packs.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from experiments.champions.runs import Run, read

__all__ = ["RUNS", "main", "pack"]

_HERE = Path(__file__).parent
RUNS = (
    "azul2", "catan4", "discovery2", "london2", "grid",
    "azul4", "azul3", "azul2_grey", "discovery3", "discovery4", "discovery5", "catan3", "catan2",
    "london3", "london4", "london5", "london6",
)  # fmt: skip
"""In the order of their weight: what is cut off by the clock is the least wanted."""

_POINTS = 60


class Series:
    """Games of a network on the CPU, in a process of their own."""

    def __init__(self, run: Run, number: int, work: Path, processes: int) -> None:
        entry = run.against[number]
        self.file = work / f"{run.name}.{number}.json"
        network = f"net:{work / f'{run.name}.safetensors'}"
        agents = [network if word == "NET" else word for word in entry["agents"].split()]
        self.command = [
            *(sys.executable, "-m", "ludens", "arena", run.game, *agents, "--games", str(entry["games"])),
            *("--seed", "1", "--workers", str(processes), "--json"),
            *(["--fixed"] if entry.get("fixed") else []),
            *(word for key, values in run.covers.items() for word in ("-o", f"{key}={values[0]}")),
        ]
        self.about = {"run": run.name, **entry, "command": " ".join(["ludens", *self.command[3:]])}
        self._process: subprocess.Popen[bytes] | None = None

    def play(self) -> None:
        """Begins the games, unless they were played before."""
        if not self.file.exists():
            part = self.file.with_suffix(".part")
            with part.open("wb") as out, self.file.with_suffix(".log").open("wb") as log:
                self._process = subprocess.Popen(self.command, stdout=out, stderr=log, cwd=_HERE.parents[1])

    def result(self, deadline: float) -> dict[str, Any]:
        """What came out, as far as it is known at the deadline."""
        if self._process is not None:
            try:
                code = self._process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self._process.kill()
                return {**self.about, "error": "not finished in time"}
            if code:
                return {**self.about, "error": self.file.with_suffix(".log").read_text()[-500:]}
            self.file.with_suffix(".part").replace(self.file)
        found = json.loads(self.file.read_text())
        return {**self.about, "result": found}


def pack(out: Path, work: Path, runs: list[Run], rows: list[dict[str, Any]]) -> None:
    """Writes the three files from what lies in the working folder."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "evaluations.json").write_text(json.dumps(rows, indent=1) + "\n")
    with zipfile.ZipFile(out / "networks.zip", "w") as archive:
        for run in runs:
            if (work / f"{run.name}.safetensors").exists():
                archive.write(work / f"{run.name}.safetensors", f"{run.name}.safetensors")
    with (out / "curves.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for run in runs:
            if (work / f"{run.name}.csv").exists():
                head, *lines = csv.reader((work / f"{run.name}.csv").read_text().splitlines())
                writer.writerow(["run", *head])
                writer.writerows([run.name, *line] for line in lines[:: max(1, len(lines) // _POINTS)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "ludens-champions")
    parser.add_argument("--seconds", type=float, default=1450.0, help="of training, all runs together")
    parser.add_argument("--runs", nargs="*", default=list(RUNS))
    parser.add_argument("--processes", type=int, default=1, help="for the games of one series")
    parser.add_argument("--games-seconds", type=float, default=60.0, help="to wait for games after the last training")
    parser.add_argument("--device")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--finish", action="store_true")
    given = parser.parse_args()
    runs = [read(_HERE / f"{name}.toml", given.set) for name in given.runs]
    work: Path = given.work
    work.mkdir(parents=True, exist_ok=True)
    began, rows, series = time.monotonic(), [], []
    missing = [run for run in runs if not (work / f"{run.name}.done").exists()]
    for place, run in enumerate(missing if not given.finish else []):
        left = given.seconds - (time.monotonic() - began)
        seconds = left * run.seconds / sum(later.seconds for later in missing[place:])
        try:
            from experiments.champions.train import train

            train(run, work, seconds, given.device)
        except Exception:  # the others shall not suffer
            traceback.print_exc()
            rows.append({"run": run.name, "error": traceback.format_exc()[-800:]})
            continue
        (work / f"{run.name}.done").touch()
        found = [Series(run, number, work, given.processes) for number in range(len(run.against))]
        for one in found:
            one.play()
        series += found
        pack(given.out, work, runs, rows)  # what is there so far comes back even if the rest is cut off
    if given.finish:
        series = [Series(run, k, work, given.processes) for run in runs for k in range(len(run.against))]
        for one in series:
            one.play()
    deadline = time.monotonic() + given.games_seconds
    rows += [one.result(deadline) for one in series]
    pack(given.out, work, runs, rows)


if __name__ == "__main__":
    main()
