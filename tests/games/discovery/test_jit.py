"""JIT on and JIT off play the same games and choose the same turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from ludens.core.jit import JIT
from tests.games.discovery.game_digests import game_digests


def test_jit_on_and_off_give_identical_logs() -> None:
    """The other mode runs in a process of its own, where an overflow of a small integer is an error."""
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.games.discovery.game_digests"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1" if JIT else "0"}
    root = Path(__file__).parents[3]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    other = json.loads(done.stdout)
    assert len(set(other.values())) == len(other) == 8
    assert game_digests() == other
