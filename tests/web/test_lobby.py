"""The lobby in three steps: the game, who I am, against whom."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.web import azul
from tests.web.any_table import PHONE, change_tables, open_more, press_play, prompt, result
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


def choose(page: Page, question: str, answer: str) -> None:
    page.get_by_role("radiogroup", name=question, exact=True).get_by_text(answer, exact=True).click()


def test_one_click_on_play_gives_a_good_game(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    table = press_play(page)
    azul.wait_for_turn(page)
    seats = serving.get(f"/tables/{table}")["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "agent"]
    assert seats[1]["name"] == "Apprentice"  # an opponent with a name, not the word of a program
    azul.play_a_move(page)


def test_my_name_stays_mine_wherever_i_sit(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="Hunt Mr. X through London").click()
    page.get_by_label("My name").fill("Ada")
    choose(page, "I play", "Detectives")
    choose(page, "Against", "Hard")
    table = press_play(page)
    seats = serving.get(f"/tables/{table}")["seats"]
    assert [(seat["kind"], seat["name"], seat["agent"]) for seat in seats] == [
        ("agent", "Inspector", "hard"),
        ("human", "Ada", None),
    ]
    page.goto("/")
    expect(page.get_by_label("My name")).to_have_value("Ada")  # and the next time


def test_a_hunt_says_how_often_each_side_wins_and_offers_a_fair_game(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="Hunt Mr. X through London").click()
    choose(page, "I play", "Detectives")
    choose(page, "Players", "3 players")
    chance = page.locator("[data-chance]")
    expect(chance).to_have_text("How often each side wins at this table has not been measured.")
    page.locator("[data-fair]").click()
    expect(page.locator("[data-fair]")).to_have_count(0)
    told = re.search(r"level (\w+), Mr. X wins (\d+) % of games", chance.inner_text())
    assert told and 40 <= int(told[2]) <= 60
    seats = serving.get(f"/tables/{press_play(page)}")["seats"]
    assert [(seat["kind"], seat["agent"]) for seat in seats] == [("agent", told[1].lower()), ("human", None)]


def test_others_change_together_and_people_come_by_link(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="Settle an island").click()
    page.get_by_label("My name").fill("Ada")
    choose(page, "Players", "3 players")
    choose(page, "I play", "Seat 2")
    choose(page, "Against", "People, by link")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Waiting for 2 more players")).to_be_visible()
    seats = serving.get(f"/tables/{page.url.rsplit('/', 1)[1]}")["seats"]
    assert [seat["kind"] for seat in seats] == ["open", "human", "open"]
    assert seats[1]["name"] == "Ada"


def test_only_watching_is_a_game_of_computers(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="Azul").click()
    choose(page, "I play", "Only watch")
    table = press_play(page)
    assert {seat["kind"] for seat in serving.get(f"/tables/{table}")["seats"]} == {"agent"}
    expect(prompt(page)).not_to_contain_text("Your turn")


def test_what_is_impossible_is_not_offered(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Azul").click()
    expect(page.get_by_label("First")).not_to_be_visible()  # under "More"
    open_more(page)
    first = page.get_by_label("First").locator("option")
    expect(first).to_have_text(["Random", "1", "2"])
    choose(page, "Players", "4 players")
    expect(first).to_have_text(["Random", "1", "2", "3", "4"])
    page.get_by_label("First").select_option("4")
    choose(page, "Players", "3 players")
    expect(page.get_by_label("First")).to_have_value("random")
    groups = page.get_by_label("Level of").first.locator("optgroup")
    expect(groups).to_have_count(2)
    assert all("For researchers" in (group.get_attribute("label") or "") for group in groups.all())
    expect(page.get_by_label("Level of").first.locator("> option")).to_have_count(5)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lobby_fits_a_phone(open_page: OpenPage, scheme: str) -> None:
    page = open_page(color_scheme=scheme, **PHONE)
    page.get_by_role("button", name="Hunt Mr. X through London").tap()
    open_more(page)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    assert serious(page) == []


def test_a_game_that_is_being_prepared_says_so_and_can_be_set_up(open_page: OpenPage) -> None:
    page = open_page(service_workers="block")
    state: dict[str, Any] = {"ready": False, "playable": False, "progress": 0.0, "text": ""}

    def answer(route: Route) -> None:
        games = route.fetch().json()
        route.fulfill(json=[{**game, **({"preparing": state} if game["name"] == "catan" else {})} for game in games])

    page.route(re.compile(r"/api/v1/games(\?|$)"), answer)
    page.reload()
    page.get_by_role("button", name="Settle an island").click()
    expect(page.get_by_text("Preparing Catan, once on this computer")).to_be_visible()
    state["seconds"] = 170.0
    expect(page.get_by_text("Preparing Catan, about 3 minutes")).to_be_visible()
    state["seconds"] = 20.0
    expect(page.get_by_text("Preparing Catan, less than a minute")).to_be_visible()
    bar = page.get_by_role("progressbar", name="Progress")
    expect(bar).not_to_have_attribute("value", re.compile(""))  # another game comes first: it moves without a measure
    state["progress"] = 0.25
    expect(bar).to_have_attribute("value", "0.25")
    choose(page, "Players", "3 players")  # it can be set up meanwhile
    state["progress"] = 0.75
    expect(bar).to_have_attribute("value", "0.75")
    state["ready"] = True
    expect(bar).to_have_count(0)
    expect(page.get_by_role("radiogroup", name="Players").get_by_role("radio", checked=True)).to_have_count(1)
    assert page.get_by_label("3 players").is_checked()  # and stays as it was set


def test_a_table_whose_game_is_being_prepared_tells_how_far_it_is(open_page: OpenPage, serving: Serving) -> None:
    made = serving.post("/tables", {"game": "azul", "seats": [{"kind": "human"}, {"kind": "open"}]})
    page = open_page(service_workers="block")
    state = {"ready": False, "playable": False, "progress": 0.4, "text": ""}
    change_tables(page, lambda table: table.update(preparing=state))
    page.goto(f"/table/{made['table']['id']}")
    bar = page.get_by_role("progressbar", name="Progress")
    expect(page.get_by_text("Preparing Azul, once on this computer")).to_be_visible()
    expect(bar).to_have_attribute("value", "0.4")
    state["progress"] = 0.8
    serving.post(f"/tables/{made['table']['id']}/join", {"name": "Bea"})  # the table is told anew
    expect(bar).to_have_attribute("value", "0.8")
    assert serious(page) == []


def test_nobody_is_invited_to_a_full_table_that_is_being_prepared(open_page: OpenPage, serving: Serving) -> None:
    made = serving.post("/tables", {"game": "azul", "seats": [{"kind": "human"}, {"kind": "human"}]})
    page = open_page(service_workers="block")
    state = {"ready": False, "playable": False, "progress": 0.4, "text": "", "seconds": 63.0}
    change_tables(page, lambda table: table.update(preparing=state, status="waiting"))
    page.goto(f"/table/{made['table']['id']}")
    expect(page.get_by_role("heading", name="Preparing Azul, about a minute")).to_be_visible()
    expect(page.get_by_text("All seats are taken")).to_have_count(0)
    expect(page.get_by_role("button", name="Copy the link")).to_have_count(0)


def test_a_finished_game_tells_how_far_its_game_is_prepared_and_opens(open_page: OpenPage, serving: Serving) -> None:
    table = serving.finished_game()
    page = open_page(service_workers="block")
    progress: list[float | None] = [0.3]

    def told(socket: WebSocketRoute) -> None:
        if progress[0] is None:
            socket.connect_to_server()
            return

        def refuse(_: str | bytes) -> None:
            error = {"code": "unavailable", "message": "Preparing Azul, once on this computer: so far."}
            socket.send(json.dumps({"type": "error", "error": {**error, "retry_after": 0.2, "progress": progress[0]}}))

        socket.on_message(refuse)

    page.route_web_socket(re.compile(r"/socket(\?|$)"), told)
    page.goto(f"/table/{table}")
    bar = page.get_by_role("progressbar", name="Progress")
    for part in (0.3, 0.7):
        progress[0] = part
        expect(bar).to_have_attribute("value", str(part))
        expect(page.get_by_text("Preparing Azul, once on this computer")).to_be_visible()
    page.wait_for_timeout(1000)  # a server that answers is never said to be silent
    expect(page.get_by_text("we keep trying")).to_have_count(0)
    assert serious(page) == []
    progress[0] = None
    expect(result(page)).to_be_visible()
    expect(bar).to_have_count(0)


def test_a_file_is_opened_as_soon_as_its_game_is_prepared(
    open_page: OpenPage, serving: Serving, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(serving.get(f"/tables/{serving.finished_game()}/game")))
    page = open_page(service_workers="block", outage=True)
    ready = [False]

    def answer(route: Route) -> None:
        error = {"code": "unavailable", "message": "Preparing Azul, once on this computer", "progress": 0.5}
        route.fallback() if ready[0] else route.fulfill(status=503, json={"error": {**error, "retry_after": 2}})

    page.route("**/tables/import", answer)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a saved game").click()
    chooser.value.set_files(file)
    games = page.get_by_role("region", name="Finished games")
    expect(games.get_by_role("progressbar", name="Progress")).to_have_attribute("value", "0.5")
    expect(games.get_by_text("Preparing Azul, once on this computer")).to_be_visible()
    ready[0] = True
    page.wait_for_url("**/table/*")  # without another click
    expect(page.get_by_role("region", name="Board")).to_be_visible()


def test_mr_x_starts_apart_at_a_table_of_people(open_page: OpenPage, serving: Serving) -> None:
    page = open_page()
    page.get_by_role("button", name="on a 5×5 grid").click()
    table = press_play(page)
    assert serving.get(f"/tables/{table}")["options"]["starts"] == "apart"
    assert [seat["kind"] for seat in serving.get(f"/tables/{table}")["seats"]] == ["agent", "human"]  # a game to win
    made = serving.post("/tables", {"game": "scotland_yard_grid"})
    assert made["table"]["options"]["starts"] == "anywhere"  # as experiments play it
