"""Agents and people as company: who one plays against, at what pace, and trades that nobody has to answer."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import catan
from tests.web.any_table import PHONE, press_play, prompt, shown_ply, wait_beyond
from tests.web.conftest import OpenPage
from tests.web.serving import ADMIN, Serving
from tests.web.test_hands import drag
from tests.web.test_lobby import choose

SEVEN = 4  # a seed whose first roll is one
STRIDE = 30  # so many choices further at every placement: both have cards then, the first player those of a road


class Table:
    """A table of Catan for two, played to the first turn after a roll; hands for the seats that no page holds."""

    def __init__(self, serving: Serving, seed: int = 1) -> None:
        self._serving = serving
        seats = [{"kind": "human", "name": name} for name in ("Ada", "Bea")]
        wish = {"game": "catan", "seats": seats, "seed": seed, "options": {"board": "beginner"}}
        made = serving.post("/tables", wish, ADMIN)
        self.id = str(made["table"]["id"])
        self._tokens = {key["seat"]: key["token"] for key in made["tokens"]}
        end = time.monotonic() + 100
        while self.view(0)["actor"] is None:
            assert time.monotonic() < end, "The game does not begin."
            time.sleep(0.2)  # it may have to be prepared
        for placed in range(8):
            legal = self.view(self.view(0)["actor"])["legal"]
            self._play(legal[STRIDE * placed % len(legal)])
        self.act("roll")

    def view(self, seat: int) -> Any:
        return self._serving.get(f"/tables/{self.id}/view", self._tokens[seat])

    def act(self, kind: str) -> None:
        """Does the first thing of this kind for whoever is to act."""
        seat = self.view(0)["actor"]
        self._play(next(action for action in self.view(seat)["legal"] if action["json"]["type"] == kind))

    def offer(self, page: Page) -> None:
        """Ada offers a card for a card; returns when the page has seen it."""
        for kind in ("give", "want", "propose"):
            self.act(kind)
        wait_beyond(page, self.view(0)["ply"] - 1)

    def _play(self, action: Any) -> None:
        view = self.view(0)
        move = {"id": f"m{view['ply']}", "ply": view["ply"], "move": action["id"]}
        self._serving.post(f"/tables/{self.id}/moves", move, self._tokens[view["actor"]])

    def sit(self, page: Page, seat: int) -> None:
        """Gives a browser the key of a seat."""
        keys = json.dumps({self.id: {"seats": {seat: self._tokens[seat]}, "touched": 1}})
        page.evaluate("(keys) => localStorage.setItem('ludens.tables', keys)", keys)
        page.goto(f"/table/{self.id}")
        expect(page.locator(".catan")).to_be_visible()


def offered(page: Page) -> Locator:
    return catan.sheet(page).filter(has_text="Ada offers")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_an_offer_stays_in_sight_while_it_is_countered(open_page: OpenPage, serving: Serving, size: str) -> None:
    page = open_page(**(PHONE if size == "phone" else {}))
    table = Table(serving)
    table.sit(page, 1)
    table.offer(page)
    expect(offered(page)).to_be_visible()
    page.locator("[data-counter]").click()
    expect(page.locator("[data-offer]")).to_be_in_viewport()
    expect(page.locator("[data-offer]")).to_contain_text("Ada offers")
    page.locator("[data-pick^='give']:enabled").first.click()
    page.locator("[data-pick^='want']:enabled").first.click()
    expect(page.locator("[data-offer]")).to_be_in_viewport()
    page.locator("[data-propose]").click()
    expect(page.locator("[data-answer='1']")).to_contain_text("would rather")
    assert table.view(0)["position"]["trade"]["answers"][1] == "countered"


def test_all_offers_of_a_turn_are_declined_at_once(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = Table(serving)
    table.sit(page, 1)
    table.offer(page)
    page.locator("[data-decline-all]").click()
    _is_declined(page, table)
    table.offer(page)  # of the same turn: nobody is asked
    _is_declined(page, table)


def test_no_trades_this_turn_is_said_before_anybody_offers(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = Table(serving)
    table.sit(page, 1)
    page.get_by_label("No trades this turn").check()
    table.offer(page)
    _is_declined(page, table)
    expect(offered(page)).to_have_count(0)
    table.act("end")
    expect(page.locator(".catan[data-mine='true']")).to_be_visible()


def _is_declined(page: Page, table: Table) -> None:
    """Ada has been told no, and goes on with her turn."""
    page.wait_for_function("() => document.querySelector('.catan')?.dataset.phase === 'main'")
    view = table.view(0)
    assert (view["actor"], view["position"]["phase"], view["position"]["trade"]["open"]) == (0, "main", False)


def test_a_road_is_dragged_to_its_edge(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = Table(serving)
    table.sit(page, 0)
    expect(catan.deed(page, "road")).to_have_attribute("aria-disabled", "false")
    ply, picture = shown_ply(page), catan.deed(page, "road").locator("svg.picture")
    drag(page, picture, page.locator("[data-rules]"))  # dropped beside the island: it goes back
    expect(catan.spots(page)).to_have_count(0)
    roads = len(table.view(0)["position"]["roads"])
    drag(page, picture, page.locator("[data-place='hex 9']"))
    assert shown_ply(page) == ply
    catan.deed(page, "road").click()
    edge = catan.spots(page).first.locator(".ring").bounding_box()
    page.keyboard.press("Escape")
    expect(catan.spots(page)).to_have_count(0)
    start = picture.bounding_box()
    assert edge is not None
    assert start is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 2, steps=8)
    page.mouse.up()
    page.wait_for_function(f"() => document.querySelector('main.play')?.dataset.ply > {ply}")
    assert len(table.view(0)["position"]["roads"]) == roads + 1


def test_a_finger_sends_the_robber_by_a_second_touch(open_page: OpenPage, serving: Serving) -> None:
    page = open_page(**PHONE)
    table = Table(serving, seed=SEVEN)
    table.sit(page, 0)
    assert catan.wait_for_turn(page) == "robber"
    ply, there = shown_ply(page), page.locator("g[data-hex]").first.locator(".ring")
    there.tap(force=True)
    expect(prompt(page)).to_contain_text("tap the hex again")
    assert table.view(0)["ply"] == ply
    there.tap(force=True)
    wait_beyond(page, ply)
    assert table.view(0)["position"]["phase"] == "main"


@pytest.mark.parametrize("game", ["Take tiles of one colour", "Settle an island", "Hunt Mr. X through London"])
def test_opponents_have_names_and_a_line_of_character(open_page: OpenPage, serving: Serving, game: str) -> None:
    page = open_page()
    page.get_by_role("button", name=game).click()
    told = page.locator("form").get_by_role("status")
    names = set()
    for level in ("Beginner", "Easy", "Medium", "Hard", "Champion"):
        choose(page, "Against", level)
        expect(told).to_have_text(re.compile(r"^\w.+: \w.+\.$"))
        names.add(told.inner_text().split(":")[0])
    assert len(names) == 5
    choose(page, "Against", "Easy")
    name = told.inner_text().split(":")[0]
    table = press_play(page)
    assert any(seat["name"].startswith(name) for seat in serving.get(f"/tables/{table}")["seats"])


def test_the_pace_can_be_chosen_and_less_motion_is_respected(open_page: OpenPage) -> None:
    page = open_page(moving=True)
    catan.start(page, players=2)
    catan.wait_for_turn(page)

    def pace(wanted: str) -> float:
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Animation").select_option(wanted)
        page.keyboard.press("Escape")
        return float(page.locator(".catan").evaluate("board => getComputedStyle(board).getPropertyValue('--speed')"))

    slow, normal, fast, off = (pace(wanted) for wanted in ("slow", "normal", "fast", "off"))
    assert slow > normal > fast > off
    assert off < 0.01
    assert pace("slow") > 1
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    catan.wait_for_turn(page)
    assert page.locator(".catan").evaluate("board => getComputedStyle(board).getPropertyValue('--speed') < 0.01")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Animation")).to_be_enabled()  # by hand there are steps without motion
    expect(page.get_by_text("Your system asks for less motion")).to_be_visible()
