"""Czech, Slovak and German: chosen by the browser, changed on the page, on every screen without overflow."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web import azul
from tests.web.any_table import PATIENCE, PHONE, shown_ply, wait_beyond
from tests.web.conftest import OpenPage

SPOKEN = {
    "cs-CZ": ("Co si zahrajeme?", "Hrát", "Pravidla", "dlaždic"),
    "sk-SK": ("Čo si zahráme?", "Hrať", "Pravidlá", "dlaždíc"),
    "de-AT": ("Was spielen wir?", "Spielen", "Regeln", "Fliesen"),
}
# A phone shows a page that is too wide as a whole: the window grows with it, the screen does not.
FITS = "document.documentElement.scrollWidth <= screen.width"


def language(page: Page) -> str:
    return str(page.evaluate("document.documentElement.lang"))


@pytest.mark.parametrize("locale", SPOKEN)
def test_the_lobby_and_the_rules_speak_the_browsers_language(open_page: OpenPage, locale: str) -> None:
    question, play, rules, tiles = SPOKEN[locale]
    page = open_page(locale=locale, **PHONE)
    expect(page.get_by_role("heading", name=question)).to_be_visible()
    expect(page.get_by_role("button", name=play, exact=True)).to_be_enabled()
    assert language(page) == locale[:2]
    page.locator("summary").click()
    page.locator(".seats").wait_for()
    assert page.evaluate(FITS)
    page.get_by_role("button", name=rules, exact=True).click()
    drawer = page.get_by_role("complementary", name=rules)
    expect(drawer.locator("[data-rule~='az-5']")).to_contain_text(tiles)
    expect(drawer.locator("[data-rule~='az-41']")).to_be_attached()  # what is for programmers follows
    assert page.evaluate(FITS)


def test_a_game_is_told_in_the_language_that_is_chosen_on_the_page(open_page: OpenPage) -> None:
    page = open_page(locale="cs")
    page.locator("button.play").click()
    expect(page.locator("p.prompt.mine")).to_contain_text("Jste na tahu: vezměte jednu barvu", timeout=PATIENCE)
    ply = shown_ply(page)
    azul.sources(page).first.click()
    azul.open_targets(page).first.click()
    wait_beyond(page, ply)
    moves = page.locator("aside ol li")
    expect(moves.filter(has_text=re.compile(r"Hráč 1 bere \d .+: dílna \d → (řada \d|podlaha)"))).to_have_count(1)
    page.get_by_role("button", name="Nastavení").click()
    page.locator("[data-language]").select_option("de")
    expect(page.locator("p.prompt.mine")).to_contain_text("Du bist am Zug")
    expect(moves.filter(has_text=re.compile(r"Hráč 1 nimmt \d .+: Manufaktur \d → (Reihe \d|Boden)"))).to_have_count(1)
    assert language(page) == "de" and page.evaluate(FITS)
    page.goto("/")
    expect(page.get_by_role("heading", name="Was spielen wir?")).to_be_visible()
    page.goto("/table/nirgends")
    expect(page.get_by_text("Es gibt keinen Tisch 'nirgends'.")).to_be_visible()


@pytest.mark.parametrize("game", ["azul", "discovery", "catan", "scotland_yard", "scotland_yard_grid"])
def test_no_table_is_wider_than_a_phone_in_any_language(open_page: OpenPage, game: str) -> None:
    page = open_page(**PHONE)
    page.evaluate("(game) => localStorage.setItem('ludens.game', JSON.stringify(game))", game)
    page.reload()
    page.locator("button.play").click()
    page.wait_for_url("**/table/*")
    for code in ("en", "cs", "sk", "de"):
        page.evaluate("(code) => localStorage.setItem('ludens.language', JSON.stringify(code))", code)
        page.reload()
        expect(page.locator("p.prompt")).not_to_have_text("", timeout=PATIENCE)
        page.locator("button.handle").tap()
        expect(page.locator("aside ol")).to_be_visible()
        assert language(page) == code and page.evaluate(FITS), code
