"""Playing into a file of results: what is missing is played, whatever came before."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ludens.play.engine import Played, Progress, Sink, play
from ludens.play.executors import Executor
from ludens.play.record import GameRecord, forfeited_record, play_record
from ludens.play.results import ResultsFile, Run, is_results_file
from ludens.play.schedule import Schedule
from ludens.play.seats import check_agents

__all__ = ["check_tournament", "play_tournament"]

_COMMIT = 0.5  # seconds between transactions, at least


class _StoredGames(Sink[GameRecord]):
    """A run of a file; `stop` is asked after every transaction whether enough is known."""

    play = staticmethod(play_record)
    ended = staticmethod(forfeited_record)

    def __init__(self, file: ResultsFile, run: Run, stop: Callable[[], bool]) -> None:
        self._file, self._run, self._stop = file, run, stop
        self._held: list[GameRecord] = []
        self._stored, self._enough = time.monotonic(), False

    def missing(self, schedule: Schedule) -> list[int]:
        known = self._file.finished(self._run)
        missing = [number for number in range(schedule.total) if number not in known]
        return [] if missing and known and self._stop() else missing

    def add(self, games: Sequence[Played[GameRecord]]) -> None:
        self._held += [game.kept for game in games]
        if self._held and time.monotonic() - self._stored >= _COMMIT:
            self.close()
            self._enough = self._stop()

    def enough(self) -> bool:
        return self._enough

    def close(self) -> None:
        if self._held:
            self._file.add(self._run, self._held)
        self._held, self._stored = [], time.monotonic()


def play_tournament(
    schedule: Schedule,
    path: str | Path,
    name: str = "run",
    workers: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
    executor: Executor | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Run:
    """Plays the games that the file lacks and returns the run; an interruption loses at most the games in flight.

    See `engine.play`; `stop` is asked now and then whether enough is known.
    """
    check_tournament(schedule, path, name)
    with ResultsFile(path, create=True) as file:
        play(schedule, _StoredGames(file, file.begin(name, schedule), stop), executor, report, workers)
        return file.run(name)


def check_tournament(schedule: Schedule, path: str | Path, name: str = "run") -> None:
    """Refuses what cannot be played, or would be mixed with games of something else; nothing is written."""
    schedule.check()
    complete = False
    if is_results_file(Path(path).expanduser()):
        with ResultsFile(path) as file:
            for run in file.runs():
                if run.name == name:
                    file.check_same(run, schedule)
                    complete = file.count(run) >= schedule.total
    if not complete:  # otherwise nobody has to play
        check_agents(schedule.spec_game, schedule.option_array, schedule.seated)
