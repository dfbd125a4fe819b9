"""Trade with the bank and between players: CA-18 and the rows of CA-21."""

from __future__ import annotations

from typing import Any

import pytest

from ludens.games.catan import GAME
from ludens.games.catan.rules import island
from ludens.games.catan.state import UNLIMITED
from tests.games.catan.table import Table


def at_harbour(kind: int) -> int:
    """A vertex of the first harbour of this kind on the beginner board."""
    return int(island.EDGE_VERTICES[island.HARBOUR_EDGES[island.BEGINNER_HARBOURS.tolist().index(kind)]][0])


def test_ca_18_four_for_one_without_a_harbour() -> None:
    table = Table().cards(0, wool=4)
    assert [m for m in table.words() if m.startswith("exchange")] == [
        f"exchange wool {r}" for r in ("brick", "lumber", "grain", "ore")
    ]
    table.do("exchange wool ore")
    assert table.hand(0) == {"ore": 1}
    assert table.s.bank.tolist() == [19, 19, 19, 19, 18]
    assert "4 wool" in Table().cards(0, wool=3).refusal("exchange wool ore")


def test_ca_18_a_generic_harbour_gives_three_for_one_and_a_special_one_two() -> None:
    table = Table().settle(0, at_harbour(5)).cards(0, wool=3)
    assert table.do("exchange wool ore").hand(0) == {"ore": 1}
    special = Table().settle(0, at_harbour(2)).cards(0, wool=2, ore=3)
    assert special.s.price[0].tolist() == [4, 4, 2, 4, 4]
    assert not special.may("exchange ore wool")
    assert special.do("exchange wool brick").hand(0) == {"brick": 1, "ore": 3}
    both = Table().settle(0, at_harbour(2), at_harbour(5))
    assert both.s.price[0].tolist() == [3, 3, 2, 3, 3]


def test_ca_18_the_bank_must_have_the_wanted_card() -> None:
    table = Table().cards(0, wool=4).cards(1, ore=19)
    assert not table.may("exchange wool ore")
    assert "CA-10" in table.refusal("exchange wool ore")


# --- between players ------------------------------------------------------------------------


def offered(**options: Any) -> Table:
    """Seat 0 offers two wool for one ore; seats 1 and 2 hold ore, seat 3 grain."""
    table = Table(**options)
    table.cards(0, wool=3, brick=1).cards(1, ore=2).cards(2, ore=1).cards(3, grain=2)
    return table.do("give wool", "give wool", "want ore", "propose")


def test_ca_18_the_opponents_answer_in_seat_order_and_the_active_player_chooses() -> None:
    table = offered()
    assert (table.phase, table.actor) == ("answer", 1)
    assert table.words() == ["accept", "decline", "counter"]
    table.do("accept")
    assert table.actor == 2
    table.do("accept")
    assert table.actor == 3
    assert table.words() == ["decline", "counter"]
    assert "CA-18" in table.refusal("accept")
    table.do("decline")
    assert (table.phase, table.actor) == ("partner", 0)
    assert table.words() == ["cancel", "trade 2", "trade 3"]
    assert "CA-18" in table.refusal("trade 4")
    table.do("trade 3")
    assert table.hand(0) == {"wool": 1, "brick": 1, "ore": 1}
    assert table.hand(2) == {"wool": 2}
    assert table.hand(1) == {"ore": 2}
    assert table.phase == "main"


def test_ca_18_the_active_player_may_refuse_all() -> None:
    table = offered().do("accept", "decline", "decline", "cancel")
    assert table.phase == "main"
    assert table.hand(0) == {"wool": 3, "brick": 1}


def test_ca_18_nobody_willing_ends_the_offer() -> None:
    assert offered().do("decline", "decline", "decline").phase == "main"


def test_ca_18_no_gifts_and_no_resource_on_both_sides() -> None:
    table = Table().cards(0, wool=2).cards(1, ore=1, wool=1).do("give wool")
    assert not table.may("propose")
    assert "gifts" in table.refusal("propose")
    assert not table.may("want wool")
    assert "both sides" in table.refusal("want wool")
    table.do("want ore")
    assert not table.may("give ore")
    assert table.may("propose")
    table.do("cancel")
    assert table.phase == "main"
    assert not table.s.offer.any()


