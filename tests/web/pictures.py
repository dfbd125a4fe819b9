"""Draws the pictures of docs/images anew: `python -m tests.web.pictures`."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web import azul
from tests.web.any_table import PATIENCE
from tests.web.conftest import ARGUMENTS, CHROMIUM
from tests.web.serving import ROOT, Serving

__all__ = ["main"]

IMAGES = ROOT / "docs" / "images"
WIDE = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


def main() -> None:
    """Plays into the third round at one table, and looks at it by day, by night and on a phone."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        serving = Serving(Path(folder), examples=False)
        serving.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            page = new_page(browser, serving, WIDE, "light")
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(500)
            keep(page, "lobby.png")
            azul.set_table(page, ["Person", "Computer", "Computer"])
            page.get_by_role("group", name="Seat 1").get_by_role("button", name="change the name").click()
            page.get_by_label("Name", exact=True).fill("Ada")
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Play", exact=True).click()
            page.wait_for_url("**/table/*")
            keys = page.evaluate("localStorage.getItem('ludens.tables')")
            advance(serving, page)
            look(browser, serving, page.url, keys, WIDE, "light", "azul-table-light.png")
            look(browser, serving, page.url, keys, WIDE, "dark", "azul-table-dark.png")
            look(browser, serving, page.url, keys, PHONE, "light", "azul-phone.png")
            look_at_hints(browser, serving, page.url, keys)
            look_at_curve(browser, serving)
        finally:
            browser.close()
            serving.stop()


def new_page(browser: Browser, serving: Serving, wishes: dict[str, Any], scheme: Any, keys: str | None = None) -> Page:
    """A page of the lobby, perhaps with the keys of another browser."""
    context = browser.new_context(base_url=serving.address, color_scheme=scheme, reduced_motion="reduce", **wishes)
    page = context.new_page()
    page.goto("/")
    if keys:
        page.evaluate("(keys) => localStorage.setItem('ludens.tables', keys)", keys)
    return page


def advance(serving: Serving, page: Page) -> None:
    """Plays Ada's seat sensibly until the second move of the fourth round."""
    table = page.url.rsplit("/", 1)[1]
    token = page.evaluate("JSON.parse(localStorage.getItem('ludens.tables'))[location.pathname.slice(7)].seats[0]")
    headers = {"Authorization": f"Bearer {token}"}
    moves_in_round = 0
    while True:
        view = httpx.get(f"{serving.address}/api/v1/tables/{table}/view", headers=headers).json()
        if not view["legal"]:
            page.wait_for_timeout(30)
            continue
        if view["position"]["round"] >= 4 and moves_in_round >= 1:
            return
        moves_in_round += view["position"]["round"] >= 4
        best = max(view["legal"], key=lambda action: worth(view["position"], action["json"]))
        serving.post(f"/tables/{table}/moves", {"id": f"m{view['ply']}", "ply": view["ply"], "move": best["id"]}, token)


def worth(position: dict[str, Any], take: dict[str, Any]) -> float:
    """Lines that are filled exactly look best; then those that are nearly full."""
    if take["destination"] == 5:
        return -10.0
    source = [*position["factories"], position["centre"]][take["source"]]
    room = take["destination"] + 1 - position["boards"][0]["lines"][take["destination"]]["count"]
    count = source[take["colour"]]
    return 5.0 + count if count == room else count - 3.0 * max(0, count - room) - 0.5 * (room - count)


def look(
    browser: Browser, serving: Serving, address: str, keys: str, wishes: dict[str, Any], scheme: str, name: str
) -> None:
    """Takes tiles into the hand and takes a picture."""
    page = new_page(browser, serving, wishes, scheme, keys)
    page.goto(address)
    azul.wait_for_turn(page)
    if "is_mobile" not in wishes:
        for source in range(azul.sources(page).count()):  # something that a pattern line accepts
            azul.take(page, source)
            if page.locator("g.line.open .cell").count():
                break
            page.keyboard.press("Escape")
        target = page.locator("g.line.open .cell").last.bounding_box()
        assert target is not None
        page.mouse.move(target["x"] + 8, target["y"] + 8)
    page.wait_for_timeout(600)
    keep(page, name)
    page.context.close()


def look_at_hints(browser: Browser, serving: Serving, address: str, keys: str) -> None:
    """Asks for good moves and points at the second."""
    page = new_page(browser, serving, WIDE, "light", keys)
    page.goto(address)
    azul.wait_for_turn(page)
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_role("region", name="Hints").get_by_role("button").nth(1).hover(timeout=PATIENCE)
    page.wait_for_timeout(300)
    keep(page, "hints.png")
    page.context.close()


def look_at_curve(browser: Browser, serving: Serving) -> None:
    """Looks at the last turning point of a game."""
    page = new_page(browser, serving, WIDE, "light")
    page.goto(f"/table/{serving.finished_game(6, rounds=5)}")
    page.get_by_role("button", name="How did it go?").click()
    page.locator("[data-turn]").last.click(timeout=PATIENCE)
    page.mouse.move(600, 880)
    page.wait_for_timeout(600)
    keep(page, "curve.png")
    page.context.close()


def keep(page: Page, name: str) -> None:
    """Stores a picture with 256 colours: a third of the size, and no eye sees it."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


if __name__ == "__main__":
    main()
