"""The observation tells the position, as far as the seat knows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.games.scotland_yard import GRID, LONDON, phases
from ludens.games.scotland_yard.state import UNLIMITED
from tests.games.scotland_yard.setups import Table, cell
from tests.games.telling import blocks_of, changed_blocks

OPTIONS = {"players": 3, "edition": "classic", "bobbies": 1, "max_moves": 20}


def hunt() -> Table:
    """Three detectives, the last a bobby; Mr. X has fled twice and is to move."""
    table = Table(LONDON, [13, 94, 117], 45, **OPTIONS)
    while int(table.s.moves) < 2 or int(table.s.phase) != phases.FLEEING:
        table.play(table.moves()[0])
    return table


def values(table: Table) -> np.ndarray:
    return table.game.options({"detectives": int(table.s.detectives), **(OPTIONS if table.game is LONDON else {})})


CHANGES: list[tuple[str, Any, int, set[str]]] = [
    ("possible", 3, 1 << 7, {"mr_x"}),
    ("seen_station", (), 40, {"mr_x"}),
    ("seen_move", (), 1, {"table"}),
    ("pawn_station", 1, 3, {"pawns"}),
    ("pawn_tickets", (0, 0), 2, {"pawn_rows"}),
    ("pawn_tickets", (1, 1), 2, {"pawn_rows"}),
    ("pawn_tickets", (1, 2), 1, {"pawn_rows"}),
    ("pawn_tickets", (2, 0), 11, {"pawn_rows"}),  # a bobby with as many tickets as there are is none
    ("pawn_moved", 1, 0, {"pawn_rows"}),
    ("mr_x_tickets", 0, 9, {"tickets"}),
    ("mr_x_tickets", 3, 4, {"tickets"}),
    ("mr_x_tickets", 4, 0, {"tickets"}),
    ("classic", (), 0, {"tickets"}),
    ("double_left", (), 2, {"tickets"}),
    ("double_left", (), 1, {"tickets"}),
    ("log_ticket", 1, 3, {"log"}),
    ("phase", (), phases.CHOOSING, {"phase"}),
    ("round_number", (), 7, {"table"}),
    ("max_rounds", (), 10, {"table"}),
    ("max_moves", (), 10, {"table"}),
    ("reveal_moves", (), 1 << 5, {"table"}),
    ("stuck_stay", (), 1, {"table"}),
    ("current", (), 1, {"pawn_rows"}),
]


@pytest.mark.parametrize(("field", "place", "value", "expected"), CHANGES)
def test_what_matters_changes_its_block_and_no_other(field: str, place: Any, value: int, expected: set[str]) -> None:
    table = hunt()
    for seat in (1, 2):
        assert changed_blocks(LONDON, values(table), table.state, seat, field, place, value) == expected


def test_tickets_that_never_run_out_are_told_from_as_many_as_there_are() -> None:
    table = hunt()
    table.state["mr_x_tickets"][0, 0] = UNLIMITED
    assert changed_blocks(LONDON, values(table), table.state, 1, "mr_x_tickets", 0, 11) == {"tickets"}


def test_his_place_is_told_to_him_alone() -> None:
    table = hunt()
    assert changed_blocks(LONDON, values(table), table.state, 0, "mr_x_station", (), 7) == {"mr_x"}
    assert changed_blocks(LONDON, values(table), table.state, 1, "mr_x_station", (), 7) == set()
    assert blocks_of(LONDON, values(table), table.state, 0)["observer"].tolist() == [1]
    assert blocks_of(LONDON, values(table), table.state, 1)["observer"].tolist() == [0]


def test_the_pawn_that_moves_is_told_and_the_same_to_all_who_lead_detectives() -> None:
    table = hunt()
    table.state["phase"], table.state["current"], table.state["pawn"] = phases.MOVING, 1, 0
    options = values(table)
    assert changed_blocks(LONDON, options, table.state, 1, "pawn", (), 2) == {"pawn_rows"}
    rows = [blocks_of(LONDON, options, table.state, seat)["pawn_rows"] for seat in (0, 1, 2)]
    assert rows[1][:3, 6].tolist() == [1, 0, 0]
    assert (rows[1][:3, 7:9] == 1).all() and (rows[0][:3, 8] == 0).all()
    assert (rows[1] == rows[2]).all() and not rows[1][3:].any()
    assert changed_blocks(LONDON, options, table.state, 1, "current", (), 2) == set()
    assert changed_blocks(LONDON, options, table.state, 1, "current", (), 0) == {"pawn_rows"}


def test_a_step_already_chosen_on_the_grid_is_told() -> None:
    table = Table(GRID, [cell("a1") + 1, cell("c3") + 1], cell("e5") + 1)
    table.play("a2")
    pawns = blocks_of(GRID, values(table), table.state, 1)["pawns"]
    assert [np.flatnonzero(row).tolist() for row in pawns[:2]] == [[cell("a2")], [cell("c3")]]
    assert not pawns[2:].any()
    assert blocks_of(GRID, values(table), table.state, 1)["pawn_rows"][:2, 5].tolist() == [1, 0]
