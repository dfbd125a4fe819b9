"""Scotland Yard in the browser: whole games on both sides, on the map and on the grid, and what hands do besides."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.any_table import PATIENCE, PHONE, prompt, result, shown_ply, start, until, wait_beyond
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving

LONDON, GRID = "Hunt Mr. X through London", "on a 5×5 grid"  # words on the games' cards
MR_X, DETECTIVES = ["Person", "Computer"], ["Computer", "Person"]


# --- what people do -------------------------------------------------------------------------


def stations(page: Page) -> Locator:
    """The stations that the piece to move can reach."""
    return page.locator("g[data-station]")


def cells(page: Page) -> Locator:
    """The cells that the piece to move can step to."""
    return page.locator("g.cell.open")


def pawns(page: Page) -> Locator:
    """The detectives that can be chosen, as pins on the map."""
    return page.locator("g[data-detective][role=button]")


def tickets(page: Page) -> Locator:
    """The tickets offered for a station."""
    return page.get_by_role("group", name="Tickets to station").get_by_role("button")


def log(page: Page) -> Locator:
    """The moves in the travel log."""
    return page.get_by_role("list", name="Travel log").locator("li.filled")


def wait_for_turn(page: Page) -> None:
    expect(result(page).or_(stations(page)).or_(cells(page)).or_(pawns(page)).first).to_be_visible(timeout=PATIENCE)


def ride(page: Page, ply: int) -> None:
    """Takes the first ticket if there is a choice; returns when the ride of the ply is on its way."""
    gone = page.locator(f"main.play:not([data-ply='{ply}'])")
    expect(tickets(page).or_(gone).or_(page.get_by_role("button", name="I am")).first).to_be_visible(timeout=PATIENCE)
    if tickets(page).count():
        tickets(page).first.click()


def go(page: Page) -> None:
    """Goes to a station that can be reached, with the first ticket that leads there."""
    ply = shown_ply(page)
    stations(page).first.locator(".disc").click(force=True)  # a pin may stand before it
    ride(page, ply)


def play_a_move(page: Page, choice: int = 0) -> None:
    ply = shown_ply(page)
    if pawns(page).count():
        pawns(page).first.locator(".body").click(force=True)
    elif cells(page).count():
        cell = cells(page).nth(choice % cells(page).count())
        cell.locator("rect").click()
        expect(cell).to_have_attribute("aria-pressed", "true")  # one slip is not final
        cell.locator("rect").click()
    else:
        stations(page).nth(choice % stations(page).count()).press("Enter")
        ride(page, ply)
    wait_beyond(page, ply)


def play_to_the_end(page: Page) -> int:
    """Plays until the result is shown; returns the number of own decisions."""
    for played in range(400):
        wait_for_turn(page)
        if result(page).count():
            return played
        play_a_move(page, played)
    raise AssertionError("The game does not end.")


# --- whole games ------------------------------------------------------------------------------


def test_a_whole_game_as_the_detectives(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = start(page, LONDON, DETECTIVES, detectives=2)
    wait_for_turn(page)
    expect(prompt(page)).to_contain_text("choose the detective who moves next")
    expect(page.get_by_label("Mr. X at station")).to_have_count(0)  # he has not shown himself
    assert play_to_the_end(page) > 8
    ended = serving.get(f"/tables/{table}")["result"]
    expect(result(page)).to_contain_text("escaped" if ended["returns"][0] > 0 else "caught")
    moves = serving.get(f"/tables/{table}/view")["position"]["moves"]
    expect(log(page)).to_have_count(moves)
    expect(page.get_by_label("Mr. X at station")).to_have_count(1)


def test_a_whole_game_as_mr_x_with_a_double_move_and_a_black_ticket(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = start(page, LONDON, MR_X, detectives=1, max_rounds=8)
    wait_for_turn(page)
    page.get_by_role("button", name="Double move").click()
    expect(prompt(page)).to_contain_text("make the first move of two")
    ply = shown_ply(page)
    first = stations(page).first.get_attribute("data-station")
    stations(page).first.press("Enter")
    expect(prompt(page)).to_contain_text(f"go to station {first} by")
    tickets(page).filter(has_text="Black ticket").click()
    wait_beyond(page, ply)
    expect(prompt(page)).to_contain_text("make the second move of two")
    expect(page.get_by_label(f"Mr. X at station {first}, unseen")).to_be_visible()
    expect(log(page)).to_have_count(1)
    expect(log(page).first).to_contain_text("black ticket")
    assert play_to_the_end(page) >= 1
    position = serving.get(f"/tables/{table}/view")["position"]
    expect(log(page)).to_have_count(position["moves"])
    assert position["mr_x"]["tickets"]["black"] == 4
    assert position["mr_x"]["tickets"]["double"] == 1
    for entry in position["log"]:
        if entry["station"] is not None:
            expect(log(page).nth(entry["move"] - 1)).to_contain_text(f"seen at {entry['station']}")


@pytest.mark.parametrize("kinds", [MR_X, DETECTIVES], ids=["Mr. X", "detectives"])
def test_a_whole_game_on_the_grid(open_page: OpenPage, serving: Serving, kinds: list[str]) -> None:
    page = open_page()
    table = start(page, GRID, kinds)
    wait_for_turn(page)
    assert play_to_the_end(page) >= 1  # Mr. X is not caught before his first move
    position = serving.get(f"/tables/{table}/view")["position"]
    assert position["winner"] in ("mr_x", "detectives")
    expect(log(page)).to_have_count(position["moves"])
    expect(page.get_by_label("Mr. X at ")).to_have_count(1)


# --- hands ------------------------------------------------------------------------------------


def test_the_sheet_of_tickets_can_be_put_away(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, MR_X)
    wait_for_turn(page)
    ply = shown_ply(page)
    for put_away in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(30, 400, button="right")):
        stations(page).first.press("Enter")
        expect(tickets(page).first).to_be_focused()
        put_away()
        expect(tickets(page)).to_have_count(0)
        expect(prompt(page)).to_contain_text("choose where Mr. X goes")
    assert shown_ply(page) == ply


def test_a_ticket_can_be_taken_first(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, MR_X)
    wait_for_turn(page)
    everywhere = stations(page).count()
    bar = page.get_by_role("group", name="Tickets to use")
    bar.get_by_role("button", name="Taxi").click()
    expect(prompt(page)).to_contain_text("choose where to go by taxi")
    assert stations(page).count() <= everywhere
    page.keyboard.press("Escape")
    expect(stations(page)).to_have_count(everywhere)
    bar.get_by_role("button", name="Black").click()
    ply = shown_ply(page)
    stations(page).first.press("Enter")  # one ticket is left: no question
    wait_beyond(page, ply)
    expect(log(page).first).to_contain_text("black ticket")


def test_a_station_out_of_reach_says_why(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, MR_X)
    wait_for_turn(page)
    reached = {target.get_attribute("data-station") for target in stations(page).all()}
    far = next(station for station in ("1", "7", "190", "175") if station not in reached)
    page.locator(f"g[data-stop='{far}'] .disc").click(force=True)
    expect(page.locator(".toast")).to_contain_text("SY-23")


def test_possible_stations_are_an_overlay(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = start(page, LONDON, DETECTIVES)
    wait_for_turn(page)
    possible = serving.get(f"/tables/{table}/view")["position"]["possible"]
    switch = page.get_by_role("switch", name=f"Show the {len(possible)} station")
    expect(page.locator(".fog .ring")).to_have_count(0)
    switch.check(force=True)
    expect(page.locator(".fog .ring")).to_have_count(len(possible))
    page.reload()
    expect(page.locator(".fog .ring")).to_have_count(len(possible))  # the page remembers
    switch.uncheck(force=True)
    expect(page.locator(".fog .ring")).to_have_count(0)


def test_keyboard_only(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, DETECTIVES)
    for _ in range(3):
        wait_for_turn(page)
        ply = shown_ply(page)
        if not page.evaluate("document.activeElement?.matches('g[role=button]')"):
            page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement?.matches('g[role=button], [data-choose]')")
        page.keyboard.press("Enter")
        expect(tickets(page).or_(page.locator(f"main.play:not([data-ply='{ply}'])")).first).to_be_visible()
        if tickets(page).count():
            expect(tickets(page).first).to_be_focused()
            page.keyboard.press("Enter")
        wait_beyond(page, ply)


def test_the_map_can_be_moved_and_zoomed(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, MR_X)
    wait_for_turn(page)
    ply = shown_ply(page)
    drawing = page.get_by_role("group", name="Map of the stations").locator("> g")
    whole = str(drawing.get_attribute("transform"))
    page.mouse.move(400, 400)
    page.mouse.wheel(0, -600)
    expect(drawing).not_to_have_attribute("transform", whole)
    near = str(drawing.get_attribute("transform"))
    page.mouse.down()
    page.mouse.move(330, 330, steps=4)
    page.mouse.up()
    expect(drawing).not_to_have_attribute("transform", near)
    page.get_by_role("button", name="Whole map").click()
    expect(drawing).to_have_attribute("transform", whole)
    assert shown_ply(page) == ply  # nothing was played by moving the map


def test_on_a_phone_a_finger_is_asked_before_every_ride(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    start(page, LONDON, DETECTIVES)
    wait_for_turn(page)
    ply = shown_ply(page)
    page.locator("button[data-choose]").first.tap()
    wait_beyond(page, ply)
    wait_for_turn(page)
    ply = shown_ply(page)
    stations(page).first.locator(".disc").tap(force=True)
    expect(tickets(page).first).to_be_visible()
    assert shown_ply(page) == ply
    tickets(page).first.tap()
    wait_beyond(page, ply)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    assert page.evaluate("document.documentElement.scrollHeight <= screen.height")


def test_a_curtain_protects_mr_x_at_one_screen(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, ["Person", "Person"], detectives=1)
    page.get_by_role("button", name="Go on as").click()
    wait_for_turn(page)
    expect(page.get_by_label("Mr. X at station")).to_have_count(1)
    go(page)
    expect(page.get_by_role("button", name="Go on as")).to_be_visible()
    expect(page.get_by_label("Mr. X at station")).to_have_count(0)
    page.get_by_role("button", name="Go on as").click()
    wait_for_turn(page)
    expect(page.get_by_label("Mr. X at station")).to_have_count(0)
    expect(page.get_by_label("detective 1 at station")).to_have_count(1)


def test_pieces_travel_along_their_lines(open_page: OpenPage) -> None:
    page = open_page(moving=True)
    start(page, LONDON, DETECTIVES, detectives=1)
    expect(stations(page).first).to_be_visible(timeout=PATIENCE)
    page.evaluate(
        """() => {
          const look = () => {
            window.travelled ||= document.getAnimations().some(({ effect }) => effect?.target?.matches?.("g.pin"));
            requestAnimationFrame(look); // a short journey is not missed
          };
          look();
        }"""
    )
    go(page)
    until(page, "window.travelled")
    page.keyboard.press("Space")
    wait_for_turn(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", [LONDON, GRID], ids=["London", "grid"])
def test_axe_finds_nothing_serious(open_page: OpenPage, scheme: str, game: str) -> None:
    page = open_page(color_scheme=scheme)
    start(page, game, MR_X)
    wait_for_turn(page)
    if game == LONDON:
        stations(page).first.press("Enter")
        expect(tickets(page).first).to_be_visible()
    assert serious(page) == []
