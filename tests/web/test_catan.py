"""Catan in the browser: a whole game by clicks, and what hands do besides."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web import catan
from tests.web.any_table import PHONE, prompt, result, shown_ply, wait_beyond
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


def into_the_game(page: Page, turns: int = 1) -> catan.Hands:
    """Places the first settlements and plays until the dice of an own turn are rolled."""
    hands = catan.Hands(page)
    for _ in range(400):
        phase = catan.wait_for_turn(page)
        if phase == "main":
            turns -= 1
            if turns <= 0:
                return hands
        hands.decide()
    raise AssertionError("The game does not begin.")


def holding(page: Page, cards: int) -> None:
    """Plays on until an own turn with so many cards in the hand begins."""
    hands = into_the_game(page)
    for _ in range(400):
        if catan.wait_for_turn(page) == "main" and _count(page) >= cards:
            return
        if catan.wait_for_turn(page) == "main":
            ply = shown_ply(page)
            catan.deed(page, "end").click()
            wait_beyond(page, ply)
        else:
            hands.decide()
    raise AssertionError("The hand stays empty.")


def _count(page: Page) -> int:
    return int(str(page.get_by_role("region", name="Your hand").locator("h3 span").text_content()).split()[0])


def test_a_whole_game_by_clicks_with_a_trade_a_seven_and_a_card(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = catan.start(page, players=3, points=10)
    hands = catan.Hands(page)
    hands.play_to_the_end()
    expect(result(page)).to_be_visible()
    rows = result(page).locator("tbody tr")
    scores = serving.get(f"/tables/{table}")["result"]["scores"]
    assert sorted(float(text) for text in rows.locator("td.points").all_text_contents()) == sorted(scores)
    assert max(scores) >= 10
    moves = page.get_by_role("region", name="Moves")
    expect(moves).to_contain_text(": 7")
    expect(moves).to_contain_text("moves the robber")
    expect(moves).to_contain_text(" plays ")  # a development card
    assert hands.done["trade"] > 0
    assert hands.done["card"] > 0
    position = serving.get(f"/tables/{table}/view")["position"]
    expect(page.locator("[data-building]")).to_have_count(len(position["buildings"]))
    expect(page.locator("[data-road]")).to_have_count(len(position["roads"]))


def test_escape_steps_back_from_every_choice(open_page: OpenPage) -> None:
    page = open_page()
    catan.start(page)
    holding(page, 3)
    ply = shown_ply(page)
    expect(prompt(page)).to_contain_text("build, trade or end your turn")
    catan.deed(page, "trade").click()
    page.locator("[data-pick^='give']:enabled").first.click()
    page.locator("[data-pick^='want']:enabled").first.click()
    expect(page.locator("[data-propose]")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(page.locator("[data-propose]")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(catan.sheet(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(catan.sheet(page)).to_have_count(0)
    catan.deed(page, "trade").click()
    page.mouse.click(640, 300, button="right")
    expect(catan.sheet(page)).to_have_count(0)
    assert shown_ply(page) == ply


@pytest.mark.slow  # it waits for a seven and a hex with two neighbours
def test_the_robber_is_called_back_before_a_victim_is_chosen(open_page: OpenPage) -> None:
    page = open_page()
    catan.start(page, players=4, level="random")
    hands = catan.Hands(page)
    victims = page.locator("[data-victim]")
    for _ in range(1500):
        phase = catan.wait_for_turn(page)
        if phase == "robber" and (hex_ := _disputed_hex(page)) is not None:
            break
        if phase == "main":
            ply = shown_ply(page)
            catan.deed(page, "end").click()
            wait_beyond(page, ply)
        else:
            hands.decide()
    else:
        raise AssertionError("No seven comes.")
    ply = shown_ply(page)
    target = page.locator(f"[data-hex='{hex_}'] .ring")
    target.click(force=True)
    expect(prompt(page)).to_contain_text("choose whom to rob")
    expect(victims.nth(1)).to_be_visible()
    page.keyboard.press("Escape")
    expect(victims).to_have_count(0)
    expect(prompt(page)).to_contain_text("choose a hex for the robber")
    assert shown_ply(page) == ply
    target.click(force=True)
    page.locator("[data-rob] .ring").first.click(force=True)  # on the island itself
    wait_beyond(page, ply)
    assert catan.wait_for_turn(page) == "main"
    expect(page.get_by_role("region", name="Moves")).to_contain_text("robs")


def _disputed_hex(page: Page) -> int | None:
    """A hex where several can be robbed: it has buildings of two opponents."""
    around: dict[str, set[str]] = {}
    for hex_ in page.locator("g[data-hex]").all():
        box = hex_.locator(".ring").bounding_box()
        assert box is not None
        x, y, reach = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["height"] * 0.68
        for building in page.locator("[data-building]").all():
            place = building.bounding_box()
            assert place is not None
            if abs(place["x"] + place["width"] / 2 - x) < reach and abs(place["y"] + place["height"] / 2 - y) < reach:
                seat = str(building.get_attribute("data-seat"))
                around.setdefault(str(hex_.get_attribute("data-hex")), set()).add(seat)
    return next((int(hex_) for hex_, seats in around.items() if len(seats - {"0"}) > 1), None)


def test_what_is_not_possible_says_why(open_page: OpenPage) -> None:
    page = open_page()
    catan.start(page)
    catan.wait_for_turn(page)
    ply = shown_ply(page)
    catan.spots(page).first.locator(".ring").click(force=True)
    wait_beyond(page, ply)
    assert catan.wait_for_turn(page) == "first roads"
    city = catan.deed(page, "city")
    expect(city).to_have_attribute("aria-disabled", "true")
    city.hover()
    why = page.get_by_role("tooltip").filter(has_text="Place a road").first
    expect(why).to_be_visible()
    expect(why).to_have_text("Place a road at the settlement just placed. CA-7")
    page.locator("circle.silent").last.click(force=True)  # an edge far from the settlement
    expect(page.locator(".toast")).to_contain_text("CA-7")


def test_a_name_tells_what_everybody_knows(open_page: OpenPage) -> None:
    page = open_page()
    catan.start(page)
    into_the_game(page)
    info = page.locator("#catan-player-1")
    expect(info).not_to_be_visible()
    page.locator(".chip").nth(1).hover()
    expect(info).to_be_visible()
    for words in ("Left to build", "Hand", "Bank's price", "Longest way"):
        expect(info).to_contain_text(words)
    page.mouse.move(640, 400)
    expect(info).not_to_be_visible()
    page.locator(".chip").nth(0).focus()
    page.keyboard.press("Tab")
    expect(info).to_be_visible()


def test_keyboard_only(open_page: OpenPage) -> None:
    page = open_page()
    catan.start(page)
    for _ in range(4):  # two settlements and their roads
        catan.wait_for_turn(page)
        ply = shown_ply(page)
        if not page.evaluate("document.activeElement?.matches('g.spot')"):
            page.keyboard.press("ArrowRight")
            page.locator("g.spot").first.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement?.matches('g.spot')")
        page.keyboard.press("Enter")
        wait_beyond(page, ply)
    hands = catan.Hands(page)
    while catan.wait_for_turn(page) != "before the roll":
        hands.decide()
    catan.deed(page, "roll").focus()
    ply = shown_ply(page)
    page.keyboard.press("Enter")
    wait_beyond(page, ply)


def test_on_a_phone_a_finger_touches_twice(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    catan.start(page)
    catan.wait_for_turn(page)
    ply = shown_ply(page)
    spot = catan.spots(page).nth(20)
    spot.locator(".ring").tap(force=True)
    expect(prompt(page)).to_contain_text("tap the settlement again")
    assert shown_ply(page) == ply
    spot.locator(".ring").tap(force=True)
    wait_beyond(page, ply)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    assert page.evaluate("document.documentElement.scrollHeight <= screen.height")


def test_production_is_seen(open_page: OpenPage) -> None:
    page = open_page(moving=True)
    catan.start(page, players=2)
    hands = catan.Hands(page)
    page.evaluate(
        """() => {
          window.flown = [];
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes)
              for (const node of addedNodes)
                if (node instanceof Element)
                  for (const flight of [node, ...node.querySelectorAll('[data-flight]')])
                    if (flight.dataset.flight) window.flown.push(flight.dataset.flight);
          }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    for _ in range(6):
        hands.decide()
    flown = page.evaluate("window.flown")
    assert set(flown) & {"brick", "lumber", "wool", "grain", "ore"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    catan.start(page)
    holding(page, 2)
    assert serious(page) == []
    catan.deed(page, "trade").click()
    expect(catan.sheet(page)).to_be_visible()
    assert serious(page) == []
