"""Boards elsewhere: a game in a page of its own, in a notebook's frame, and in the frame of another site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from ludens.core.film import film_page
from ludens.core.match import Match
from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import Serving
from tests.web.test_laboratory import SIGHTS, fits


def game(name: str, moves: int = 30) -> Match:
    match = Match(name, seed=3)
    for turn in range(moves):
        legal = match.legal()
        if match.over:
            break
        match.play(int(legal[turn % len(legal)]))
    return match


def step_through(shown: Page | FrameLocator) -> None:
    """The slider, the keys and the buttons all lead through the game."""
    slider = shown.get_by_role("slider", name="Move")
    expect(slider).to_have_value("0")
    before = shown.locator("div.board").inner_html()
    slider.press("End")
    newest = slider.get_attribute("max")
    expect(slider).to_have_value(str(newest))
    assert shown.locator("div.board").inner_html() != before
    shown.get_by_role("button", name="Previous").click()
    expect(slider).to_have_value(str(int(str(newest)) - 1))
    shown.get_by_role("button", name="Next").click()
    expect(slider).to_have_value(str(newest))


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", ["azul", "discovery", "catan", "scotland_yard", "scotland_yard_grid"])
def test_every_board_stands_by_itself(open_page: OpenPage, tmp_path: Path, name: str, sight: dict[str, Any]) -> None:
    file = tmp_path / "game.html"
    file.write_text(film_page(game(name)), encoding="utf-8")
    page = open_page(file.as_uri(), **sight)
    step_through(page)
    assert fits(page)
    assert serious(page) == []


def test_a_notebook_shows_a_match(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><title>Notebook</title>{game('azul')._repr_html_()}", encoding="utf-8")
    step_through(open_page(file.as_uri()).frame_locator("iframe"))


def test_another_site_shows_a_finished_game_of_the_server(
    open_page: OpenPage, serving: Serving, tmp_path: Path
) -> None:
    address = f"{serving.address}/api/v1/tables/{serving.finished_game()}/embed"
    file = tmp_path / "site.html"
    file.write_text(f'<!doctype html><title>Elsewhere</title><iframe src="{address}" title="A game"></iframe>')
    shown = open_page(file.as_uri()).frame_locator("iframe")
    expect(shown.get_by_role("list", name="Players")).to_contain_text("Ada")
    step_through(shown)
