"""Pieces, production, building and the end: CA-8, CA-10 … CA-14, CA-19."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.games.catan.rules import island
from ludens.games.catan.state import COST, RESOURCES, UNLIMITED
from tests.games.catan.table import CENTRE, Table, edge_between, edges_along

FULL_HAND = {"brick": 2, "lumber": 2, "wool": 2, "grain": 3, "ore": 3}


def cost(way: int) -> dict[str, int]:
    return {name: int(n) for name, n in zip(RESOURCES, COST[way], strict=True) if n}


# --- CA-8 -----------------------------------------------------------------------------------


def test_ca_8_costs_go_to_the_bank_and_points_are_counted() -> None:
    table = Table().cards(0, **cost(0)).settle(0, CENTRE[0]).road(0, *edges_along(CENTRE[:3]))
    table.do(f"road {edge_between(CENTRE[2], CENTRE[3])}")
    assert table.hand(0) == {}
    assert table.s.bank.tolist() == [19] * 5
    table.cards(0, **cost(1)).do(f"settlement {CENTRE[2]}")
    assert (table.hand(0), table.points()[0]) == ({}, 2)
    table.cards(0, **cost(2)).do(f"city {CENTRE[2]}")
    assert (table.hand(0), table.points()[0]) == ({}, 3)
    table.cards(0, **cost(3)).do("buy").draw("knight")
    assert (table.hand(0), table.points()[0]) == ({}, 3)


@pytest.mark.parametrize(("way", "word"), [(0, "road"), (1, "settlement"), (2, "city"), (3, "buy")])
def test_ca_8_nothing_is_built_without_its_cards(way: int, word: str) -> None:
    for missing in cost(way):
        table = Table().settle(0, CENTRE[0]).road(0, *edges_along(CENTRE[:3]))
        hand = cost(way)
        hand[missing] -= 1
        table.cards(0, **hand)
        assert not any(move.startswith(word) for move in table.words())


def test_ca_8_pieces_run_out() -> None:
    table = Table().settle(0, CENTRE[0]).cards(0, **FULL_HAND)
    table.road(0, *edges_along(CENTRE))
    table.s.roads_left[0] = 0
    assert not any(move.startswith("road ") for move in table.words())
    assert "CA-8" in table.refusal(f"road {edge_between(CENTRE[0], CENTRE[5])}")
    table.s.settlements_left[0] = 0
    assert not any(move.startswith("settlement") for move in table.words())
    assert "CA-8" in table.refusal(f"settlement {CENTRE[2]}")
    table.s.cities_left[0] = 0
    assert not any(move.startswith("city") for move in table.words())
    assert "CA-8" in table.refusal(f"city {CENTRE[0]}")


def test_ca_8_a_city_returns_the_settlement_to_the_supply() -> None:
    table = Table().settle(0, CENTRE[0]).cards(0, **FULL_HAND)
    assert table.s.settlements_left[0] == 4
    table.do(f"city {CENTRE[0]}")
    assert (table.s.settlements_left[0], table.s.cities_left[0]) == (5, 3)


# --- CA-10, CA-12: production ---------------------------------------------------------------


def test_ca_12_settlements_get_one_card_and_cities_two_but_not_under_the_robber() -> None:
    corner, opposite = int(island.HEX_VERTICES[4][0]), int(island.HEX_VERTICES[4][3])  # hex 4: brick, 6
    table = Table(rolled=False).settle(0, corner).city(1, opposite).roll(6)
    assert table.hand(0) == {"brick": 1}
    assert table.hand(1) == {"brick": 2} | ({"grain": 2} if opposite in island.HEX_VERTICES[17] else {})
    assert table.s.bank[0] == 16
    blocked = Table(rolled=False).settle(0, corner).city(1, opposite)
    blocked.s.robber = 4
    assert blocked.roll(6).hand(0) == {}


def test_ca_12_both_hexes_of_a_number_produce() -> None:
    table = (
        Table(rolled=False)
        .settle(2, int(island.HEX_VERTICES[11][0]))
        .settle(3, int(island.HEX_VERTICES[12][3]))
        .roll(8)
    )
    assert table.hand(2) == {"ore": 1}
    assert table.hand(3) == {"lumber": 1}
    assert table.phase == "main"


def shortage(*cities: tuple[int, int], left: int = 1) -> Table:
    """The brick hex 4 (a 6) with cities (player, corner) round it and so many bricks in the bank."""
    table = Table(rolled=False)
    for p, corner in cities:
        table.city(p, int(island.HEX_VERTICES[4][corner]))
    table.cards(3, brick=19 - left)
    return table.roll(6)


def test_ca_10_a_bank_short_for_several_players_gives_nobody_anything() -> None:
    table = shortage((0, 0), (1, 2))
    assert (table.hand(0), table.hand(1)) == ({}, {})
    assert table.s.bank[0] == 1


def test_ca_10_a_bank_with_exactly_what_several_players_are_owed_pays_them_all() -> None:
    table = shortage((0, 0), (1, 2), left=4)
    assert (table.hand(0), table.hand(1)) == ({"brick": 2}, {"brick": 2})
    assert table.s.bank[0] == 0
    short = shortage((0, 0), (1, 2), left=3)
    assert (short.hand(0), short.hand(1), short.s.bank[0]) == ({}, {}, 3)


def test_ca_10_a_bank_short_for_one_player_gives_what_is_left() -> None:
    table = shortage((0, 0), (0, 2))
    assert table.hand(0) == {"brick": 1}
    assert table.s.bank[0] == 0


def test_ca_10_the_shortage_of_one_resource_does_not_touch_others() -> None:
    table = Table(rolled=False).city(0, int(island.HEX_VERTICES[11][0])).city(1, int(island.HEX_VERTICES[11][2]))
    table.settle(1, int(island.HEX_VERTICES[12][3])).cards(3, ore=18).roll(8)
    assert (table.hand(0), table.hand(1)) == ({}, {"lumber": 1})


def test_ca_10_the_unlimited_bank_always_pays() -> None:
    table = Table(rolled=False, bank="unlimited").city(0, int(island.HEX_VERTICES[4][0])).cards(3, brick=40).roll(6)
    assert table.hand(0) == {"brick": 2}
    assert (table.s.bank == UNLIMITED).all()


# --- CA-11: the turn ------------------------------------------------------------------------


def test_ca_11_the_roll_is_compulsory_and_comes_once() -> None:
    table = Table(rolled=False).cards(0, **FULL_HAND)
    assert table.words() == ["roll"]
    assert "CA-11" in table.refusal("end")
    table.roll(2)
    assert "roll" not in table.words()
    assert "CA-11" in table.refusal("roll")
    table.do("end")
    assert (table.actor, table.phase, table.s.turn_number) == (1, "before the roll", 2)


def test_ca_11_strict_phases_put_all_trading_before_building() -> None:
    for strict in ("off", "on"):
        table = Table(strict_phases=strict).settle(0, CENTRE[0]).road(0, edge_between(CENTRE[0], CENTRE[1]))
        table.cards(0, brick=5, lumber=1).cards(1, ore=1)
        assert table.may("exchange brick ore")
        table.do(f"road {edge_between(CENTRE[1], CENTRE[2])}")
        assert table.may("exchange brick ore") == (strict == "off")
        assert table.may("give brick") == (strict == "off")
        if strict == "on":
            assert "CA-11" in table.refusal("exchange brick ore")
            assert "CA-11" in table.refusal("give brick")


# --- CA-13: seven and robber ----------------------------------------------------------------


def test_ca_13_several_players_discard_half_rounded_down_card_by_card() -> None:
    table = Table(rolled=False, players=3).cards(0, brick=7).cards(1, brick=4, wool=5).cards(2, ore=8)
    table.do("roll").chance(5)  # 1 and 6
    assert (table.phase, table.actor) == ("discard", 1)
    assert table.words() == ["discard brick", "discard wool"]
    assert "CA-13" in table.refusal("discard ore")
    assert "CA-13" in table.refusal("roll")
    table.do(*["discard brick"] * 4)
    assert (table.hand(1), table.actor) == ({"wool": 5}, 2)
    table.do(*["discard ore"] * 4)
    assert (table.hand(2), table.actor, table.phase) == ({"ore": 4}, 0, "robber")
    assert table.hand(0) == {"brick": 7}
    assert table.s.bank.tolist() == [12, 19, 14, 19, 15]


def test_ca_13_the_robber_must_move_and_may_go_to_the_desert() -> None:
    table = Table(rolled=False).roll(7)
    assert len(table.words()) == 18
    assert not table.may("robber 9")
    assert "CA-13" in table.refusal("robber 9")
    table.do("robber 4", "end").roll(7).do("robber 9")
    assert table.s.robber == 9


def test_ca_13_no_victim_no_theft() -> None:
    table = Table(rolled=False).settle(0, CENTRE[0]).roll(7)
    table.do("robber 0")
    assert table.phase == "main"
    empty = Table(rolled=False).settle(1, int(island.HEX_VERTICES[0][0])).roll(7).do("robber 0")
    assert empty.phase == "main"


def test_ca_13_one_of_several_neighbours_is_chosen_and_loses_a_random_card() -> None:
    table = Table(rolled=False).cards(1, wool=2).cards(2, ore=1)
    table.settle(0, int(island.HEX_VERTICES[0][0])).settle(1, int(island.HEX_VERTICES[0][2])).settle(
        2, int(island.HEX_VERTICES[0][4])
    )
    table.roll(7).do("robber 0")
    assert table.words() == ["rob 2", "rob 3"]
    assert "CA-13" in table.refusal("rob 1")
    assert "CA-13" in table.refusal("rob 4")
    table.do("rob 2").steal("wool")
    assert (table.hand(0), table.hand(1)) == ({"wool": 1}, {"wool": 1})
    assert table.phase == "main"


def test_ca_13_a_chosen_victim_without_cards_loses_nothing() -> None:
    table = Table(rolled=False).cards(1, wool=2)
    table.settle(1, int(island.HEX_VERTICES[0][2])).settle(2, int(island.HEX_VERTICES[0][4]))
    table.roll(7).do("robber 0", "rob 3")
    assert table.phase == "main"
    assert table.hand(0) == {}


# --- CA-14: where to build ------------------------------------------------------------------


def test_ca_14_roads_continue_own_roads_and_buildings() -> None:
    table = Table().settle(0, CENTRE[0]).road(0, edge_between(CENTRE[0], CENTRE[1])).cards(0, brick=1, lumber=1)
    ends = [e for v in CENTRE[:2] for e in island.VERTEX_EDGES[v] if e >= 0 and table.s.road[e] < 0]
    assert [m for m in table.words() if m.startswith("road ")] == [f"road {e}" for e in sorted(ends)]
    far = edge_between(CENTRE[3], CENTRE[4])
    assert "CA-14" in table.refusal(f"road {far}")
    assert "CA-14" in table.refusal(f"road {edge_between(CENTRE[0], CENTRE[1])}")


def test_ca_14_roads_do_not_pass_a_building_of_an_opponent() -> None:
    table = Table().settle(0, CENTRE[0]).road(0, *edges_along(CENTRE[:3])).cards(0, brick=1, lumber=1)
    beyond = edge_between(CENTRE[2], CENTRE[3])
    assert table.may(f"road {beyond}")
    table.settle(1, CENTRE[2])
    assert not table.may(f"road {beyond}")
    assert "CA-14" in table.refusal(f"road {beyond}")
    side = next(int(e) for e in island.VERTEX_EDGES[CENTRE[1]] if table.s.road[e] < 0)
    assert table.may(f"road {side}")


def test_ca_14_settlements_keep_their_distance_and_need_an_own_road() -> None:
    table = Table().settle(0, CENTRE[0]).road(0, *edges_along(CENTRE[:4])).cards(0, **FULL_HAND)
    assert [m for m in table.words() if m.startswith("settlement")] == [
        f"settlement {v}" for v in sorted((CENTRE[2], CENTRE[3]))
    ]
    assert "distance" in table.refusal(f"settlement {CENTRE[1]}")
    assert "occupied" in table.refusal(f"settlement {CENTRE[0]}")
    assert "road" in table.refusal("settlement 0")
    outside = next(int(n) for n in island.VERTEX_NEIGHBOURS[CENTRE[3]] if n not in CENTRE)
    table.settle(1, outside)
    assert not table.may(f"settlement {CENTRE[3]}")


def test_ca_14_a_city_replaces_an_own_settlement_only() -> None:
    table = Table().settle(0, CENTRE[0]).settle(1, CENTRE[2]).cards(0, **FULL_HAND)
    assert [m for m in table.words() if m.startswith("city")] == [f"city {CENTRE[0]}"]
    assert "CA-14" in table.refusal(f"city {CENTRE[2]}")


# --- CA-19: the end -------------------------------------------------------------------------


def near_victory(points: int, **options: object) -> Table:
    """Seat 0 with so many points in cities, seat 1 with a settlement."""
    table = Table(**options)  # type: ignore[arg-type]
    corners = [0, 4, 16, 20, 40, 44]
    cities, rest = divmod(points, 2)
    for v in corners[:cities]:
        table.city(0, v)
        table.s.cities_left[0] = 2
    if rest:
        table.settle(0, corners[cities])
    return table


def test_ca_19_ten_points_on_the_own_turn_win() -> None:
    table = near_victory(9).road(0, edge_between(CENTRE[2], CENTRE[3])).cards(0, **cost(1))
    site = next(m for m in table.words() if m.startswith("settlement"))
    table.do(site)
    assert table.over
    assert table.s.winner == 0
    assert table.points()[0] == 10
    assert table.returns() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_ca_19_hidden_victory_points_count_and_are_not_shown_before_the_end() -> None:
    table = near_victory(8).development(0, victory_point=1).cards(0, **cost(3))
    table.check_victory()
    assert not table.over
    assert table.points()[0] == 8
    table.do("buy").draw("victory point")
    assert table.over
    assert table.points()[0] == 10


def test_ca_19_points_gained_on_anothers_turn_win_at_the_start_of_the_own_turn() -> None:
    table = near_victory(10, players=2)
    table.s.current = 1
    assert not table.over
    table.do("end")
    assert table.over
    assert table.s.winner == 0


def test_ca_19_points_lost_again_do_not_win() -> None:
    table = near_victory(8, players=2).settle(1, CENTRE[0])
    table.s.current = 1
    table.road(0, *edges_along([int(v) for v in island.HEX_VERTICES[14]]))
    assert table.s.visible[0] == 10
    table.road(1, *edges_along(CENTRE), edge_between(CENTRE[5], CENTRE[0]))
    assert table.s.visible[0] == 8
    table.do("end")
    assert not table.over


def test_ca_21_the_turn_limit_ends_the_game_for_the_leader() -> None:
    table = near_victory(4, turn_limit=1).do("end")
    assert table.over
    assert table.s.cut_off == 1
    assert table.returns() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    shared = Table(turn_limit=1, players=2).settle(0, 0).settle(1, 4).do("end")
    assert shared.returns() == [0, 0]
    assert np.sum(shared.returns()) == 0
