"""Rules beside the table, refusals that lead to them, and guided first games."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web import azul
from tests.web.any_table import PATIENCE, PHONE, shown_ply, wait_beyond
from tests.web.axe import serious
from tests.web.conftest import OpenPage

GAMES = {
    "Take tiles of one colour": "AZ-1",
    "Lay out mountains": "CD-1",
    "Settle an island": "CA-1",
    "through London": "SY-2",
    "on a 5×5 grid": "SY-2",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_game_has_its_rules_at_hand(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    rules = page.get_by_role("complementary", name="Rules")
    page.get_by_role("button", name="Rules", exact=True).click()
    for words, first in GAMES.items():
        page.get_by_role("button", name=words).click()
        expect(rules.get_by_role("region", name="At a glance")).to_be_visible()
        expect(rules.get_by_text(first, exact=True).first).to_be_attached()
    assert serious(page) == []
    page.get_by_role("button", name="Close the rules").click()
    expect(rules).to_have_count(0)


def test_rules_are_searched(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Settle an island").click()
    page.get_by_role("button", name="Rules", exact=True).click()
    rules = page.get_by_role("complementary", name="Rules")
    page.get_by_label("Search the rules").fill("Longest Road")
    expect(rules.locator("mark").first).to_have_text("Longest Road")
    expect(rules.get_by_text("The robber begins in the desert")).to_have_count(0)
    page.get_by_label("Search the rules").fill("xyzzy")
    expect(rules.get_by_text("Nothing in the rules says that")).to_be_visible()


def test_a_refusal_leads_to_its_rule(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    azul.take(page)
    page.locator("[data-line='0'].open .cell").click()  # one tile fills it
    wait_beyond(page, ply)
    azul.wait_for_turn(page)
    azul.take(page)
    page.locator("[data-line='0'] .cell").click(force=True)
    link = page.locator(".toast").get_by_role("button", name="AZ-").first
    number = link.inner_text()
    link.click()
    rule = page.get_by_role("complementary", name="Rules").locator(f"[data-rule~='{number.lower()}']")
    expect(rule).to_be_in_viewport()
    expect(rule).to_contain_text(number)
    azul.play_a_move(page)  # the table stays open to play


def test_rules_cover_a_phone_and_give_it_back(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    page.get_by_role("button", name="Rules", exact=True).tap()
    expect(page.get_by_role("region", name="At a glance")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    page.get_by_role("button", name="Close the rules").tap()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()


@pytest.mark.parametrize("words", list(GAMES))
def test_a_guided_first_game_begins_in_every_game_and_can_be_left(open_page: OpenPage, words: str) -> None:
    page = open_page()
    page.get_by_role("button", name=words).click()
    page.get_by_role("button", name="A guided first game").click()
    page.wait_for_url("**/table/*")
    card = page.get_by_role("dialog", name="Guide")
    expect(card).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".ring").first).to_be_visible()
    assert serious(page) == []
    page.reload()  # it is where it was
    expect(card).to_contain_text("1 / ", timeout=PATIENCE)
    card.get_by_role("button", name="Leave the guide").click()
    expect(card).to_have_count(0)
    page.reload()
    expect(page.locator("main.play")).to_be_visible()
    page.wait_for_timeout(600)
    expect(card).to_have_count(0)
