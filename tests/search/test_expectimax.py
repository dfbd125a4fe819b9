"""Expectiminimax and alpha-beta: equal to plain recursion, pruned equal to full, exact at the end of a game."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.search.alphabeta import AlphaBeta
from ludens.search.budget import Budget
from ludens.search.expectimax import Expectimax
from tests.search.positions import AZUL, DUEL, PIG, legal_of, look_ahead, middle_of, pig, pig_values, view_of

NOTHING = np.zeros(1)
WEIGHTS = next(iter(AZUL.rules.evaluations.values()))
PLACES = [(8, 8, 0), (4, 8, 3), (0, 5, 2), (9, 9, 0), (7, 2, 6)]


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize(("mine", "other", "pot"), PLACES)
def test_two_players_agree_with_plain_recursion_pruned_or_not(mine: int, other: int, pot: int, turns: bool) -> None:
    state = pig(mine, other, pot)
    for depth in (1, 2, 3) if not turns else (1,):
        expected = look_ahead(PIG, state, depth, 0, turns=turns)[0] if not turns else None
        found = [
            Expectimax(PIG, 2, NOTHING, depth, "turns" if turns else "decisions", prune=prune)
            .search(state, 0, legal_of(PIG, state), None, 0)
            .values.max()
            for prune in (False, True)
        ]
        assert found[0] == pytest.approx(found[1], abs=1e-12)
        if expected is not None:
            assert found[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("paranoid", [False, True])
def test_three_players_have_vector_values_or_minimising_opponents(paranoid: bool) -> None:
    for mine, other, pot in PLACES:
        state = pig(mine, other, pot, players=3)
        state["score"][0, 2] = 9
        expected = look_ahead(PIG, state, 3, 0, paranoid=paranoid)[0]
        search = Expectimax(PIG, 3, NOTHING, 3, paranoid=paranoid, prune=paranoid)
        found = search.search(state, 0, legal_of(PIG, state), None, 0)
        assert found.values.max() == pytest.approx(expected, abs=1e-12)


def test_deeper_searches_approach_the_solution_of_the_game() -> None:
    for place in ((8, 8, 0), (8, 9, 0), (6, 9, 2)):
        state, (roll, hold) = pig(*place), pig_values()[place]
        search = Expectimax(PIG, 2, NOTHING, depth=7, prune=True)
        found = search.search(state, 0, legal_of(PIG, state), None, 0)
        assert found.best == (0 if roll > hold else 1)
        assert found.values.max() == pytest.approx(max(roll, hold), abs=0.12)


def test_pruning_needs_two_sides_or_minimising_opponents() -> None:
    with pytest.raises(BadInput, match="Pruning needs two opposed sides"):
        Expectimax(PIG, 3, NOTHING, prune=True)
    with pytest.raises(BadInput, match="Alpha-beta needs two opposed sides"):
        AlphaBeta(PIG, 4, NOTHING)


@pytest.mark.parametrize("choices", [6, 9, 40, 45])
def test_alpha_beta_and_expectimax_agree_inside_a_round_of_azul(choices: int) -> None:
    state = middle_of(AZUL, choices, seed=choices)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    for depth in (1, 2):
        full = Expectimax(AZUL, 2, WEIGHTS, depth).search(state, seat, legal, None, 0)
        pruned = Expectimax(AZUL, 2, WEIGHTS, depth, prune=True, order=True).search(state, seat, legal, None, 0)
        beta = AlphaBeta(AZUL, 2, WEIGHTS, depth, exact_root=True)
        table = beta.search(state, seat, legal, None, 0)
        again = beta.search(state, seat, legal, None, 0)  # now mostly from the table of positions
        assert pruned.values.max() == pytest.approx(full.values.max(), abs=1e-12)
        assert table.values == pytest.approx(full.values, abs=1e-12)
        assert again.values == pytest.approx(full.values, abs=1e-12)
        assert pruned.leaves <= full.leaves


def test_time_ends_a_search_with_a_legal_move_and_deepening_keeps_what_was_finished() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    for search in (Expectimax(AZUL, 2, WEIGHTS, 20, prune=True), AlphaBeta(AZUL, 2, WEIGHTS, 20)):
        search.search(state, seat, legal, Budget(seconds=0.001), 0)  # compiles
        for seconds in (0.001, 0.2):
            found = search.search(state, seat, legal, Budget(seconds=seconds), 0)
            assert found.best in legal
            assert found.depth < 20


def test_hidden_games_are_averaged_over_worlds_and_read_the_view_only() -> None:
    state = middle_of(DUEL, 0, seed=5)
    seat = int(state["current"][0])
    view, legal = view_of(DUEL, state, seat), legal_of(DUEL, state)
    search = Expectimax(DUEL, 2, NOTHING, depth=6, prune=True, worlds=5)
    first, second = (search.search(view, seat, legal, None, seed=1) for _ in range(2))
    assert first.values == pytest.approx(second.values)
    assert first.best in legal
    assert (np.abs(first.values) <= 1).all()
