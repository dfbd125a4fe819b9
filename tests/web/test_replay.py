"""Looking back: every way through a finished game, its link and its file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web import azul
from tests.web.any_table import film_until, prompt, result, shown_ply, stop_the_film, until, wait_beyond
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


def ply_is(page: Page, ply: int) -> None:
    until(page, f"document.querySelector('main.play')?.dataset.ply == {ply}")


def press(page: Page, name: str) -> None:
    page.get_by_role("group", name="Replay").get_by_role("button", name=name, exact=True).click()


def test_first_previous_next_last_play_and_jump(open_page: OpenPage, serving: Serving) -> None:
    table = serving.finished_game()
    newest = serving.get(f"/tables/{table}/view")["ply"]
    page = open_page()
    page.get_by_role("link", name=f"Replay: Azul, {table}").click()
    ply_is(page, 0)
    expect(prompt(page)).to_contain_text("earlier position")
    press(page, "Next")
    ply_is(page, 21)  # who starts, and twenty tiles
    press(page, "Next")
    ply_is(page, 22)
    press(page, "Previous")
    ply_is(page, 21)
    page.keyboard.press("ArrowRight")
    ply_is(page, 22)
    press(page, "Last")
    ply_is(page, newest)
    press(page, "First")
    ply_is(page, 0)
    moves = page.get_by_role("list", name="Move list").get_by_role("button")
    moves.nth(3).click()
    ply_is(page, 24)
    expect(page).to_have_url(re.compile(r"\?ply=24$"))
    expect(result(page)).to_have_count(0)
    press(page, "Play the moves")
    wait_beyond(page, 24)
    press(page, "Pause")
    page.get_by_role("button", name=re.compile("^(Back to the game|To the end)$")).click()
    ply_is(page, newest)
    expect(result(page)).to_be_visible()


def test_a_shared_link_opens_the_same_position(open_page: OpenPage, serving: Serving) -> None:
    table = serving.finished_game(2)
    page = open_page(f"/table/{table}?ply=30", permissions=["clipboard-read", "clipboard-write"])
    ply_is(page, 30)
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("clipboard")
    shared = page.evaluate("navigator.clipboard.readText()")
    other = open_page(shared)
    ply_is(other, 30)


def test_a_finished_game_is_downloaded(open_page: OpenPage, serving: Serving, tmp_path: Path) -> None:
    table = serving.finished_game(3)
    page = open_page(f"/table/{table}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / "game.json"
    download.value.save_as(file)
    saved = json.loads(file.read_text())
    assert saved["seed"] == 3
    assert saved["log"]


def test_a_saved_game_is_opened_from_its_file(open_page: OpenPage, serving: Serving, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(serving.get(f"/tables/{serving.finished_game(3, rounds=1)}/game")))
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a saved game").click()
    chooser.value.set_files(file)
    ply_is(page, 0)
    press(page, "Next")
    ply_is(page, 21)
    page.get_by_role("button", name=re.compile("^(Back to the game|To the end)$")).click()
    expect(result(page)).to_be_visible()
    page.get_by_role("button", name="How did it go?").click()  # a game of elsewhere is reviewed too
    expect(page.get_by_role("table", name="How well everybody played").locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("clipboard")
    other = open_page(page.evaluate("navigator.clipboard.readText()"))  # it is not listed: the link lets in
    expect(result(other)).to_be_visible()


def test_a_file_that_is_no_saved_game_is_refused(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    (tmp_path / "letter.json").write_text("Dear Ada")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a saved game").click()
    chooser.value.set_files(tmp_path / "letter.json")
    expect(page.locator(".toast")).to_contain_text("not a saved game")
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()


def test_every_way_to_the_newest_position_continues_the_game(open_page: OpenPage) -> None:
    page = open_page()
    azul.start(page, ["Person", "Computer"])
    azul.play_a_move(page)
    azul.wait_for_turn(page)
    ply = shown_ply(page)
    moves = page.get_by_role("list", name="Move list").get_by_role("button")
    box = page.get_by_role("region", name="Board").bounding_box()
    assert box is not None
    ways: dict[str, Callable[[], None]] = {
        "bar": lambda: page.get_by_role("button", name="Back to the game").click(),
        "last": lambda: press(page, "Last"),
        "next": lambda: press(page, "Next"),
        "end": lambda: page.keyboard.press("End"),
        "escape": lambda: page.keyboard.press("Escape"),
        "newest move": lambda: moves.last.click(),
        "board": lambda: page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2),
    }
    for way in ways.values():
        press(page, "Previous")
        expect(prompt(page)).to_contain_text("earlier position")
        expect(azul.sources(page)).to_have_count(0)
        way()
        expect(prompt(page)).to_contain_text("Your turn")
        expect(page).not_to_have_url(re.compile("ply="))
        assert shown_ply(page) == ply
        expect(page.get_by_role("button", name="Back to the game")).to_have_count(0)
    azul.play_a_move(page)


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_what_is_taken_back_while_it_is_looked_at_leads_back_to_the_game(
    open_page: OpenPage, serving: Serving, where: str
) -> None:
    page = open_page()
    table = azul.start(page, ["Person", "Computer"])
    azul.play_a_move(page)
    azul.wait_for_turn(page)
    before = shown_ply(page)
    azul.play_a_move(page)
    azul.wait_for_turn(page)
    press(page, "Previous")
    expect(prompt(page)).to_contain_text("earlier position")
    if where == "here":
        page.get_by_role("button", name="Undo").click()
    else:
        keys = page.evaluate("JSON.parse(localStorage.getItem('ludens.tables'))")[table]["seats"]
        serving.post(f"/tables/{table}/undo", {"ply": serving.get(f"/tables/{table}/view")["ply"]}, keys["0"])
    ply_is(page, before)
    azul.play_a_move(page)


def points_of(page: Page) -> list[str]:
    return [text.split()[-1] for text in page.get_by_role("list", name="Players").locator("b").all_inner_texts()]


def test_points_follow_the_position_that_is_shown(open_page: OpenPage, serving: Serving) -> None:
    table = serving.finished_game(2)
    scores = [str(int(score)) for score in serving.get(f"/tables/{table}")["result"]["scores"]]
    page = open_page(f"/table/{table}?ply=0")
    ply_is(page, 0)
    assert points_of(page) == ["0", "0"]
    press(page, "Last")
    expect(result(page)).to_be_visible()
    assert points_of(page) == scores
    page.get_by_role("button", name="See the board").click()
    press(page, "First")
    ply_is(page, 0)
    assert points_of(page) == ["0", "0"]
    page.get_by_role("button", name="To the end").click()
    expect(prompt(page)).to_contain_text("ictory")
    expect(result(page)).to_have_count(0)  # it was read


def test_the_end_is_told_when_the_film_has_shown_it(open_page: OpenPage, serving: Serving) -> None:
    seats = [{"kind": "human", "name": name} for name in ("Ada", "Bea")]
    made = serving.post("/tables", {"game": "azul", "seats": seats, "options": {"round_limit": 1}})
    table, tokens = made["table"]["id"], {key["seat"]: key["token"] for key in made["tokens"]}
    page = open_page(moving=True)
    keys = json.dumps({table: {"seats": {0: tokens[0]}, "touched": 1}})
    page.evaluate("(keys) => localStorage.setItem('ludens.tables', keys)", keys)

    def view() -> Any:
        seen = serving.get(f"/tables/{table}/view", tokens[0])
        return serving.get(f"/tables/{table}/view", tokens[seen["actor"]]) if seen["actor"] else seen

    def play() -> None:
        seen = view()
        move = {"id": f"m{seen['ply']}", "ply": seen["ply"], "move": seen["legal"][0]["id"]}
        serving.post(f"/tables/{table}/moves", move, tokens[seen["actor"]])

    def left() -> int:
        position = view()["position"]
        return sum(sum(source.values()) > 0 for source in [*position["factories"], position["centre"]])

    while left() > 1 or len(view()["legal"]) > 6:
        play()
    page.goto(f"/table/{table}")
    until(page, f"document.querySelector('main.play')?.dataset.ply >= {view()['ply']}")  # whoever is to move
    stop_the_film(page)
    review = page.get_by_role("region", name="How the game went")
    while not view()["over"]:
        play()
    film_until(page, "document.querySelector('main.play').dataset.busy === 'true'")
    moves = page.get_by_role("list", name="Move list")
    expect(moves).not_to_contain_text("scores bonuses")  # nor does the list run ahead
    expect(review).to_have_count(0)
    expect(result(page)).to_have_count(0)
    page.get_by_role("button", name="Skip").click()
    page.clock.resume()
    expect(moves).to_contain_text("scores bonuses")
    expect(result(page)).to_be_visible()
    expect(review).to_be_visible()


def test_nothing_runs_ahead_of_the_film(open_page: OpenPage, serving: Serving) -> None:
    table = serving.finished_game(2)
    steps = serving.get(f"/tables/{table}/steps?from=0&positions=false")["steps"]
    scored = next(step["ply"] for step in steps if any(event["kind"] == "tile" for event in step["events"]))
    page = open_page(f"/table/{table}?ply={scored}", moving=True)
    ply_is(page, scored)
    stop_the_film(page)
    press(page, "Next")
    film_until(page, "document.querySelector('text.points')")
    shown = page.get_by_role("group", name="Board of").evaluate_all(
        "boards => boards.map(board => board.getAttribute('aria-label').match(/(\\d+) point/)[1])"
    )
    assert sorted(points_of(page)) == sorted(shown)
    page.clock.resume()
