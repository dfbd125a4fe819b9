"""What people do at the table of any game, as steps of a test."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, WebSocketRoute

__all__ = [
    "PATIENCE",
    "PHONE",
    "change_tables",
    "film_until",
    "open_more",
    "press_play",
    "prompt",
    "result",
    "set_table",
    "shown_ply",
    "start",
    "stop_the_film",
    "until",
    "wait_beyond",
]

PATIENCE = 600_000  # milliseconds; a computer's first move or hint may wait until its program is compiled
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


# --- in the lobby -------------------------------------------------------------------------


def set_table(page: Page, game: str, kinds: list[str], level: str | None = None, **options: int) -> None:
    """Chooses a game by words on its card, who sits where (Person, Computer, By link), and numbers of options."""
    page.get_by_role("button", name=game).click()
    open_more(page)
    seats = page.get_by_role("group", name=re.compile(r"^Seat \d"))
    while seats.count() > len(kinds):
        seats.last.get_by_role("button", name="Remove").click()
    while seats.count() < len(kinds):
        page.get_by_role("button", name="Add a player").click()
    for seat, kind in enumerate(kinds):
        seats.nth(seat).get_by_text(kind, exact=True).click()
        if kind == "Computer" and level:
            seats.nth(seat).get_by_role("combobox").select_option(level)
    for words, value in options.items():
        field = page.get_by_role("spinbutton", name=re.compile(f"^{words.replace('_', ' ')}", re.IGNORECASE))
        field.fill(str(value))
        field.blur()


def open_more(page: Page) -> None:
    """Shows all that most people leave as it is: single seats and options."""
    page.get_by_text("seats, rules of the house").click()
    page.get_by_role("group", name="Seat 1").wait_for()


def press_play(page: Page) -> str:
    """Opens the table that was set, and returns its id."""
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/table/*")
    return page.url.rsplit("/", 1)[1]


def start(page: Page, game: str, kinds: list[str], level: str | None = None, **options: int) -> str:
    """Sets a table and opens it; returns its id."""
    set_table(page, game, kinds, level, **options)
    return press_play(page)


# --- at the table -------------------------------------------------------------------------


def prompt(page: Page) -> Locator:
    return page.locator("p.prompt")


def result(page: Page) -> Locator:
    return page.get_by_role("region", name="Result")


def shown_ply(page: Page) -> int:
    return int(page.locator("main.play").get_attribute("data-ply") or -1)


def until(page: Page, condition: str) -> None:
    """Waits for a condition in JavaScript (as a function: the page's own policy forbids to evaluate words)."""
    page.wait_for_function(f"() => {condition}", timeout=PATIENCE)


def wait_beyond(page: Page, ply: int) -> None:
    """Waits until a later ply is shown."""
    until(page, f"document.querySelector('main.play')?.dataset.ply > {ply}")


def change_tables(page: Page, change: Callable[[dict[str, Any]], object]) -> None:
    """Changes what the server tells of tables on its way to the page, which must not have a service worker."""

    def told(socket: WebSocketRoute) -> None:
        def forward(message: str | bytes) -> None:
            content = json.loads(message)
            if content.get("type") == "table":
                change(content["table"])
            socket.send(json.dumps(content))

        there = socket.connect_to_server()
        there.on_message(forward)
        socket.on_message(lambda message: there.send(message))

    page.route_web_socket(re.compile(r"/socket(\?|$)"), told)


# --- films --------------------------------------------------------------------------------


def stop_the_film(page: Page) -> None:
    """Stops the page's clock: what moves now waits for us, however slow we are."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("() => Date.now()") + 1000)


def film_until(page: Page, condition: str) -> None:
    """Lets a stopped film go on, little by little, until a condition in JavaScript holds."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(f"() => Boolean({condition})"):
        assert time.monotonic() < end, f"The film does not show {condition}."
        page.clock.run_for(20)
        page.wait_for_timeout(10)
