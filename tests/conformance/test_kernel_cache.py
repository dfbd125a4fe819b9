"""Compiled code on disk is never stale, never another game's, and never in anybody's way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.np.numpy_support import from_dtype

from ludens.core import kernel_cache, kernels, record
from ludens.core.errors import BadInput
from ludens.core.identity import identity
from ludens.core.jit import JIT, rule
from ludens.core.record import layout
from ludens.core.registry import games
from tests.examples import hidden, tiny

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled with JIT off")

TINY = Path(tiny.__file__).read_text()
COUNT = "from numba.core import event as e; r = e.RecordingListener(); e.register('numba:compile', r);"
PLAY = "from ludens.core import kernels, record; import game_of_one as g; s = record.blank(g.GAME.dtype);"
PLAY += "kernels.reset_at(s, 0, g.GAME.options()); kernels.apply_at(s, 0, 0); print(int(s['score'][0][0]))"


def run(program: str, folder: Path, **environment: str) -> str:
    """What a program prints that finds games in `folder` and keeps compiled code there."""
    settings = {"PYTHONPATH": f"{folder}{os.pathsep}{Path.cwd()}", "PYTHONDONTWRITEBYTECODE": "1"}
    settings = {**os.environ, **settings, "LUDENS_CACHE": str(folder / "cache"), **environment}
    done = subprocess.run([sys.executable, "-c", program], env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def game_of_one(folder: Path, *changes: tuple[str, str]) -> None:
    """The tiny game with 41 points at the start, and with changes."""
    source = TINY.replace("s.phase = DECIDE", "s.phase = DECIDE\n    s.score[0] = START", 1)
    source = source.replace("DTYPE = layout(", "START = 41\n\nDTYPE = layout(", 1)
    for old, new in changes:
        assert old in source
        source = source.replace(old, new, 1)
    (folder / "game_of_one.py").write_text(source)


def compiled(folder: Path) -> int:
    return len(list((folder / "cache").rglob("*.kernel")))


def test_a_changed_rule_or_constant_changes_the_result_in_spite_of_the_cache(tmp_path: Path) -> None:
    game_of_one(tmp_path)
    assert run(PLAY, tmp_path).strip() == "41"
    assert compiled(tmp_path) > 0
    assert run(PLAY, tmp_path).strip() == "41"
    game_of_one(tmp_path, ("START = 41", "START = 42"))
    assert run(PLAY, tmp_path).strip() == "42"
    game_of_one(tmp_path, ("s.score[0] = START", "s.score[0] = START + 2"))
    assert run(PLAY, tmp_path).strip() == "43"


def test_a_table_read_from_a_data_file_is_part_of_the_identity(tmp_path: Path) -> None:
    """Catan's board was not: a changed file stayed the old board."""
    read = "START = np.array(json.loads((Path(__file__).parent / 'start.json').read_text()))"
    game_of_one(
        tmp_path,
        ("from ludens.core", "import json\nfrom pathlib import Path\n\nimport numpy as np\n\nfrom ludens.core"),
        ("START = 41", read),
        ("s.score[0] = START", "s.score[0] = START[0]"),
    )
    (tmp_path / "start.json").write_text("[41]")
    assert run(PLAY, tmp_path).strip() == "41"
    (tmp_path / "start.json").write_text("[45]")
    assert run(PLAY, tmp_path).strip() == "45"


def test_a_warm_cache_compiles_nothing(tmp_path: Path) -> None:
    game_of_one(tmp_path)
    first, second = (run(COUNT + PLAY + "; print(len(r.buffer))", tmp_path).split() for _ in range(2))
    assert int(first[-1]) > 0
    assert int(second[-1]) == 0


def test_what_a_kernel_does_not_reach_changes_nothing(tmp_path: Path) -> None:
    """Comments, docstrings, words and other functions may change without compiling anything again."""
    game_of_one(tmp_path)
    run(PLAY, tmp_path)
    game_of_one(
        tmp_path,
        ("START = 41", "# a comment\n\nSTART = 41\n\n\ndef unused() -> int:\n    return START\n"),
        ("Pig", "Pig!"),
    )
    assert run(COUNT + PLAY + "; print(len(r.buffer))", tmp_path).split() == ["41", "0"]


def test_other_functions_for_a_known_record_type_are_refused() -> None:
    other = rule(lambda s: 0)
    with pytest.raises(BadInput, match="a variant needs a record type of its own"):
        replace(tiny.GAME, rules=replace(tiny.GAME.rules, actor=other))
    replace(tiny.GAME, rules=replace(tiny.GAME.rules, evaluations={}))  # weights are no code


