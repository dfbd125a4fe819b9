"""AZ-32 … AZ-36: the next round, the end of the game and the winner."""

from __future__ import annotations

import pytest

from ludens.core.verbs import TERMINAL
from ludens.games.azul import GAME, phases
from ludens.games.azul.state import NOBODY
from tests.games.azul.positions import EMPTY_WALL, Board, placing, taking

ROW = ["BYRKW", ".....", ".....", ".....", "....."]
ALMOST_A_ROW = ["BYRK.", ".....", ".....", ".....", "....."]
LAST_OF_ROW = ["W", "", "", "", ""]
COLUMN = ["B....", "W....", "K....", "R....", "Y...."]
COLOUR = ["B....", ".B...", "..B..", "...B.", "....B"]
FULL = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]


@pytest.mark.parametrize("holder", [0, 1, 2])
def test_az_32_whoever_took_the_marker_starts_the_next_round(holder: int):
    table = placing([Board()] * 3, players=3, current=1, first="2", marker=holder).tile()
    assert table.phase == phases.DEALING
    assert int(table.s.round_number) == 2
    assert (int(table.s.first), int(table.s.current)) == (holder, holder)
    table.deal("BYRK" * 7)
    assert table.actor == holder


def test_az_32_the_marker_taken_in_play_decides():
    table = taking(["BBYY"], current=0).take(0, "B", 1).take("centre", "Y", 1).tile()
    assert int(table.s.first) == 1


@pytest.mark.parametrize("starter", [0, 1])
def test_az_32_if_nobody_took_the_marker_the_starting_player_stays(starter: int):
    table = taking(["BBBB", "YYYY"], current=starter, first=str(starter + 1))
    table.take(0, "B", 3).take(1, "Y", 3)
    assert int(table.s.marker) == NOBODY
    table.tile()
    assert table.phase == phases.DEALING
    assert (int(table.s.first), int(table.s.current)) == (starter, starter)


def test_az_33_a_complete_row_ends_the_game_after_everybody_has_tiled():
    boards = [
        Board(lines=LAST_OF_ROW, wall=ALMOST_A_ROW),
        Board(lines=["R", "", "", "", ""], floor="K", score=3),
        Board(lines=["B", "", "", "", ""]),
    ]
    table = placing(boards, players=3)
    table.step()
    assert table.wall(0) == ROW
    assert table.phase == phases.PLACING, "the round is finished for all players"
    table.step(2)
    assert table.phase == phases.OVER
    assert table.actor == TERMINAL
    assert table.scores() == [5 + 2, 3 + 1 - 1, 1]
    assert int(table.s.cut_off) == 0


@pytest.mark.parametrize("wall", [COLUMN, COLOUR])
def test_az_33_a_column_or_a_colour_does_not_end_the_game(wall: list[str]):
    assert placing([Board(wall=wall), Board()]).tile().phase == phases.DEALING


def test_az_33_a_row_gains_one_tile_a_round_so_five_rounds_are_the_least():
    """Five rounds in which the only factory with tiles gives one tile of the top row."""
    table = taking(["B"], first="1")
    for round_number, colour in enumerate("BYRKW", start=1):
        assert int(table.s.round_number) == round_number
        assert table.phase != phases.OVER
        table.s.bag[:] = 0
        table.s.bag["BYRKW".index("BYRKWW"[round_number])] = 1  # all that the next deal can find
        table.take(0, colour, 0).tile()
        if table.phase == phases.DEALING:
            table.deal("BYRKWW"[round_number])
    assert table.phase == phases.OVER
    assert int(table.s.round_number) == 5
    assert table.wall(0) == ROW
    assert table.scores() == [1 + 2 + 3 + 4 + 5 + 2, 0]


@pytest.mark.parametrize(
    ("wall", "bonus"),
    [
        (ROW, 2),
        ([row if r != 0 else "BYRKW" for r, row in enumerate(COLUMN)], 2 + 7),
        ([row if r != 0 else "BYRKW" for r, row in enumerate(COLOUR)], 2 + 10),
        (["BYRKW", "WBYRK", *EMPTY_WALL[2:]], 4),
        (FULL, 5 * 2 + 5 * 7 + 5 * 10),
    ],
)
def test_az_34_bonuses_for_rows_columns_and_colours(wall: list[str], bonus: int):
    table = placing([Board(wall=wall, score=40), Board(score=1)]).tile()
    assert table.phase == phases.OVER
    assert table.scores() == [40 + bonus, 1]


def test_az_34_every_player_gets_the_own_bonuses():
    boards = [Board(wall=ROW, score=1), Board(wall=COLUMN, score=2), Board(wall=COLOUR, score=3), Board(score=4)]
    assert placing(boards, players=4).tile().scores() == [1 + 2, 2 + 7, 3 + 10, 4]


