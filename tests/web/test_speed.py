"""Speed that does not depend on who else uses the machine: the page's own time, what it sends, and what it animates."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import CDPSession, Page, expect

from tests.web.any_table import PHONE, until, wait_beyond
from tests.web.conftest import OpenPage
from tests.web.serving import Serving

# The list of tables is as long as others make it: these tests share a server.
SENT = """[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
    .filter((entry) => !entry.name.includes('/api/v1/tables'))
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
FILM = """(milliseconds) => new Promise((done) => {
    const [animated, start] = [new Set(), performance.now()];
    const told = new Set(['offset', 'computedOffset', 'easing', 'composite']);
    let frames = 0;
    const look = () => {
        frames++;
        for (const one of document.getAnimations())
            for (const frame of one.effect.getKeyframes())
                for (const name of Object.keys(frame)) if (!told.has(name)) animated.add(name);
        if (performance.now() - start < milliseconds) requestAnimationFrame(look);
        else done({ animated: [...animated].sort(), frames });
    };
    requestAnimationFrame(look);
})"""


def measuring(page: Page) -> CDPSession:
    """Counts the time of the page's own thread: others use the machine, too."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def measured(session: CDPSession) -> dict[str, float]:
    metrics: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    return {entry["name"]: float(entry["value"]) for entry in metrics}


def test_the_lobby_can_be_used_soon_on_a_slow_phone(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    session = measuring(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    times, layouts = [], []
    for _ in range(3):
        page.goto("/")
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
        now = measured(session)
        times.append(now["TaskDuration"])
        layouts.append(now["LayoutCount"])
    assert 0 < min(times) < 2, f"{times} seconds at a quarter of the speed."
    assert min(layouts) < 60


def test_another_language_costs_little_more(open_page: OpenPage) -> None:
    sent = {}
    for locale in ("en", "cs"):
        page = open_page(locale=locale, service_workers="block")  # what comes through one is counted unpacked
        expect(page.locator("button.play")).to_be_enabled()
        page.wait_for_load_state("networkidle")
        sent[locale] = page.evaluate(SENT)
    assert 1_000 < sent["cs"] - sent["en"] < 20_000, sent
    assert sent["cs"] < 125_000, sent


def test_animations_keep_to_what_costs_no_layout(open_page: OpenPage, serving: Serving) -> None:
    """Sixty frames a second leave 16 ms for each: the page's own work in one, on the average, stays well below."""
    page = open_page(f"/table/{serving.finished_game()}?ply=0", moving=True)
    until(page, "document.querySelector('main.play')?.dataset.ply === '0'")
    page.get_by_role("button", name="Play the moves").click()
    wait_beyond(page, 20)  # the deal
    session = measuring(page)
    before = measured(session)["TaskDuration"]
    film = page.evaluate(FILM, 4_000)
    spent = measured(session)["TaskDuration"] - before
    assert "transform" in film["animated"]
    assert set(film["animated"]) <= {"transform", "opacity"}
    assert spent / film["frames"] < 0.012, f"{spent:.2f} s for {film['frames']} frames."
