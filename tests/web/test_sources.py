"""The page's sources: their own unit tests and types, and the agreement with the server's interface."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ludens.server.app import create_app
from ludens.server.settings import Settings
from tests.web.serving import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]  # one build of the page at a time

WEB = ROOT / "web"


def test_types_and_unit_tests_of_the_page() -> None:
    done = subprocess.run([sys.executable, str(WEB / "build.py"), "--test"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_the_types_are_made_from_the_present_interface() -> None:
    document = create_app(Settings(database="sqlite://")).openapi()
    stored = json.loads((WEB / "openapi.json").read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(document)), "Run `python web/openapi.py`, then `npm run types` in web."


def test_no_board_knows_another_and_the_frame_knows_none() -> None:
    boards = [path.name for path in (WEB / "src/lib/boards").iterdir() if path.is_dir() and path.name != "fallback"]
    frame = [path for path in (WEB / "src").rglob("*") if path.suffix in (".ts", ".svelte", ".css")]
    named = []
    for path in frame:
        inside = path.relative_to(WEB / "src").parts
        if (inside[:2] == ("lib", "boards") and len(inside) > 3) or path.name == "schema.d.ts":
            continue
        text = path.read_text(encoding="utf-8")
        named += [f"{path.name} names {board}" for board in boards if f'"{board}"' in text or f"boards/{board}" in text]
    assert named == []
