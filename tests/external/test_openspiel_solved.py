"""OpenSpiel's algorithms on small instances say what ours say."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.policy import UniformRandomPolicy

from ludens.adapters.openspiel import LudensGame, LudensState
from ludens.core import registry
from ludens.search.game_tree import best_response, grow_tree, solve
from tests.search.test_game_tree import rooted

OPTIONS = {"detectives": 1, "max_rounds": 2}
START = (0, 12)


class Rooted(LudensGame):
    """The grid with everybody placed."""

    game = registry.game("scotland_yard_grid")

    def new_initial_state(self) -> LudensState:
        state = super().new_initial_state()
        for cell in START:
            state.apply_action(cell)
        return state


def test_even_play_and_equilibrium_are_worth_the_same_in_openspiel() -> None:
    state, options = rooted(START, OPTIONS)  # type: ignore[arg-type]
    tree = grow_tree(Rooted.game, options, root=state)
    even = np.concatenate([np.full(n, 1 / n) for n in np.diff(tree.slot)])
    ours = sum(best_response(tree, even, seat)[0] for seat in range(2))
    game = Rooted(OPTIONS)
    assert exploitability.nash_conv(game, UniformRandomPolicy(game)) == pytest.approx(ours)

    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    theirs = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [theirs, theirs])[0]
    gap = exploitability.nash_conv(game, theirs)
    found = solve(tree, 400)
    assert found.nash_conv < 0.01
    assert value == pytest.approx(found.value, abs=gap + found.nash_conv)
