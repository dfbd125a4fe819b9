"""The thesis's three rewards of a move, computed by hand: AZ-116 … AZ-125, AZ-139."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.games.azul.rewards import REWARDS
from ludens.games.azul.state import FIRST_COLUMN, FLOOR
from tests.games.azul.positions import CENTRE, EMPTY_WALL, Board, Table, take, taking

C, C1, C2, C3 = 11.0, 0.7, -3.0, 0.9  # each is seen in a sum
CONSTANTS = {"c": C, "c1": C1, "c2": C2, "c3": C3}
FOUR_TILES = ["....W", "W....", ".....", "...B.", ".R..."]


def reward(name: str, table: Table, action: int, **constants: Any) -> float:
    own = CONSTANTS if REWARDS[name].constants else {}
    found = REWARDS[name](table.states, np.array([table.s.current]), np.array([action]), {**own, **constants})
    return float(found[0])


@pytest.mark.parametrize(
    ("line", "held", "taken", "expected"),
    [(2, 1, 2, 5), (2, 1, 3, 4), (2, 0, 2, 2), (0, 0, 4, 2)],
)
def test_az_118_reward_1_is_the_immediate_gain(line: int, held: int, taken: int, expected: float) -> None:
    lines = ["", "", "", "", ""]
    lines[line] = "B" * held
    table = taking(["B" * taken], boards=[Board(lines=lines)])
    assert reward("immediate", table, take(0, "B", line)) == expected


def test_az_116_a_move_to_the_floor_is_worth_minus_ten_in_all_three() -> None:
    """Whatever lies on the wall and on the floor, and with the marker or without."""
    table = taking(["BBYK"], centre="RR", boards=[Board(wall=FOUR_TILES, floor="WW")])
    for name in REWARDS:
        assert reward(name, table, take(0, "B", FLOOR)) == -10
        assert reward(name, table, take(CENTRE, "R", FLOOR)) == -10


def test_az_121_reward_2_counts_the_tile_on_the_wall_and_the_tiles_that_lie_there() -> None:
    """Four tiles lie; blue in row 1 stands beside white, white in row 3 beside blue: two points each."""
    table = taking(["BBYK", "WWYK"], boards=[Board(lines=["", "B", "", "", ""], wall=FOUR_TILES)])
    assert reward("wall", table, take(0, "B", 1)) == pytest.approx(-4 + C + 2 * C1 - 1)
    assert reward("wall", table, take(1, "W", 3)) == pytest.approx(-4 + C2 + 2 * C3)


def test_az_125_reward_3_lays_full_lines_above_first() -> None:
    """Blue of line 0 will lie above white's cell: two points, and one tile more on the wall."""
    table = taking(["WWBK"], boards=[Board(lines=["B", "", "", "", ""])])
    move = take(0, "W", 1)
    assert reward("projected", table, move) == pytest.approx(-1 + C + 2 * C1)
    assert reward("wall", table, move) == pytest.approx(C + C1)
    assert table.wall(0) == list(EMPTY_WALL), "the real wall is not changed"


def test_az_122_full_lines_below_the_destination_are_not_laid() -> None:
    table = taking(["WWBK"], boards=[Board(lines=["", "", "BBB", "", ""])])
    move = take(0, "W", 1)
    assert reward("projected", table, move) == reward("wall", table, move) == pytest.approx(C + C1)


def test_az_123_a_switch_counts_the_tiles_of_the_real_wall() -> None:
    table = taking(["WWBK"], boards=[Board(lines=["B", "", "", "", ""])])
    assert reward("projected", table, take(0, "W", 1), real_wall=1) == pytest.approx(C + 2 * C1)


def test_az_124_on_the_grey_wall_tiles_go_where_they_score_most() -> None:
    """Blue of line 0 goes beside yellow, to the smaller of two columns; white of line 1 then scores two below one."""
    boards = [Board(lines=["B", "", "", "", ""], wall=[".Y...", *EMPTY_WALL[1:]])]
    table = taking(["WWRK"], boards=boards, wall="grey")
    assert reward("projected", table, take(0, "W", 1)) == pytest.approx(-2 + C + 2 * C1)


def test_az_124_a_tile_without_a_legal_column_has_no_points() -> None:
    """The only free cell of row 1 lies in a column that has white already."""
    table = taking(["WWRK"], boards=[Board(wall=[".....", ".BYRK", ".....", "W....", "....."])], wall="grey")
    assert reward("wall", table, take(0, "W", 1)) == pytest.approx(-5 + C)
    assert reward("projected", table, FIRST_COLUMN) == 0, "the choice of a column is no taking move"


def test_az_139_the_corrected_version_gives_the_floor_the_same_baseline() -> None:
    table = taking(["BBYK"], boards=[Board(wall=FOUR_TILES)])
    assert reward("wall", table, take(0, "B", FLOOR), level_floor=1) == -14
    assert reward("immediate", table, take(0, "B", FLOOR)) == -10


def test_az_120_the_starting_values_are_named() -> None:
    wanted = {"c": 3, "c1": 1, "c2": 0, "c3": 0.5, "real_wall": 0, "level_floor": 0}
    assert REWARDS["wall"].constants == REWARDS["projected"].constants == wanted
    assert REWARDS["immediate"].constants == {}
