"""Whole trees of small games: equilibria by hand, and by another way."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, registry
from ludens.core.errors import BadInput
from ludens.core.record import blank
from ludens.core.verbs import TERMINAL
from ludens.search.game_tree import GameTree, best_response, grow_tree, solve

GRID = registry.game("scotland_yard_grid")
SMALL = {"detectives": 2, "max_rounds": 2}


def matrix_game(payoffs: list[list[float]]) -> GameTree:
    """Two choices of two actions each, the second made without knowing the first."""
    return GameTree(
        actor=np.array([0, 1, 1, -4, -4, -4, -4], np.int8),
        first=np.array([0, 2, 4, 6, 6, 6, 6, 6]),
        child=np.arange(1, 7),
        action=np.array([0, 1] * 3),
        chance=np.ones(6),
        information_set=np.array([0, 1, 1, -1, -1, -1, -1]),
        slot=np.array([0, 2, 4]),
        result=np.array([0.0, 0, 0, *payoffs[0], *payoffs[1]]),
        keys=(b"0", b"1"),
        level=np.array([0, 1, 3, 7]),
        open=False,
    )


def rooted(start: tuple[int, int, int], options: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """The grid with everybody placed, and its options."""
    array = GRID.options(options)
    state = blank(GRID.dtype)
    kernels.reset_at(state, 0, array)
    for cell in start:
        kernels.apply_at(state, 0, cell)
    return state, array


def test_a_matrix_game_is_solved_as_by_hand() -> None:
    # Indifference gives (0.2, 0.8) and (0.6, 0.4), and the value (1 · 0.5 + 1 · 0) / (1 + 0.5 + 1 - 0).
    found = solve(matrix_game([[1.0, -1.0], [0.0, 0.5]]), 4000)
    assert found.value == pytest.approx(0.2, abs=1e-3)
    assert found.strategy == pytest.approx([0.2, 0.8, 0.6, 0.4], abs=5e-3)
    assert found.nash_conv < 5e-3
    assert found.curve[0][1] > found.nash_conv


def test_a_best_response_to_an_even_strategy_is_the_better_row() -> None:
    tree = matrix_game([[1.0, -1.0], [0.0, 0.5]])
    value, strategy = best_response(tree, np.full(4, 0.5), 0)
    assert value == 0.25
    assert strategy.tolist() == [0.0, 1.0, 0.5, 0.5]
    value, strategy = best_response(tree, np.full(4, 0.5), 1)
    assert value == 0.25
    assert strategy.tolist() == [0.5, 0.5, 0.0, 1.0]


def test_a_tree_of_the_grid_tells_apart_what_its_seats_tell_apart() -> None:
    state, options = rooted((0, 4, 12), SMALL)
    tree = grow_tree(GRID, options, root=state)
    assert tree.actor[0] == 1
    assert (tree.first[1:] - tree.first[:-1])[tree.actor == TERMINAL].max() == 0
    sizes = np.bincount(tree.information_set[tree.information_set >= 0])
    own = np.array([tree.actor[tree.information_set == k][0] for k in range(tree.information_sets)])
    assert sizes[own == 0].max() == 1  # Mr. X sees everything
    assert sizes[own == 1].max() > 1  # detectives do not see where he went
    assert np.abs(tree.result[tree.actor == TERMINAL]).min() == 1


def test_too_large_a_game_is_refused() -> None:
    with pytest.raises(BadInput, match="too many to be solved"):
        grow_tree(GRID, GRID.options({}), most=100)
    with pytest.raises(BadInput, match="two players"):
        grow_tree(registry.game("azul"), registry.game("azul").options({"players": 3}))
