"""Ends of games and of rounds: solved, and equal to plain recursion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE
from ludens.search.budget import Budget
from ludens.search.endgame import DRAW, END, Endgame, can_solve
from tests.search.positions import AZUL, DISCOVERY, DUEL, PIG, legal_of, look_ahead, middle_of

GENEROUS = Budget(simulations=10**6)


def _late(game: Game, seed: int, back: int, **options: object) -> np.ndarray:
    """The position before the last choice but so many of a random game."""
    last, low, high = middle_of(game, 10**6, seed, **options).tobytes(), 0, 1000
    while low < high:
        middle = (low + high) // 2
        if middle_of(game, middle, seed, **options).tobytes() == last:
            high = middle
        else:
            low = middle + 1
    return middle_of(game, low - back, seed, **options)


def _values(game: Game, state: np.ndarray, seat: int, **how: Any) -> dict[int, float]:
    """The value of every action by plain recursion."""
    found = {}
    for action in legal_of(game, state).tolist():
        child = state.copy()
        kernels.apply_at(child, 0, action)
        found[action] = float(look_ahead(game, child, 10**6, seat, last=seat, **how)[seat])
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_end_of_azul_equals_plain_recursion(seed: int) -> None:
    state = _late(AZUL, seed, back=2, round_limit=2)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    expected = _values(AZUL, state, seat, to_draw=True)  # the last round, after which there are no draws
    found = Endgame(AZUL, 2, np.zeros(48)).solve(state, seat, legal, GENEROUS)
    if max(expected.values()) == -1:
        assert found is None  # lost anyway: the search may try its luck
    else:
        assert found is not None
        assert expected[found.best] == pytest.approx(max(expected.values()))
        assert found.values.max() == pytest.approx(max(expected.values()))


def _end_of_round(seed: int, choices: int) -> np.ndarray:
    """Some turns before the end of the first round of Azul."""
    state = middle_of(AZUL, choices, seed)
    while int(state["sources"][0].sum()) > 12:
        choices += 1
        state = middle_of(AZUL, choices, seed)
    return state


@pytest.mark.parametrize("seed", range(4))
def test_the_end_of_a_round_of_azul_equals_plain_recursion(seed: int) -> None:
    weights = AZUL.rules.evaluations["prospects"]
    state = _end_of_round(seed, 6)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    while len(legal) > 12:  # plain recursion is slow
        kernels.apply_at(state, 0, int(legal[-1]))
        seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    assert kernels.actor_at(state, 0) != CHANCE
    expected = _values(AZUL, state, seat, weights=weights, to_draw=True)
    found = Endgame(AZUL, 2, weights, DRAW).solve(state, seat, legal, GENEROUS)
    assert found is not None
    assert found.values.max() == pytest.approx(max(expected.values()), abs=1e-12)
    assert expected[found.best] == pytest.approx(max(expected.values()), abs=1e-12)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_last_tile_of_the_discovery_equals_plain_recursion(seed: int) -> None:
    state = _late(DISCOVERY, seed, back=1)
    seat, legal = int(state["current"][0]), legal_of(DISCOVERY, state)
    expected = _values(DISCOVERY, state, seat)
    found = Endgame(DISCOVERY, 2, np.zeros(1)).solve(state, seat, legal, GENEROUS)
    if max(expected.values()) == -1:
        assert found is None
    else:
        assert found is not None
        assert found.values.max() == pytest.approx(max(expected.values()))
        assert expected[found.best] == pytest.approx(max(expected.values()))


def test_the_last_two_tiles_of_the_discovery_equal_plain_recursion() -> None:
    """One tile in hand, one to be drawn; with all leads that may still matter."""
    before = _late(DISCOVERY, 3, back=3)
    assert before["deck_left"][0] == 1
    seat, legal = int(before["current"][0]), legal_of(DISCOVERY, before)
    solver, seen = Endgame(DISCOVERY, 2, np.zeros(1)), set()
    for lead in range(-16, 17, 8):
        state = before.copy()
        state["score"][0, seat], state["score"][0, 1 - seat] = 60 + lead, 60
        found = solver.solve(state, seat, legal, GENEROUS)
        seen.add(found is None)
        if found is not None:
            child = state.copy()
            kernels.apply_at(child, 0, found.best)
            assert look_ahead(DISCOVERY, child, 10**6, seat)[seat] == pytest.approx(found.values.max())
    assert seen == {True, False}  # lost with a small lead, won with a large one


def test_what_is_too_large_is_given_up_after_a_part_of_the_budget() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    assert Endgame(AZUL, 2, AZUL.rules.evaluations["prospects"], DRAW).solve(state, seat, legal, Budget(200)) is None
    budget = Budget(seconds=10)
    assert Endgame(AZUL, 2, AZUL.rules.evaluations["prospects"], DRAW).solve(state, seat, legal, budget) is None
    assert budget.left() > 6


def test_only_open_games_of_two_sides_are_solved() -> None:
    assert can_solve(AZUL, 2)
    assert can_solve(PIG, 2)
    assert not can_solve(AZUL, 3)
    assert not can_solve(DUEL, 2)


@pytest.mark.parametrize("horizon", ["off", END, DRAW])
def test_the_agent_plays_legal_moves_to_the_end_with_any_horizon(horizon: str) -> None:
    options = AZUL.options({"round_limit": 1})
    agent = make_agent(AZUL, f"mcts:simulations=30,solve={horizon}")
    agent.start(Seating(AZUL, options, 0, 1))
    state = _end_of_round(1, 8)
    legal = legal_of(AZUL, state)
    assert agent.choose(state, legal, Clock()) in legal
