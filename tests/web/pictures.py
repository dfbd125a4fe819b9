"""Draws the pictures of docs/images anew: `python -m tests.web.pictures`, or only those of some games, named."""

from __future__ import annotations

import io
import json
import sys
import tempfile
import time
from collections.abc import Callable
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
SIGHTS: dict[str, tuple[dict[str, Any], str]] = {
    "light": (WIDE, "light"),
    "dark": (WIDE, "dark"),
    "phone": (PHONE, "light"),
}
ADA = "Ada"
TABLES = {  # who plays, and after how many own decisions it is worth a picture
    "discovery": ([ADA, "greedy", "greedy"], 24),
    "catan": ([ADA, "value", "value", "value"], 60),
    "scotland_yard": (["evade", ADA], 22),
    "scotland_yard_grid": (["evade", ADA], 4),
}


def main(games: list[str]) -> None:
    """Plays into the middle of a game at every table, and looks at it by day, by night and on a phone."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        serving = Serving(Path(folder), examples=False)
        serving.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            if "azul" in games:
                draw_azul(browser, serving)
            if "laboratory" in games:
                draw_laboratory(browser, serving)
            if "puzzles" in games:
                draw_puzzle(browser, serving)
            for game in games:
                if game in TABLES:
                    draw(browser, serving, game)
        finally:
            browser.close()
            serving.stop()


def draw_azul(browser: Browser, serving: Serving) -> None:
    """The lobby, a table in its fourth round, hints and the curve of a game."""
    page = new_page(browser, serving, WIDE, "light")
    page.locator("button.play").wait_for()
    page.wait_for_function("() => !document.querySelector('.preparing')", timeout=PATIENCE)
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


def draw(browser: Browser, serving: Serving, game: str) -> None:
    """A table of another game; Ada plays what the analysis thinks best."""
    players, decisions = TABLES[game]
    seats = [{"kind": "human", "name": ADA} if one == ADA else {"kind": "agent", "agent": one} for one in players]
    for seat, name in zip((seat for seat in seats if seat["kind"] == "agent"), ("Ben", "Cleo", "Dora"), strict=False):
        seat["name"] = name
    made = serving.post("/tables", {"game": game, "seats": seats})
    table, (key,) = made["table"]["id"], made["tokens"]
    play_well(serving, table, key["token"], decisions)
    keys = json.dumps({table: {"seats": {key["seat"]: key["token"]}, "owner": made["owner_token"], "touched": 1}})
    for sight, (wishes, scheme) in SIGHTS.items():
        page = new_page(browser, serving, wishes, scheme, keys)
        page.goto(f"/table/{table}")
        page.locator("p.prompt.mine").wait_for()
        POSES.get(game, lambda _: None)(page)
        page.wait_for_timeout(600)
        keep(page, f"{game}-{sight}.png")
        page.context.close()


def play_well(serving: Serving, table: str, token: str, decisions: int) -> None:
    """Takes so many decisions, and goes on until one is to be taken in the usual phase of a turn."""
    headers = {"Authorization": f"Bearer {token}"}
    address = f"{serving.address}/api/v1/tables/{table}"
    while True:
        view = httpx.get(f"{address}/view", headers=headers).json()
        if not view["legal"]:
            time.sleep(0.05)
            continue
        if decisions <= 0 and view["position"]["phase"] in ("tile", "main", "moving"):
            return
        decisions -= 1
        asked = httpx.get(f"{address}/analysis", params={"seconds": 0.2}, headers=headers, timeout=300).json()
        best = asked["candidates"][0]["action"]
        serving.post(f"/tables/{table}/moves", {"id": f"m{view['ply']}", "ply": view["ply"], "move": best}, token)


def choose_a_road(page: Page) -> None:
    """Catan: the places of a road invite, where one can be paid."""
    road = page.locator("[data-deed='road']:not([aria-disabled='true'])")
    if road.count():
        road.click()


def switch_possible_stations_on(page: Page) -> None:
    """Scotland Yard: where Mr. X may be."""
    page.get_by_role("switch").check(force=True)


POSES: dict[str, Callable[[Page], None]] = {
    "catan": choose_a_road,
    "scotland_yard": switch_possible_stations_on,
    "scotland_yard_grid": switch_possible_stations_on,
}


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
    moves = page.get_by_role("region", name="Hints").get_by_role("button")
    moves.first.wait_for(timeout=PATIENCE)
    moves.nth(min(1, moves.count() - 1)).hover()
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


def draw_laboratory(browser: Browser, serving: Serving) -> None:
    """A tournament of four players of Azul, and a game of it by itself."""
    agents = ["random", "flat:simulations=5", "mcts:simulations=20", "heuristic"]
    begun = serving.post("/laboratory/tournaments", {"game": "azul", "agents": agents, "games": 96, "name": "Searches"})
    end = time.monotonic() + PATIENCE / 1000
    while serving.get(f"/laboratory/tournaments/{begun['id']}")["status"] != "finished":
        assert time.monotonic() < end, "The tournament is not finished."
        time.sleep(1)
    page = new_page(browser, serving, WIDE, "light")
    page.goto(f"/laboratory/{begun['id']}")
    page.get_by_role("heading", name="Who beats whom").wait_for()
    page.wait_for_timeout(600)
    keep(page, "laboratory.png")
    page.goto(f"/api/v1/tables/{serving.finished_game(6, rounds=5)}/embed")
    slider = page.get_by_role("slider", name="Move")
    slider.fill(str(int(str(slider.get_attribute("max"))) // 2))
    page.wait_for_timeout(600)
    keep(page, "embedded.png")
    page.context.close()


def draw_puzzle(browser: Browser, serving: Serving) -> None:
    """A puzzle of Azul with its solution."""
    page = new_page(browser, serving, WIDE, "light")
    known = serving.get("/puzzles/azul")["puzzles"]
    number = next(puzzle["number"] for puzzle in known if puzzle["difficulty"] == "hard")
    page.goto(f"/puzzles/azul/{number}")
    page.get_by_role("button", name="Show the solution").click(timeout=PATIENCE)
    page.locator("[data-continuation] button").first.click()
    page.wait_for_timeout(600)
    keep(page, "puzzle.png")
    page.context.close()


def keep(page: Page, name: str) -> None:
    """Stores a picture with 256 colours: a third of the size, and no eye sees it."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["azul", "laboratory", "puzzles", *TABLES])
