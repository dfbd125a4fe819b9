"""AZ-15 … AZ-26: taking tiles."""

from __future__ import annotations

import pytest

from ludens.games.azul import phases
from ludens.games.azul.state import FLOOR, NOBODY, STEP
from tests.games.azul.positions import CENTRE, EMPTY_WALL, LETTERS, Board, taking


@pytest.mark.parametrize("players", [2, 3, 4])
def test_az_15_turns_go_clockwise_from_the_starting_player(players: int):
    factories = ["BYRK"] * (2 * players + 1)
    table = taking(factories, players=players, current=players - 1, first=str(players))
    order = []
    for factory in range(len(factories)):
        order.append(table.actor)
        table.take(factory, "B")
    assert order == [(players - 1 + turn) % players for turn in range(len(factories))]


def test_az_15_a_turn_is_mandatory_and_names_source_colour_and_destination():
    table = taking(["BBYY", "", "", "", "RRRR"])
    legal = table.legal()
    assert STEP not in legal
    assert {(a // 30, LETTERS[a // 6 % 5]) for a in legal} == {(0, "B"), (0, "Y"), (4, "R")}
    assert len(legal) == 3 * 6


def test_az_16_the_other_tiles_of_the_factory_move_to_the_centre():
    table = taking(["BBYK", "RRRR"], centre="Y")
    table.take(0, "B", 1)
    assert table.line(0, 1) == "BB"
    assert table.source(0) == ""
    assert table.source(CENTRE) == "YYK"
    assert table.source(1) == "RRRR"
    assert int(table.s.marker) == NOBODY


def test_az_16_all_tiles_of_the_colour_are_taken():
    table = taking(["KKKK", "KKKK"])
    table.take(0, "K", 3)
    assert table.line(0, 3) == "KKKK"
    assert (table.source(0), table.source(CENTRE)) == ("", "")


def test_az_17_taking_from_the_centre_leaves_the_rest_there():
    table = taking([], centre="BBYYYR")
    table.take(CENTRE, "Y", 2)
    assert table.line(0, 2) == "YYY"
    assert table.source(CENTRE) == "BBR"


def test_az_17_marker_goes_to_the_floor_before_the_tiles():
    table = taking([], centre="BBBY")
    table.take(CENTRE, "B", 1)
    assert table.line(0, 1) == "BB"
    assert table.floor(0) == "1B"
    assert int(table.s.marker) == 0


def test_az_17_marker_takes_the_leftmost_free_floor_place():
    table = taking([], centre="BBBY", boards=[Board(floor="RW")])
    table.take(CENTRE, "B")
    assert table.floor(0) == "RW1BBB"


def test_az_17_marker_on_the_last_place_sends_the_tiles_to_the_lid():
    table = taking([], centre="BBY", boards=[Board(floor="RRRRRR")])
    table.take(CENTRE, "B")
    assert table.floor(0) == "RRRRRR1"
    assert table.lid() == "BB"


def test_az_17_only_the_first_to_take_from_the_centre_gets_the_marker():
    table = taking(["RRRR"], centre="BBYK")
    table.take(0, "R", 4)
    assert int(table.s.marker) == NOBODY
    table.take(CENTRE, "B", 1)
    table.take(CENTRE, "Y", 0)
    assert int(table.s.marker) == 1
    assert (table.floor(0), table.floor(1)) == ("", "1")


def test_az_18_marker_with_a_full_floor_costs_nothing_but_gives_the_start():
    table = taking([], centre="BB", boards=[Board(score=30), Board(floor="RRRRRRR", score=30)], current=1)
    table.take(CENTRE, "B", 1)
    assert table.floor(1) == "RRRRRRR"
    assert table.line(1, 1) == "BB"
    assert int(table.s.marker) == 1
    assert table.lid() == ""
    table.tile()
    assert table.scores() == [30, 30 + 1 - 14]
    assert int(table.s.first) == 1


def test_az_19_the_marker_alone_cannot_be_taken():
    table = taking(["BBYY"], centre="")
    assert int(table.s.marker) == NOBODY
    assert all(a // 30 != 5 for a in table.legal())
    table.take(0, "B", 1)
    assert any(a // 30 == 5 for a in table.legal())


def test_az_20_all_tiles_go_to_one_destination_a_line_or_the_floor():
    start = taking([], centre="RRR", boards=[Board()], marker=1)
    assert [a % 6 for a in start.legal()] == [0, 1, 2, 3, 4, FLOOR]
    for destination in range(5):
        table = start.copy().take(CENTRE, "R", destination)
        expected = [""] * 5
        expected[destination] = "RRR"[: destination + 1]
        assert table.lines(0) == expected
        assert table.floor(0) == "RRR"[destination + 1 :]
    table = start.copy().take(CENTRE, "R", FLOOR)
    assert table.lines(0) == [""] * 5
    assert table.floor(0) == "RRR"


def test_az_21_a_line_holds_one_colour():
    table = taking(["BRRR"], boards=[Board(lines=["", "B", "", "RR", "W"])])
    assert [line for line in range(5) if table.may_take(0, "B", line)] == [0, 1, 2]
    assert [line for line in range(5) if table.may_take(0, "R", line)] == [0, 2, 3]
    table.take(0, "R", 3)
    assert table.line(0, 3) == "RRRR"
    assert table.floor(0) == "R"


@pytest.mark.parametrize("line", range(5))
def test_az_21_a_full_line_accepts_nothing(line: int):
    lines = [""] * 5
    lines[line] = "B" * (line + 1)
    table = taking(["BRRR"], boards=[Board(lines=lines)])
    assert not table.may_take(0, "B", line)
    assert not table.may_take(0, "R", line)
    other = taking(["BRRR"], boards=[Board(), Board(lines=lines)])
    assert other.may_take(0, "B", line), "the other player's line does not matter"


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_az_22_a_colour_on_the_wall_row_is_not_accepted_there_again(wall: str):
    rows = ["B....", ".....", "..B..", ".....", "....B"]
    table = taking(["BBYY"], boards=[Board(wall=rows)], wall=wall)
    assert [line for line in range(5) if table.may_take(0, "B", line)] == [1, 3]
    assert [line for line in range(5) if table.may_take(0, "Y", line)] == [0, 1, 2, 3, 4]
    assert table.may_take(0, "B", FLOOR)


def test_az_22_on_the_grey_wall_the_whole_row_counts_not_one_cell():
    table = taking(["BBYY"], boards=[Board(wall=["...B.", *EMPTY_WALL[1:]])], wall="grey")
    assert not table.may_take(0, "B", 0)
    assert table.may_take(0, "Y", 0)


def test_az_23_excess_tiles_go_to_the_floor_left_to_right():
    table = taking(["WWWW"], centre="KK", marker=1, boards=[Board(lines=["", "", "W", "", ""], floor="R")])
    table.take(0, "W", 2)
    assert table.line(0, 2) == "WWW"
    assert table.floor(0) == "RWW"
    assert table.lid() == ""


def test_az_24_the_floor_is_always_a_legal_destination():
    empty = taking(["BYRK"], centre="W", players=2)
    for colour in "BYRK":
        assert empty.may_take(0, colour, FLOOR)
        assert empty.may_take(0, colour, 4)
    assert empty.may_take(CENTRE, "W", FLOOR)
    full = taking(["BYRK"], boards=[Board(lines=["B", "BB", "BBB", "BBBB", "BBBBB"], floor="WWWWWWW")])
    assert [a % 6 for a in full.legal()] == [FLOOR] * 4


def test_az_25_the_eighth_tile_on_the_floor_goes_to_the_lid():
    table = taking([], centre="Y" * 9, marker=1, boards=[Board(floor="BBB")], lid="K")
    table.take(CENTRE, "Y", FLOOR)
    assert table.floor(0) == "BBBYYYY"
    assert table.lid() == "YYYYYK"


def test_az_25_overflow_of_a_line_beyond_a_full_floor_goes_to_the_lid():
    table = taking([], centre="R" * 6, marker=1, boards=[Board(lines=["", "", "R", "", ""], floor="BBBBBB")])
    table.take(CENTRE, "R", 2)
    assert table.line(0, 2) == "RRR"
    assert table.floor(0) == "BBBBBBR"
    assert table.lid() == "RRR"


def test_az_26_taking_ends_when_factories_and_centre_are_empty():
    table = taking(["BBYY"], current=1)
    table.take(0, "B", 1)
    assert table.phase == phases.TAKING
    table.take(CENTRE, "Y", 1)
    assert table.phase == phases.PLACING
    assert table.legal() == [STEP]


def test_az_26_the_untouched_marker_does_not_keep_the_round_open():
    table = taking(["BBBB"]).take(0, "B", 3)
    assert int(table.s.marker) == NOBODY
    assert table.phase == phases.PLACING
