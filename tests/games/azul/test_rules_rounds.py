"""AZ-10 … AZ-14: the phases of a round and the deal."""

from __future__ import annotations

import pytest

from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.azul import phases
from ludens.games.azul.state import NOBODY
from tests.games.azul.positions import CENTRE, LETTERS, Board, Table, new_table, placing, taking


def test_az_10_a_round_is_taking_then_tiling_then_the_next_deal():
    table = new_table()
    assert table.phase == phases.DEALING
    table.deal("BBBB" * 2 + "YYYY" * 2 + "RRRR")
    assert table.phase == phases.TAKING
    for factory, colour in enumerate("BBYYR"):
        table.take(factory, colour)
    assert table.phase == phases.PLACING
    table.step(2)
    assert table.phase == phases.DEALING
    assert int(table.s.round_number) == 2


@pytest.mark.parametrize(("players", "tiles"), [(2, 20), (3, 28), (4, 36)])
def test_az_11_a_full_deal_puts_four_tiles_on_every_factory(players: int, tiles: int):
    table = new_table(players)
    drawn = ("BYRKWWKRYB" * 4)[:tiles]
    for count, letter in enumerate(drawn):
        assert table.phase == phases.DEALING
        assert table.actor == CHANCE
        assert table.legal() == []
        left = {t: 20 - drawn[:count].count(t) for t in LETTERS}
        expected = {LETTERS.index(t): n / (100 - count) for t, n in left.items() if n}
        assert table.chance() == pytest.approx(expected)
        table.deal(letter)
    assert table.phase == phases.TAKING
    assert table.actor == 0
    for factory in range(tiles // 4):
        assert sorted(table.source(factory)) == sorted(drawn[4 * factory : 4 * factory + 4])
    assert table.source(CENTRE) == ""
    assert int(table.s.marker) == NOBODY
    assert len(table.bag()) == 100 - tiles


def test_az_11_tiles_are_drawn_without_replacement():
    table = new_table(4).deal("B" * 20)
    assert sorted(table.chance()) == [1, 2, 3, 4]


def test_az_11_the_marker_is_back_in_the_centre_for_the_next_round():
    table = placing([Board(floor="1"), Board()], marker=0).step(2)
    assert table.phase == phases.DEALING
    assert int(table.s.marker) == NOBODY
    table.deal("BYRK" * 5)
    table.take(0, "B", 4)
    assert table.actor == 1
    table.take(CENTRE, "Y", 4)
    assert table.floor(1) == "1"


def _last_step_before_the_deal(bag: str, lid: str, players: int = 2) -> Table:
    """Nobody has anything to tile; the next steps lead to the deal."""
    table = placing([Board()] * players, players=players, marker=NOBODY, bag=bag, lid=lid)
    return table.step(players)


def test_az_12_the_lid_refills_the_bag_in_the_middle_of_a_factory():
    table = _last_step_before_the_deal(bag="BBBBYY", lid="R" * 10 + "K" * 9)
    assert table.chance() == pytest.approx({0: 4 / 6, 1: 2 / 6})
    table.deal("BYBBY")
    assert (table.bag(), table.lid()) == ("B", "R" * 10 + "K" * 9)
    table.deal("B")  # the second place of factory 1; the bag is empty now
    assert (table.bag(), table.lid()) == ("R" * 10 + "K" * 9, "")
    assert table.phase == phases.DEALING
    assert table.chance() == pytest.approx({2: 10 / 19, 3: 9 / 19})
    table.deal("RK" + "RRRR" + "KKKK" + "RRKK")
    assert table.phase == phases.TAKING
    assert table.factories() == ["BBBY", "BYRK", "RRRR", "KKKK", "RRKK"]
    assert table.bag() == "RRRKK"


def test_az_12_an_empty_bag_at_the_start_of_a_deal_is_refilled():
    table = _last_step_before_the_deal(bag="", lid="W" * 20 + "Y" * 2)
    assert (table.bag(), table.lid()) == ("Y" * 2 + "W" * 20, "")
    table.deal("W" * 20)
    assert table.phase == phases.TAKING


def test_az_12_the_lid_stays_when_the_bag_runs_empty_with_the_last_tile_of_the_deal():
    table = _last_step_before_the_deal(bag="W" * 20, lid="Y" * 7)
    table.deal("W" * 20)
    assert table.phase == phases.TAKING
    assert (table.bag(), table.lid()) == ("", "Y" * 7)


def test_az_12_a_bag_with_tiles_left_is_not_refilled():
    table = _last_step_before_the_deal(bag="B", lid="Y" * 19)
    assert table.chance() == {0: 1.0}
    assert table.lid() == "Y" * 19


def test_az_13_the_round_starts_with_partly_filled_and_empty_factories():
    table = _last_step_before_the_deal(bag="BBBB", lid="YR")
    table.deal("BBBBYR")
    assert table.phase == phases.TAKING
    assert table.factories() == ["BBBB", "YR", "", "", ""]
    assert (table.bag(), table.lid()) == ("", "")
    assert table.may_take(1, "R", 0)
    assert {a // 30 for a in table.legal()} == {0, 1}
    table.take(1, "R", 0)
    assert table.source(CENTRE) == "Y"
    table.take(0, "B", 3).take(CENTRE, "Y", 1)
    assert table.phase == phases.PLACING


def test_az_13_a_single_tile_makes_a_round():
    table = _last_step_before_the_deal(bag="", lid="K", players=4)
    table.deal("K")
    assert table.phase == phases.TAKING
    table.take(0, "K", 0)
    assert table.phase == phases.PLACING


def test_az_14_nothing_to_deal_ends_the_game_with_final_scoring():
    column = Board(lines=["", "", "", "", ""], wall=["B....", "W....", "K....", "R....", "Y...."], score=3)
    table = placing([column, Board(score=8)], marker=NOBODY, bag="", lid="")
    table.step()
    assert table.phase == phases.PLACING
    table.step()
    assert table.phase == phases.OVER
    assert table.actor == TERMINAL
    assert table.legal() == []
    assert table.scores() == [3 + 7, 8]
    assert table.returns() == [1.0, -1.0]
    assert int(table.s.cut_off) == 0


def test_az_14_tiles_that_reach_the_lid_in_the_last_tiling_are_dealt():
    table = placing([Board(floor="B"), Board()], marker=NOBODY, bag="", lid="").step(2)
    assert table.phase == phases.DEALING
    assert table.chance() == {0: 1.0}


def test_az_14_is_not_reached_while_tiles_are_in_play():
    """The last tiles of the game may lie on the table with bag and lid empty."""
    table = taking(["BBBB"], bag="", lid="").take(0, "B", 4)
    assert table.phase == phases.PLACING
    table.step()
    assert table.phase == phases.PLACING
    assert table.line(0, 4) == "BBBB"
