"""AZ-90 … AZ-92: the random and the heuristic agent, with the projection of AZ-122 and AZ-124."""

from __future__ import annotations

from collections import Counter

from scipy.stats import chisquare

from ludens.agents.random import RandomAgent
from ludens.core.agent import AgentKind
from ludens.games.azul import GAME
from ludens.games.azul.players.heuristic import HeuristicAgent
from ludens.games.azul.state import FLOOR
from tests.games.azul.positions import CENTRE, EMPTY_WALL, Board, Table, take, taking
from tests.games.azul.sitting import choice, choices

FULL_FLOOR = "WWWWWWW"


def _heuristic(table: Table) -> int:
    return choice(table, HeuristicAgent())


def test_az_90_the_random_agent_is_uniform_over_the_legal_moves():
    table = taking(["BBYK", "RRRW"], centre="WW", boards=[Board(lines=["", "B", "", "", ""])])
    legal = table.legal()
    drawn = Counter(choices(table, RandomAgent(), 20_000, seed=1))
    assert set(drawn) == set(legal)
    assert chisquare([drawn[a] for a in legal]).pvalue > 0.001


def test_az_90_equal_seeds_choose_equally():
    table = taking(["BBYK", "RRRW"])
    assert choices(table, RandomAgent(), 50, seed=3) == choices(table, RandomAgent(), 50, seed=3)
    assert choices(table, RandomAgent(), 50, seed=3) != choices(table, RandomAgent(), 50, seed=4)


def test_az_91_the_heuristic_takes_the_gain_avoids_the_floor_and_prefers_more_tiles():
    table = taking(["BBBW", "KKRY"])
    assert _heuristic(table) == take(0, "B", 2), "a line filled without overflow, with three tiles"


# --- AZ-92, criterion by criterion: the first one on which two moves differ decides -------------


def test_az_92_1_the_larger_gain_first():
    """One red makes three across; three blacks make one point."""
    board = Board(wall=["BY...", *EMPTY_WALL[1:]])
    assert _heuristic(taking(["KKKW", "R"], boards=[board])) == take(1, "R", 0)


def test_az_92_1_an_unfinished_line_gains_nothing():
    """Red would make three across in row 1, but one tile does not fill the line."""
    board = Board(lines=["W", "", "", "", ""], wall=[".....", ".BY..", ".....", ".....", "....."])
    table = taking(["R", "KKK"], boards=[board])
    assert _heuristic(table) == take(1, "K", 2)


def test_az_92_1_overflow_costs_its_floor_places():
    """Four reds: three across in line 0 less 4 is worse than a single tile in line 3."""
    board = Board(wall=["BY...", *EMPTY_WALL[1:]])
    assert _heuristic(taking(["RRRR"], boards=[board])) == take(0, "R", 3)


def test_az_92_1_overflow_costs_more_on_a_fuller_floor():
    """Two blues in line 0 make 3 less the floor, two whites in line 2 make 1 without overflow."""
    lines, wall = ["", "KK", "W", "", ""], [".YR..", *EMPTY_WALL[1:]]
    assert _heuristic(taking(["BB", "WW"], boards=[Board(lines, wall)])) == take(0, "B", 0), "3 - 1 against 1"
    assert _heuristic(taking(["BB", "WW"], boards=[Board(lines, wall, floor="RR")])) == take(1, "W", 2), "3 - 2 = 1"


def test_az_92_1_taking_the_marker_costs_a_floor_place():
    """Red from the centre makes 2, white from a factory 1; the marker makes them equal and the id decides."""
    board = Board(wall=[".Y...", *EMPTY_WALL[1:]])
    with_marker = taking(["W"], centre="R", boards=[board])
    assert _heuristic(with_marker) == take(0, "W", 0)
    without = taking(["W"], centre="R", boards=[board], marker=1)
    assert _heuristic(without) == take(CENTRE, "R", 0)


def test_az_92_1_the_marker_is_free_when_the_floor_is_full():
    board = Board(wall=[".Y...", *EMPTY_WALL[1:]], floor=FULL_FLOOR)
    assert _heuristic(taking(["W"], centre="R", boards=[board])) == take(CENTRE, "R", 0)


def test_az_92_1_the_penalty_stays_at_fourteen_beyond_seven_places():
    """With six places used one more tile costs 3, four more cost the same 3: more tiles win then."""
    board = Board(lines=["K", "KK", "KKK", "KKKK", "KKKKK"], floor="WWWWWW")
    assert _heuristic(taking(["B", "YYYY"], boards=[board])) == take(1, "Y", FLOOR)


