"""AZ-37 … AZ-40: the advanced game on the grey wall."""

from __future__ import annotations

import pytest

from ludens.games.azul import GAME, phases
from ludens.games.azul.state import FIRST_COLUMN, STEP
from tests.games.azul.positions import CENTRE, EMPTY_WALL, Board, Table, placing, taking


def _columns(table: Table) -> list[int]:
    return [a - FIRST_COLUMN for a in table.legal()]


def test_az_37_a_switch_selects_the_grey_wall_for_all_players():
    option = next(option for option in GAME.spec.options if option.name == "wall")
    assert option.choices == ("coloured", "grey")
    assert option.default == 0
    boards = [Board(lines=["B", "", "", "", ""])] * 3
    grey = placing(boards, players=3, wall="grey")
    for seat in range(3):
        assert grey.actor == seat
        assert _columns(grey) == [0, 1, 2, 3, 4]
        grey.choose_column(seat + 1)
    assert [grey.wall(seat)[0] for seat in range(3)] == [".B...", "..B..", "...B."]


def test_az_37_on_the_coloured_wall_the_column_is_determined():
    table = placing([Board(lines=["B", "", "", "", ""])])
    assert table.legal() == [STEP]


@pytest.mark.parametrize("column", range(5))
def test_az_38_the_owner_chooses_any_empty_cell_of_the_row(column: int):
    table = placing([Board(lines=["", "", "KKK", "", ""])], wall="grey")
    table.choose_column(column)
    assert table.wall(0)[2] == "." * column + "K" + "." * (4 - column)
    assert table.lid() == "KK"
    assert table.scores()[0] == 1


def test_az_38_the_column_must_not_contain_the_colour():
    wall = ["B....", ".....", "YR...", "...B.", "....."]
    table = placing([Board(lines=["", "", "BBB", "", ""], wall=wall)], wall="grey")
    assert _columns(table) == [2, 4], "0 and 1 are occupied, 3 has blue below"


def test_az_38_the_tile_just_placed_counts_for_the_next_line():
    table = placing([Board(lines=["B", "BB", "", "", ""])], wall="grey")
    table.choose_column(2)
    assert _columns(table) == [0, 1, 3, 4]
    table.choose_column(3)
    assert table.wall(0)[:2] == ["..B..", "...B."]
    assert table.scores()[0] == 2


def test_az_38_a_single_column_leaves_no_choice():
    wall = ["B....", ".B...", "YRK..", "....B", "....."]
    table = placing([Board(lines=["", "", "BBB", "", ""], wall=wall)], wall="grey")
    assert table.legal() == [STEP]
    assert GAME.spec.automatic_from == STEP
    table.step()
    assert table.wall(0)[2] == "YRKB."
    assert table.scores()[0] == 4


def test_az_39_without_a_cell_the_whole_line_falls_to_the_floor_before_the_penalty():
    wall = ["B....", ".B...", "..YRK", ".....", "....."]
    table = placing([Board(lines=["", "", "BBB", "", ""], wall=wall, floor="W", score=20)], wall="grey")
    assert table.legal() == [STEP]
    table.step()
    assert table.wall(0) == wall
    assert table.lines(0) == [""] * 5
    assert table.scores()[0] == 20 - 6, "four occupied places"
    assert table.floor(0) == ""
    assert table.lid() == "BBBW"


def test_az_39_the_fall_is_visible_on_the_floor_while_lines_remain():
    wall = ["B....", ".B...", "..YRK", ".....", "....."]
    table = placing([Board(lines=["", "", "BBB", "RRRR", ""], wall=wall, floor="W", score=20)], wall="grey")
    table.step()
    assert table.floor(0) == "WBBB"
    assert table.scores()[0] == 20
    assert _columns(table) == [0, 1, 2, 4]
    table.choose_column(0)
    assert table.scores()[0] == 20 + 1 - 6


def test_az_39_what_does_not_fit_on_the_floor_goes_to_the_lid():
    wall = ["B....", ".B...", "..B..", "...YK", "....."]
    table = placing([Board(["", "", "", "BBBB", "RRRRR"], wall, floor="WWWWW", score=30)], wall="grey")
    assert table.legal() == [STEP]
    table.step()
    assert table.floor(0) == "WWWWWBB"
    assert table.lid() == "BB"
    table.choose_column(0)
    assert table.scores()[0] == 30 + 1 - 14
    assert table.lid() == "BBBBRRRRWWWWW"


def test_az_39_the_marker_on_the_floor_counts_with_the_fallen_tiles():
    wall = ["B....", ".B...", "..YRK", ".....", "....."]
    table = placing([Board(lines=["", "", "BBB", "", ""], wall=wall, floor="1", score=20)], wall="grey").step()
    assert table.scores()[0] == 20 - 6
    assert table.lid() == "BBB"


def test_az_39_placing_is_mandatory_if_a_cell_exists():
    assert STEP not in placing([Board(lines=["B", "", "", "", ""])], wall="grey").legal()
    wall = ["B....", ".B...", "..B..", "...B.", "YRKW."]
    one_cell = placing([Board(lines=["", "", "", "", "BBBBB"], wall=wall)], wall="grey").step()
    assert one_cell.wall(0)[4] == "YRKWB"
    assert one_cell.lid() == "BBBB"


def test_az_40_scoring_bonuses_and_end_are_as_in_the_basic_game():
    wall = ["RKWB.", "BRKW.", "WBRK.", "KWBR.", "...YB"]
    table = placing([Board(lines=["Y", "", "", "", ""], wall=wall, score=10), Board(score=9)], wall="grey")
    assert table.legal() == [STEP]
    table.tile()
    assert table.phase == phases.OVER
    assert table.wall(0)[0] == "RKWBY"
    assert table.scores() == [10 + 5 + 2 + 7 + 10, 9], "five across; a row, column 3 and blue"


def test_az_40_a_colour_in_any_five_cells_gives_the_bonus():
    """Five reds away from the printed diagonals, and a column of five colours."""
    wall = ["RKWBY", "BR...", "W.R..", "K..R.", "Y...R"]
    table = placing([Board(wall=wall, score=1), Board()], wall="grey").tile()
    assert table.scores() == [1 + 2 + 7 + 10, 0]


def test_az_40_a_line_may_be_filled_although_its_colour_has_no_cell():
    wall = ["B....", ".B...", "..YRK", ".....", "....."]
    table = taking([], centre="BBB", marker=1, boards=[Board(wall=wall)], wall="grey")
    assert table.may_take(CENTRE, "B", 2)
    assert not table.may_take(CENTRE, "B", 0), "only AZ-22 applies"
    table.take(CENTRE, "B", 2)
    assert table.phase == phases.PLACING
    assert table.line(0, 2) == "BBB"


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_az_40_taking_is_the_same_on_both_walls(wall: str):
    table = taking(["BBYR", "WWWW"], centre="KK", boards=[Board(lines=["", "Y", "", "", ""])], wall=wall)
    table.take(CENTRE, "K", 0).take(1, "W", 1).take(0, "Y", 1)
    assert table.lines(0) == ["K", "YY", "", "", ""]
    assert (table.floor(0), table.floor(1)) == ("1K", "WW")
    assert table.source(CENTRE) == "BBR"
    assert table.wall(0) == list(EMPTY_WALL)
