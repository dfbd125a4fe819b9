"""Azul in the browser: whole games by clicks, and what hands do besides."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web import azul
from tests.web.any_table import film_until, prompt, result, shown_ply, stop_the_film, until, wait_beyond
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


@pytest.mark.parametrize(
    ("players", "wall"), [(2, "Coloured"), (4, "Coloured"), (2, "Grey")], ids=["two", "four", "grey wall"]
)
def test_a_whole_game_by_clicks_against_computers(
    open_page: OpenPage, serving: Serving, players: int, wall: str
) -> None:
    page = open_page()
    table = azul.start(page, ["Person"] + ["Computer"] * (players - 1), wall)
    columns = 0
    expect(page.get_by_role("group", name="Factory 1:")).to_be_visible()
    if wall == "Grey":
        columns = _count_column_choices(page)
    assert azul.play_to_the_end(page) + columns > 10
    scores = serving.get(f"/tables/{table}")["result"]["scores"]
    rows = result(page).locator("tbody tr")
    expect(rows).to_have_count(players)
    assert sorted(float(text) for text in rows.locator("td.points").all_text_contents()) == sorted(scores)
    expect(page.get_by_role("columnheader", name="Bonus")).to_be_visible()
    expect(prompt(page)).to_contain_text("victory", ignore_case=True)
    assert wall != "Grey" or columns > 0


def _count_column_choices(page: Page) -> int:
    """Plays the first rounds of the grey wall until a column has been chosen on the wall."""
    for _ in range(60):
        azul.wait_for_turn(page)
        if azul.column_cells(page).count():
            expect(prompt(page)).to_contain_text("choose a column")
            row = page.locator("g.cell.open").first.get_attribute("data-cell")
            azul.column_cells(page).first.click()
            expect(page.locator(f"g.cell[data-cell='{row}'] use")).to_have_count(1)
            return 1
        azul.play_a_move(page)
    return 0


def test_tiles_follow_the_cursor_and_go_back(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    hand = page.locator("[data-hand]")
    for put_back in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(640, 500, button="right")):
        azul.take(page)
        expect(prompt(page)).to_contain_text("put the")
        page.mouse.move(600, 400)
        box = hand.bounding_box()
        assert box is not None
        assert abs(box["x"] - 600) < 40
        assert abs(box["y"] - 400) < 40
        ply = shown_ply(page)
        put_back()
        expect(hand).to_have_count(0)
        expect(prompt(page)).to_contain_text("take one colour")
        assert shown_ply(page) == ply


def test_an_illegal_target_says_why_and_the_tiles_go_back(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    azul.take(page)
    page.locator("[data-line='0'].open .cell").click()  # one tile fills it
    wait_beyond(page, ply)
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    azul.take(page)
    page.locator("[data-line='0'] .cell").click(force=True)  # it says that it is not possible, but answers
    expect(page.locator(".toast")).to_contain_text("Pattern line 1")
    expect(page.locator("[data-hand]")).to_have_count(0)
    azul.wait_for_turn(page)
    assert shown_ply(page) == ply


def test_a_double_click_plays_once(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = azul.start(page, ["Person", "Person"])
    azul.wait_for_turn(page)
    before = serving.get(f"/tables/{table}/view")["ply"]
    azul.take(page)
    azul.open_targets(page).first.dblclick()
    wait_beyond(page, before)
    page.wait_for_timeout(300)
    assert serving.get(f"/tables/{table}/view")["ply"] == before + 1


def test_reload_in_the_middle_of_a_game(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.play_a_move(page)
    azul.wait_for_turn(page)
    ply, moves = shown_ply(page), page.get_by_role("region", name="Moves").locator("li").count()
    assert moves > 0
    page.reload()
    azul.wait_for_turn(page)
    assert shown_ply(page) == ply
    expect(page.get_by_role("region", name="Moves").locator("li")).to_have_count(moves)
    azul.play_a_move(page)


def test_take_back_resign_and_rematch(open_page: OpenPage) -> None:
    page = open_page()
    table = azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    azul.play_a_move(page)
    azul.wait_for_turn(page)
    page.get_by_role("button", name="Undo").click()
    until(page, f"document.querySelector('main.play')?.dataset.ply == {ply}")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(result(page)).to_contain_text("resigned")
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/table/" in url and table not in url)
    azul.wait_for_turn(page)


def test_the_film_can_be_watched_and_skipped(open_page: OpenPage) -> None:
    page = open_page(moving=True)
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    stop_the_film(page)
    busy = page.locator("main.play[data-busy='true']")
    ours_or_points = "document.querySelector('g.tiles.enabled use, text.points')"
    azul.take(page)
    azul.open_targets(page).first.click()
    expect(busy).to_be_visible()
    expect(page.locator(".flight").first).to_be_attached()
    page.keyboard.press("Space")
    for _ in range(20):  # until the wall is tiled, where points rise
        film_until(page, ours_or_points)
        if page.locator("text.points").count():
            break
        azul.take(page)
        azul.open_targets(page).first.click()
        expect(busy).to_be_visible()
    expect(page.locator("text.points").first).to_have_text("+1")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("text.points")).to_have_count(0)
    page.clock.resume()
    azul.wait_for_turn(page)


def test_a_click_on_the_wall_with_tiles_in_the_hand_says_why_not(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    azul.take(page)
    page.locator("[data-cell='2 2']").click()
    expect(page.get_by_text("the wall is tiled when all tiles are taken")).to_be_visible()
    expect(azul.open_targets(page)).to_have_count(0)  # AZ-82: they are back
    assert shown_ply(page) == ply
    azul.play_a_move(page)


def test_by_hand_every_turn_and_every_tile_waits_for_somebody(open_page: OpenPage) -> None:
    page = open_page()
    page.evaluate("localStorage.setItem('ludens.settings', JSON.stringify({pace: 'hand'}))")
    page.reload()
    azul.start(page, ["Person", "Computer"])
    go_on, told = page.get_by_role("button", name="Go on"), []

    def until_our_turn() -> None:
        """Ends every turn that is shown, by a press anywhere, a key or the button."""
        for number in range(400):
            expect(go_on.or_(azul.sources(page)).or_(azul.column_cells(page)).first).to_be_visible()
            if not go_on.count():
                return
            told.append(prompt(page).inner_text())
            if number % 3 == 0:
                go_on.click()
            elif number % 3 == 1:
                page.locator("section.board").click(position={"x": 5, "y": 5})
            else:
                page.keyboard.press("Enter")

    until_our_turn()
    before = shown_ply(page)
    azul.take(page)
    azul.open_targets(page).first.click()
    expect(go_on).to_be_visible()  # the own turn is shown until it is ended
    assert shown_ply(page) == before + 1
    page.wait_for_timeout(1500)  # longer than any film shows it
    assert shown_ply(page) == before + 1
    until_our_turn()
    assert sum("takes" in words for words in told) >= 2  # ours and the other's
    for _ in range(12):
        if any(" at row " in words for words in told):
            break
        azul.take(page)
        azul.open_targets(page).first.click()
        expect(go_on).to_be_visible()
        until_our_turn()
    assert any(" at row " in words for words in told), told  # every tile on its way to the wall waited, too
