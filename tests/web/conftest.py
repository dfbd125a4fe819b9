"""Browser tests: one server and one Chromium for all, a fresh context for every page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.serving import ROOT, Serving

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OpenPage = Callable[..., Page]
SOON = 60_000  # milliseconds for what a page does at once, on a machine that compiles beside it
expect.set_options(timeout=SOON)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests of one process share a server; without a browser each says that it did not."""
    here = Path(__file__).parent
    for item in items:
        if here not in item.path.parents or "browser" not in getattr(item, "fixturenames", ()):
            continue
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.xdist_group("browser"))
        item.add_marker(pytest.mark.timeout(600))  # whole games, and the first one waits for all that is compiled
        if CHROMIUM is None:
            item.add_marker(pytest.mark.skip(reason="NOT TESTED IN A BROWSER: Chromium is not installed here"))


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The server of all browser tests, with the page built from the present sources."""
    if not os.environ.get("LUDENS_PAGE"):
        built = subprocess.run([sys.executable, str(ROOT / "web" / "build.py")], capture_output=True, text=True)
        assert built.returncode == 0, f"The page could not be built:\n{built.stdout}\n{built.stderr}"
    server = Serving(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _the_same_cards_in_every_run(request: pytest.FixtureRequest) -> None:
    if "serving" in request.fixturenames:
        request.getfixturevalue("serving").draw_for(request.node.name)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(serving: Serving, browser: Browser) -> Iterator[OpenPage]:
    """Opens pages in contexts of their own (other people, other machines); errors in their consoles fail the test.

    Without `moving=True` nothing is animated. `outage=True` forgives the words of a browser that finds no server, or
    a busy one.
    """
    errors: list[str] = []
    contexts = []

    def opened(path: str = "/", moving: bool = False, outage: bool = False, **wishes: Any) -> Page:
        wishes.setdefault("viewport", {"width": 1280, "height": 800})
        context = browser.new_context(
            base_url=serving.address, reduced_motion="no-preference" if moving else "reduce", **wishes
        )
        context.set_default_timeout(SOON)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))

        def console(message: Any) -> None:
            if message.text.startswith("Service Worker registration blocked"):  # where a test answers requests itself
                return
            lost = outage and re.search(
                "ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|WebSocket|status of 503", message.text
            )
            if message.type in ("error", "warning") and not lost:
                errors.append(message.text)

        page.on("console", console)
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []
