"""Ctrl-C in a real process: status 130, no traceback, no half-written file."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

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

    def interrupt(self) -> None:
        """Ctrl-C, and waits for the end."""
        os.killpg(self.process.pid, signal.SIGINT)
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
