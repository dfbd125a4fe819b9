"""Hints while playing, and the curve of a finished game with its turning points."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web import azul
from tests.web.any_table import PATIENCE, PHONE, press_play, shown_ply, until, wait_beyond
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import ADMIN, Serving


def ask(page: Page) -> None:
    """Asks for hints by the button and waits for them."""
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.get_by_role("region", name="Hints")).to_be_visible(timeout=PATIENCE)


def moves_of(page: Page) -> Any:
    return page.get_by_role("region", name="Hints").get_by_role("button")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hints_are_listed_drawn_and_played(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    expect(page.locator("[data-hint]")).to_have_count(0)
    ask(page)
    expect(moves_of(page)).to_have_count(5)
    expect(moves_of(page).first).to_contain_text("from")
    expect(moves_of(page).first).to_contain_text("%")
    for rank in range(1, 6):  # at the tiles and at their place
        expect(page.locator(f"g[data-hint='{rank}']")).to_have_count(2)
    expect(page.locator("g[data-hint='1'].focused")).to_have_count(2)
    moves_of(page).nth(2).hover()
    expect(page.locator("g[data-hint='3'].focused")).to_have_count(2)
    expect(page.locator("g[data-hint='1'].focused")).to_have_count(0)
    assert serious(page) == []
    words = moves_of(page).nth(2).locator(".what").inner_text()
    ply = shown_ply(page)
    moves_of(page).nth(2).click()
    wait_beyond(page, ply)
    expect(page.locator("[data-hint]")).to_have_count(0)
    expect(page.get_by_role("list", name="Move list")).to_contain_text(words.split(" to ")[0], ignore_case=True)


def test_the_key_h_shows_and_hides_hints(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    page.keyboard.press("h")
    expect(page.get_by_role("region", name="Hints")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("h")
    expect(page.get_by_role("region", name="Hints")).to_have_count(0)
    azul.play_a_move(page)  # the board is as usual
    azul.wait_for_turn(page)
    expect(page.locator("[data-hint]")).to_have_count(0)


def test_a_finger_shows_a_move_before_it_plays_it(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    azul.start(page, ["Person", "Computer"])
    azul.wait_for_turn(page)
    page.get_by_role("button", name="Hint", exact=True).tap()
    expect(page.get_by_role("region", name="Hints")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("document.documentElement.scrollHeight <= screen.height")
    ply = shown_ply(page)
    moves_of(page).nth(1).tap()
    expect(page.locator("g[data-hint='2'].focused")).to_have_count(2)
    assert shown_ply(page) == ply
    moves_of(page).nth(1).tap()
    wait_beyond(page, ply)


def test_a_table_without_hints_has_none(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    azul.set_table(page, ["Person", "Computer"])
    page.get_by_label("Hints allowed").uncheck()
    table = press_play(page)
    assert serving.get(f"/tables/{table}")["hints"] is False
    azul.wait_for_turn(page)
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    page.keyboard.press("h")
    page.wait_for_timeout(300)
    expect(page.get_by_role("region", name="Hints")).to_have_count(0)


def test_hints_stand_beside_the_moves_of_a_game_without_a_board(open_page: OpenPage, serving: Serving) -> None:
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "agent", "agent": "random"}]
    made = serving.post("/tables", {"game": "pig", "seats": seats})
    page = open_page()
    sit(page, made)
    ask(page)
    first = page.locator(".hint[data-hint='1']")
    expect(first).to_contain_text("%")
    assert moves_of(page).first.locator(".what").inner_text().lower() in first.locator("..").inner_text().lower()


def sit(page: Page, made: dict[str, Any]) -> None:
    """Opens a table that was made elsewhere, with its keys."""
    seats = {str(given["seat"]): given["token"] for given in made["tokens"]}
    keys = {made["table"]["id"]: {"seats": seats, "owner": made["owner_token"], "touched": 1}}
    page.evaluate("(keys) => localStorage.setItem('ludens.tables', keys)", json.dumps(keys))
    page.goto(f"/table/{made['table']['id']}")


def careless_game(serving: Serving) -> dict[str, Any]:
    """A short game of Azul, always the same, in which both play anything at all: there is something to regret."""
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bea"}]
    wish = {"game": "azul", "seats": seats, "options": {"round_limit": 2}, "seed": 5}
    made = serving.post("/tables", wish, ADMIN)
    table, tokens = made["table"]["id"], {given["seat"]: given["token"] for given in made["tokens"]}
    luck = random.Random(5)
    for number in range(200):
        seat = serving.get(f"/tables/{table}")["actor"]
        if seat is None:
            return dict(made)
        headers = {"Authorization": f"Bearer {tokens[seat]}"}
        view = httpx.get(f"{serving.address}/api/v1/tables/{table}/view", headers=headers, timeout=120).json()
        move = luck.choice(view["legal"])["id"]
        serving.post(f"/tables/{table}/moves", {"id": f"m{number}", "ply": view["ply"], "move": move}, tokens[seat])
    raise AssertionError("The game does not end.")


def test_the_curve_of_a_game_leads_to_its_turning_points(open_page: OpenPage, serving: Serving) -> None:
    made = careless_game(serving)
    page = open_page()
    sit(page, made)
    panel = page.get_by_role("region", name="How the game went")
    expect(panel).to_contain_text("Chances to win", timeout=PATIENCE)
    turns = panel.locator("[data-turn]")
    expect(turns.first).to_be_visible()
    assert serious(page) == []
    ply = int(turns.first.get_attribute("data-turn") or 0)
    turns.first.focus()
    page.keyboard.press("Enter")
    until(page, f"document.querySelector('main.play')?.dataset.ply == {ply}")
    expect(panel).to_contain_text("played:")
    expect(panel).to_contain_text("Better:")
    expect(page.locator("g[data-hint='1']")).to_have_count(2)  # drawn on the board, too
    expect(page.locator("g[data-hint='2']")).to_have_count(2)
    assert serious(page) == []
    decisions = serving.get(f"/tables/{made['table']['id']}/review")["decisions"]
    middle = len(decisions) // 2
    box = panel.get_by_role("group", name="Evaluation curve").bounding_box()
    assert box is not None
    edge = 8  # on both sides of the line, which ends with the result
    across = edge + (box["width"] - 2 * edge) * middle / len(decisions)
    page.mouse.click(box["x"] + across, box["y"] + 3)
    until(page, f"document.querySelector('main.play')?.dataset.ply == {decisions[middle]['ply']}")


def test_moves_are_graded_and_luck_is_told_from_play(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    sit(page, careless_game(serving))
    table = page.get_by_role("table", name="How well everybody played")
    expect(table).to_be_visible(timeout=PATIENCE)
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(2)
    blunders = sum(int(text) for text in rows.locator("[data-count='blunder']").all_inner_texts())
    assert blunders > 0  # both played anything at all
    moves = page.get_by_role("list", name="Move list")
    expect(moves.locator("b.blunder")).to_have_count(blunders)
    lucks = [int(text.replace("−", "-").replace("±", "")) for text in rows.locator("[data-luck]").all_inner_texts()]
    assert abs(sum(lucks)) <= 1  # what is luck for one is none for the other
    assert all(text.startswith("−") for text in rows.locator("[data-play]").all_inner_texts())
    assert serious(page) == []


def test_a_stranger_asks_for_the_curve(open_page: OpenPage, serving: Serving) -> None:
    page = open_page(f"/table/{serving.finished_game(4)}")
    page.get_by_role("button", name="How did it go?").click()
    expect(page.get_by_role("region", name="How the game went")).to_contain_text("Chances to win", timeout=PATIENCE)
    expect(page.get_by_role("group", name="Evaluation curve")).to_be_visible()
