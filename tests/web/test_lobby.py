"""The lobby in three steps: the game, who I am, against whom."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web import azul
from tests.web.any_table import PHONE, open_more, press_play, prompt
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


def choose(page: Page, question: str, answer: str) -> None:
    page.get_by_role("radiogroup", name=question, exact=True).get_by_text(answer, exact=True).click()


def test_one_click_on_play_gives_a_good_game(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = press_play(page)
    azul.wait_for_turn(page)
    seats = serving.get(f"/tables/{table}")["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "agent"]
    assert seats[1]["name"] == "Apprentice"  # an opponent with a name, not the word of a program
    azul.play_a_move(page)


def test_my_name_stays_mine_wherever_i_sit(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="Hunt Mr. X through London").click()
    page.get_by_label("My name").fill("Ada")
    choose(page, "I play", "Detectives")
    choose(page, "Against", "Hard")
    table = press_play(page)
    seats = serving.get(f"/tables/{table}")["seats"]
    assert [(seat["kind"], seat["name"], seat["agent"]) for seat in seats] == [
        ("agent", "Inspector", "hard"),
        ("human", "Ada", None),
    ]
    page.goto("/")
    expect(page.get_by_label("My name")).to_have_value("Ada")  # and the next time


def test_others_change_together_and_people_come_by_link(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="Settle an island").click()
    page.get_by_label("My name").fill("Ada")
    choose(page, "Players", "3 players")
    choose(page, "I play", "Seat 2")
    choose(page, "Against", "People, by link")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Waiting for 2 more players")).to_be_visible()
    seats = serving.get(f"/tables/{page.url.rsplit('/', 1)[1]}")["seats"]
    assert [seat["kind"] for seat in seats] == ["open", "human", "open"]
    assert seats[1]["name"] == "Ada"


def test_only_watching_is_a_game_of_computers(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="Azul").click()
    choose(page, "I play", "Only watch")
    table = press_play(page)
    assert {seat["kind"] for seat in serving.get(f"/tables/{table}")["seats"]} == {"agent"}
    expect(prompt(page)).not_to_contain_text("Your turn")


def test_what_is_impossible_is_not_offered(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Azul").click()
    expect(page.get_by_label("First")).not_to_be_visible()  # under "More"
    open_more(page)
    first = page.get_by_label("First").locator("option")
    expect(first).to_have_text(["Random", "1", "2"])
    choose(page, "Players", "4 players")
    expect(first).to_have_text(["Random", "1", "2", "3", "4"])
    page.get_by_label("First").select_option("4")
    choose(page, "Players", "3 players")
    expect(page.get_by_label("First")).to_have_value("random")
    groups = page.get_by_label("Level of").first.locator("optgroup")
    expect(groups).to_have_count(2)
    assert all("For researchers" in (group.get_attribute("label") or "") for group in groups.all())
    expect(page.get_by_label("Level of").first.locator("> option")).to_have_count(4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lobby_fits_a_phone(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme, **PHONE)
    page.get_by_role("button", name="Hunt Mr. X through London").tap()
    open_more(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious(page) == []
