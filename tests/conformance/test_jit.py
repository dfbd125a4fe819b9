"""Compiled code: the same with JIT off, and never stale after a rule has changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from ludens.core import jit
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


STEP = "from ludens.core import kernels, record; import game_of_one as g; s = record.blank(g.GAME.dtype);"
RUN = STEP + "kernels.reset_at(s, 0, g.GAME.options()); kernels.apply_at(s, 0, 0); print(int(s['score'][0][0]))"


def test_a_changed_rule_changes_the_result_in_spite_of_the_cache(tmp_path: Path) -> None:
    source = (Path(__file__).parent.parent / "examples" / "tiny.py").read_text()
    source = source.replace("s.phase = DECIDE", "s.phase = DECIDE\n    s.score[0] = 41", 1)
    module, cache = tmp_path / "game_of_one.py", str(tmp_path / "cache")
    environment = {"PYTHONPATH": str(tmp_path), "LUDENS_CACHE": cache, "PYTHONDONTWRITEBYTECODE": "1"}
    module.write_text(source)
    assert run(["-c", RUN], **environment).strip() == "41"
    compiled = len(list(Path(cache).rglob("*.nbi")))
    assert compiled > 0
    assert run(["-c", RUN], **environment).strip() == "41"
    module.write_text(source.replace("41", "42"))
    assert run(["-c", RUN], **environment).strip() == "42"


def test_a_warm_cache_compiles_nothing(tmp_path: Path) -> None:
    count = "from numba.core import event as e; r = e.RecordingListener(); e.register('numba:compile', r);"
    source = (Path(__file__).parent.parent / "examples" / "tiny.py").read_text()
    (tmp_path / "game_of_one.py").write_text(source)
    environment = {"PYTHONPATH": str(tmp_path), "LUDENS_CACHE": str(tmp_path / "cache")}
    first = run(["-c", count + RUN + "; print(len(r.buffer))"], **environment).split()
    second = run(["-c", count + RUN + "; print(len(r.buffer))"], **environment).split()
    assert int(first[-1]) > 0
    assert int(second[-1]) == 0


def test_two_processes_that_compile_a_kernel_for_two_games_keep_both(tmp_path: Path) -> None:
    """They read the index at about the same moment, since reading it takes long here."""
    slow = "import time; from numba.core.caching import IndexDataCacheFile as f; read = f._load_index;"
    slow += "f._load_index = lambda self: (read(self), time.sleep(1.5))[0];"
    count = "from numba.core import event as e; r = e.RecordingListener(); e.register('numba:compile', r);"
    play = "from ludens.core import kernels, record; from tests.examples.{} import GAME as g;"
    play += "s = record.blank(g.dtype); kernels.actor_at(s, 0); print(len(r.buffer))"
    environment = {**os.environ, "LUDENS_CACHE": str(tmp_path / "cache")}
    both = [play.format(name) for name in ("tiny", "hidden")]
    command = [sys.executable, "-c"]
    compiling = [subprocess.Popen([*command, slow + count + one], env=environment) for one in both]
    assert [process.wait() for process in compiling] == [0, 0]
    assert [run(["-c", count + one], **environment).strip() for one in both] == ["0", "0"]


def test_the_fingerprint_changes_with_names_and_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("a = 1")
    prints = {jit.fingerprint([one])}
    one.write_text("a = 2")
    prints.add(jit.fingerprint([one]))
    one.rename(two)
    prints.add(jit.fingerprint([two]))
    assert len(prints) == 3