def test_ca_18_only_cards_that_exist_can_be_offered_or_wanted() -> None:
    table = Table().cards(0, wool=1).cards(1, ore=1, grain=1).do("give wool")
    assert not table.may("give wool")
    table.do("want ore")
    assert not table.may("want ore")
    assert not table.may("want brick")
    assert table.may("want grain")


def test_ca_18_nobody_is_asked_who_has_no_cards() -> None:
    table = Table().cards(0, wool=1).cards(2, ore=1).do("give wool", "want ore", "propose")
    assert table.actor == 2
    table.do("decline")
    assert table.phase == "main"


def test_ca_18_development_cards_are_not_tradable() -> None:
    assert not any("knight" in option for option in Table().development(0, knight=1, fresh=True).words())


def test_ca_21_counter_offers_are_chosen_like_acceptances() -> None:
    table = offered().do("counter")
    assert (table.phase, table.actor) == ("counter-offer", 1)
    assert not table.may("give brick")
    table.do("give ore", "want wool", "want brick")
    assert not table.may("give wool")
    table.do("propose", "decline", "counter", "cancel")
    assert (table.phase, table.actor) == ("partner", 0)
    assert table.words() == ["cancel", "trade 2"]
    table.do("trade 2")
    assert table.hand(0) == {"wool": 2, "ore": 1}
    assert table.hand(1) == {"brick": 1, "wool": 1, "ore": 1}


def test_ca_21_a_counter_offer_that_cannot_be_paid_cannot_be_chosen() -> None:
    table = Table().cards(0, wool=1, grain=1).cards(1, ore=1).cards(2, brick=1)
    table.do("give wool", "want ore", "propose", "counter", "give ore", "want brick", "propose", "decline")
    assert table.words() == ["cancel"]


def test_ca_21_the_thesis_has_no_counter_offers_and_the_first_acceptor_trades() -> None:
    table = offered(preset="thesis")
    assert table.words() == ["accept", "decline"]
    assert "CA-21" in table.refusal("counter")
    table.do("decline", "accept")
    assert table.phase == "main"
    assert table.hand(2) == {"wool": 2}


def test_ca_21_the_thesis_limits_offers_to_one_or_two_cards_for_one() -> None:
    table = Table(preset="thesis").cards(0, wool=3, brick=3).cards(1, ore=3)
    table.do("give wool", "give brick")
    assert not any(word.startswith("give") for word in table.words())
    assert "CA-21" in table.refusal("give wool")
    table.do("want ore")
    assert table.words() == ["propose", "cancel"]
    assert "CA-21" in table.refusal("want ore")


@pytest.mark.parametrize(
    ("option", "official", "thesis"),
    [
        ("bank", {"bank": "limited"}, {"bank": "unlimited"}),
        ("bargaining", {"bargaining": "counter-offers"}, {"bargaining": "one-sided"}),
        ("offer_size", {"offer_size": "any"}, {"offer_size": "two-for-one"}),
        ("partner", {"partner": "choice"}, {"partner": "first"}),
    ],
)
def test_ca_21_every_row_is_its_own_option(option: str, official: dict[str, Any], thesis: dict[str, Any]) -> None:
    assert option in {o.name for o in GAME.spec.options}
    for preset, own, other in (("official", official, thesis), ("thesis", thesis, official)):
        base = Table(preset=preset).states.tobytes()
        assert Table(preset=preset, **own).states.tobytes() == base
        assert Table(preset=preset, **other).states.tobytes() != base


def test_ca_21_the_presets() -> None:
    official, thesis = Table(preset="official").s, Table(preset="thesis").s
    assert (official.bank[0], official.counter_offers, official.offer_limit, official.first_acceptor) == (19, 1, 0, 0)
    assert (thesis.bank[0], thesis.counter_offers, thesis.offer_limit, thesis.first_acceptor) == (UNLIMITED, 0, 1, 1)


def test_ca_35_offers_are_limited_in_a_turn() -> None:
    table = Table(offers_per_turn=1, players=2).cards(0, wool=1).cards(1, ore=1)
    table.do("give wool", "cancel")
    assert not table.may("give wool")
    assert "CA-21" in table.refusal("give wool")
    table.do("end").roll(2).do("end").roll(2)
    assert table.may("give wool")
    assert not any("give" in word for word in Table(offers_per_turn=0).cards(0, wool=1).cards(1, ore=1).words())
