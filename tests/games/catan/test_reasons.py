"""Why a move is good: the numbers of every reason, on tables set by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.games.catan import action_ids as ids
from ludens.games.catan.evaluate import HAND_MADE, NAMES
from ludens.games.catan.rules import island
from ludens.games.catan.state import DESERT, DOTS, RESOURCES
from ludens.games.catan.text.reasons import completes, reasons, vain
from tests.games.catan.table import CENTRE, Table, edges_along


def told(before: np.ndarray, table: Table, seat: int = 0) -> dict[str, dict[str, Any]]:
    found = reasons(before[0], table.s, table.s, seat, HAND_MADE)
    assert len(found) <= 3
    assert all(reason.worth > 0 for reason in found)
    return {reason.term: reason.values for reason in found}


def fields_at(table: Table, vertex: int) -> dict[str, int]:
    """Dots by resource around a vertex, counted here."""
    dots: dict[str, int] = {}
    for h in island.VERTEX_HEXES[vertex]:
        if h >= 0 and table.s.terrain[h] != DESERT:
            name = RESOURCES[table.s.terrain[h]]
            dots[name] = dots.get(name, 0) + int(DOTS[table.s.number[h]])
    return dots


def test_a_settlement_tells_its_point_and_what_it_produces() -> None:
    table = Table().settle(0, CENTRE[0]).road(0, *edges_along(CENTRE[:3]))
    table.cards(0, brick=1, lumber=1, wool=1, grain=1)
    before = table.seen(0)
    table.do(f"settlement {CENTRE[2]}")
    dots = fields_at(table, CENTRE[2])
    found = told(before, table)
    assert found["points"] == {"n": 1}
    assert found["production"]["n"] == sum(dots.values())
    assert set(found["production"]["resources"]) == set(dots)


def test_a_first_settlement_does_not_tell_the_point_that_every_one_brings() -> None:
    table = Table(placed=False)
    before = table.seen(0)
    table.do(f"settlement {CENTRE[2]}")
    found = told(before, table)
    assert "points" not in found
    assert found["production"]["n"] == sum(fields_at(table, CENTRE[2]).values())


def test_an_offer_tells_what_it_would_buy_and_is_whole_only_when_it_is_made() -> None:
    table = Table(players=2).settle(0, CENTRE[0]).cards(0, wool=1, grain=2).cards(1, ore=1)
    before = table.seen(0)
    for words in ("give grain", "want ore"):
        table.do(words)
        assert not completes(before[0], 0, table.s)
    table.do("propose")
    assert completes(before[0], 0, table.s)
    assert told(before, table)["purchase"] == {"what": "development card", "n": 0}


def test_an_offer_that_is_accepted_tells_the_same_to_the_other_side() -> None:
    table = Table(players=3).cards(0, grain=2).cards(1, wool=1, ore=2)
    table.do("give grain", "want ore", "propose")
    before = table.seen(1)
    table.do("accept")
    assert told(before, table, 1)["purchase"] == {"what": "development card", "n": 0}


def test_withdrawn_offers_are_vain() -> None:
    assert vain([ids.GIVE, ids.WANT, ids.CANCEL])
    assert not vain([ids.CANCEL])
    assert not vain([ids.GIVE, ids.WANT])


def test_the_robber_tells_whom_it_hits_and_how_hard() -> None:
    table = Table(players=2).development(0, knight=1)
    hit = next(h for h in range(19) if DOTS[table.s.number[h]] == 5)
    table.settle(1, *[int(v) for v in island.HEX_VERTICES[hit][[0, 3]]])
    before = table.seen(0)
    table.do("knight")
    assert not completes(before[0], 0, table.s)
    table.do(f"robber {hit}")
    only = np.zeros_like(HAND_MADE)
    only[NAMES.index("brick dot") : NAMES.index("ore dot") + 1] = 1
    found = {reason.term: reason.values for reason in reasons(before[0], table.s, table.s, 0, only)}
    assert found["robbed"] == {"seat": 1, "n": 10}


def test_a_road_tells_the_place_it_leads_to() -> None:
    table = Table().settle(0, CENTRE[0]).road(0, *edges_along(CENTRE[:2])).cards(0, brick=1, lumber=1)
    before = table.seen(0)
    table.do(f"road {edges_along(CENTRE[1:3])[0]}")
    assert told(before, table)["site"] == {"roads": 0, "n": sum(fields_at(table, CENTRE[2]).values())}
