"""The laboratory and the ladder: agents are chosen, the cross table fills, reports and games are opened."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludens.core import registry
from ludens.lab.ladder import Ladder
from ludens.play.executors import ThisProcess
from tests.web.any_table import PATIENCE, PHONE
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving
from tests.web.test_replay import ply_is, press

SIGHTS: list[Any] = [
    pytest.param({"color_scheme": "light"}, id="light"),
    pytest.param({"color_scheme": "dark", **PHONE}, id="dark phone"),
]


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= screen.width"))


def begin(page: Page, games: int, *agents: str) -> None:
    """Chooses Azul, the agents and the number of games, and starts."""
    page.get_by_role("radiogroup", name="Game").get_by_text("Azul", exact=True).click()
    chosen = page.get_by_role("combobox", name=re.compile(r"^Agent \d"))
    while chosen.count() > len(agents):
        page.get_by_role("button", name="Remove agent").last.click()
    for place, agent in enumerate(agents):
        chosen.nth(place).select_option(agent)
    page.get_by_role("spinbutton", name="Games").fill(str(games))
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/laboratory/*")


def look_at_the_report(page: Page) -> None:
    """It opens beside the page, with a game on the board in it."""
    with page.context.expect_page(timeout=PATIENCE) as opened:
        page.get_by_role("link", name="Report").click()
    report = opened.value
    expect(report.get_by_role("heading", name="Who won")).to_be_visible()
    film = report.locator("ludens-game")
    expect(film.get_by_role("slider", name="Move")).to_be_visible()
    expect(film.locator("svg").first).to_be_visible()
    report.close()


def refuse_at_first(page: Page) -> None:
    """The game counts as being prepared when one of its games is asked for the first time."""
    error = {"code": "unavailable", "message": "Preparing Azul, once on this computer", "progress": 0.5}
    answer = {"error": {**error, "retry_after": 2}}
    page.route("**/games/2/open", lambda route: route.fulfill(status=503, json=answer), times=1)


@pytest.mark.parametrize("sight", SIGHTS)
def test_a_tournament_from_the_choice_to_the_board(open_page: OpenPage, sight: dict[str, Any]) -> None:
    page = open_page(service_workers="block", outage=True, **sight)
    page.get_by_role("link", name="Laboratory").click()
    expect(page.get_by_role("heading", name="New tournament")).to_be_visible()
    page.get_by_text("Parameters").first.click()
    assert serious(page) == []
    assert fits(page)
    begin(page, 4, "random", "heuristic")
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text("Finished: 4 of 4 games", timeout=PATIENCE)
    table = page.get_by_role("group", name="Cross table")
    expect(table.locator("tbody td[title]")).to_have_count(2)
    expect(table).to_contain_text(re.compile(r"\d+–\d+ %"))
    assert serious(page) == []
    assert fits(page)
    if "is_mobile" not in sight:
        look_at_the_report(page)
    refuse_at_first(page)
    page.get_by_role("button", name="Open game 2").click()
    expect(page.get_by_role("region", name="Games").get_by_role("progressbar")).to_have_attribute("value", "0.5")
    page.wait_for_url("**/table/*")
    ply_is(page, 0)
    press(page, "Next")
    ply_is(page, 21)


def test_a_tournament_is_stopped_continued_and_removed(open_page: OpenPage) -> None:
    page = open_page("/laboratory")
    begin(page, 20_000, "random", "heuristic")
    status = page.get_by_role("main").get_by_role("status")
    expect(status).to_contain_text(re.compile(r"Playing: [\d,]+ of 20,000 games, .* left"), timeout=PATIENCE)
    page.get_by_role("button", name="Stop").click()
    expect(status).to_contain_text("Stopped")
    page.reload()
    expect(status).to_contain_text("Stopped")
    page.get_by_role("button", name="Continue").click()
    expect(status).to_contain_text("Playing")
    page.goto("/laboratory")
    expect(page.get_by_role("region", name="Tournaments").get_by_text("Playing")).to_be_visible()
    page.get_by_role("region", name="Tournaments").get_by_role("link").first.click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove with all games?").click()
    page.wait_for_url("**/laboratory")


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_ladder_shows_who_is_how_strong(open_page: OpenPage, serving: Serving, sight: dict[str, Any]) -> None:
    serving.ladders.mkdir(exist_ok=True)
    Ladder(registry.game("azul"), serving.ladders / "azul.db", ["random", "heuristic"]).play(4, executor=ThisProcess())
    page = open_page(**sight)
    page.get_by_role("button", name="Azul").click()
    page.get_by_role("link", name="How strong are the computers?").click()
    expect(page.get_by_role("img", name="Strength against the time")).to_be_visible()
    rows = page.get_by_role("region", name="Ratings").locator("tbody tr")
    expect(rows.first).to_contain_text("heuristic")
    expect(page.get_by_role("region", name="Strength and time")).to_contain_text("random")
    assert serious(page) == []
    assert fits(page)
    page.get_by_role("radiogroup", name="Game").get_by_text("Catan", exact=True).click()
    expect(page.get_by_text("Measured with ludens")).to_be_visible()  # no ladder of this computer: the one that ships
    expect(page.get_by_role("region", name="Where the levels stand")).to_contain_text("Champion")
    assert serious(page) == []
