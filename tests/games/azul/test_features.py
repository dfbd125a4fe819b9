"""The observation tells the position, from the seat that looks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.rng import CHANCE_STREAM, generator
from ludens.games.azul import GAME, phases
from ludens.games.azul.state import STEP
from tests.games.telling import blocks_of, changed_blocks

OPTIONS = GAME.options({"players": 3, "first": "1", "round_limit": 9})


def dealt(options: np.ndarray = OPTIONS) -> np.ndarray:
    """The first round, all factories full, with a few tiles on everybody's board."""
    state, rng = record.blank(GAME.dtype), generator(5, CHANCE_STREAM)
    kernels.reset_at(state, 0, options)
    while int(state["phase"][0]) != phases.TAKING:
        kernels.apply_at(state, 0, kernels.draw_at(state, 0, rng))
    state["floor"][0, 1, 0] = 2
    state["floor_count"][0, 1] = 1
    state["wall"][0, 1, 0, 0] = 0
    state["line_colour"][0, 0, 3] = 4
    state["line_count"][0, 0, 3] = 2
    return state


CHANGES: list[tuple[str, Any, int, set[str]]] = [
    ("sources", (4, 3), 9, {"factories"}),
    ("sources", (7, 3), 9, {"centre"}),
    ("bag", 2, 3, {"bag"}),
    ("lid", 2, 3, {"lid"}),
    ("marker", (), 2, {"table", "boards"}),
    ("round_number", (), 3, {"table"}),
    ("round_limit", (), 5, {"table"}),
    ("current", (), 1, {"boards"}),
    ("first", (), 1, {"boards"}),
    ("score", 2, 7, {"boards"}),
    ("wall", (2, 4, 1), 2, {"walls"}),
    ("line_colour", (0, 3), 1, {"lines"}),
    ("line_count", (0, 3), 3, {"lines"}),
    ("floor", (1, 0), 4, {"floors"}),
    ("floor_count", 2, 3, {"boards"}),
]


@pytest.mark.parametrize(("field", "place", "value", "expected"), CHANGES)
def test_what_matters_changes_its_block_and_no_other(field: str, place: Any, value: int, expected: set[str]) -> None:
    state = dealt()
    if field == "floor_count":
        state["floor"][0, 2, :3] = 5  # markers are no tiles
    for seat in range(3):
        assert changed_blocks(GAME, OPTIONS, state, seat, field, place, value) == expected


def test_the_colours_of_the_grey_wall_are_told() -> None:
    options = GAME.options({"players": 2, "wall": "grey", "first": "1"})
    state = dealt(options)
    assert changed_blocks(GAME, options, state, 0, "wall", (1, 0, 0), 3) == {"walls"}
    walls = blocks_of(GAME, options, state, 1)["walls"]
    assert walls.shape == (2, 5, 5, 5)
    assert walls[0, 0, 0].tolist() == [1, 0, 0, 0, 0]


def test_the_line_to_tile_is_told() -> None:
    state = dealt()
    state["phase"], state["line_count"][0, 0, 3] = phases.PLACING, 4
    found = blocks_of(GAME, OPTIONS, state, 2)
    assert found["tiling"].tolist() == [0, 0, 0, 1, 0]
    kernels.apply_at(state, 0, STEP)
    assert not blocks_of(GAME, OPTIONS, state, 2)["tiling"].any()


def test_boards_follow_from_the_observer_on() -> None:
    state = dealt()
    state["score"][0, :3] = 10, 20, 30
    for seat in range(3):
        found = blocks_of(GAME, OPTIONS, state, seat)
        assert found["boards"][:, 1] == pytest.approx([(10 * ((seat + p) % 3) + 10) / 100 for p in range(3)])
        assert found["boards"][:, 4].tolist() == [float((seat + p) % 3 == 0) for p in range(3)]
        shifted = record.blank(GAME.dtype)
        kernels.transform_at(state, 0, 1, shifted)  # seats moved on by one
        again = blocks_of(GAME, OPTIONS, shifted, (seat + 1) % 3)
        assert all(np.array_equal(found[name], again[name]) for name in found)