def test_az_34_bonuses_come_after_the_penalty_that_stops_at_zero():
    table = placing([Board(wall=ROW, floor="BBBBBBB", score=3), Board()]).tile()
    assert table.scores() == [2, 0]


def test_az_34_no_bonus_before_the_end():
    assert placing([Board(wall=COLUMN, score=2), Board(wall=COLOUR)]).tile().scores() == [2, 0]


def _result(*boards: Board) -> list[float]:
    """Returns at the end of a game whose last tiling changes nothing."""
    table = placing(list(boards), players=len(boards)).tile()
    assert table.phase == phases.OVER
    returns = table.returns()
    assert sum(returns) == pytest.approx(0)
    return returns


def test_az_35_the_highest_total_wins():
    assert _result(Board(wall=ROW, score=10), Board(score=11)) == [1, -1]
    assert _result(Board(wall=ROW, score=10), Board(score=13)) == [-1, 1]


def test_az_35_ties_are_broken_by_complete_rows():
    assert _result(Board(wall=ROW, score=10), Board(score=12)) == [1, -1]
    two_rows = ["BYRKW", "WBYRK", *EMPTY_WALL[2:]]
    assert _result(Board(wall=ROW, score=12), Board(wall=two_rows, score=10)) == [-1, 1]


def test_az_35_rows_count_only_between_equal_totals():
    assert _result(Board(wall=FULL, score=0), Board(score=96)) == [-1, 1]


def test_az_35_victory_is_shared_if_rows_are_equal_too():
    assert _result(Board(wall=ROW, score=10), Board(wall=ROW, score=10)) == [0, 0]


def test_az_35_three_players_share_minus_one_among_the_losers():
    assert _result(Board(wall=ROW, score=10), Board(score=3), Board(score=9)) == pytest.approx([1, -0.5, -0.5])
    assert _result(Board(wall=ROW, score=10), Board(wall=ROW, score=10), Board(score=9)) == pytest.approx(
        [0.25, 0.25, -0.5]
    )
    assert _result(*[Board(wall=ROW, score=10)] * 3) == pytest.approx([0, 0, 0])


def test_az_35_four_players():
    third = 1 / 3
    win, loss = Board(wall=ROW, score=10), Board(score=9)
    assert _result(loss, win, loss, loss) == pytest.approx([-third, 1, -third, -third])
    assert _result(win, loss, win, loss) == pytest.approx([third, -third, third, -third])
    assert _result(win, win, win, loss) == pytest.approx([third / 3] * 3 + [-third])
    assert _result(win, win, win, win) == pytest.approx([0] * 4)


def test_az_35_nobody_has_won_before_the_end():
    assert placing([Board(wall=ALMOST_A_ROW, score=9), Board()]).returns() == [0, 0]


def test_az_36_the_round_limit_ends_the_game_and_flags_it():
    boards = [Board(wall=COLUMN, lines=["", "BB", "", "", ""], score=2), Board(score=4)]
    table = placing(boards, round_number=3, round_limit=3).tile()
    assert table.phase == phases.OVER
    assert int(table.s.cut_off) == 1
    assert int(table.s.round_number) == 3
    assert table.scores() == [2 + 2 + 7, 4], "blue next to the column, then final scoring"
    assert table.returns() == [1, -1]


def test_az_36_before_the_limit_the_game_goes_on():
    table = placing([Board(), Board()], round_number=2, round_limit=3).tile()
    assert table.phase == phases.DEALING
    assert int(table.s.cut_off) == 0


def test_az_36_a_row_in_the_last_round_is_a_regular_end():
    table = placing([Board(wall=ALMOST_A_ROW, lines=LAST_OF_ROW), Board()], round_number=3, round_limit=3).tile()
    assert table.phase == phases.OVER
    assert int(table.s.cut_off) == 0


def test_az_36_without_a_limit_the_floor_alone_makes_an_endless_game():
    assert GAME.options()[3] == 0, "off by default"
    assert GAME.spec.tournament["round_limit"] == 50
    assert GAME.spec.longest(GAME.options()) is None
    table = placing([Board(), Board()], round_number=1000).tile()
    assert table.phase == phases.DEALING
    assert int(table.s.round_number) == 1001


def test_az_36_a_game_with_a_limit_is_bounded():
    table = placing([Board(), Board()], round_number=1, round_limit=2).tile()
    for _ in range(5):
        table.deal("BYRK")
    while table.phase != phases.OVER:
        table.act(table.legal()[-1])  # the floor, or the step
    assert table.phase == phases.OVER
    assert int(table.s.round_number) == 2
    assert table.scores() == [0, 0]
    assert table.returns() == [0, 0]
