"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludens.core import files
from ludens.core.errors import BadInput


def test_write_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    assert files.write_text(file, "één\n") == file
    assert files.read_text(file) == "één\n"
    files.write_text(file, "two")
    assert files.read_text(file) == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("moment", ["fsync", "replace"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_an_interruption_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, failure: BaseException
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")

    def fail(*arguments: object) -> None:
        raise failure

    if moment == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    expected = KeyboardInterrupt if isinstance(failure, KeyboardInterrupt) else BadInput
    with pytest.raises(expected):
        files.write_text(file, "new")
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    file, link = tmp_path / "a.txt", tmp_path / "link.txt"
    file.write_text("old")
    link.symlink_to(file)
    files.write_text(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_targets_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a file"):
        files.write_text(tmp_path, "text")
    with pytest.raises(BadInput, match="does not exist"):
        files.write_text(tmp_path / "missing" / "a.txt", "text")
    assert list(tmp_path.iterdir()) == []
