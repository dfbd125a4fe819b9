"""What people do at Azul's table, as steps of a test."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

__all__ = [
    "column_cells",
    "open_targets",
    "play_a_move",
    "play_to_the_end",
    "prompt",
    "set_table",
    "shown_ply",
    "sources",
    "start",
    "take",
    "until",
    "wait_beyond",
    "wait_for_turn",
]


def set_table(page: Page, kinds: list[str], wall: str = "Coloured") -> None:
    """Chooses Azul in the lobby and who sits where: Person, Computer or By link."""
    page.get_by_role("button", name="Azul").click()
    for _ in kinds[2:]:
        page.get_by_role("button", name="Add a player").click()
    for seat, kind in enumerate(kinds):
        row = page.get_by_role("group", name=f"Seat {seat + 1}")
        row.get_by_text(kind, exact=True).click()
        if kind == "Computer":  # one that does not think long
            row.get_by_role("combobox").select_option("heuristic")
    page.get_by_label("Wall").select_option(label=wall)


def start(page: Page, kinds: list[str], wall: str = "Coloured") -> str:
    """Sets a table, presses Play and returns the table's id."""
    set_table(page, kinds, wall)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/table/*")
    return page.url.rsplit("/", 1)[1]


def sources(page: Page) -> Locator:
    """The tiles that may be taken."""
    return page.locator("g.tiles.enabled use")


def open_targets(page: Page) -> Locator:
    """The pattern lines and the floor, where they accept what is in the hand."""
    return page.locator("g.line.open .cell, g.floor.open .cell")


def column_cells(page: Page) -> Locator:
    """The cells of the grey wall that may be chosen."""
    return page.locator("g.cell.open .ring")


def prompt(page: Page) -> Locator:
    return page.locator("p.prompt")


def shown_ply(page: Page) -> int:
    return int(page.locator("main.play").get_attribute("data-ply") or -1)


def until(page: Page, condition: str) -> None:
    """Waits for a condition in JavaScript (as a function: the page's own policy forbids to evaluate words)."""
    page.wait_for_function(f"() => {condition}")


def wait_beyond(page: Page, ply: int) -> None:
    """Waits until a later ply is shown."""
    until(page, f"document.querySelector('main.play')?.dataset.ply > {ply}")


def wait_for_turn(page: Page) -> None:
    """Waits for our turn; a computer may have to be compiled first."""
    expect(sources(page).or_(column_cells(page)).first).to_be_visible(timeout=60_000)


def take(page: Page, source: int = 0) -> None:
    """Takes a colour into the hand."""
    sources(page).nth(source).click()
    expect(open_targets(page).first).to_be_visible()


def play_a_move(page: Page) -> None:
    """Plays the first move that is possible, by clicks."""
    wait_for_turn(page)
    if column_cells(page).count():
        column_cells(page).first.click()
        return
    take(page)
    open_targets(page).first.click()
    expect(open_targets(page)).to_have_count(0)


def play_to_the_end(page: Page) -> int:
    """Plays until the result is shown; returns the number of moves."""
    result = page.get_by_role("region", name="Result")
    for played in range(400):
        expect(result.or_(sources(page)).or_(column_cells(page)).first).to_be_visible(timeout=30_000)
        if result.count():
            return played
        ply = shown_ply(page)
        play_a_move(page)
        wait_beyond(page, ply)
    raise AssertionError("The game does not end.")
