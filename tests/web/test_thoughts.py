"""What agents tell of their moves stands beside the board."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from tests.web.axe import serious
from tests.web.conftest import OpenPage
from tests.web.serving import PATIENCE, Serving


def test_what_an_agent_thought_of_its_move_is_told(open_page: OpenPage, serving: Serving) -> None:
    seats = [{"kind": "agent", "agent": "mcts:simulations=20", "name": "Ada"}, {"kind": "agent", "agent": "random"}]
    made = serving.post("/tables", {"game": "azul", "seats": seats, "seed": 3, "options": {"round_limit": 1}})
    table, end = made["table"]["id"], time.monotonic() + PATIENCE
    while serving.get(f"/tables/{table}")["status"] != "finished":
        assert time.monotonic() < end, "The computers do not finish."
        time.sleep(0.1)
    steps = serving.get(f"/tables/{table}/steps?from=0&positions=false")["steps"]
    told = next(step["ply"] for step in steps if step.get("thought"))
    silent = next(step["ply"] for step in steps if step["actor"] == 1)
    page = open_page(f"/table/{table}?ply={told + 1}")
    note = page.get_by_role("note", name="What Ada thought")
    expect(note).to_contain_text("20 simulations")
    expect(note).to_contain_text("expects")
    assert serious(page) == []
    page.goto(f"/table/{table}?ply={silent + 1}")
    expect(page.get_by_role("list", name="Players")).to_be_visible()
    expect(note).to_have_count(0)
