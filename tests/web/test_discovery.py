"""The Discovery in the browser: a whole game by clicks, and what hands do with the map."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import any_table
from tests.web.any_table import (
    PATIENCE,
    PHONE,
    film_until,
    prompt,
    result,
    shown_ply,
    stop_the_film,
    until,
    wait_beyond,
)
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


def start(page: Page, kinds: list[str]) -> str:
    """Sets a table in the lobby and returns its id."""
    return any_table.start(page, "The Discovery", kinds)


def cells(page: Page) -> Locator:
    """Where the tile in the hand may lie."""
    return page.locator("g[data-cell]")


def circles(page: Page) -> Locator:
    """Where a follower may stand."""
    return page.locator("[data-segment]")


def removable(page: Page) -> Locator:
    """Own followers that may be taken back."""
    return page.locator("[data-follower]")


def earning(page: Page) -> Locator:
    """Own followers that bring points now."""
    return page.locator("[data-follower]:not([aria-label$=' 0 points'])")


def badges(page: Page) -> Locator:
    """The points that followers bring, as they are shown."""
    return page.locator("g.badge text")


def passing(page: Page) -> Locator:
    return page.locator("button[data-pass]")


def wait_for_tile(page: Page) -> None:
    expect(cells(page).first).to_be_visible(timeout=PATIENCE)


def place_tile(page: Page, number: int = 0) -> None:
    """Lays the tile on a cell and leaves it there."""
    ply = shown_ply(page)
    cells(page).nth(number).locator(".place").click()
    cells(page).nth(number).locator(".ring").click(force=True)
    wait_beyond(page, ply)


def finish_turn(page: Page) -> str:
    """Takes back a follower that earns something, else places one, else passes; says which."""
    expect(passing(page)).to_be_visible()
    ply = shown_ply(page)
    if earning(page).count() and not circles(page).count():
        kind, target = "remove", earning(page).first
    elif circles(page).count():
        kind, target = "follower", circles(page).first
    else:
        kind, target = "pass", passing(page)
    target.dispatch_event("click")
    wait_beyond(page, ply)
    return kind


def play_a_turn(page: Page) -> str:
    wait_for_tile(page)
    place_tile(page)
    return finish_turn(page)


def chip(page: Page, seat: int) -> Locator:
    return page.get_by_role("group", name="Scores and followers").get_by_role("listitem").nth(seat)


SCALE = "new DOMMatrix(getComputedStyle(document.querySelector('g.map')).transform).a"  # how large the map is drawn
LEFT = "document.querySelector(\"[data-tile='0,0']\").getBoundingClientRect().x"


def test_a_whole_game_by_clicks_against_a_computer(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = start(page, ["Person", "Computer"])
    done: Counter[str] = Counter()
    for _ in range(50):
        expect(result(page).or_(cells(page)).first).to_be_visible(timeout=PATIENCE)
        if result(page).count():
            break
        done[play_a_turn(page)] += 1
    assert done.total() >= 40
    assert done["follower"] > 4
    assert done["remove"] > 0
    expect(result(page)).to_be_visible()
    rows = result(page).locator("tbody tr")
    scores = serving.get(f"/tables/{table}")["result"]["scores"]
    assert sorted(float(text) for text in rows.locator("td.points").all_text_contents()) == sorted(scores)
    expect(page.get_by_role("columnheader", name="Followers left")).to_be_visible()
    for seat, score in enumerate(scores):
        expect(chip(page, seat)).to_contain_text(f"{score:g}")
    tiles = serving.get(f"/tables/{table}/view")["position"]["tiles"]
    expect(page.locator("[data-tile]")).to_have_count(len(tiles))


def test_a_laid_tile_is_turned_moved_and_picked_up(open_page: OpenPage) -> None:
    page = open_page()
    start(page, ["Person", "Person"])
    wait_for_tile(page)
    ply = shown_ply(page)
    laid = page.locator("g.ghost.laid")
    for pick_up in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_role("button", name="Pick up").click(),
        lambda: laid.locator(".ring").click(button="right", force=True),
    ):
        cells(page).first.locator(".place").click()
        expect(laid).to_have_count(1)
        expect(prompt(page)).to_contain_text("click the tile again")
        cells(page).last.locator(".place").click()
        expect(laid).to_have_count(1)
        expect(cells(page).last.locator(".laid")).to_have_count(1)
        pick_up()
        expect(laid).to_have_count(0)
        expect(prompt(page)).to_contain_text("place the tile")
    assert shown_ply(page) == ply


def test_the_tile_turns_by_button_key_and_wheel(open_page: OpenPage) -> None:
    page = open_page()
    start(page, ["Person", "Person"])
    hand = page.get_by_role("region", name="Tile in hand")
    turn = hand.get_by_role("button", name="Turn clockwise")
    for _ in range(30):  # until a tile comes that looks different after every turn
        wait_for_tile(page)
        if turn.is_enabled():
            break
        play_a_turn(page)
    picture = hand.get_by_role("img", name="Tile D")
    page.mouse.move(5, 400)
    straight = str(picture.get_attribute("aria-label"))
    turn.click()
    expect(picture).not_to_have_attribute("aria-label", straight)
    turned = str(picture.get_attribute("aria-label"))
    hand.get_by_role("button", name="Turn anticlockwise").click()
    expect(picture).to_have_attribute("aria-label", straight)
    page.keyboard.press("r")
    expect(picture).to_have_attribute("aria-label", turned)
    page.keyboard.press("Shift+R")
    expect(picture).to_have_attribute("aria-label", straight)
    picture.hover()
    page.mouse.wheel(0, 120)
    expect(picture).to_have_attribute("aria-label", turned)


def test_pan_and_zoom_and_back(open_page: OpenPage) -> None:
    page = open_page()
    start(page, ["Person", "Person"])
    wait_for_tile(page)
    whole, x = page.evaluate(f"() => [{SCALE}, {LEFT}]")
    cell = cells(page).first.bounding_box()
    assert cell is not None
    page.mouse.move(cell["x"] + 30, cell["y"] + 30)
    page.mouse.down()
    page.mouse.move(cell["x"] + 150, cell["y"] + 60, steps=4)
    page.mouse.up()
    until(page, f"Math.abs({LEFT} - {x + 120}) < 2")
    expect(page.locator("g.ghost.laid")).to_have_count(0)  # a drag is no click
    page.mouse.move(60, 600)
    page.mouse.wheel(0, -300)
    until(page, f"{SCALE} > {whole * 1.2}")
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Whole map").click()
    until(page, f"Math.abs({SCALE} - {whole}) < 1e-6 * {whole} && Math.abs({LEFT} - {x}) < 1")


def test_points_are_shown_before_a_follower_comes_back(open_page: OpenPage) -> None:
    page = open_page()
    start(page, ["Person", "Person"])
    for _ in range(40):
        wait_for_tile(page)
        place_tile(page)
        if earning(page).count():
            break
        finish_turn(page)
    seat = int(page.locator("main.play").get_attribute("data-seat") or 0)
    label = str(earning(page).first.get_attribute("aria-label"))
    points = int(label.split(" for ")[1].split()[0])
    assert points > 0
    expect(badges(page).filter(has_text=f"+{points}").first).to_be_visible()
    before = str(chip(page, seat).get_attribute("aria-label")).split(": ")[1]
    score, free = int(before.split()[0]), int(before.split(", ")[1].split()[0])
    ply = shown_ply(page)
    earning(page).first.dispatch_event("click")
    wait_beyond(page, ply)
    expect(chip(page, seat)).to_have_attribute(
        "aria-label", re.compile(rf": {score + points} points?\b.*, {free + 1} free")
    )


def test_a_region_tells_about_itself_and_the_deck_is_listed(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = start(page, ["Person", "Person"])
    for _ in range(3):
        play_a_turn(page)
    wait_for_tile(page)
    position = serving.get(f"/tables/{table}/view")["position"]
    region = next(region for region in position["regions"] if region["size"] > 1)
    page.locator(f"path[data-region='{region['id']}']").first.dispatch_event("click")
    card = page.locator(f"[data-region-card='{region['id']}']")
    expect(card).to_contain_text(region["terrain"].capitalize())
    expect(card).to_contain_text(f"{region['size']} tiles")
    expect(page.locator("g.outline > g")).to_have_count(len(region["pieces"]))
    page.get_by_role("button", name=f"{position['deck_left']} tiles left").click()
    deck = page.get_by_role("region", name="Remaining tiles")
    counts = deck.get_by_role("listitem").filter(has_text="×").all_text_contents()
    assert sum(int(count.strip().removeprefix("×")) for count in counts) == position["deck_left"]
    page.keyboard.press("Escape")
    expect(deck).to_have_count(0)


def test_the_film_shows_tiles_landing_and_points_rising(open_page: OpenPage) -> None:
    page = open_page(moving=True)
    start(page, ["Person", "Computer"])
    wait_for_tile(page)
    place_tile(page)
    expect(circles(page).first).to_be_visible()
    stop_the_film(page)
    circles(page).first.dispatch_event("click")
    film_until(page, "document.querySelector('g.landing')")
    page.clock.resume()
    wait_for_tile(page)
    place_tile(page)
    expect(removable(page)).to_be_visible()
    points = str(badges(page).text_content())
    stop_the_film(page)
    removable(page).dispatch_event("click")
    film_until(page, "document.querySelector('g.leaving')")
    expect(page.locator("g.map > text")).to_have_text(points)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("g.map > text")).to_have_count(0)
    page.clock.resume()
    wait_for_tile(page)


def test_keyboard_only(open_page: OpenPage) -> None:
    page = open_page()
    start(page, ["Person", "Person"])
    for _ in range(3):
        wait_for_tile(page)
        ply = shown_ply(page)
        if not page.evaluate("document.activeElement?.matches('[data-cell]')"):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement?.matches('[data-cell]')")
        page.keyboard.press("Enter")
        expect(page.locator("g.ghost.laid")).to_have_count(1)
        page.keyboard.press("r")
        page.keyboard.press("Escape")
        expect(page.locator("g.ghost.laid")).to_have_count(0)
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        wait_beyond(page, ply)
        page.wait_for_function("() => document.activeElement?.matches('[data-segment], [data-follower], [data-pass]')")
        ply = shown_ply(page)
        page.keyboard.press("Enter")
        wait_beyond(page, ply)


def in_sight(page: Page, thing: Locator) -> bool:
    """Is the middle of it on the map, and large enough for a finger?"""
    box, board = thing.bounding_box(), page.get_by_role("region", name="Board").bounding_box()
    assert box is not None
    assert board is not None
    x, y = box["x"] + box["width"] / 2 - board["x"], box["y"] + box["height"] / 2 - board["y"]
    return 0 < x < board["width"] and 40 < y < board["height"] - 90 and box["width"] >= 24


def test_a_follower_outside_the_window_is_found_on_a_phone(open_page: OpenPage, serving: Serving) -> None:
    page = open_page(**PHONE)
    start(page, ["Person", "Person"])
    seek = page.get_by_role("button", name="Show your follower")
    for _ in range(14):  # until the map is large
        wait_for_tile(page)
        place_tile(page)
        expect(passing(page)).to_be_visible()
        expect(seek).to_have_count(removable(page).count())
        for number in range(seek.count()):
            place = (seek.nth(number).get_attribute("aria-label") or "").split(" at ")[1].split(", ")[0]
            seek.nth(number).tap()
            follower = page.locator(f"[data-follower][aria-label*=' at {place} ']").first
            assert in_sight(page, follower)
        ply = shown_ply(page)
        (circles(page).first if circles(page).count() else passing(page)).dispatch_event("click")
        wait_beyond(page, ply)


def test_phone(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start(page, ["Person", "Computer", "Computer"])
    for _ in range(3):
        wait_for_tile(page)
        ply = shown_ply(page)
        cells(page).first.locator(".place").tap()
        page.get_by_role("button", name="Place", exact=True).tap()
        wait_beyond(page, ply)
        expect(passing(page)).to_be_visible()
        ply = shown_ply(page)
        target = circles(page).first if circles(page).count() else passing(page)
        target.tap()
        wait_beyond(page, ply)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    assert page.evaluate("document.documentElement.scrollHeight <= screen.height")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    start(page, ["Person"] * 5)
    for _ in range(5):
        play_a_turn(page)
    wait_for_tile(page)
    cells(page).first.locator(".place").click()
    page.locator("path[data-region]").first.dispatch_event("click")
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.locator("button.deck").click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    place_tile(page)
    expect(passing(page)).to_be_visible()
    assert serious(page) == []
