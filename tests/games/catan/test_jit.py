"""The same games with JIT on and off."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.games.catan.digests import game_digests


def test_jit_on_and_jit_off_play_the_same_games() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.games.catan.digests"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == game_digests()
