"""Trains all champions, several at once, evaluates each by games as soon as it is there, and packs what came out.

    python experiments/champions/all.py --out FOLDER --seconds 1450 --lanes 3 --processes 3

The seconds of all lanes are shared by the runs as their files say; `--runs azul2 grid` trains these alone. A run that
begins with the network of another, or learns to beat it, waits for that. While others train, a run that is done plays
its series on the CPU's cores. In FOLDER appear `networks.zip`, `curves.csv` (about sixty points a run) and
`evaluations.json`, after every run anew; of a run that fails twice the error stands in its place. What is in the folder
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
import zipfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from experiments.champions.train import Run, read

__all__ = ["RUNS", "main", "pack"]

_HERE = Path(__file__).parent
RUNS = (
    "azul2_start", "discovery2_start", "london2_start", "catan4_start",
    "azul2_middle", "azul4_start", "azul3_start", "azul2_grey_start",
    "azul2", "discovery2", "london2", "catan4",
    "azul4", "azul3", "discovery3", "discovery4", "discovery5", "azul2_grey", "catan3", "catan2", "grid",
    "azul2_rival", "catan4_rival", "discovery2_rival", "london2_rival", "grid_rival",
)  # fmt: skip
"""In the order in which they begin: what others begin with and the longest first, so that the lanes end together."""

_POINTS = 60
_LEAST_SECONDS = 20.0  # less is not worth the preparations
_TRIES = 2


class Series:
    """Games of a network on the CPU, in a process of their own."""

    def __init__(self, run: Run, number: int, work: Path, processes: int) -> None:
        entry = run.against[number]
        self.file = work / f"{run.name}.{number}.json"
        files = {"NET": f"net:{work / f'{run.name}.safetensors'}", "RIVAL": f"net:{work / f'{run.rival}.safetensors'}"}
        agents = [files.get(word, word) for word in entry["agents"].split()]
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
        """What came out, as far as it is known at the deadline; with a deadline that has passed, as far as it is."""
        if self._process is not None:
            try:
                code = self._process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                return {**self.about, "error": "not finished in time"}
            self._process = None
            if code:
                return {**self.about, "error": self.file.with_suffix(".log").read_text()[-500:]}
            self.file.with_suffix(".part").replace(self.file)
        if not self.file.exists():
            return {**self.about, "error": "failed"}
        return {**self.about, "result": json.loads(self.file.read_text())}

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()


class Training:
    """A run of `train.py` in a process of its own, tried again from its checkpoint if it fails."""

    def __init__(self, run: Run, work: Path, seconds: float, given: argparse.Namespace) -> None:
        self.run, self.work, self.ends, self.tries = run, work, time.monotonic() + seconds, 0
        self._given = given
        self._begin()

    def _begin(self) -> None:
        self.tries += 1
        command = [sys.executable, str(_HERE / "train.py"), str(_HERE / f"{self.run.name}.toml"), "--out"]
        command += [str(self.work), "--seconds", f"{max(5.0, self.ends - time.monotonic()):.0f}"]
        command += ["--device", self._given.device] if self._given.device else []
        command += ["--set", *self._given.set] if self._given.set else []
        with (self.work / f"{self.run.name}.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    def going_on(self) -> bool:
        """False once the run is over, well or not."""
        code = self.process.poll()
        if code is None:
            return True
        if code == 0:
            (self.work / f"{self.run.name}.done").touch()
        elif self.tries < _TRIES and self.ends - time.monotonic() > _LEAST_SECONDS:
            self._begin()
            return True
        return False

    def error(self) -> str:
        return (self.work / f"{self.run.name}.log").read_text(errors="replace")[-800:]


def _is_done(name: str | None, work: Path) -> bool:
    return name is None or (work / f"{name}.done").exists()


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
            found = work / f"{run.name}.csv"
            if found.exists() and (written := found.read_text()):  # it is empty at first
                head, *lines = csv.reader(written.splitlines())
                writer.writerow(["run", *head])
                writer.writerows([run.name, *line] for line in lines[:: max(1, len(lines) // _POINTS)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "ludens-champions")
    parser.add_argument("--seconds", type=float, default=1450.0, help="of training, from the first to the last")
    parser.add_argument("--lanes", type=int, default=1, help="runs that train at once")
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
    missing = [run for run in runs if not _is_done(run.name, work)] if not given.finish else []
    deadline = time.monotonic() + given.seconds
    share = given.seconds * given.lanes / max(1.0, sum(run.seconds for run in missing))
    failed: list[dict[str, Any]] = []
    series = [
        Series(run, k, work, given.processes) for run in runs if run not in missing for k in range(len(run.against))
    ]
    for one in series if given.finish else []:
        one.play()
    training: list[Training] = []
    while training or missing:
        for lane in [lane for lane in training if not lane.going_on()]:
            training.remove(lane)
            if _is_done(lane.run.name, work):
                found = [Series(lane.run, k, work, given.processes) for k in range(len(lane.run.against))]
                for one in found:
                    one.play()
                series += found
            else:
                failed.append({"run": lane.run.name, "error": lane.error()})
            pack(given.out, work, runs, failed + [one.result(0.0) for one in series])
        ready = [run for run in missing if _is_done(run.start, work) and _is_done(run.rival, work)]
        left = deadline - time.monotonic()
        if ready and len(training) < given.lanes and left > _LEAST_SECONDS:
            missing.remove(ready[0])
            training.append(Training(ready[0], work, min(left, ready[0].seconds * share), given))
        elif not training:
            failed += [{"run": run.name, "error": "not begun"} for run in missing]
            break
        time.sleep(0.5)
    deadline = time.monotonic() + given.games_seconds
    rows = failed + [one.result(deadline) for one in series]
    for one in series:
        one.end()
    pack(given.out, work, runs, rows)


if __name__ == "__main__":
    main()
