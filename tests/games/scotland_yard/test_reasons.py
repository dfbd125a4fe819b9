"""Why a move is good: the numbers of every reason, and that they are the terms of the evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core.jit import plain
from ludens.core.spec import Game
from ludens.games.scotland_yard import GRID, LONDON, phases
from ludens.games.scotland_yard.evaluate import FEATURES, prospects
from ludens.games.scotland_yard.text.reasons import amounts, completes, reasons
from tests.games.scotland_yard.setups import Table, cell, random_play

_prospects = plain(prospects)
COUNT = len(FEATURES)


def weighing(**weights: float) -> np.ndarray:
    found = np.zeros(2 * COUNT)
    for name, weight in weights.items():
        found[FEATURES.index(name.replace("_", " "))] = weight
    return found


def told(before: np.ndarray, after: np.ndarray, seat: int, weights: np.ndarray) -> dict[str, dict[str, Any]]:
    return {reason.term: reason.values for reason in reasons(before[0], after[0], after[0], seat, weights)}


@pytest.mark.parametrize("game", [LONDON, GRID], ids=lambda game: game.spec.name)
def test_amounts_are_the_features_of_the_evaluation(game: Game) -> None:
    seen = 0
    for state, _, _ in random_play(game, 3):
        if state["phase"][0] in (phases.PLACING, phases.OVER):
            continue
        for name, amount in amounts(state[0], [int(state["mr_x_station"][0])]).items():
            assert _prospects(state[0], weighing(**{name: 1.0})) == pytest.approx(amount, abs=1e-9), name
        seen += 1
    assert seen > 5


def test_mr_x_is_told_how_far_the_detectives_are_and_where_he_may_hide() -> None:
    table = Table(GRID, [cell("a1") + 1, cell("b1") + 1], cell("c2") + 1)
    table.play("a2", "a1")
    before = table.view(0)
    table.play("d2")
    found = told(before, table.view(0), 0, weighing(mean_distance=1, hiding_places=1, safe_ways=0.5))
    assert found["away"] == {"n": 3.5, "before": 2.5}  # from a2 3 steps and from a1 4, before 2 and 3
    assert found["hiding"]["n"] == len(table.possible())
    assert found["safe"]["n"] == 4


def test_detectives_are_told_what_they_may_know_and_nothing_of_his_station() -> None:
    weights = weighing(spread=1, hiding_places=1, safe_ways=1, nearest=0.1)
    answers = []
    for hiding in ("d4", "e3"):
        table = Table(GRID, [cell("a1") + 1, cell("b1") + 1], cell(hiding) + 1)
        table.s.possible[0] = sum(1 << cell(name) for name in ("d4", "e3"))
        before = table.view(1)
        assert not completes(before[0], table.legal()[0], before[0])  # the other steps along with it
        table.play("a2", "b2")
        assert completes(before[0], table.legal()[0], table.s)
        answers.append(told(before, table.view(1), 1, weights))
    assert answers[0] == answers[1]
    # To d4 and e3 from a1 six and six, from b1 five and five; a step nearer both.
    assert answers[0]["spread"] == {"n": 4.5, "before": 5.5}


def test_who_moves_and_where_to_are_one_move() -> None:
    table = Table(LONDON, [13, 26, 29, 34, 50], 146, players=2)
    table.play(table.moves()[0])
    before = table.state.copy()
    chosen = table.legal()[0]
    table.play(table.moves()[0])
    assert not completes(before[0], chosen, table.s)
    before, ride = table.state.copy(), table.legal()[0]
    table.play(table.moves()[0])
    assert completes(before[0], ride, table.s)
