"""What people do at Catan's table, as steps of a test."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Locator, Page

from tests.web import any_table
from tests.web.any_table import shown_ply, until, wait_beyond

__all__ = ["Hands", "deed", "sheet", "spots", "start", "wait_for_turn"]


def start(page: Page, players: int = 3, level: str = "weighted", **options: int) -> str:
    """Sets a table for a person and computers in the lobby, and returns its id."""
    return any_table.start(page, "Catan", ["Person"] + ["Computer"] * (players - 1), level, **options)


def spots(page: Page) -> Locator:
    """Places on the island that invite."""
    return page.locator("g.spot")


def sheet(page: Page) -> Locator:
    """The form of a choice in progress."""
    return page.locator("section.sheet")


def deed(page: Page, name: str) -> Locator:
    """The button of an action."""
    return page.locator(f"[data-deed='{name}']")


def wait_for_turn(page: Page) -> str:
    """Waits until we are to choose, or the game is over; returns the phase."""
    until(
        page,
        "document.querySelector('.catan')?.dataset.mine === 'true' "
        "|| document.querySelector('.catan')?.dataset.phase === 'over'",
    )
    return str(page.locator(".catan").get_attribute("data-phase"))


class Hands:
    """A person who plays by clicks, does whatever is possible, and remembers what was done."""

    def __init__(self, page: Page, by_finger: bool = False) -> None:
        self.page = page
        self.by_finger = by_finger  # which touches a place twice
        self.done: Counter[str] = Counter()
        self._offered = False  # in this turn

    def play_to_the_end(self, most: int = 2500) -> None:
        for _ in range(most):
            if self.decide() == "over":
                return
        raise AssertionError(f"The game does not end: {self.done}")

    def decide(self) -> str:
        """Takes one decision; returns the phase it was in."""
        phase = wait_for_turn(self.page)
        if phase == "over":
            return phase
        ply = shown_ply(self.page)
        if phase in ("first settlements", "first roads", "free roads"):
            self._place()
        elif phase == "before the roll":
            self._roll()
        elif phase == "main":
            self._act()
        elif phase == "discard":
            self._discard()
        elif phase == "robber":
            self._move_robber()
        elif phase == "answer":
            self._answer()
        elif phase == "partner":
            self._choose_partner()
        else:
            raise AssertionError(f"The page leaves us in the middle of {phase!r}.")
        wait_beyond(self.page, ply)
        return phase

    def _place(self) -> None:
        best = max(spots(self.page).all(), key=_worth)
        best.locator(".ring").click(force=True)
        if self.by_finger:
            best.locator(".ring").click(force=True)

    def _roll(self) -> None:
        knight = self.page.locator("[data-card='knight'][aria-disabled='false']")
        if knight.count():
            knight.click()
            self.done["knight"] += 1
            self._move_robber()
        else:
            deed(self.page, "roll").click()

    def _move_robber(self) -> None:
        self.done["robber"] += 1
        hexes = self.page.locator("g[data-hex]")
        chosen = hexes.nth(self.done["robber"] % hexes.count())
        chosen.locator(".ring").click(force=True)
        victims = self.page.locator("[data-victim]")
        if self.by_finger and not victims.count():
            chosen.locator(".ring").click(force=True)
        if victims.count():
            self.done["victim"] += 1
            victims.first.click()

    def _discard(self) -> None:
        confirm = self.page.locator("[data-confirm]")
        while confirm.is_disabled():
            self.page.locator("[data-pick^='discard']:enabled").first.click()
        self.done["discard"] += 1
        confirm.click()

    def _answer(self) -> None:
        """Accepts what can be accepted, counters once, else declines."""
        self.done["answer"] += 1
        if self.page.locator("[data-accept][aria-disabled='false']").count():
            self.page.locator("[data-accept]").click()
            return
        if not self.done["counter"] and self.page.locator("[data-counter]").count():
            self.page.locator("[data-counter]").click()
            give = self.page.locator("[data-pick^='give']:enabled")
            if give.count():
                give.first.click()
                self.page.locator("[data-pick^='want']:enabled").first.click()
                self.done["counter"] += 1
                self.page.locator("[data-propose]").click()
                return
            self.page.keyboard.press("Escape")
        self.page.locator("[data-decline]").click()

    def _choose_partner(self) -> None:
        partner = self.page.locator("[data-partner][aria-disabled='false']")
        if partner.count():
            self.done["trade"] += 1
            partner.first.click()
        else:
            self.page.locator("[data-withdraw]").click()

    def _act(self) -> None:
        """Builds what can be built, plays and buys cards, trades a little, and ends the turn."""
        for name in ("city", "settlement"):
            if self._possible(name):
                self.done[name] += 1
                deed(self.page, name).click()
                return self._place()
        if self._play_card():
            return None
        if self._possible("development card"):
            self.done["card"] += 1
            return deed(self.page, "development card").click()
        if self._possible("trade") and (self._bank() or self._offer()):
            return None
        if self._possible("road"):
            self.done["road"] += 1
            deed(self.page, "road").click()
            return self._place()
        self._offered = False
        return deed(self.page, "end").click()

    def _possible(self, name: str) -> bool:
        return deed(self.page, name).get_attribute("aria-disabled") == "false"

    def _play_card(self) -> bool:
        card = self.page.locator("[data-card][aria-disabled='false']")
        if not card.count():
            return False
        name = str(card.first.get_attribute("data-card"))
        self.done[name] += 1
        card.first.click()
        if name == "knight":
            self._move_robber()
        elif name == "monopoly":
            self.page.locator("[data-pick^='monopoly']").nth(3).click()
        else:
            while name == "year of plenty" and self.page.locator("[data-confirm]").is_disabled():
                self.page.locator("[data-pick^='plenty']:enabled").last.click()
            self.page.locator("[data-confirm]").click()
        return True

    def _bank(self) -> bool:
        """Gives the bank what there is too much of."""
        deed(self.page, "trade").click()
        self.page.get_by_role("tab", name="With the bank").click()
        give = self.page.locator("[data-pick^='bank-give']:enabled")
        if give.count():
            give.first.click()
            want = self.page.locator("[data-pick^='bank-want']:enabled")
            want.nth(self.done["bank"] % want.count()).click()
            self.done["bank"] += 1
            return True
        while sheet(self.page).count():
            self.page.keyboard.press("Escape")
        return False

    def _offer(self) -> bool:
        """Offers one card for one, until two such trades were made; not more than once a turn."""
        if self._offered or self.done["trade"] >= 2:
            return False
        deed(self.page, "trade").click()
        tab = self.page.get_by_role("tab", name="With players")
        if tab.count():
            tab.click()
            give = self.page.locator("[data-pick^='give']:enabled")
            if give.count():
                give.first.click()
                want = self.page.locator("[data-pick^='want']:enabled")
                if want.count():
                    want.nth(self.done["offer"] % want.count()).click()
                    self.done["offer"] += 1
                    self._offered = True
                    self.page.locator("[data-propose]").click()
                    return True
        while sheet(self.page).count():
            self.page.keyboard.press("Escape")
        return False


def _worth(spot: Locator) -> int:
    """How good a place is: corners by the dots around them."""
    label = str(spot.get_attribute("aria-label"))
    numbers = [int(number) for number in re.findall(r" (\d+)(?:,|$)", label.partition(":")[2])]
    return sum(6 - abs(7 - number) for number in numbers)
