"""Playing a tournament into a file of results: what is missing is played, whatever came before."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ludens.play.crew import InFlight
from ludens.play.plan import Plan
from ludens.play.processes import Here, Players, Processes
from ludens.play.record import GameRecord
from ludens.play.results import ResultsFile, Run, is_results_file
from ludens.play.seating import check_agents

__all__ = ["Estimate", "Progress", "check_tournament", "play_tournament", "players_for"]

_COMMIT = 0.5  # seconds between transactions, at least
_PATIENCE = 2.0  # seconds to play alone before asking whether more processes would pay
_LONG_GAME = 10.0  # seconds of thinking in a game that are not due to compiling
_WORTHWHILE = 6.0  # seconds of remaining work that pay for starting processes


@dataclass(frozen=True)
class Progress:
    """How far a tournament is."""

    finished: int
    total: int
    in_flight: list[InFlight]
    seconds_left: float | None  # None as long as nothing is known


class Estimate:
    """The time that is left, from what each arrangement took so far."""

    def __init__(self, plan: Plan, missing: list[int]) -> None:
        self._plan = plan
        self._left: dict[int, int] = defaultdict(int)
        for number in missing:
            self._left[plan.arrangement(number)] += 1
        self._seconds: dict[int, float] = defaultdict(float)
        self._games: dict[int, int] = defaultdict(int)
        self._begun, self._thinking = time.monotonic(), 0.0

    def restart(self) -> None:
        """Forgets how long thinking took on the wall: others play now, or what compiled is compiled."""
        self._begun, self._thinking = time.monotonic(), 0.0

    def note(self, record: GameRecord) -> None:
        seconds, arrangement = sum(seat.seconds for seat in record.seats), self._plan.arrangement(record.number)
        self._seconds[arrangement] += seconds
        self._games[arrangement] += 1
        self._left[arrangement] -= 1
        self._thinking += seconds

    def seconds_left(self) -> float | None:
        """Thinking time that remains, times what the clock on the wall took for thinking so far."""
        games = sum(self._games.values())
        mean = sum(self._seconds.values()) / games if games else 0.0
        if self._thinking <= 0 and mean < _LONG_GAME:
            return None
        thinking = sum(
            left * (self._seconds[key] / self._games[key] if self._games[key] else mean)
            for key, left in self._left.items()
        )
        return thinking * ((time.monotonic() - self._begun) / self._thinking if self._thinking > 0 else 1.0)


def players_for(workers: int | None) -> Players:
    """Processes, or this process alone."""
    return Here() if workers == 1 else Processes(workers or os.cpu_count() or 1)


def play_tournament(
    plan: Plan,
    path: str | Path,
    name: str = "run",
    workers: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
    players: Players | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Run:
    """Plays the games that the file lacks and returns the run; an interruption loses at most the games in flight.

    `workers` is the number of processes, by default as many as the machine has cores once that pays. `players` plays
    instead of processes of this machine. `stop` is asked after every batch whether enough is known.
    """
    check_tournament(plan, path, name)
    with ResultsFile(path, create=True) as file:
        run = file.begin(name, plan)
        known = file.finished(run)
        missing = [number for number in range(plan.total) if number not in known]
        if missing and not (known and stop()):
            _play(plan, file, run, missing, workers, players, report, stop)
        return file.run(name)


def check_tournament(plan: Plan, path: str | Path, name: str = "run") -> None:
    """Refuses what cannot be played, or would be mixed with games of something else; nothing is written."""
    plan.check()
    complete = False
    if is_results_file(Path(path).expanduser()):
        with ResultsFile(path) as file:
            for run in file.runs():
                if run.name == name:
                    file.check_same(run, plan)
                    complete = file.count(run) >= plan.total
    if not complete:  # otherwise nobody has to play
        check_agents(plan.spec_game, plan.option_array, plan.seated)


def _play(
    plan: Plan,
    file: ResultsFile,
    run: Run,
    missing: list[int],
    workers: int | None,
    players: Players | None,
    report: Callable[[Progress], None],
    stop: Callable[[], bool],
) -> None:
    estimate = Estimate(plan, missing)
    held: list[GameRecord] = []
    done, stored = plan.total - len(missing), time.monotonic()
    left: float | None = None
    team: Players = players or Here()
    if isinstance(team, Here):
        team.look = lambda: report(Progress(done, plan.total, team.in_flight(), left))
    report(Progress(done, plan.total, [], left))
    try:
        while missing:
            begun, grown, first = time.monotonic(), False, True
            for records in team.play(plan, missing):
                held += records
                done += len(records)
                for record in records:
                    estimate.note(record)
                if first and records:
                    estimate.restart()
                    first = False
                left = estimate.seconds_left()
                report(Progress(done, plan.total, team.in_flight(), left))
                if held and time.monotonic() - stored >= _COMMIT:
                    file.add(run, held)
                    held, stored = [], time.monotonic()
                    if stop():
                        return
                if team.workers == 1 and players is None and _more_would_pay(workers, begun, left):
                    grown = True
                    break
            file.add(run, held)
            held, stored = [], time.monotonic()
            known = file.finished(run)
            missing = [number for number in missing if number not in known]
            if grown and missing:
                team = Processes(min(workers or os.cpu_count() or 1, len(missing)))
    finally:
        if held:
            file.add(run, held)
        if players is None:
            team.close()


def _more_would_pay(workers: int | None, begun: float, left: float | None) -> bool:
    """Several processes: at once after the first game, which compiled, if asked for; else when much work remains."""
    if workers is not None:
        return workers > 1
    if (os.cpu_count() or 1) == 1 or left is None:
        return False
    return time.monotonic() - begun > _PATIENCE and left > _WORTHWHILE
