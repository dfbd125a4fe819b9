"""Without the extra libraries one sentence says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("adapter", "library"),
    [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("vector", "gymnasium"), ("openspiel", "pyspiel")],
)
def test_a_missing_library_is_named_with_the_line_that_installs_it(adapter, library):
    code = f"import sys; sys.modules[{library!r}] = None; import ludens.adapters.{adapter}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ludens.core.extras.MissingExtra: This adapter needs ")
    assert last.endswith(": pip install 'ludens[adapters]'.")


def test_an_interpreter_with_registered_games_ends_quietly():
    """OpenSpiel frees its registry after the interpreter has ended, which must not crash."""
    code = "import ludens.adapters.openspiel, pyspiel; pyspiel.load_game('ludens_azul').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
