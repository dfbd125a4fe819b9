"""The same logs and states with the rules compiled and as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.games.scotland_yard.game_digests import game_digests


def test_games_are_the_same_with_jit_on_and_off() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.games.scotland_yard.game_digests"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout) == game_digests()
