"""Why a move is good: the numbers of every reason, on positions made by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ludens.core.match import Match
from ludens.games.azul.evaluate import EVALUATIONS, FEATURES
from ludens.games.azul.text.reasons import reasons
from tests.games.azul.positions import CENTRE, Board, Table, taking

WEIGHTS = EVALUATIONS["prospects"]


def told(table: Table, source: int | str, colour: str, line: int, weights: np.ndarray = WEIGHTS) -> dict[str, dict]:
    before = table.states.copy()
    table.take(source, colour, line)
    found = reasons(before[0], table.s, table.s, 0, weights)
    assert all(reason.worth > 0 for reason in found)
    assert [*found] == sorted(found, key=lambda reason: (reason.kind, -reason.worth))
    return {reason.term: reason.values for reason in found}


def test_a_full_line_tells_its_points_and_where_its_tile_stands() -> None:
    # Row 2 holds blue in its third column already; yellow goes beside it: 2 points.
    wall = (".....", ".....", "..B..", ".....", ".....")
    table = taking(["YYRK", "WWWW"], boards=[Board(lines=("", "", "Y", "", ""), wall=wall), Board()])
    found = told(table, 0, "Y", 2)
    assert found["points"] == {"n": 2, "line": 3}


def test_a_started_line_tells_how_far_it_is() -> None:
    table = taking(["RRKW", "WWWW"], boards=[Board(lines=("", "", "", "R", "")), Board()])
    assert told(table, 0, "R", 3)["line"] == {"line": 4, "n": 3, "size": 4}


def test_the_marker_and_a_column_are_told() -> None:
    wall = ("B....", "W....", "K....", ".....", ".....")
    table = taking(["WWWW"], "R", boards=[Board(lines=("", "", "", "RRR", ""), wall=wall), Board()])
    only = np.zeros_like(WEIGHTS)
    only[[FEATURES.index("marker"), FEATURES.index("four in a column")]] = 1
    found = told(table, CENTRE, "R", 3, only)
    assert found["column"] == {"n": 4, "column": 1}
    assert found["marker"] == {}


def test_tiles_that_the_next_player_needs_are_told_as_denied() -> None:
    wall = (".....", ".....", ".....", ".....", ".R.W.")  # black between them brings three points
    boards = [Board(), Board(lines=("", "", "", "", "KKK"), wall=wall)]
    table = taking(["KKRW", "YYRW"], boards=boards)
    found = told(table, 0, "K", 1)
    assert found["denied"] == {"n": 2, "colour": "black", "seat": 1, "line": 5, "points": 3}
    spared = taking(["KKRW", "YYRW"], boards=boards)
    assert "denied" not in told(spared, 1, "Y", 1)


def test_what_only_costs_is_no_reason() -> None:
    table = taking(["YYYK", "WWWW"], boards=[Board(score=9), Board()])
    assert "points" not in told(table, 0, "Y", 5)


@pytest.mark.parametrize("seat", [0, 1])
def test_reasons_are_of_the_seat_that_moves(seat: int) -> None:
    table = taking(["RRKW", "WWWW"], boards=[Board(), Board()], current=seat)
    before = table.states.copy()
    table.take(0, "R", 1)
    found = reasons(before[0], table.s, table.s, seat, WEIGHTS)
    assert next(reason.values for reason in found if reason.term == "points") == {"n": 1, "line": 2}


def test_reasons_of_a_whole_game_can_be_sent() -> None:
    terms = set()
    for seed in range(4):
        match = Match("azul", seed=seed)
        while not match.over:
            seat, before = match.actor, match.view(match.actor)
            legal = match.legal()
            match.play(int(legal[match.ply % len(legal)]))
            after = match.view(seat)[0]
            for reason in reasons(before[0], after, after, seat, WEIGHTS):
                json.dumps(reason.to_json())
                terms.add(reason.term)
    assert {"points", "colour", "column", "line"} <= terms
