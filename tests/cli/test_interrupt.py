"""Ctrl-C in a real process: status 130, no traceback, no half-written file."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ludens.agents.random import RandomAgent
from ludens.core.agent import Clock
from ludens.core.errors import BadInput
from ludens.play.results import ResultsFile
from tests.cli.conftest import Ludens

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals and uses a POSIX terminal")

PATIENCE = 1000.0  # seconds; the first game may have to be compiled


def _listen_to_ctrl_c() -> None:
    """In the new process: tests that run in the background ignore the signal, and their children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A command in a process group of its own, as a terminal would run it; its errors go to the terminal."""

    def __init__(self, *arguments: str) -> None:
        self._master, slave = os.openpty()
        command, pipe = [sys.executable, "-m", "ludens.cli.main", *arguments], subprocess.PIPE
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        self.process = subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=slave,
            start_new_session=True,
            env=environment,
            preexec_fn=_listen_to_ctrl_c,
        )
        os.close(slave)
        assert self.process.stdout is not None
        self._out: list[bytes] = []
        self._err: list[bytes] = []
        self._readers = [
            threading.Thread(target=self._keep, args=(self.process.stdout.fileno(), self._out)),
            threading.Thread(target=self._keep, args=(self._master, self._err)),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def out(self) -> bytes:
        return b"".join(self._out)

    @property
    def err(self) -> bytes:
        return b"".join(self._err)

    def _keep(self, file: int, said: list[bytes]) -> None:
        try:
            while part := os.read(file, 65536):
                said.append(part)
        except OSError:
            pass  # a terminal whose program has ended

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def wait_for(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, self.err.decode()
            assert time.monotonic() < end, self.out.decode() + self.err.decode()
            time.sleep(0.05)

    def interrupt(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ctrl-C or worse, and waits for the end."""
        os.killpg(self.process.pid, how)
        self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        os.close(self._master)


def is_gone(group: int) -> bool:
    """Does the process group end soon?"""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("workers", ["1", "2"])
def test_during_an_arena(workers: str) -> None:
    terminal = Terminal("arena", "azul", "random", "random", "--games", "10000000", "--workers", workers, "--json")

    def games() -> int:
        shown = re.findall(rb"(\d+)/10000000", terminal.err)
        return int(shown[-1]) if shown else 0

    terminal.wait_for(lambda: games() > 100)  # also those of the workers
    terminal.interrupt()
    assert terminal.process.returncode == 130
    assert terminal.out == b""
    assert b"Traceback" not in terminal.err
    assert is_gone(terminal.process.pid)  # no worker is left behind


DAWDLING = "tests.cli.test_interrupt:Dawdling"
EXPERIMENT = f"""
title = "Interrupted"
alpha = 0.05
[players]
careful = "heuristic"
lucky = "{DAWDLING}"
[[series]]
name = "two"
game = "azul"
seats = 2
games = 50
seed = 4
"""


def finished(path: Path) -> int:
    """Games in a file of results, which may be just begun."""
    try:
        with ResultsFile(path) as file:
            return sum(len(file.finished(run)) for run in file.runs())
    except (BadInput, sqlite3.Error):
        return 0


class Dawdling(RandomAgent):
    """Takes so long that a series of its games can be interrupted."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        time.sleep(0.001)
        return super().choose(view, legal, clock)


@pytest.mark.parametrize(
    ("command", "how"), [("arena", signal.SIGINT), ("experiment", signal.SIGINT), ("experiment", signal.SIGKILL)]
)
def test_a_tournament_keeps_what_is_finished_and_its_report_is_that_of_an_uninterrupted_one(
    tmp_path: Path, command: str, how: signal.Signals, ludens: Ludens
) -> None:
    def arguments(folder: Path) -> tuple[str, ...]:
        folder.mkdir(exist_ok=True)
        if command == "arena":
            series = ("arena", "azul", "heuristic", DAWDLING, "--games", "100", "--seed", "4", "--json")
            return (*series, "--workers", "1", "--results", str(folder / "test.db"))
        (folder / "test.toml").write_text(EXPERIMENT)
        return ("experiment", "run", str(folder / "test.toml"), "--workers", "1")

    broken, whole = tmp_path / "broken", tmp_path / "whole"
    terminal = Terminal(*arguments(broken))
    terminal.wait_for(lambda: finished(broken / "test.db") >= 10)
    terminal.interrupt(how)
    assert terminal.process.returncode == (130 if how == signal.SIGINT else -how)
    assert b"Traceback" not in terminal.err
    assert (b"the same command goes on." in terminal.err) == (how == signal.SIGINT)
    assert 10 <= finished(broken / "test.db") < 100
    again, once = ludens(*arguments(broken)), ludens(*arguments(whole))
    assert (again.status, once.status) == (0, 0), again.err
    assert finished(broken / "test.db") == 100
    if command == "arena":
        one, other = (json.loads(run.out) for run in (again, once))
        played = [sum(session["games"] for session in told.pop("sessions")) for told in (one, other)]
        assert one == other and played == [100, 100]
    else:
        reports = [(folder / "test_report.md").read_text() for folder in (broken, whole)]
        texts = [re.sub(r"[\d.]+ (µs|ms|s) \|", "", report) for report in reports]  # how long decisions took
        texts = [re.sub(r"## What played them.*?(?=\n## )", "", text, flags=re.DOTALL) for text in texts]
        assert texts[0] == texts[1]


def test_at_the_prompt_after_saving(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    terminal = Terminal("play", "azul", "--seed", "7")
    terminal.type(f"1\nsave {file}\n")
    terminal.wait_for(lambda: terminal.out.count(b"your move") == 3)  # at first, after the move, after saving
    terminal.interrupt()
    assert terminal.process.returncode == 130
    assert b"Traceback" not in terminal.err
    assert json.loads(file.read_text())["seed"] == 7
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
