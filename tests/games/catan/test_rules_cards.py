"""Development cards, longest road and largest army: CA-9, CA-11, CA-15 … CA-17."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels
from ludens.games.catan.rules import island
from ludens.games.catan.state import DECK
from tests.games.catan.table import CENTRE, Table, edge_between, edges_along

CARD = {"wool": 1, "grain": 1, "ore": 1}


def test_ca_9_the_deck_has_25_cards_and_is_drawn_by_what_is_left() -> None:
    assert DECK.tolist() == [14, 5, 2, 2, 2]
    table = Table().development(1, knight=4, monopoly=2).cards(0, **CARD).do("buy")
    outcomes, weights = np.zeros(36, np.int64), np.zeros(36)
    n = int(kernels.chance_at(table.states, 0, outcomes, weights))
    assert dict(zip(outcomes[:n].tolist(), weights[:n] * 19, strict=True)) == pytest.approx({0: 10, 1: 5, 2: 2, 3: 2})


def test_ca_9_an_empty_deck_sells_nothing() -> None:
    table = Table().development(1, knight=14, victory_point=5, road_building=2, year_of_plenty=2, monopoly=2)
    table.cards(0, **CARD)
    assert not table.may("buy")
    assert "CA-9" in table.refusal("buy")


def test_ca_11_a_card_bought_this_turn_waits_for_the_next() -> None:
    table = Table(players=2).cards(0, **CARD).do("buy").draw("knight")
    assert not table.may("knight")
    assert "CA-11" in table.refusal("knight")
    table.do("end").roll(2).do("end")
    assert table.may("knight")


def test_ca_11_an_older_card_of_the_same_kind_may_be_played() -> None:
    table = Table().development(0, knight=1).cards(0, **CARD).do("buy").draw("knight")
    assert table.may("knight")


def test_ca_11_nobody_plays_a_card_of_a_kind_that_is_not_in_the_hand() -> None:
    table = Table(rolled=False).development(0, monopoly=1)
    assert table.words() == [*(f"monopoly {name}" for name in ("brick", "lumber", "wool", "grain", "ore")), "roll"]
    settled = Table().development(0, knight=1).settle(0, CENTRE[0]).road(0, edge_between(CENTRE[0], CENTRE[1]))
    assert settled.words() == ["knight", "end"]


def test_ca_11_one_card_a_turn_also_before_the_roll() -> None:
    table = Table(rolled=False).development(0, knight=1, monopoly=1, year_of_plenty=1)
    assert {"knight", "monopoly ore", "year of plenty", "roll"} <= set(table.words())
    table.do("knight", "robber 0")
    assert table.words() == ["roll"]
    assert "CA-11" in table.refusal("monopoly ore")
    table.roll(3)
    assert not table.may("year of plenty")


def test_ca_13_a_knight_before_the_roll_moves_the_robber_without_discards() -> None:
    table = Table(rolled=False).development(0, knight=1).cards(1, wool=9).settle(1, int(island.HEX_VERTICES[0][0]))
    table.do("knight")
    assert table.phase == "robber"
    table.do("robber 0").steal("wool")
    assert (table.hand(0), table.hand(1)) == ({"wool": 1}, {"wool": 8})
    assert table.s.army[0] == 1
    assert table.phase == "before the roll"
    assert table.words() == ["roll"]


def test_ca_15_road_building_places_two_free_roads() -> None:
    table = Table().development(0, road_building=1).settle(0, CENTRE[0]).road(0, edge_between(CENTRE[0], CENTRE[1]))
    table.do("road building", f"road {edge_between(CENTRE[1], CENTRE[2])}")
    assert table.phase == "free roads"
    assert "CA-15" in table.refusal("end")
    table.do(f"road {edge_between(CENTRE[2], CENTRE[3])}")
    assert table.phase == "main"
    assert table.s.roads_left[0] == 12


def test_ca_15_road_building_places_one_road_if_only_one_is_left_or_none() -> None:
    table = Table().development(0, road_building=1).settle(0, CENTRE[0]).road(0, edge_between(CENTRE[0], CENTRE[1]))
    table.s.roads_left[0] = 1
    table.do("road building", f"road {edge_between(CENTRE[1], CENTRE[2])}")
    assert table.phase == "main"
    none = Table().development(0, road_building=1).settle(0, CENTRE[0])
    assert "CA-15" in none.refusal("road building")


def test_ca_15_winning_on_a_road_of_road_building() -> None:
    table = Table().development(0, road_building=1).city(0, 0, 4, 16).settle(0, 20, CENTRE[0])
    table.road(0, *edges_along(CENTRE[:5]))
    assert table.s.visible[0] == 8
    table.do("road building", f"road {edge_between(CENTRE[4], CENTRE[5])}")
    assert table.over
    assert (table.s.winner, table.points()[0]) == (0, 10)


def test_ca_15_year_of_plenty_takes_two_cards() -> None:
    table = Table().development(0, year_of_plenty=1).do("year of plenty", "take ore")
    assert table.phase == "plenty"
    table.do("take ore")
    assert (table.hand(0), table.phase) == ({"ore": 2}, "main")


def test_ca_15_year_of_plenty_from_a_nearly_and_a_fully_empty_bank() -> None:
    table = Table().development(0, year_of_plenty=1).cards(1, brick=19, lumber=19, wool=19, grain=19, ore=18)
    table.do("year of plenty")
    assert table.words() == ["take ore"]
    assert "CA-15" in table.refusal("take brick")
    table.do("take ore")
    assert (table.hand(0), table.phase) == ({"ore": 1}, "main")
    empty = Table().development(0, year_of_plenty=1).cards(1, brick=19, lumber=19, wool=19, grain=19, ore=19)
    assert not empty.may("year of plenty")
    assert "CA-15" in empty.refusal("year of plenty")


def test_ca_15_monopoly_takes_all_cards_of_a_resource() -> None:
    table = Table().development(0, monopoly=1).cards(0, ore=1).cards(1, ore=3, wool=1).cards(3, ore=2)
    table.do("monopoly ore")
    assert (table.hand(0), table.hand(1), table.hand(3)) == ({"ore": 6}, {"wool": 1}, {})
    assert table.phase == "main"


# --- CA-16: longest road --------------------------------------------------------------------


def test_ca_16_five_edges_earn_the_card_and_two_points() -> None:
    table = Table().road(0, *edges_along(CENTRE[:5]))
    assert (table.s.road_length[0], table.s.road_holder) == (4, -1)
    table.road(0, edge_between(CENTRE[4], CENTRE[5]))
    assert (table.s.road_length[0], table.s.road_holder, table.s.visible[0]) == (5, 0, 2)


def test_ca_16_cycles_count_every_edge_once() -> None:
    table = Table().road_round(0, 9)
    assert table.s.road_length[0] == 6
    outside = next(int(v) for v in island.VERTEX_NEIGHBOURS[CENTRE[1]] if v not in CENTRE)
    further = next(int(v) for v in island.VERTEX_NEIGHBOURS[outside] if v not in CENTRE)
    table.road(0, *edges_along([CENTRE[1], outside, further]))
    assert table.s.road_length[0] == 8


def test_ca_16_two_rings_joined_by_an_edge_are_one_trail() -> None:
    table = Table().road_round(0, 9).road(0, *(int(e) for e in island.HEX_EDGES[10] if e not in island.HEX_EDGES[9]))
    # 11 edges with two vertices of degree 3: an Euler trail walks them all.
    assert table.s.road_length[0] == 11


def test_ca_16_branches_do_not_add_up() -> None:
    outside = next(int(v) for v in island.VERTEX_NEIGHBOURS[CENTRE[1]] if v not in CENTRE)
    table = Table().road(0, *edges_along(CENTRE[:4]), edge_between(CENTRE[1], outside))
    assert table.s.road_length[0] == 3


def test_ca_16_a_settlement_of_an_opponent_breaks_the_road_and_takes_the_card_away() -> None:
    table = Table().road(0, *edges_along(CENTRE))
    assert table.s.road_holder == 0
    table.settle(1, CENTRE[2])
    assert table.s.road_length[0] == 3
    assert (table.s.road_holder, table.s.visible[0]) == (-1, 0)


def test_ca_16_an_own_settlement_does_not_break_it() -> None:
    table = Table().road(0, *edges_along(CENTRE)).settle(0, CENTRE[2])
    assert (table.s.road_length[0], table.s.road_holder) == (5, 0)


def test_ca_16_the_card_needs_a_strictly_longer_road() -> None:
    table = Table().road(0, *edges_along(CENTRE))
    far = [int(v) for v in island.HEX_VERTICES[0]]
    table.road(1, *edges_along(far))
    assert table.s.road_holder == 0
    table.road(1, edge_between(far[5], far[0]))
    assert (table.s.road_holder, table.s.visible[0], table.s.visible[1]) == (1, 0, 2)


def test_ca_16_a_tie_after_a_break_sets_the_card_aside_until_one_is_alone() -> None:
    table = Table().road_round(0, 9)
    first, second = ([int(v) for v in island.HEX_VERTICES[h]] for h in (0, 16))
    table.road(1, *edges_along(first)).road(2, *edges_along(second))
    assert table.s.road_holder == 0
    table.settle(3, CENTRE[0])
    table.settle(3, CENTRE[3])
    assert table.s.road_length.tolist()[:3] == [3, 5, 5]
    assert table.s.road_holder == -1
    assert table.s.visible.tolist()[:3] == [0, 0, 0]
    table.road(2, edge_between(second[5], second[0]))
    assert (table.s.road_holder, table.s.visible[2]) == (2, 2)


def test_ca_16_the_next_longest_takes_over_after_a_break() -> None:
    table = Table().road_round(0, 9).road(1, *edges_along([int(v) for v in island.HEX_VERTICES[0]]))
    table.settle(3, CENTRE[0]).settle(3, CENTRE[3])
    assert (table.s.road_holder, table.s.visible[1]) == (1, 2)


def test_ca_16_a_holder_who_still_ties_keeps_the_card() -> None:
    outside = next(int(v) for v in island.VERTEX_NEIGHBOURS[CENTRE[5]] if v not in CENTRE)
    table = (
        Table()
        .road(0, *edges_along([*CENTRE, outside]))
        .road(1, *edges_along([int(v) for v in island.HEX_VERTICES[0]]))
    )
    assert (table.s.road_length[0], table.s.road_holder) == (6, 0)
    table.settle(3, CENTRE[5])  # cuts the last edge off: five against five
    assert (table.s.road_length[0], table.s.road_length[1], table.s.road_holder) == (5, 5, 0)


def test_ca_16_a_ring_closed_at_an_opponents_settlement_is_one_trail() -> None:
    table = Table().road_round(0, 9).settle(3, CENTRE[0])
    assert (table.s.road_length[0], table.s.road_holder) == (6, 0)


# --- CA-17: largest army --------------------------------------------------------------------


def test_ca_17_three_knights_then_strictly_more() -> None:
    table = Table(rolled=False, players=2).development(0, knight=4).development(1, knight=4)
    holders = []
    for turn in range(8):
        table.do("knight", f"robber {turn % 2}").roll(3 if turn % 2 else 11).do("end")
        holders.append(int(table.s.army_holder))
    assert holders == [-1, -1, -1, -1, 0, 0, 0, 0]
    assert table.s.visible.tolist()[:2] == [2, 0]
    table.development(1, knight=1)
    table.roll(2).do("end", "knight", "robber 4")
    assert (table.s.army_holder, table.s.visible[0], table.s.visible[1]) == (1, 0, 2)


def test_ca_17_the_largest_army_can_win() -> None:
    table = Table(rolled=False).development(0, knight=1).city(0, 0, 4, 16, 20)
    table.s.army[0] = 2
    table.s.played[0] = 2
    table.do("knight")
    assert table.over
    assert table.s.winner == 0
