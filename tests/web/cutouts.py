"""Draws the small pictures of docs/rules anew, cut out of the page: `python -m tests.web.cutouts`, or games by name."""

from __future__ import annotations

import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, FloatRect, Locator, Page, sync_playwright

from tests.web.conftest import ARGUMENTS, CHROMIUM
from tests.web.pictures import worth
from tests.web.serving import ADMIN, ROOT, Serving

__all__ = ["main"]

IMAGES = ROOT / "docs" / "rules" / "images"
SIGHT: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "device_scale_factor": 1.5}
LARGEST = 840  # pixels of a picture's longer side
ADA = "Ada"
View = dict[str, Any]


@dataclass
class Scene:
    """A table, how far it is played, and what is cut out of it: name -> the things that must be in the picture."""

    seats: list[str]
    enough: Callable[[View, int], bool]  # view, own decisions so far
    cuts: dict[str, Callable[[Page], list[Locator]]]
    choose: Callable[[View, random.Random], int] = lambda view, rng: int(rng.choice(view["legal"])["id"])
    seed: int = 7
    margin: int = 8


def take_well(view: View, rng: random.Random) -> int:
    """Azul: lines that are filled exactly."""
    return int(max(view["legal"], key=lambda action: worth(view["position"], action["json"]))["id"])


def prefer_followers(view: View, rng: random.Random) -> int:
    """The Discovery: tiles anywhere, a follower whenever there is one."""
    bold = [action for action in view["legal"] if action["json"].get("type") == "place"]
    return int(rng.choice(bold or view["legal"])["id"])


SCENES: dict[str, list[Scene]] = {
    "azul": [
        Scene(
            [ADA, "heuristic"],
            lambda view, decisions: view["position"]["round"] >= 3 and decisions % 2 == 1,
            {
                "azul-factories": lambda page: page.locator("g.plate").all(),
                "azul-board": lambda page: [page.locator("g.board[data-seat='0'] rect.paper")],
            },
            take_well,
        )
    ],
    "discovery": [
        Scene(
            [ADA, "random"],
            lambda view, decisions: decisions >= 20 and view["position"]["phase"] == "tile",
            {
                "discovery-map": lambda page: page.locator("g.map svg.tile").all(),
                "discovery-tile": lambda page: [page.locator("section.hand svg[role='img']")],
            },
            prefer_followers,
        )
    ],
    "catan": [
        Scene(
            [ADA, "value", "value"],
            lambda view, decisions: view["position"]["phase"] == "main",
            {
                "catan-island": lambda page: (
                    page.locator("svg[aria-label='Island'] [data-place^='hex']").all()
                    + page.locator("svg[aria-label='Island'] [data-harbour]").all()
                ),
                "catan-costs": lambda page: [
                    page.locator(f"[data-deed='{deed}']") for deed in ("road", "settlement", "city", "development card")
                ],
                "catan-robber": lambda page: [page.locator("g.robber").first],
                "catan-harbour": lambda page: [page.locator("[data-harbour='2']")],
            },
        )
    ],
    "scotland_yard": [
        Scene(
            ["evade", ADA],
            lambda view, decisions: decisions >= 16 and view["position"]["phase"] in ("moving", "choosing"),
            {
                "scotland_yard-stations": lambda page: [page.locator("[data-stop='67']")],
                "scotland_yard-tickets": lambda page: [page.locator(".panel > *").first],
                "scotland_yard-log": lambda page: [page.locator(".panel .log")],
            },
        )
    ],
    "scotland_yard_grid": [
        Scene(
            ["evade", ADA],
            lambda view, decisions: decisions >= 3,
            {"scotland_yard-grid": lambda page: [page.locator("svg[aria-label='Grid']")]},
        )
    ],
}
WINDOWS = {  # half the width and height of a cut-out that is a window around one thing
    "catan-robber": (120, 95),
    "catan-harbour": (130, 90),
    "scotland_yard-stations": (210, 130),
}


def main(games: list[str]) -> None:
    """Plays to every scene and cuts its pictures out of the page."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        serving = Serving(Path(folder), examples=False)
        serving.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            for game in games:
                for scene in SCENES[game]:
                    show(browser, serving, game, scene)
        finally:
            browser.close()
            serving.stop()


def show(browser: Browser, serving: Serving, game: str, scene: Scene) -> None:
    """One table: set, played, looked at, cut."""
    seats = [{"kind": "human", "name": ADA} if one == ADA else {"kind": "agent", "agent": one} for one in scene.seats]
    made = serving.post("/tables", {"game": game, "seats": seats, "seed": scene.seed}, ADMIN)
    table, (key,) = made["table"]["id"], made["tokens"]
    play(serving, table, key["token"], scene)
    keys = json.dumps({table: {"seats": {key["seat"]: key["token"]}, "owner": made["owner_token"], "touched": 1}})
    context = browser.new_context(base_url=serving.address, color_scheme="light", reduced_motion="reduce", **SIGHT)
    page = context.new_page()
    page.goto("/")
    page.evaluate("(keys) => localStorage.setItem('ludens.tables', keys)", keys)
    page.goto(f"/table/{table}")
    page.locator("p.prompt.mine").wait_for()
    page.add_style_tag(content=".sea > .bank, .sea > .dice { visibility: hidden }")  # they cover Catan's sea
    page.wait_for_timeout(800)
    for name, things in scene.cuts.items():
        cut(page, name, things(page), scene.margin)
    context.close()


def play(serving: Serving, table: str, token: str, scene: Scene) -> None:
    """Takes Ada's decisions until the scene is set."""
    headers = {"Authorization": f"Bearer {token}"}
    rng, decisions = random.Random(scene.seed), 0
    while True:
        view = httpx.get(f"{serving.address}/api/v1/tables/{table}/view", headers=headers, timeout=120).json()
        assert not view["over"], "The game was over before the scene was set."
        if not view["legal"]:
            time.sleep(0.05)
            continue
        if scene.enough(view, decisions):
            return
        decisions += 1
        move = {"id": f"m{view['ply']}", "ply": view["ply"], "move": scene.choose(view, rng)}
        serving.post(f"/tables/{table}/moves", move, token)


def cut(page: Page, name: str, things: list[Locator], margin: int) -> None:
    """Stores the part of the page that holds all these things, or a window around the first."""
    boxes = [box for thing in things if (box := thing.bounding_box())]
    left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
    right = max(box["x"] + box["width"] for box in boxes)
    bottom = max(box["y"] + box["height"] for box in boxes)
    if name in WINDOWS:
        wide, high = WINDOWS[name]
        x, y = (left + right) / 2, (top + bottom) / 2
        left, right, top, bottom, margin = x - wide, x + wide, y - high, y + high, 0
    clip: FloatRect = {
        "x": left - margin,
        "y": top - margin,
        "width": right - left + 2 * margin,
        "height": bottom - top + 2 * margin,
    }
    picture = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
    picture.thumbnail((LARGEST, LARGEST), Image.Resampling.LANCZOS)
    picture.quantize(128, kmeans=3, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(SCENES))
