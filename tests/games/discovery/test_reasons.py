"""Why a move is good: the numbers of every reason, on maps built tile by tile."""

from __future__ import annotations

from typing import Any

from ludens.core.weights import TUNED, VALUE_NETWORK
from ludens.games.discovery.evaluate import EVALUATIONS, HEURISTICS
from ludens.games.discovery.text.reasons import completes, reasons
from tests.games.discovery.table import Table
from tests.games.discovery.test_rules_scoring import SEA_4, built, stand

WEIGHTS = next(iter(EVALUATIONS.values()))


def told(before: Any, table: Table, end: Any = None) -> dict[str, dict[str, Any]]:
    found = reasons(before[0], table.s, table.s if end is None else end[0], int(before["current"][0]), WEIGHTS)
    assert all(reason.worth > 0 for reason in found)
    return {reason.term: reason.values for reason in found}


def test_a_follower_tells_what_its_region_is_worth() -> None:
    table = Table()
    table.draw("D03")
    before = table.state.copy()
    table.place(0, 1, 0)
    assert not completes(before[0], 0, table.s)
    table.follower(1)
    assert completes(before[0], 0, table.s)
    assert told(before, table)["follower"] == {"terrain": "mountains", "n": 0, "ends": 1}  # no city so far (CD-21)


def test_closing_a_region_tells_its_points_before_and_after() -> None:
    table = built(SEA_4)
    seat = table.actor() if table.actor() >= 0 else int(table.s.current)
    stand(table, seat, 0, 0, 2)
    table.draw("D26")
    assert table.actor() == seat
    before = table.state.copy()
    table.place(2, -2, 2)
    table.skip()
    found = told(before, table)
    assert found["closed"] == {"terrain": "sea", "n": 7, "ends": 0, "before": 1}  # five tiles, two cities (CD-21)
    later = table.state.copy()
    later["score"][0, seat] += 7
    assert told(before, table, later)["soon"] == {"n": 7}


def test_taking_a_follower_back_tells_its_points_and_that_it_is_free() -> None:
    table = built([*SEA_4, ("D26", 2, -2, 2)])
    seat = int(table.s.current)
    stand(table, seat, 0, 0, 2)
    table.draw("D03")
    before = table.state.copy()
    table.place(0, 1, 0)
    table.remove(0)
    found = told(before, table)
    assert found["points"] == {"n": 7}
    assert found.get("free", {"n": 4}) == {"n": 4}


def test_what_the_network_says_is_told_in_the_tuned_terms() -> None:
    table = Table()
    table.draw("D03")
    before = table.state.copy()
    table.place(0, 1, 0)
    table.follower(1)
    tuned, learned = (reasons(before[0], table.s, table.s, 0, EVALUATIONS[name]) for name in (TUNED, VALUE_NETWORK))
    assert tuned == learned != ()
    assert reasons(before[0], table.s, table.s, 0, HEURISTICS["greedy"]) == ()
