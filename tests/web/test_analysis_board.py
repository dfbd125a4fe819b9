"""The review as an analysis board: the best line at every decision, playing on, notes, longer looks, brought games."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web import azul
from tests.web.any_table import PATIENCE, PHONE, until
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


@pytest.fixture(scope="module")
def reviewed(serving: Serving) -> tuple[str, dict[str, Any]]:
    """A finished game whose review is complete, for all these flows."""
    table = serving.finished_game(7, rounds=1)
    for _ in range(600):
        review = serving.get_review(table)
        if review["complete"]:
            return table, review
    raise AssertionError("The review does not end.")


def panel(page: Page) -> Any:
    return page.get_by_role("region", name="How the game went")


def look_at(page: Page, table: str, ply: int) -> None:
    page.goto(f"/table/{table}?ply={ply}")
    until(page, f"document.querySelector('main.play')?.dataset.ply == {ply}")
    button = page.get_by_role("button", name="How did it go?")
    expect(button.or_(page.get_by_role("group", name="Evaluation curve")).first).to_be_visible(timeout=PATIENCE)
    if button.count():
        button.click()
    expect(page.get_by_role("group", name="Evaluation curve")).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_decision_shows_the_best_move_its_line_and_why(
    open_page: OpenPage, reviewed: tuple[str, dict[str, Any]], scheme: str
) -> None:
    table, review = reviewed
    page = open_page(color_scheme=scheme)
    decision = next(one for one in review["decisions"] if one["better"]["reasons"] and len(told(one["better"])) > 1)
    look_at(page, table, decision["ply"])
    expect(panel(page)).to_contain_text(re.compile("Better:|played the best move"))
    expect(panel(page).locator("[data-line]")).to_contain_text(told(decision["better"])[1])
    expect(panel(page).locator("[data-points]").first).to_contain_text("at the end")
    expect(panel(page).locator("[data-reason]")).to_have_count(len(decision["better"]["reasons"]))
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollHeight <= screen.height")
    page.get_by_role("button", name="Think longer").click()
    expect(page.get_by_role("button", name="Looked at longer")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="To the end").click()
    expect(panel(page)).to_contain_text("one standard error")  # thresholds and doubt are stated


def told(move: dict[str, Any]) -> list[str]:
    """A line in sentences, those of the names at the table."""
    return [event["sentence"] for play in move["plays"] for event in play["events"] if event["sentence"]]


def test_an_entry_shows_its_own_decision_and_the_answer_to_it(
    open_page: OpenPage, reviewed: tuple[str, dict[str, Any]]
) -> None:
    table, review = reviewed
    other = [one for one in review["decisions"] if one["played"]["action"] != one["better"]["action"]]
    decision = next(one for one in other if len(told(one["played"])) > 1)
    page = open_page(f"/table/{table}")
    page.get_by_role("button", name="How did it go?").click()
    expect(page.get_by_role("table", name="How well everybody played")).to_be_visible(timeout=PATIENCE)
    entries = page.get_by_role("list", name="Move list").get_by_role("button")
    entries.filter(has_text=told(decision["played"])[0]).first.click()
    until(page, f"document.querySelector('main.play')?.dataset.ply == {decision['ply']}")
    name = ("Ada", "Bea")[decision["seat"]]
    expect(panel(page)).to_contain_text(f"{name} played:")
    expect(panel(page).locator("[data-answer]")).to_contain_text(told(decision["played"])[1])
    current = page.get_by_role("list", name="Move list").locator("[aria-current=true]")
    expect(current).to_contain_text(told(decision["played"])[0])


@pytest.mark.parametrize("wishes", [{}, {**PHONE, "color_scheme": "dark"}], ids=["desktop", "phone"])
def test_any_other_move_is_tried_on_the_board(
    open_page: OpenPage, serving: Serving, reviewed: tuple[str, dict[str, Any]], wishes: dict[str, Any]
) -> None:
    table, review = reviewed
    page = open_page(**wishes)
    decision = review["decisions"][0]
    look_at(page, table, decision["ply"])
    page.get_by_role("button", name="Try another move").click()
    tried = panel(page).locator("[data-tried]")
    expect(tried).to_contain_text("Make any move on the board")
    expect(page.locator("p.prompt")).to_contain_text(("Ada", "Bea")[decision["seat"]])
    azul.take(page, azul.sources(page).count() - 1)
    page.locator("g.floor.open .cell").first.click()  # the worst that can be done with tiles
    expect(tried).to_have_attribute("data-tried", re.compile("inaccuracy|mistake|blunder|open"), timeout=PATIENCE)
    expect(tried).to_contain_text("You tried:")
    expect(tried).to_contain_text("at the end")
    expect(tried.locator("[data-behind]")).to_contain_text("points of chance more")
    expect(tried.locator("[data-answer]")).to_contain_text(("Bea", "Ada")[decision["seat"]])
    assert serious(page) == []
    azul.take(page)  # the position is still there
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Try another move")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")


def test_luck_and_decisions_add_up_and_lead_to_their_moves(
    open_page: OpenPage, reviewed: tuple[str, dict[str, Any]]
) -> None:
    table, _ = reviewed
    page = open_page(f"/table/{table}")
    page.get_by_role("button", name="How did it go?").click()
    ways = panel(page).locator("[data-side]")
    expect(ways).to_have_count(2, timeout=PATIENCE)
    way = ways.first
    way.locator("summary").click()
    start, result = re.findall(r"\d+", way.locator(".from").inner_text())
    parts = [way.locator(f"[data-part={part}] b").inner_text() for part in ("luck", "own", "others")]
    sums = [int(part.replace("±", "").replace("−", "-")) for part in parts]
    assert abs(sum(sums) - (int(result) - int(start))) <= 3  # each is rounded
    assert sums[1] <= 0 <= sums[2]
    dear = way.locator("[data-dear]").first
    ply = dear.get_attribute("data-dear")
    dear.click()
    until(page, f"document.querySelector('main.play')?.dataset.ply == {ply}")
    expect(panel(page)).to_contain_text("Better:")


def test_one_plays_on_from_any_position(open_page: OpenPage, serving: Serving, reviewed: tuple[str, Any]) -> None:
    table, review = reviewed
    ply = review["decisions"][2]["ply"]
    page = open_page()
    look_at(page, table, ply)
    form = page.get_by_role("form", name="Play on from here")
    form.get_by_label("against").select_option("easy")
    form.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(re.compile(rf"/table/(?!{table})"))
    azul.wait_for_turn(page)
    again = page.url.rsplit("/", 1)[1]
    keys = page.evaluate("JSON.parse(localStorage.getItem('ludens.tables'))")[again]
    found = serving.get(f"/tables/{again}", keys["owner"])
    assert {seat["kind"] for seat in found["seats"]} == {"human", "agent"}
    assert found["private"]
    steps = page.get_by_role("list", name="Move list").get_by_role("button")
    expect(steps.nth(1)).to_be_attached()  # what was played before is there to look at
    azul.play_a_move(page)


def test_notes_stay_and_go_along_with_link_and_file(
    open_page: OpenPage, reviewed: tuple[str, Any], tmp_path: Path
) -> None:
    table, review = reviewed
    ply = review["decisions"][1]["ply"]
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    look_at(page, table, ply)
    page.get_by_label("Note on this position").fill("Too greedy: žlutá would do")
    page.reload()
    expect(page.get_by_label("Note on this position")).to_have_value("Too greedy: žlutá would do")
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("clipboard")
    friend = open_page(page.evaluate("navigator.clipboard.readText()"))
    expect(friend.get_by_label("Note on this position")).to_have_value("Too greedy: žlutá would do")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / "game.json"
    download.value.save_as(file)
    assert json.loads(file.read_text(encoding="utf-8"))["notes"] == {str(ply): "Too greedy: žlutá would do"}
    other = open_page()
    with other.expect_file_chooser() as chooser:
        other.get_by_role("button", name="Open a saved game").click()
    chooser.value.set_files(file)
    other.wait_for_url("**/table/*")
    notes = other.get_by_role("list", name="Notes")
    expect(notes).to_contain_text("Too greedy")
    notes.get_by_role("button").click()
    until(other, f"document.querySelector('main.play')?.dataset.ply == {ply}")
    other.get_by_role("button", name="How did it go?").click()  # a game that was brought is reviewed as well
    expect(panel(other)).to_contain_text(re.compile("Better:|played the best move"), timeout=PATIENCE)


def test_the_review_fits_a_phone(open_page: OpenPage, reviewed: tuple[str, Any]) -> None:
    table, review = reviewed
    page = open_page(**PHONE)
    look_at(page, table, review["decisions"][1]["ply"])
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    assert page.evaluate("document.documentElement.scrollHeight <= screen.height")
    assert serious(page) == []
