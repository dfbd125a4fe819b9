"""Files of results that are damaged, locked, full or beyond one's reach: a sentence, and nothing is lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ludens.core.errors import BadInput
from ludens.play.export import export
from ludens.play.results import ResultsFile
from ludens.play.tournament import play_tournament
from tests.play.test_tournament import all_games, plan


@pytest.fixture
def played(tmp_path: Path) -> Path:
    play_tournament(plan("heuristic", "random", games=3), tmp_path / "a.db", workers=1)
    return tmp_path / "a.db"


@pytest.mark.parametrize("kept", [100, 4096, 5000])
def test_a_file_that_was_cut_off_is_refused(played: Path, kept: int) -> None:
    played.write_bytes(played.read_bytes()[:kept])
    with pytest.raises(BadInput, match=r"Cannot use .* as a file of results"):
        ResultsFile(played)


def test_a_damaged_file_is_told_in_a_sentence(played: Path) -> None:
    data = played.read_bytes()
    played.write_bytes(data[:4096] + bytes(len(data) - 4096))
    with pytest.raises(BadInput, match=r"Cannot read .*malformed; name another file"), ResultsFile(played) as file:
        file.runs()
    with pytest.raises(BadInput, match="malformed"):
        play_tournament(plan("heuristic", "random", games=4), played, workers=1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("UPDATE runs SET plan = '{}'", "the plan of run 'run' is damaged"),
        ("UPDATE runs SET plan = 'plan'", "the plan of run 'run' is damaged"),
        ("UPDATE games SET log = x'68aabb'", "The log of a stored game is damaged"),
    ],
)
def test_damaged_rows_are_told_in_a_sentence(played: Path, change: str, sentence: str) -> None:
    base = sqlite3.connect(played)
    base.execute(change)
    base.commit()
    base.close()
    with pytest.raises(BadInput, match=sentence), ResultsFile(played) as file:
        file.document(file.run(), 0)


def test_a_full_disk_loses_nothing_that_was_stored(played: Path) -> None:
    """SQLite reports a file that may not grow as it reports a full disk."""
    before = all_games(played)
    with ResultsFile(played, create=True) as file:
        run = file.begin("run", plan("heuristic", "random", games=300))
        pages = file._base.execute("PRAGMA page_count").fetchone()[0]
        file._base.execute(f"PRAGMA max_page_count = {pages}")
        more = [record for record in before for _ in range(2)]
        grown = [type(one)(**{**vars(one), "number": 100 + k, "log": one.log * 200}) for k, one in enumerate(more)]
        with pytest.raises(BadInput, match="full; what it holds is safe, and the same command goes on"):
            file.add(run, grown)
        assert file.finished(run) == {0, 1, 2, 3, 4, 5}
    play_tournament(plan("heuristic", "random", games=4), played, workers=1)
    assert all_games(played)[:6] == before


def test_a_file_in_a_folder_that_nobody_can_write_to_is_read(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.play.results.os.access", lambda path, mode: False)
    with ResultsFile(played) as file:
        assert file.count(file.run()) == 6
        assert not list(played.parent.glob("*-shm"))  # nothing is written beside it
        export(file, played.parent / "a.csv")


_AT_ONCE = """
import sys
from ludens.play.tournament import play_tournament
from tests.play.test_tournament import plan
play_tournament(plan("heuristic", "random", games=20), sys.argv[1], workers=1)
"""


def test_the_same_run_twice_at_once_is_one_run(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _AT_ONCE, str(tmp_path / "a.db")]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for one in both:
        assert one.communicate(timeout=120)[1] == ""
    play_tournament(plan("heuristic", "random", games=20), tmp_path / "b.db", workers=1)
    assert all_games(tmp_path / "a.db") == all_games(tmp_path / "b.db")
