"""AZ-27 … AZ-31: tiling the wall, points and penalties."""

from __future__ import annotations

import pytest

from ludens.games.azul import phases
from ludens.games.azul.state import NOBODY, STEP
from tests.games.azul.positions import EMPTY_WALL, LETTERS, Board, placing


def test_az_27_one_tile_moves_to_the_wall_and_the_rest_of_the_line_to_the_lid():
    table = placing([Board(lines=["", "", "", "RRRR", ""])])
    table.step()
    assert table.wall(0) == [".....", ".....", ".....", "R....", "....."]
    assert table.lines(0) == [""] * 5
    assert table.lid() == "RRR"
    assert table.scores()[0] == 1


@pytest.mark.parametrize("line", range(5))
def test_az_27_line_r_gives_r_tiles_to_the_lid(line: int):
    lines = [""] * 5
    lines[line] = "K" * (line + 1)
    table = placing([Board(lines=lines)]).step()
    assert table.lid() == "K" * line


def test_az_27_lines_that_are_not_full_keep_their_tiles():
    lines = ["", "B", "YY", "RRR", "KKKK"]
    table = placing([Board(lines=lines)]).tile()
    assert table.lines(0) == lines
    assert table.wall(0) == list(EMPTY_WALL)
    assert table.lid() == ""


def test_az_27_each_tile_is_scored_before_the_next_line_is_handled():
    """Blue in row 0 stands in column 0, white in row 1 too: the second tile finds the first."""
    table = placing([Board(lines=["B", "WW", "KKK", "", ""])])
    table.step()
    assert (table.scores()[0], table.lines(0)) == (1, ["", "WW", "KKK", "", ""])
    table.step()
    assert (table.scores()[0], table.lines(0)) == (1 + 2, ["", "", "KKK", "", ""])
    table.step()
    assert (table.scores()[0], table.lines(0)) == (1 + 2 + 3, [""] * 5)
    assert table.wall(0)[:3] == ["B....", "W....", "K...."]


def test_az_27_the_order_from_top_to_bottom_decides_the_points():
    """Rows 0 and 2 are tiled, row 1 lies on the wall: 2 for the upper tile, then 3 for the lower one."""
    table = placing([Board(lines=["B", "", "KKK", "", ""], wall=[".....", "W....", ".....", ".....", "....."])])
    table.step()
    assert table.scores()[0] == 2
    table.step()
    assert table.scores()[0] == 2 + 3


def test_az_28_players_tile_from_the_starting_player_clockwise():
    boards = [Board(lines=["B", "YY", "", "", ""]), Board(), Board(lines=["R", "", "", "", ""])]
    table = placing(boards, players=3, current=2, first="3", marker=1)
    actors = []
    while table.phase == phases.PLACING:
        actors.append(table.actor)
        table.step()
    assert actors == [2, 0, 0, 1], "a player without a full line needs one step for the floor"


def test_az_28_players_are_independent():
    boards = [Board(lines=["B", "", "", "", ""]), Board(lines=["B", "", "", "", ""], floor="Y", score=4)]
    first = placing(boards, current=0, first="1").tile()
    second = placing(boards, current=1, first="2").tile()
    assert first.scores() == second.scores() == [1, 4]
    assert [first.wall(p) for p in (0, 1)] == [second.wall(p) for p in (0, 1)]


SCORING = {
    "no neighbour": (EMPTY_WALL, (2, 2), 1),
    "only diagonal neighbours": ([".....", ".W.Y.", ".....", ".K.B.", "....."], (2, 2), 1),
    "one neighbour to the left": ([".....", ".....", ".W...", ".....", "....."], (2, 2), 2),
    "one neighbour to the right": ([".....", ".....", "...Y.", ".....", "....."], (2, 2), 2),
    "one neighbour above": ([".....", "..Y..", ".....", ".....", "....."], (2, 2), 2),
    "one neighbour below": ([".....", ".....", ".....", "..W..", "....."], (2, 2), 2),
    "run of 3 horizontally": ([".....", ".....", ".W.Y.", ".....", "....."], (2, 2), 3),
    "run of 3 vertically": ([".....", "..Y..", ".....", "..W..", "....."], (2, 2), 3),
    "a gap ends the run": ([".....", ".....", "K..YR", ".....", "..K.."], (2, 2), 3),
    "2 each way count the tile twice": ([".....", "..Y..", ".W...", ".....", "....."], (2, 2), 4),
    "run of 4 horizontally and 3 vertically": ([".....", "..Y..", "KW.Y.", "..W..", "....."], (2, 2), 7),
    "run of 5 horizontally": ([".....", ".....", "KW.YR", ".....", "....."], (2, 2), 5),
    "row and column both completed": (["..R..", "..Y..", "KW.YR", "..W..", "..K.."], (2, 2), 10),
    "in a corner": (["BYRK.", "....K", "....R", "....Y", "....B"], (0, 4), 10),
    "no run around the edge": (["....W", ".....", ".....", ".....", "....."], (0, 0), 1),
}


@pytest.mark.parametrize("situation", SCORING)
def test_az_29_points_of_a_tile(situation: str):
    wall, (row, column), points = SCORING[situation]
    lines = [""] * 5
    lines[row] = LETTERS[(column - row) % 5] * (row + 1)
    table = placing([Board(lines=lines, wall=wall)]).step()
    assert table.wall(0)[row][column] == lines[row][0]
    assert table.scores()[0] == points


def test_az_30_four_tiles_and_the_marker_cost_eight():
    table = placing([Board(floor="1BBYY", score=20)], marker=0)
    table.step()
    assert table.scores()[0] == 12
    assert table.floor(0) == ""
    assert table.lid() == "BBYY", "the marker does not go to the lid"
    assert int(table.s.marker) == 0, "it goes to its holder"


def test_az_30_the_floor_is_settled_with_the_last_line():
    table = placing([Board(lines=["B", "YY", "", "", ""], floor="RR", score=5)])
    table.step()
    assert (table.scores()[0], table.floor(0)) == (6, "RR")
    assert table.actor == 0
    table.step()
    assert (table.scores()[0], table.floor(0)) == (5, ""), "1 for yellow at row 1, column 2, less 2"
    assert table.lid() == "YRR"
    assert table.actor == 1


def test_az_30_a_player_without_a_full_line_only_settles_the_floor():
    table = placing([Board(lines=["", "Y", "", "", ""], floor="RRR", score=5)])
    assert table.legal() == [STEP]
    table.step()
    assert table.scores()[0] == 1
    assert table.lines(0) == ["", "Y", "", "", ""]


def test_az_31_a_score_never_drops_below_zero():
    table = placing([Board(floor="BBBBBBB", score=5), Board(floor="1", score=0)], marker=NOBODY).tile()
    assert table.scores() == [0, 0]


def test_az_31_points_of_the_same_round_are_counted_before_the_penalty():
    table = placing([Board(lines=["B", "WW", "", "", ""], floor="RRRR", score=0)])
    table.step()
    assert table.scores()[0] == 1
    table.step()
    assert table.scores()[0] == 0, "3 points less 6"


def test_az_31_points_after_a_stop_at_zero_start_from_zero():
    table = placing([Board(floor="BBBBBBB", score=2)], marker=NOBODY).tile()
    table.s.phase = phases.PLACING
    table.s.line_colour[0, 0] = 0
    table.s.line_count[0, 0] = 1
    table.step()
    assert table.scores()[0] == 1
