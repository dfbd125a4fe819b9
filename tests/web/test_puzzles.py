"""Find the move: puzzles on the real boards, graded, explained and remembered; with mouse, keys and fingers."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.web.any_table import PATIENCE, PHONE
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


def _verdict(page: Page) -> Locator:
    return page.get_by_role("region", name="Your task").get_by_role("status")


def _opened(page: Page, number: int) -> None:
    """Waits for a puzzle; its game may have to be made ready first."""
    expect(page.locator(f"main[data-puzzle='{number}']")).to_be_visible(timeout=PATIENCE)


def _station(serving: Serving, number: int, tried: str) -> int:
    puzzle: dict[str, Any] = serving.get(f"/puzzles/scotland_yard_grid/{number}")
    return int(puzzle[tried]["steps"][0]["move"]["json"]["station"])


def _step(page: Page, station: int) -> None:
    """A step on the grid: the first click tries it, the second one goes."""
    page.locator(f"[data-cell='{station}']").click()
    page.locator(f"[data-cell='{station}']").click()


def test_a_puzzle_is_tried_refuted_found_and_remembered(open_page: OpenPage, serving: Serving) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Scotland Yard on a grid").click()
    page.get_by_role("link", name="Find the move").click()
    page.wait_for_url("**/puzzles/scotland_yard_grid/0")
    _opened(page, 0)
    expect(_verdict(page)).to_contain_text("Find the best move")
    answer, natural = _station(serving, 0, "answer"), _station(serving, 0, "wrong")
    legal = serving.get("/puzzles/scotland_yard_grid/0")["legal"]
    other = next(move["json"]["station"] for move in legal if move["json"]["station"] not in (answer, natural))

    _step(page, other)
    expect(_verdict(page)).to_contain_text("Another move is far better")
    expect(page.locator("[data-figures]")).to_contain_text("leaves a chance of")  # with what refutes it, on the board
    expect(page.locator("[data-continuation] li").first).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    _step(page, natural)
    expect(_verdict(page)).to_contain_text("Tempting, but no")
    expect(page.locator("[data-figures]")).to_contain_text("leaves a chance of")
    expect(page.locator("[data-continuation] li").first).to_be_visible()
    assert not page.locator("g.cell.open").count()  # the board shows where it leads
    page.keyboard.press("Escape")
    expect(_verdict(page)).to_contain_text("Find the best move")

    page.keyboard.press("ArrowRight")  # by keys alone
    for _ in legal:
        if page.evaluate("document.activeElement.dataset.cell") == str(answer):
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(_verdict(page)).to_contain_text("Right")
    expect(page.locator("[data-found]")).to_contain_text("1 of ")
    assert serious(page) == []
    page.get_by_role("button", name="Back to the position").click()
    expect(page.locator("g.cell.open").first).to_be_visible()
    page.keyboard.press("n")
    page.wait_for_url("**/puzzles/scotland_yard_grid/1")
    _opened(page, 1)
    page.reload()
    expect(page.get_by_role("button", name="Puzzle 1, found")).to_be_visible()


def test_a_solution_tells_its_reasons_on_a_phone_at_night(open_page: OpenPage, serving: Serving) -> None:
    page = open_page("/puzzles/azul/0", **PHONE, color_scheme="dark")
    _opened(page, 0)
    reasoned = next(n for n in range(20) if serving.get(f"/puzzles/azul/{n}")["answer"]["reasons"])
    page.goto(f"/puzzles/azul/{reasoned}")
    _opened(page, reasoned)
    page.get_by_role("button", name="Show the solution").tap()
    expect(_verdict(page)).to_contain_text("The move to find")
    expect(page.locator("[data-reason]").first).to_be_visible()
    moves = page.locator("[data-continuation] button")
    moves.first.tap()  # any move of the line can be looked at
    expect(moves.first).to_have_attribute("aria-current", "step")
    for side in ("Width", "Height"):
        assert page.evaluate(f"document.documentElement.scroll{side} <= screen.{side.lower()}")
    assert serious(page) == []
    page.get_by_text("Choose a puzzle").tap()
    page.get_by_text("hard", exact=True).tap()
    expect(page.locator("[data-puzzle]")).not_to_have_attribute("data-puzzle", str(reasoned))
    page.get_by_role("combobox", name="Game").select_option("discovery")
    page.wait_for_url("**/puzzles/discovery/0")
    _opened(page, 0)


def test_every_game_has_puzzles_that_fit_a_phone_in_german(open_page: OpenPage, serving: Serving) -> None:
    page = open_page("/", **PHONE, locale="de")
    for game in [game["name"] for game in serving.get("/games") if serving.get(f"/puzzles/{game['name']}")["puzzles"]]:
        page.goto(f"/puzzles/{game}/0")
        _opened(page, 0)
        page.get_by_role("button", name="Lösung zeigen").tap()
        expect(page.locator("[data-continuation] button").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= screen.width"), game
