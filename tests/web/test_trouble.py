"""A server that goes away: it is announced, nothing is lost and nothing doubled."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web import azul
from tests.web.any_table import shown_ply, wait_beyond
from tests.web.conftest import OpenPage
from tests.web.serving import Serving


def test_a_move_made_while_the_server_restarts_is_played_once(open_page: OpenPage, serving: Serving) -> None:
    page = open_page(outage=True)
    table = azul.start(page, ["Person", "Person"])
    azul.play_a_move(page)
    azul.wait_for_turn(page)
    before = shown_ply(page)
    serving.stop()
    try:
        expect(page.get_by_text("The connection is lost")).to_be_visible()
        azul.take(page)
        azul.open_targets(page).first.click()
        expect(page.get_by_text("Your move is kept and will be sent")).to_be_visible()
    finally:
        serving.start()
    wait_beyond(page, before)
    expect(page.get_by_text("The connection is lost")).to_have_count(0)
    steps = serving.get(f"/tables/{table}/steps?from={before}")["steps"]
    assert [step["ply"] for step in steps if step["actor"] is not None] == [before]
    azul.play_a_move(page)


def test_a_table_that_does_not_exist_is_said_so(open_page: OpenPage) -> None:
    page = open_page("/table/nosuchtable")
    expect(page.get_by_role("heading", name="This table cannot be shown")).to_be_visible()
    page.get_by_role("link", name="To the lobby").click()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
