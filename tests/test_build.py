"""The page's build installs nothing when what the lock names is there, however new the lock and wherever the folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from web import build

LOCK = {
    "": {"name": "page"},
    "node_modules/vite": {"version": "7.1.0"},
    "node_modules/fsevents": {"version": "2.3.3", "optional": True},
}


@pytest.mark.parametrize(
    ("there", "enough"),
    [
        ({"node_modules/vite": {"version": "7.1.0"}}, True),
        ({"node_modules/vite": {"version": "7.0.9"}}, False),
        ({"node_modules/fsevents": {"version": "2.3.3"}}, False),
        (None, False),
    ],
)
def test_only_what_is_missing_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: dict[str, Any] | None, enough: bool
) -> None:
    shared, page = tmp_path / "shared", tmp_path / "page"
    shared.mkdir()
    page.mkdir()
    if there is not None:
        (shared / ".package-lock.json").write_text(json.dumps({"packages": there}))
    (page / "node_modules").symlink_to(shared)
    (page / "package-lock.json").write_text(json.dumps({"packages": LOCK}))  # newer than what is installed
    ran: list[list[str]] = []
    monkeypatch.setattr(build, "WEB", page)
    monkeypatch.setattr(build, "INSTALLED", page / "node_modules" / ".package-lock.json")
    monkeypatch.setattr(build, "run", ran.append)
    build.install(["npm"])
    assert (ran == []) == enough
