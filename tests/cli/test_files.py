"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludens.core import files
from ludens.core.errors import BadInput
from ludens.core.files import make_folder, write_text


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


def test_a_medium_that_is_read_only_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a medium that is read only even the removal of a file that is not there fails."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(BadInput, match=r"Cannot write .*: Read-only file system\."):
        write_text(tmp_path / "a.txt", "x")


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a" / "b").is_dir()
    assert make_folder(tmp_path / "a").is_dir()
    (tmp_path / "file").write_text("")
    for path, why in ((tmp_path / "file", "File exists"), (tmp_path / "file" / "x", "Not a directory")):
        with pytest.raises(BadInput, match=rf"Cannot make the folder .*: {why}\."):
            make_folder(path)
