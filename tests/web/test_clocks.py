"""Clocks at a table of two browsers: set in the lobby, seen by both, kept through a reload, and run out."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import azul
from tests.web.any_table import PHONE, open_more, prompt, result
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


@pytest.fixture(params=["desktop", "phone"])
def sight(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    if request.param == "desktop":
        return {}
    monkeypatch.setattr(Locator, "click", Locator.tap)
    return PHONE


def clocks(page: Page) -> Locator:
    return page.get_by_role("list", name="Players").get_by_role("timer")


def left(page: Page, seat: int) -> float:
    return float(clocks(page).nth(seat).get_attribute("data-left") or "nan")


def test_two_browsers_see_both_clocks(open_page: OpenPage, sight: dict[str, Any]) -> None:
    ada, bea = open_page(**sight), open_page(**sight)
    ada.get_by_role("button", name="Azul").click()
    ada.get_by_text("People, by link").click()
    open_more(ada)
    ada.get_by_label("Time").select_option("minutes for the game")
    ada.get_by_label("Minutes for everybody").fill("5")
    ada.get_by_label("Seconds more for every turn").fill("30")
    assert serious(ada) == []
    ada.get_by_role("button", name="Play", exact=True).click()
    expect(ada.get_by_text("5 min for everybody, and 30 s for every turn.")).to_be_visible()
    bea.goto(ada.get_by_label("Link to this table").input_value())
    bea.get_by_role("button", name="Sit here").click()
    for page in (ada, bea):
        expect(clocks(page)).to_have_count(2)
    expect(azul.sources(ada).first.or_(ada.get_by_text("Waiting for"))).to_be_visible()
    acting = 0 if azul.sources(ada).count() else 1
    pages = (ada, bea)
    for page in pages:
        expect(clocks(page).nth(acting)).not_to_have_text("5:00")  # it runs
        expect(clocks(page).nth(1 - acting)).to_have_text("5:00")
    before = left(bea, acting)
    bea.reload()
    expect(clocks(bea)).to_have_count(2)
    assert left(bea, acting) <= before + 0.2  # and is kept
    azul.play_a_move(pages[acting])
    for page in pages:
        expect(clocks(page).nth(1 - acting)).not_to_have_text("5:00")  # now the other's
        assert 300 < left(page, acting) <= 330
    assert serious(ada) == []


def test_time_runs_out_before_the_eyes_of_both(open_page: OpenPage, serving: Serving, sight: dict[str, Any]) -> None:
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "open"}]
    wish = {"game": "azul", "seats": seats, "options": {"first": "1"}, "clock": {"minutes": 0.05}}
    table = serving.post("/tables", wish)["table"]["id"]
    bea, watcher = open_page(f"/table/{table}", **sight), open_page(f"/table/{table}", **sight)
    bea.get_by_role("button", name="Sit here").click()
    for page in (bea, watcher):
        expect(result(page)).to_contain_text("Time ran out for Ada")
    expect(prompt(bea)).to_contain_text("victory")
    expect(clocks(bea)).to_have_count(0)
