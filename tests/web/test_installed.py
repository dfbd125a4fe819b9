"""The page as an installed app: manifest, icons, a shell that opens without the server; and sounds that can be off."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.web import azul
from tests.web.any_table import shown_ply, until, wait_beyond
from tests.web.conftest import OpenPage

KEPT = "async () => (await (await caches.open('ludens-shell')).keys()).map(({ url }) => new URL(url).pathname)"
_TENTHS = 600  # of a second, in which a busy machine keeps the shell
WHOLE = "async () => navigator.serviceWorker.controller && (await caches.match('/')) !== undefined"


def installed(page: Page) -> list[str]:
    """Waits until the shell is kept, and returns what it consists of."""
    for _ in range(_TENTHS):
        if page.evaluate(WHOLE) and "/" in (kept := page.evaluate(KEPT)):
            return list(kept)
        page.wait_for_timeout(100)
    raise AssertionError("the shell was not kept in time")


def test_the_manifest_names_icons_of_their_sizes(open_page: OpenPage) -> None:
    page = open_page()
    manifest: dict[str, Any] = page.evaluate(
        "async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()"
    )
    assert manifest["display"] == "standalone" and manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        size = page.evaluate(
            """(src) => new Promise((done, fail) => {
                const picture = new Image();
                picture.onload = () => done(picture.naturalWidth);
                picture.onerror = fail;
                picture.src = src;
            })""",
            icon["src"],
        )
        assert icon["sizes"] == "any" or icon["sizes"] == f"{size}x{size}"
    assert {"any", "maskable"} <= {icon["purpose"] for icon in manifest["icons"]}


def test_the_shell_opens_without_the_server_and_keeps_no_answer(open_page: OpenPage) -> None:
    page = open_page(outage=True)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    kept = installed(page)
    assert "/" in kept and any(path.endswith(".css") for path in kept) and any(path.endswith(".js") for path in kept)
    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    assert all(path == "/" or path.startswith("/assets/") for path in installed(page))


def test_an_old_shell_never_hides_a_new_page(open_page: OpenPage) -> None:
    page = open_page()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    installed(page)
    page.evaluate(
        """async () => {
            const cache = await caches.open('ludens-shell');
            await cache.put('/', new Response('<p>of yesterday</p>', { headers: { 'content-type': 'text/html' } }));
            await cache.put('/assets/gone-00000000.js', new Response('throw 0'));
        }"""
    )
    page.goto("/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    page.wait_for_function("async () => !(await (await caches.match('/')).text()).includes('of yesterday')")
    assert "/assets/gone-00000000.js" not in page.evaluate(KEPT)


def test_sounds_are_heard_and_can_be_switched_off(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(
        """window.heard = 0;
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { window.heard++; return make.call(this); };"""
    )
    page.goto("/")
    azul.start(page, ["Person", "Person"])
    azul.play_a_move(page)
    until(page, "window.heard > 0")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").uncheck()
    page.keyboard.press("Escape")
    page.evaluate("window.heard = 0")
    ply = shown_ply(page)
    azul.play_a_move(page)
    wait_beyond(page, ply)
    azul.wait_for_turn(page)
    assert page.evaluate("window.heard") == 0
