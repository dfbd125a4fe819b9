"""My games: what goes on, history, results and ratings, several people at one computer, and being forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from ludens.server.people.ratings import levels_of
from tests.web import azul
from tests.web.any_table import PHONE, press_play, shown_ply
from tests.web.axe import serious
from tests.web.conftest import OpenPage


@pytest.fixture(params=["desktop", "phone"])
def sight(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    if request.param == "desktop":
        return {}
    monkeypatch.setattr(Locator, "click", Locator.tap)
    return PHONE


def part(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def begin_as(page: Page, name: str) -> str:
    """A game of Azul against a computer, as somebody of that name; returns the table."""
    page.goto("/")
    page.get_by_role("button", name="Azul").click()
    page.get_by_label("My name").fill(name)
    table = press_play(page)
    azul.wait_for_turn(page)
    return table


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= screen.width"))


def test_my_games_are_never_out_of_sight(open_page: OpenPage, sight: dict[str, Any]) -> None:
    page = open_page(**sight)
    expect(part(page, "Games")).to_be_visible()
    expect(part(page, "My games")).to_have_count(0)  # nobody has played here
    first = begin_as(page, "Ada")
    second = begin_as(page, "Ada")
    page.goto("/")
    mine = part(page, "My games")
    expect(mine.get_by_text("It is your turn in 2 games.")).to_be_visible()
    expect(mine.get_by_role("link", name=f"Continue: Azul, {first}")).to_be_visible()
    mine.get_by_role("link", name="All my games and results").click()
    expect(part(page, "Continue").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_label("My name")).to_have_value("Ada")
    assert fits(page) and serious(page) == []
    # The key of the person opens the seat, also where the browser has lost the seat's own secret.
    page.evaluate("localStorage.removeItem('ludens.tables')")
    page.reload()
    page.get_by_role("link", name=f"Continue: Azul, {second}").click()
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    azul.play_a_move(page)
    azul.wait_for_turn(page)
    assert shown_ply(page) > ply
    if "has_touch" in sight:
        page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    page.goto("/games")
    expect(part(page, "Continue").get_by_role("listitem")).to_have_count(1)
    history = part(page, "History")
    expect(history.get_by_role("listitem")).to_have_count(1)
    expect(history).to_contain_text("lost")
    expect(part(page, "Results and ratings").locator("[data-rating=azul]")).to_contain_text("provisional")
    row = part(page, "Results and ratings").get_by_role("row", name="Apprentice (Easy)")
    expect(row).to_contain_text(str(round(levels_of("azul")["easy"])))
    history.get_by_label("Result").select_option("won")
    expect(history.get_by_text("No such game.")).to_be_visible()
    history.get_by_label("Result").select_option("lost")
    history.get_by_label("Search", exact=True).fill("azul")
    history.get_by_label("to", exact=True).fill("2001-01-01")
    expect(history.get_by_text("No such game.")).to_be_visible()
    history.get_by_label("to", exact=True).fill("")
    expect(history.get_by_role("listitem")).to_have_count(1)
    assert fits(page) and serious(page) == []


def test_several_people_share_a_computer_and_one_is_forgotten(open_page: OpenPage, sight: dict[str, Any]) -> None:
    page = open_page(**sight)
    table = begin_as(page, "Ada")
    page.goto("/games")
    page.get_by_role("button", name="Somebody else plays").click()
    expect(page.get_by_text("Nobody has played at this browser yet.")).to_be_visible()
    begin_as(page, "Bea")
    page.goto("/games")
    expect(page.get_by_label("My name")).to_have_value("Bea")
    expect(part(page, "Continue").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Go on as Ada").click()
    expect(page.get_by_label("My name")).to_have_value("Ada")
    expect(page.get_by_role("link", name=f"Continue: Azul, {table}")).to_be_visible()
    page.get_by_label("My colour").select_option("violet")
    page.get_by_label("My name").fill("Ada L.")
    page.get_by_label("My name").blur()
    page.get_by_text("What is kept of me").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="All that is mine, as a file").click()
    assert download.value.suggested_filename == "ludens.json"
    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("button", name="Really forget me").click()
    expect(page.get_by_role("button", name="Go on as Bea")).to_be_visible()
    expect(page.get_by_role("button", name="Go on as Ada")).to_have_count(0)
    page.get_by_role("button", name="Go on as Bea").click()
    expect(page.get_by_label("My name")).to_have_value("Bea")
    assert serious(page) == []
