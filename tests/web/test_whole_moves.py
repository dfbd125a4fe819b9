"""Hints of whole moves with their reasons: tile and follower, settlement and road, detective, ticket and station."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web import catan
from tests.web.any_table import PATIENCE, PHONE, shown_ply, start, until
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving
from tests.web.test_hints import ask, moves_of

LONDON = "Hunt Mr. X through London"


def wait_for_hints(page: Page) -> None:
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_visible(timeout=PATIENCE)


def reasons(page: Page) -> Any:
    return page.get_by_role("region", name="Hints").locator("[data-reason]")


def test_a_tile_and_its_follower_are_one_hint(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = start(page, "The Discovery", ["Person", "Computer"], "random")
    wait_for_hints(page)
    ask(page)
    followed = moves_of(page).filter(has_text="with a follower on the")
    expect(followed.first).to_be_visible()
    followed.first.hover()
    expect(page.locator("[data-hint-follower]")).to_have_count(1)  # the pawn stands on the tile that would be laid
    expect(reasons(page).first).to_be_visible()
    terms = {str(reason.get_attribute("data-reason")) for reason in reasons(page).all()}
    assert terms <= {"points", "soon", "free", "closed", "follower", "region", "hindered"}
    assert serious(page) == []
    ply = shown_ply(page)
    followed.first.click()
    until(page, f"document.querySelector('main.play')?.dataset.ply >= {ply + 2}")
    steps = serving.get(f"/tables/{table}/steps?from={ply}&to={ply + 2}&positions=false")["steps"]
    assert [step["actor"] for step in steps] == [0, 0]
    assert steps[1]["events"][0]["kind"] == "follower"


def test_a_settlement_and_its_road_are_one_hint(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = catan.start(page, players=2)
    catan.wait_for_turn(page)
    ask(page)
    best = moves_of(page).first
    expect(best).to_contain_text(re.compile("settlement:.*; road:", re.IGNORECASE))
    expect(best.locator("[data-reason='production']")).to_contain_text(re.compile(r"produces \d+ dots more"))
    ply = shown_ply(page)
    best.click()
    until(page, f"document.querySelector('main.play')?.dataset.ply >= {ply + 2}")
    position = serving.get(f"/tables/{table}/view")["position"]
    assert any(road["seat"] == 0 for road in position["roads"])


def test_a_hint_names_detective_ticket_and_station(open_page: OpenPage) -> None:
    page = open_page()
    start(page, LONDON, ["Computer", "Person"], "random")
    wait_for_hints(page)
    ask(page)
    whole = re.compile(r"detective \d: (taxi|bus|underground) to station \d+", re.IGNORECASE)
    expect(moves_of(page).first).to_contain_text(whole)
    expect(page.locator("path.way")).to_have_count(1)
    before = page.get_by_role("list", name="Move list").get_by_role("button").count()
    station = re.search(r"station (\d+)", moves_of(page).first.inner_text())
    assert station is not None
    moves_of(page).first.click()
    moves = page.get_by_role("list", name="Move list").get_by_role("button")
    expect(moves.filter(has_text=station[1]).first).to_be_visible()
    expect(moves.nth(before)).to_be_attached()


OFFER = [
    {"action": 1, "text": "give wool", "json": {"type": "give", "resource": "wool"}},
    {"action": 2, "text": "want ore", "json": {"type": "want", "resource": "ore"}},
    {"action": 3, "text": "propose", "json": {"type": "propose"}},
]


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_an_offer_is_told_completely_and_why(open_page: OpenPage, size: str) -> None:
    # A service worker would answer in our place.
    page = open_page(service_workers="block", **(PHONE if size == "phone" else {}))

    def answer(route: Route) -> None:
        found = route.fetch().json()
        values = {"what": "city", "n": 1}
        found["candidates"][0] |= {"whole": OFFER, "reasons": [{"term": "purchase", "worth": 1, "values": values}]}
        route.fulfill(json={**found, "candidates": found["candidates"][:1]})

    page.route("**/analysis*", answer)
    catan.start(page, players=2)
    catan.wait_for_turn(page)
    ask(page)
    expect(moves_of(page)).to_contain_text(re.compile("offer 1 wool for 1 ore", re.IGNORECASE))
    expect(reasons(page)).to_have_text("1 card short of a city")
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
