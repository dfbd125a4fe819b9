"""Compiled code gives the same with JIT off."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from ludens.core.rng import POLICY, below, generator, pick
from tests.conformance.cases import all_cases
from tests.conformance.logs import digest


def run(arguments: list[str], **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_jit_on_and_jit_off_give_identical_logs() -> None:
    off = run(["-W", "error::RuntimeWarning", "-m", "tests.conformance.logs"], NUMBA_DISABLE_JIT="1")
    assert json.loads(off) == {str(case): digest(case, 50) for case in all_cases()}


def test_python_and_compiled_generators_give_the_same_numbers() -> None:
    ours, compiled = generator(1, POLICY, 2), generator(1, POLICY, 2)
    for n in (1, 2, 3, 6, 100, 2**31 - 1) * 50:
        assert pick(ours, n) == below(compiled, n)
    assert np.array_equal(ours, compiled)
