"""Hands: dragging, dice that are clicked, and nothing final by one slip."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import azul, catan
from tests.web.any_table import (
    PATIENCE,
    PHONE,
    change_tables,
    press_play,
    prompt,
    result,
    shown_ply,
    start,
    until,
    wait_beyond,
)
from tests.web.axe import serious
from tests.web.conftest import OpenPage

LONDON = "Hunt Mr. X through London"


def drag(page: Page, thing: Locator, to: Locator) -> None:
    """Drags the middle of a thing to the middle of another, in small steps."""
    one, other = thing.bounding_box(), to.bounding_box()
    assert one is not None
    assert other is not None
    page.mouse.move(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)
    page.mouse.down()
    page.mouse.move(other["x"] + other["width"] / 2, other["y"] + other["height"] / 2, steps=8)
    page.mouse.up()


def test_tiles_are_dragged_to_a_line_and_back(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    tiles = page.locator("g.tiles.enabled use").first
    drag(page, tiles, page.locator("[data-rules]"))  # dropped beside the table: they go back
    expect(page.locator("[data-hand]")).to_have_count(0)
    expect(prompt(page)).to_contain_text("take one colour")
    assert shown_ply(page) == ply
    drag(page, tiles, page.locator("[data-line='4'] .cell").first)
    wait_beyond(page, ply)
    expect(page.get_by_role("list", name="Move list")).to_contain_text("line 5")


def test_a_tile_is_dragged_from_the_hand_to_the_map(open_page: OpenPage) -> None:
    page = open_page()
    start(page, "The Discovery", ["Person", "Computer"], "random")
    cell = page.locator("g[data-cell] .place").first
    expect(cell).to_be_visible(timeout=PATIENCE)
    drag(page, page.locator("section.hand figure > svg"), cell)
    expect(page.get_by_role("button", name="Place", exact=True)).to_be_visible()  # it lies there on trial
    ply = shown_ply(page)
    page.get_by_role("button", name="Place", exact=True).click()
    wait_beyond(page, ply)


def test_the_dice_are_clicked(open_page: OpenPage) -> None:
    page = open_page()
    catan.start(page, players=2)
    hands = catan.Hands(page)
    for _ in range(60):
        if catan.wait_for_turn(page) == "before the roll":
            break
        hands.decide()
    ply = shown_ply(page)
    page.get_by_role("button", name="Roll the dice").click()
    wait_beyond(page, ply)
    expect(page.get_by_role("button", name="Roll the dice")).to_have_count(0)


def test_a_click_on_a_station_asks_before_it_goes(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, ["Person", "Computer"], "random")
    station = page.locator("g[data-station]").first
    expect(station).to_be_visible(timeout=PATIENCE)
    ply = shown_ply(page)
    for put_back in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(500, 600, button="right")):
        station.locator(".disc").click(force=True)
        asked = page.get_by_role("group", name="Tickets to station")
        expect(asked).to_be_visible()
        put_back()
        expect(asked).to_have_count(0)
        page.wait_for_timeout(200)
        assert shown_ply(page) == ply  # nothing has happened
    station.locator(".disc").click(force=True)
    asked.get_by_role("button").first.click()
    wait_beyond(page, ply)


def test_a_pin_is_dragged_to_its_station(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, ["Person", "Computer"], "random")
    station = page.locator("g[data-station] .disc").first
    expect(station).to_be_visible(timeout=PATIENCE)
    drag(page, page.locator("g.pin.active .body"), station)
    expect(page.get_by_role("group", name="Tickets to station")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize(
    "words",
    ["Take tiles of one colour", "Lay out mountains", "Settle an island", LONDON, "on a 5×5 grid"],
    ids=["azul", "discovery", "catan", "london", "grid"],
)
def test_no_table_is_wider_than_the_screen_or_found_wanting(
    open_page: OpenPage, words: str, size: str, scheme: str
) -> None:
    page = open_page(color_scheme=scheme, **(PHONE if size == "phone" else {}))
    page.get_by_role("button", name=words).click()
    press_play(page)
    expect(page.locator("main.play")).to_be_visible()
    expect(page.get_by_text("Your turn:").or_(result(page)).first).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    assert page.evaluate("document.documentElement.scrollHeight <= screen.height")
    board = "document.querySelector('section.board')"  # what would be wider is cut off and cannot be scrolled to
    assert page.evaluate(f"{board}.scrollWidth <= {board}.clientWidth + 1")
    assert serious(page) == []


def test_a_step_on_the_grid_is_confirmed_or_taken_back(open_page: OpenPage) -> None:
    page = open_page()
    start(page, "on a 5×5 grid", ["Person", "Computer"], "random")
    cell = page.locator("g.cell.open").first
    expect(cell).to_be_visible(timeout=PATIENCE)
    ply = shown_ply(page)
    for put_back in (lambda: page.keyboard.press("Escape"), lambda: cell.locator("rect").click(button="right")):
        cell.locator("rect").click()
        expect(prompt(page)).to_contain_text("again to step there")
        put_back()
        expect(page.locator("g.cell[aria-pressed='true']")).to_have_count(0)
        assert shown_ply(page) == ply
    cell.locator("rect").click()
    cell.locator("rect").click()
    wait_beyond(page, ply)


def test_the_island_comes_near_on_a_phone_where_a_place_is_chosen(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    catan.start(page, players=2)
    catan.wait_for_turn(page)
    island = page.locator("svg[aria-label='Island']")
    page.get_by_role("button", name="Zoom in").tap()
    page.get_by_role("button", name="Zoom in").tap()
    assert float(island.get_attribute("data-zoom") or 0) > 1.5
    page.get_by_role("button", name="Whole map").tap()
    expect(island).to_have_attribute("data-zoom", "1.00")
    ply = shown_ply(page)
    spot = catan.spots(page).first
    for _ in range(2):  # a finger touches a place twice
        spot.locator(".ring").tap(force=True)
    wait_beyond(page, ply)
    assert catan.wait_for_turn(page) == "first roads"
    until(page, "Number(document.querySelector(\"svg[aria-label='Island']\").dataset.zoom) > 1.2")
    box = page.locator("g.spot .ring").first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")


def test_the_map_comes_near_on_a_phone_to_what_is_in_reach(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start(page, LONDON, ["Person", "Computer"], "random")
    reachable = page.locator("g[data-station]")
    expect(reachable.first).to_be_visible(timeout=PATIENCE)
    board = page.get_by_role("region", name="Board").bounding_box()
    assert board is not None
    for station in reachable.all():
        target = station.locator(".hit").bounding_box()
        assert target is not None
        assert min(target["width"], target["height"]) >= 24
        assert board["x"] <= target["x"] + target["width"] / 2 <= board["x"] + board["width"]
        assert board["y"] <= target["y"] + target["height"] / 2 <= board["y"] + board["height"]
    width = "document.querySelector('g[data-station] .disc').getBoundingClientRect().width"
    near = page.evaluate(width)
    page.get_by_role("button", name="Whole map").tap()
    until(page, f"{width} < {near}")


def test_the_map_stays_near_when_the_window_changes_while_it_glides(open_page: OpenPage) -> None:
    page = open_page(moving=True, service_workers="block", **PHONE)
    state = {"ready": False, "playable": True, "progress": 0.4, "text": ""}
    change_tables(page, lambda table: table.update(preparing=state))  # a note below the map makes it smaller
    start(page, LONDON, ["Person", "Computer"], "random")
    expect(page.get_by_text("Preparing Scotland Yard")).to_be_visible()
    expect(page.locator("g[data-station]").first).to_be_visible(timeout=PATIENCE)
    page.wait_for_timeout(1000)  # it glides for a third of a second
    scale = page.evaluate("document.querySelector(\"svg[aria-label='Map of the stations'] > g\").getCTM().a")
    boxes = [thing.bounding_box() for thing in page.locator("g[data-station] .disc, g.pin.active").all()]
    across = max(max(box[side] for box in boxes if box) - min(box[side] for box in boxes if box) for side in ("x", "y"))
    assert scale > 1.4 or across > 150  # as near as all that is in reach allows
