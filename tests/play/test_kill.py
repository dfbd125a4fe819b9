"""A run that is killed at any moment and started again ends with the report of one that nobody disturbed."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludens.lab.experiment import Experiment, read_experiment
from ludens.lab.report.build import write_report
from ludens.play import tournament
from ludens.play.record import play_record
from ludens.play.tournament import play_tournament

pytestmark = pytest.mark.skipif(os.name == "nt", reason="forks, and sends POSIX signals")

_KILLS = 12
_LONGEST = 120  # seconds by the clock: a forked process that waits for something uses no CPU time
_TEXT = """
alpha = 0.05
[players]
careful = "heuristic"
lucky = "random"
[[series]]
name = "two"
game = "azul"
seats = 2
games = 120
seed = 4
[[series]]
name = "three"
game = "azul"
seats = 3
self_play = true
games = 10
seed = 5
"""


def _experiment(folder: Path) -> Experiment:
    folder.mkdir()
    (folder / "test.toml").write_text(_TEXT)
    return read_experiment(folder / "test.toml")


def _play(experiment: Experiment) -> None:
    for series in experiment.series:
        play_tournament(series.schedule, experiment.results, series.name, workers=1)


def _die_after(seconds: float, experiment: Experiment) -> bool:
    """Plays in a process that ends at once, as by kill -9, after so much CPU time; was it still at work?"""
    child = os.fork()
    if child == 0:
        try:
            for number in (signal.SIGPROF, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.alarm(_LONGEST)
            _play(experiment)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as base:
        return base.execute(query).fetchall()


def _stored(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        return int(_rows(path, "SELECT count(*) FROM games")[0][0])
    except sqlite3.OperationalError:  # killed before the tables were there
        return 0


def _forget_times(path: Path) -> None:
    """How long decisions took is another time each time, and so is who played which part."""
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE seats SET seconds = 0, slowest = 0")
        base.execute("UPDATE games SET times = x''")
        base.execute("DELETE FROM sessions")


def test_killed_at_random_moments_the_report_is_that_of_an_undisturbed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "_COMMIT", 0.0)  # a transaction a game: many moments to be killed within one
    whole, broken = _experiment(tmp_path / "whole"), _experiment(tmp_path / "broken")
    for series in whole.series:
        play_record(series.schedule, 0)  # loads what is compiled
    begun = time.process_time()
    _play(whole)
    usual = time.process_time() - begun
    moments, kills, seen = random.Random(15), 0, 0
    for _ in range(_KILLS):
        kills += _die_after(moments.uniform(0.001, usual / 4), broken)
        now = _stored(broken.results)
        assert now >= seen  # nothing that was stored is lost
        seen = now
    _play(broken)
    assert kills >= 3
    for experiment in (whole, broken):
        played = _rows(experiment.results, "SELECT run, sum(games) FROM sessions GROUP BY run ORDER BY run")
        assert played == _rows(experiment.results, "SELECT run, count(*) FROM games GROUP BY run ORDER BY run")
        _forget_times(experiment.results)
    for query in (
        "SELECT name, game, version, identity, plan, games FROM runs",
        "SELECT * FROM games ORDER BY run, number",
        "SELECT * FROM seats ORDER BY run, number, seat",
    ):
        assert _rows(whole.results, query) == _rows(broken.results, query)
    reports = [write_report(experiment) for experiment in (whole, broken)]
    for one, other in zip(*reports, strict=True):
        assert one.read_bytes() == other.read_bytes()
