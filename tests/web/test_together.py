"""Several people: two browsers at one table, spectators, one screen for two, secrets behind a curtain."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.web import azul
from tests.web.any_table import PATIENCE, open_more, prompt, result, shown_ply, until, wait_beyond
from tests.web.axe import serious
from tests.web.conftest import OpenPage


def test_two_browsers_and_a_spectator_at_one_table(open_page: OpenPage) -> None:
    ada, bea = open_page(), open_page()
    azul.set_table(ada, ["Person", "By link"])
    ada.get_by_role("group", name="Seat 1").get_by_role("button", name="change the name").click()
    ada.get_by_label("Name", exact=True).fill("Ada")
    ada.keyboard.press("Enter")
    ada.get_by_text("Only with the link").click()
    ada.get_by_role("button", name="Play", exact=True).click()
    expect(ada.get_by_role("heading", name="Waiting for one more player")).to_be_visible()
    link = ada.get_by_label("Link to this table").input_value()
    assert "#invite=" in link
    bea.goto(link)
    bea.get_by_label("Your name").fill("Bea")
    bea.get_by_role("button", name="Sit here").click()
    watcher = open_page(link)
    for page in (ada, bea, watcher):
        expect(page.get_by_role("list", name="Players")).to_contain_text("Bea")
    for _ in range(4):
        acting, waiting = _by_turn(ada, bea)
        expect(prompt(waiting)).to_contain_text("Waiting for")
        ply = shown_ply(acting)
        azul.play_a_move(acting)
        for page in (waiting, watcher):
            wait_beyond(page, ply)
    expect(watcher.get_by_role("list", name="Players")).to_contain_text("watching")
    assert azul.sources(watcher).count() == 0
    expect(watcher.get_by_role("button", name="Resign")).to_have_count(0)


def test_a_guest_is_not_asked_to_send_the_link_on(open_page: OpenPage) -> None:
    ada, bea = open_page(), open_page()
    azul.set_table(ada, ["Person", "By link", "By link"])
    ada.get_by_role("button", name="Play", exact=True).click()
    link = ada.get_by_label("Link to this table").input_value()
    bea.goto(link)
    bea.get_by_role("button", name="Sit here").first.click()
    expect(bea.get_by_text("The game starts when every seat is taken.")).to_be_visible()
    expect(bea.get_by_role("button", name="Copy the link")).to_have_count(0)
    expect(ada.get_by_role("button", name="Copy the link")).to_be_visible()


def _by_turn(one: Page, other: Page) -> tuple[Page, Page]:
    """The two pages, the one to act first."""
    expect(azul.sources(one).first.or_(one.get_by_text("Waiting for"))).to_be_visible()
    return (one, other) if azul.sources(one).count() else (other, one)


def wait_for_guests(page: Page) -> Locator:
    """Opens a table for a guest; returns the field with the link."""
    page.get_by_role("button", name="Azul").click()
    page.get_by_text("People, by link").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Waiting for one more player")).to_be_visible()
    return page.get_by_label("Link to this table")


def test_an_invitation_that_works_for_nobody_else_says_so(open_page: OpenPage) -> None:
    page = open_page()
    wait_for_guests(page)
    expect(page.get_by_role("note")).to_contain_text("only on this computer")
    expect(page.get_by_role("note")).to_contain_text("ludens serve --host 0.0.0.0")
    expect(page.get_by_label("QR code of the link")).to_have_count(0)


def test_an_invitation_names_the_address_in_the_network_and_shows_it_to_phones(open_page: OpenPage) -> None:
    page = open_page(service_workers="block")  # it would answer in our place
    found = {"open": True, "addresses": ["http://192.168.7.7:8000"]}
    page.route("**/api/v1/network", lambda route: route.fulfill(json=found))
    link = wait_for_guests(page)
    expect(link).to_have_value(re.compile(r"^http://192\.168\.7\.7:8000/table/\w+"))
    expect(page.get_by_label("QR code of the link")).to_be_visible()
    expect(page.get_by_role("note")).to_have_count(0)
    assert serious(page) == []


def test_a_running_table_can_be_found_and_watched_from_the_lobby(open_page: OpenPage) -> None:
    player = open_page()
    table = azul.start(player, ["Person", "Computer"])
    azul.wait_for_turn(player)
    guest = open_page()
    guest.get_by_role("link", name=f"Watch: Azul, {table}").click()
    until(guest, f"document.querySelector('main.play')?.dataset.ply >= {shown_ply(player)}")
    assert azul.sources(guest).count() == 0


def test_two_people_at_one_screen(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Person"])
    seats = []
    for _ in range(4):
        azul.wait_for_turn(page)
        seats.append(page.locator("main.play").get_attribute("data-seat"))
        expect(prompt(page)).to_contain_text(f"Player {int(seats[-1] or 0) + 1}, your turn")
        azul.play_a_move(page)
    assert seats[0] != seats[1]
    assert seats[0] == seats[2]


def test_secrets_stay_behind_a_curtain_while_the_screen_is_passed_on(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Duel").click()
    page.get_by_text("People at this screen").click()
    page.get_by_role("button", name="Play", exact=True).click()
    for name in ("Player 1", "Player 2"):
        expect(page.get_by_role("heading", name=f"Next: {name}")).to_be_visible()
        expect(page.get_by_role("region", name="Position")).to_have_count(0)
        page.get_by_role("button", name=f"Go on as {name}").click()
        page.locator("button[data-move]").first.click()
    expect(page.get_by_role("heading", name="Next: ")).to_be_visible()


def test_a_game_without_a_board_is_played_with_words(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Pig").click()
    open_more(page)
    page.get_by_label("Target").fill("10")
    page.get_by_label("Level of").select_option("random")
    page.get_by_role("button", name="Play", exact=True).click()
    roll, hold = (
        page.get_by_role("button", name="roll", exact=True),
        page.get_by_role("button", name="hold", exact=True),
    )
    for turn in range(200):
        expect(result(page).or_(roll)).to_be_visible(timeout=PATIENCE)
        if result(page).count():
            break
        ply = shown_ply(page)
        (hold if turn % 3 == 2 else roll).click()
        wait_beyond(page, ply)
    expect(result(page)).to_be_visible()
