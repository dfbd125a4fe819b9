"""Guided first games, followed to their end and into a real game: every step is seen, nothing blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web import azul, catan
from tests.web.any_table import PATIENCE, PHONE, result, shown_ply, wait_beyond
from tests.web.conftest import OpenPage
from tests.web.serving import ADMIN
from tests.web.test_discovery import cells as places
from tests.web.test_discovery import finish_turn, place_tile, wait_for_tile
from tests.web.test_scotland_yard import go, play_a_move, wait_for_turn

NEXT = "next"
SEED = 26  # on the grid both detectives begin six steps away: no first step gets Mr. X caught
Deed = Callable[[Page], object]


@pytest.fixture(params=["desktop", "phone"])
def sight(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """How large the page is; on a phone all that people do is done with a finger."""
    if request.param == "desktop":
        return {}
    monkeypatch.setattr(Locator, "click", Locator.tap)
    return PHONE


def card(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Guide")


def covers(page: Page) -> bool:
    """Does the card lie on what it points at, though it has had the time to move away?"""
    overlap = """() => {
        const [card, ring] = [document.querySelector("[role=dialog]"), document.querySelector(".ring")].map(
            (element) => element?.getBoundingClientRect());
        return Boolean(card && ring && card.left < ring.right && ring.left < card.right
            && card.top < ring.bottom && ring.top < card.bottom);
    }"""
    for _ in range(10):
        if not page.evaluate(overlap):
            return False
        page.wait_for_timeout(200)
    return True


def begin(open_page: OpenPage, game: str, **wishes: Any) -> Page:
    """Opens a guided game by words on its card; its cards, tiles and dice are the same in every run."""

    def seeded(route: Route) -> None:
        if route.request.method != "POST":
            return route.fallback()
        headers = {**route.request.headers, "authorization": f"Bearer {ADMIN}"}
        return route.continue_(headers=headers, post_data={**route.request.post_data_json, "seed": SEED})

    page = open_page(service_workers="block", **wishes)
    page.route("**/api/v1/tables", seeded)
    page.get_by_role("button", name=game).click()
    page.get_by_role("button", name="A guided first game").click()
    page.wait_for_url("**/table/*")
    return page


def follow(
    open_page: OpenPage, game: str, script: list[tuple[str, Deed | str]], meanwhile: Deed, **wishes: Any
) -> Page:
    """Follows a guide: waits for the words of every step, playing on meanwhile, then does what the step asks for."""
    page = begin(open_page, game, **wishes)
    for words, deed in script:
        told = card(page).get_by_text(words)
        for look in range(200):  # the computer may think long on a busy machine
            page.wait_for_timeout(400)  # the guide looks around a few times a second
            if told.count():
                break
            if look > 2:
                meanwhile(page)  # others may ask something of us before the guide goes on
        expect(told).to_be_visible()
        assert not covers(page), words
        assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
        if callable(deed):
            deed(page)
        else:
            card(page).get_by_role("button", name="Next").or_(card(page).get_by_role("button", name="Play on")).click()
    expect(card(page)).to_have_count(0)
    return page


def discovery_turn(page: Page) -> None:
    wait_for_tile(page)
    place_tile(page)


def test_the_guide_of_the_discovery(open_page: OpenPage, sight: dict[str, Any]) -> None:
    def lay(page: Page) -> None:
        if places(page).count():
            place_tile(page)

    def claim(page: Page) -> None:
        ply = shown_ply(page)
        page.locator("[data-segment]").first.click()
        wait_beyond(page, ply)

    script: list[tuple[str, Deed | str]] = [
        ("This is the tile you have drawn", NEXT),
        ("It may lie wherever its sides continue", discovery_turn),
        ("Now you may put a follower", claim),
        ("four followers only", NEXT),
        ("you can now take one back", NEXT),
        ("Not sure what is good", NEXT),
        ("the game is yours now", NEXT),
    ]
    page = follow(open_page, "Lay out mountains", script, lay, **sight)
    for _ in range(2):  # and it is a real game
        finish_turn(page)
        discovery_turn(page)


def test_the_guide_of_catan(open_page: OpenPage, sight: dict[str, Any]) -> None:
    def decide(page: Page) -> None:
        catan.Hands(page, by_finger="has_touch" in sight).decide()

    def end_turn(page: Page) -> None:
        while catan.wait_for_turn(page) != "main":
            decide(page)
        catan.deed(page, "end").click()

    def roll_beside_the_hint(page: Page) -> None:
        if catan.wait_for_turn(page) == "before the roll":
            decide(page)  # the card does not lie on the dice's button
        card(page).get_by_role("button", name="Next").click()

    script: list[tuple[str, Deed | str]] = [
        ("The numbers say which dice", NEXT),
        ("Everybody begins with two settlements", decide),
        ("A road goes along with it", decide),
        ("Your turn begins with the dice", decide),
        ("These are your cards", NEXT),
        ("What you can build is lit", NEXT),
        ("Something missing?", NEXT),
        ("End your turn", end_turn),
        ("Not sure what is good", roll_beside_the_hint),
        ("Ten points win", NEXT),
    ]

    def answer(page: Page) -> None:
        if page.locator(".catan[data-mine='true']").count():
            decide(page)

    page = follow(open_page, "Settle an island", script, answer, **sight)
    for _ in range(8):  # and it is a real game
        decide(page)


def test_the_guide_of_london(open_page: OpenPage, sight: dict[str, Any]) -> None:
    script: list[tuple[str, Deed | str]] = [
        ("You are Mr. X", NEXT),
        ("The stations that glow", go),
        ("The others see only which ticket", NEXT),
        ("This shows where you could be", NEXT),
        ("Announce a double move", NEXT),
        ("Not sure what is good", NEXT),
        ("Stay free until", NEXT),
    ]
    page = follow(open_page, "Hunt Mr. X through London", script, wait_for_turn, **sight)
    for _ in range(2):  # and it is a real game
        wait_for_turn(page)
        if not result(page).count():
            play_a_move(page)


def test_the_guide_of_the_grid(open_page: OpenPage, sight: dict[str, Any]) -> None:
    script: list[tuple[str, Deed | str]] = [
        ("You are Mr. X", play_a_move),
        ("Now the detectives step", NEXT),
        ("This shows where you could be", NEXT),
        ("Not sure what is good", NEXT),
        ("Stay free until", NEXT),
    ]
    page = follow(open_page, "on a 5×5 grid", script, wait_for_turn, **sight)
    for _ in range(60):  # and it is a real game, played to its end
        wait_for_turn(page)
        if result(page).count():
            break
        play_a_move(page)
    expect(result(page)).to_be_visible()


def test_the_guide_of_azul(open_page: OpenPage, sight: dict[str, Any]) -> None:
    page = begin(open_page, "Azul", **sight)
    guide = card(page)
    expect(guide).to_contain_text("factories", timeout=PATIENCE)
    azul.take(page)
    expect(guide).to_contain_text("one of your five lines")
    azul.open_targets(page).first.click()
    expect(guide).to_contain_text("goes to the centre", timeout=PATIENCE)
    for _ in range(3):
        guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("until the round ends")
    for _ in range(12):
        azul.play_a_move(page)
        if "A tile alone" in guide.inner_text():
            break
    for words in ("A tile alone", "Here are the points", "That is all"):
        expect(guide).to_contain_text(words, timeout=PATIENCE)
        assert not covers(page), words
        guide.get_by_role("button", name="Next").or_(guide.get_by_role("button", name="Play on")).click()
    expect(guide).to_have_count(0)
    azul.play_a_move(page)


def test_a_game_that_ends_before_its_guide_is_begun_again(open_page: OpenPage, sight: dict[str, Any]) -> None:
    page = begin(open_page, "Hunt Mr. X through London", **sight)
    first = page.url
    expect(card(page)).to_contain_text("You are Mr. X", timeout=PATIENCE)
    card(page).get_by_role("button", name="Next").click()
    expect(card(page)).to_contain_text("The stations that glow")
    if "has_touch" in sight:
        page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(card(page)).to_contain_text("This game was over before the guide was")
    expect(card(page).get_by_role("button", name="Next")).to_have_count(0)
    page.reload()
    expect(result(page)).to_be_visible()
    card(page).get_by_role("button", name="Begin again").click()
    page.wait_for_url(lambda url: url != first)
    expect(card(page)).to_contain_text("You are Mr. X", timeout=PATIENCE)
