"""What axe says of a page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.web.serving import ROOT

__all__ = ["serious"]

_AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


def serious(page: Page) -> list[Any]:
    """The serious and critical violations that are found now: their names and elements."""
    page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (violation["id"], [node["html"][:160] for node in violation["nodes"]])
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