def test_az_92_2_a_line_before_the_floor():
    """Four yellows fit nowhere and cost nothing; one blue starts line 1 and costs nothing either."""
    wall = [".....", "..Y..", ".....", ".....", "....."]
    board = Board(lines=["K", "", "KKK", "KKKK", "KKKKK"], wall=wall, floor=FULL_FLOOR)
    table = taking(["YYYY", "B"], boards=[board])
    assert _heuristic(table) == take(1, "B", 1)


def test_az_92_3_more_tiles_before_fewer():
    board = Board(lines=["K", "KK", "KKK", "KKKK", ""])
    assert _heuristic(taking(["Y", "BB"], boards=[board])) == take(1, "B", 4)


def test_az_92_3_more_tiles_count_before_the_overflow():
    """Floor full: three yellows overflow line 1 and one white fills line 0; both gain 1."""
    board = Board(lines=["", "", "KKK", "KKKK", "KKKKK"], wall=[".Y...", *EMPTY_WALL[1:]], floor=FULL_FLOOR)
    assert _heuristic(taking(["W", "YYY"], boards=[board])) == take(1, "Y", 1)


def test_az_92_4_less_overflow():
    """Two blues gain 2 in line 0 (3 - 1) and in line 1 (2 - 0): line 1, although its id is larger."""
    board = Board(wall=[".YR..", *EMPTY_WALL[1:]])
    assert _heuristic(taking(["BB"], boards=[board])) == take(0, "B", 1)


def test_az_92_5_less_remaining_space():
    """One blue completes no line: line 4 lacks one tile then, line 2 two."""
    board = Board(lines=["K", "KK", "", "", "BBB"])
    assert _heuristic(taking(["B"], boards=[board])) == take(0, "B", 4)


def test_az_92_6_the_smaller_action_index():
    assert _heuristic(taking(["", "", "B", "B"])) == take(2, "B", 0)
    assert _heuristic(taking(["BY"])) == take(0, "B", 0), "colours are compared before destinations"


def test_az_92_random_choice_among_equal_moves_is_an_option():
    kind = GAME.agents()["heuristic"]
    assert isinstance(kind, AgentKind)
    assert kind.parameters[0].choices == ("first", "random")
    table = taking(["", "", "B", "B", "Y"], boards=[Board()])
    equal = [take(2, "B", 0), take(3, "B", 0), take(4, "Y", 0)]
    assert set(choices(table, kind.make(ties="first"), 100)) == {equal[0]}
    drawn = Counter(choices(table, kind.make(ties="random"), 6_000, seed=2))
    assert set(drawn) == set(equal)
    assert chisquare([drawn[a] for a in equal]).pvalue > 0.001


# --- the projection ------------------------------------------------------------------------


def test_az_122_full_lines_above_the_destination_count_as_tiled():
    """White in row 1 will lie below the blue of line 0 and makes 2; yellow makes 1 (AZ-125)."""
    board = Board(lines=["B", "", "", "", ""])
    assert _heuristic(taking(["YY", "WW"], boards=[board])) == take(1, "W", 1)


def test_az_122_full_lines_below_the_destination_do_not_count():
    """Blue in row 0 would touch the white of line 1, which is tiled later: both make 1, the id decides."""
    board = Board(lines=["", "WW", "", "", ""])
    assert _heuristic(taking(["Y", "B"], boards=[board])) == take(0, "Y", 0)


def test_az_122_lines_that_are_not_full_do_not_count():
    board = Board(lines=["K", "W", "", "", ""])
    table = taking(["YYY", "KKK"], boards=[board])
    assert _heuristic(table) == take(0, "Y", 2), "black in row 2 stands in column 0, below an empty cell"


def test_az_122_the_projected_row_itself_makes_runs_longer():
    """Lines 0 and 1 project blue and white into column 0; black below them makes 3."""
    board = Board(lines=["B", "WW", "", "", ""])
    assert _heuristic(taking(["YYY", "KKK"], boards=[board])) == take(1, "K", 2)


def test_az_124_on_the_grey_wall_the_best_column_counts():
    """Blue is projected next to red, to column 1, black below it; yellow below both makes 3, white in row 3 makes 2."""
    wall = ["..R..", ".....", "....W", ".....", "B...."]
    board = Board(lines=["B", "KK", "", "W", ""], wall=wall)
    table = taking(["WWW", "YYY"], boards=[board], wall="grey")
    assert _heuristic(table) == take(1, "Y", 2)


def test_az_124_a_colour_without_a_legal_column_gains_nothing():
    """Three blues fill line 2 but have no cell there; one white fills line 4 and makes 1."""
    wall = ["B....", ".B...", "..YRK", ".....", "....."]
    board = Board(lines=["K", "KK", "", "", "WWWW"], wall=wall)
    table = taking(["BBB", "W"], boards=[board], wall="grey")
    assert table.may_take(0, "B", 2)
    assert _heuristic(table) == take(1, "W", 4)
