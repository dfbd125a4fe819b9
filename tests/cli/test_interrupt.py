"""Ctrl-C in a real process: status 130, no traceback, no half-written file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")


def _start(*arguments: str) -> subprocess.Popen[str]:
    """The command in a process group of its own, as a terminal would run it."""
    command = [sys.executable, "-m", "ludens.cli.main", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def _is_gone(group: int) -> bool:
    """Does the process group end within a few seconds?"""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("workers", ["1", "2"])
def test_during_an_arena(workers: str) -> None:
    process = _start("arena", "azul", "random", "random", "--games", "10000000", "--workers", workers, "--json")
    time.sleep(4)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert _is_gone(process.pid)  # no worker is left behind


def test_at_the_prompt_after_saving(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    process = _start("play", "azul", "--seed", "7")
    assert process.stdin is not None
    process.stdin.write(f"1\nsave {file}\n")
    process.stdin.flush()
    for _ in range(300):
        if file.exists():
            break
        time.sleep(0.1)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert json.loads(file.read_text())["seed"] == 7
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
