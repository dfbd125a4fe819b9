"""What people do at Azul's table, as steps of a test."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.web import any_table
from tests.web.any_table import PATIENCE, press_play, result, shown_ply, wait_beyond

__all__ = [
    "column_cells",
    "open_targets",
    "play_a_move",
    "play_to_the_end",
    "set_table",
    "sources",
    "start",
    "take",
    "wait_for_turn",
]


def set_table(page: Page, kinds: list[str], wall: str = "Coloured") -> None:
    """Chooses Azul in the lobby, who sits where, and computers that do not think long."""
    any_table.set_table(page, "Azul", kinds, "heuristic")
    page.get_by_label("Wall").select_option(label=wall)


def start(page: Page, kinds: list[str], wall: str = "Coloured") -> str:
    """Sets a table, presses Play and returns the table's id."""
    set_table(page, kinds, wall)
    return press_play(page)


def sources(page: Page) -> Locator:
    """The tiles that may be taken."""
    return page.locator("g.tiles.enabled use")


def open_targets(page: Page) -> Locator:
    """The pattern lines and the floor, where they accept what is in the hand."""
    return page.locator("g.line.open .cell, g.floor.open .cell")


def column_cells(page: Page) -> Locator:
    """The cells of the grey wall that may be chosen."""
    return page.locator("g.cell.open .ring")


def wait_for_turn(page: Page) -> None:
    """Waits for our turn."""
    expect(sources(page).or_(column_cells(page)).first).to_be_visible(timeout=PATIENCE)


def take(page: Page, source: int = 0) -> None:
    """Takes a colour into the hand."""
    sources(page).nth(source).click()
    expect(open_targets(page).first).to_be_visible()


def play_a_move(page: Page) -> None:
    """Plays the first move that is possible, by clicks, and waits until it is on the table."""
    wait_for_turn(page)
    ply = shown_ply(page)
    if column_cells(page).count():
        column_cells(page).first.click()
    else:
        take(page)
        open_targets(page).first.click()
    wait_beyond(page, ply)


def play_to_the_end(page: Page) -> int:
    """Plays until the result is shown; returns the number of moves."""
    for played in range(400):
        expect(result(page).or_(sources(page)).or_(column_cells(page)).first).to_be_visible(timeout=PATIENCE)
        if result(page).count():
            return played
        play_a_move(page)
    raise AssertionError("The game does not end.")