def test_a_variant_with_the_same_record_type_never_poisons_the_cache(tmp_path: Path) -> None:
    """With a cold cache the variant was stored under the plain game's name, with a warm one it was ignored."""
    game_of_one(tmp_path)
    (tmp_path / "variant.py").write_text((tmp_path / "game_of_one.py").read_text().replace("START = 41", "START = 99"))
    variant = PLAY.replace("game_of_one", "variant")
    assert run(variant, tmp_path).strip() == "99"
    assert run(PLAY, tmp_path).strip() == "41"
    assert run(variant, tmp_path).strip() == "99"


def test_two_processes_that_compile_a_kernel_for_two_games_keep_both(tmp_path: Path) -> None:
    play = "from ludens.core import kernels, record; from tests.examples.{} import GAME as g;"
    play += "s = record.blank(g.dtype); kernels.actor_at(s, 0); print(len(r.buffer))"
    environment = {**os.environ, "LUDENS_CACHE": str(tmp_path / "cache")}
    both = [COUNT + play.format(name) for name in ("tiny", "hidden")]
    compiling = [subprocess.Popen([sys.executable, "-c", one], env=environment) for one in both]
    assert [process.wait() for process in compiling] == [0, 0]
    assert [run(one, tmp_path).strip() for one in both] == ["0", "0"]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.spec.name)
def test_every_verb_and_table_of_a_game_is_part_of_its_kernels_identity(game: Any) -> None:
    """No kernel of any game uses something that is neither a constant nor a function."""
    arguments = [from_dtype(game.dtype)]
    known = {identity(kernel, arguments) for kernel in vars(kernels).values() if hasattr(kernel, "py_func")}
    assert len(known) > 10
    assert identity(kernels.apply_at, arguments) == identity(kernels.apply_at, arguments)
    other = hidden.GAME if game is tiny.GAME else tiny.GAME
    assert identity(kernels.apply_at, arguments) != identity(kernels.apply_at, [from_dtype(other.dtype)])


def test_the_identity_follows_functions_closures_defaults_and_tables() -> None:
    def make(step: int, table: list[int]) -> Any:
        numbers = np.array(table)

        def inner(x: int) -> int:
            return x + step + numbers[0]

        def outer(x: int, y: int = 3) -> int:
            return inner(x) + y

        return outer

    plain = identity(make(1, [1, 2]))
    assert identity(make(1, [1, 2])) == plain
    assert identity(make(2, [1, 2])) != plain
    assert identity(make(1, [1, 3])) != plain


def test_a_type_by_another_name_may_have_other_rules() -> None:
    twin = layout("pig with another name", tiny.Pig)
    assert twin != tiny.DTYPE and twin.itemsize == tiny.DTYPE.itemsize


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDENS_CACHE", str(tmp_path))
    (tmp_path / "kernels").mkdir()
    return tmp_path / "kernels"


def test_old_and_overflowing_kernels_and_folders_of_earlier_caches_are_deleted(folder: Path) -> None:
    (folder.parent / "numba-0.61.0-0123456789ab").mkdir()
    now = time.time()
    for name, size, days in (("new", 100, 0), ("middle", 100, 3), ("large", 500, 5), ("old", 1, 90)):
        path = folder / f"ludens.core.kernels.{name}-0.kernel"
        path.write_bytes(bytes(size))
        os.utime(path, (now - days * 86400,) * 2)
    assert kernel_cache.prune(most_bytes=300, most_days=60, every=0) == 2
    assert [kernel.kernel for kernel in kernel_cache.stored()] == [
        "ludens.core.kernels.new",
        "ludens.core.kernels.middle",
    ]
    assert list(folder.parent.iterdir()) == [folder]
    assert kernel_cache.clear() == 2
    assert kernel_cache.stored() == []


def test_a_damaged_file_is_compiled_anew(tmp_path: Path) -> None:
    game_of_one(tmp_path)
    run(PLAY, tmp_path)
    for path in (tmp_path / "cache").rglob("*.kernel"):
        path.write_bytes(path.read_bytes()[:100])
    assert "41" in run(PLAY, tmp_path)
    assert run(PLAY, tmp_path).strip() == "41"


def test_without_a_place_for_compiled_code_one_sentence_says_so_and_all_works(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    game_of_one(tmp_path)
    said = run(PLAY, tmp_path, LUDENS_CACHE=str(tmp_path / "file" / "below")).splitlines()
    assert said[0] == "41"
    assert len(said) == 2
    assert "cannot be kept" in said[1] and "LUDENS_CACHE" in said[1]


def test_numba_keeps_the_compiled_code_of_other_packages_where_it_did(tmp_path: Path) -> None:
    here = "import numba; before = numba.config.CACHE_DIR; import ludens.core.kernels;"
    assert run(here + "print(before == numba.config.CACHE_DIR)", tmp_path).strip() == "True"


def test_hidden_games_have_their_own_kernels() -> None:
    states = record.blank(hidden.GAME.dtype)
    kernels.reset_at(states, 0, hidden.GAME.options())
    assert kernels.actor_at(states, 0) is not None
