"""The advice for searches: expected results of every seat, and which actions look sensible."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record, verbs
from ludens.core.agent import Clock
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.core.rng import POLICY, generator, pick
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.evaluate import HAND_MADE, NAMES
from ludens.play.seats import seat_agent
from tests.games.catan.table import CENTRE, Table


@kernel
def _evaluate(states: Any, weights: Any, out: Any) -> None:
    verbs.evaluate(states[0], weights, out)


@kernel
def _prior(states: Any, legal: Any, n: int, out: Any) -> None:
    verbs.prior(states[0], legal, n, out)


def expected(states: np.ndarray, players: int) -> np.ndarray:
    out = np.zeros(players)
    _evaluate(states, HAND_MADE, out)
    return out


def likelihood(states: np.ndarray) -> dict[int, float]:
    """The prior of every legal action."""
    legal, out = np.zeros(GAME.spec.actions, np.int64), np.zeros(GAME.spec.actions)
    n = kernels.legal_at(states, 0, legal)
    _prior(states, legal, n, out)
    return dict(zip(legal[:n].tolist(), out[:n].tolist(), strict=True))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_expectations_sum_to_zero_and_stay_in_range_along_whole_games(players: int) -> None:
    match = Match(GAME, {"players": players, "turn_limit": 20, "board": "variable"}, 5)
    rng = generator(5, POLICY)
    seen = 0
    while not match.over:
        state = match.state()
        before = state.tobytes()
        values = expected(state, players)
        assert values.sum() == pytest.approx(0, abs=1e-9)
        assert (abs(values) <= 1).all()
        chances = likelihood(state)
        assert min(chances.values()) > 0
        assert np.isfinite(list(chances.values())).all()
        assert state.tobytes() == before
        seen += 1
        legal = match.legal()
        match.play(int(legal[pick(rng, len(legal))]))
    assert seen > 50


def test_there_is_a_weight_for_every_name() -> None:
    assert len(NAMES) == len(HAND_MADE) == len(set(NAMES))


def test_more_points_promise_more_and_late_points_more_still() -> None:
    even = Table(players=3)
    ahead = Table(players=3)
    ahead.s.visible[0] = 2
    late = Table(players=3)
    late.s.visible[:3] = (9, 7, 7)
    assert expected(even.states, 3) == pytest.approx([0, 0, 0], abs=1e-9)
    assert 0 < expected(ahead.states, 3)[0] < expected(late.states, 3)[0] < 1


def test_the_prior_builds_and_keeps_what_it_needs() -> None:
    table = Table().settle(0, CENTRE[0])
    table.s.hand[0] = (0, 0, 0, 2, 3)
    table.s.count[0] = 5
    chances = likelihood(table.states)
    cities = [a for a in chances if ids.CITY <= a < ids.ROBBER]
    assert cities
    assert all(chances[a] > 5 * chances[ids.END] for a in cities)
    table.s.hand[0] = (4, 0, 0, 2, 3)
    table.s.count[0] = 9
    table.s.phase = phases.DISCARDING
    table.s.to_discard[0] = 4
    chances = likelihood(table.states)
    assert max(chances, key=chances.__getitem__) == ids.DISCARD


def test_tree_search_takes_a_victory_and_leaves_the_view_as_it_was() -> None:
    table = Table().settle(0, CENTRE[0])
    table.s.hand[0] = table.s.counted[0] = (0, 0, 0, 2, 3)
    table.s.count[0] = 5
    table.s.visible[0] = 9
    view = record.blank(GAME.dtype)
    kernels.view_at(table.states, 0, 0, view)
    before = view.tobytes()
    legal = np.zeros(GAME.spec.actions, np.int64)
    n = kernels.legal_at(view, 0, legal)
    agent = seat_agent(GAME, GAME.options({}), "mcts:simulations=200", 0, 1)
    chosen = agent.choose(view, legal[:n], Clock())
    assert ids.CITY <= chosen < ids.ROBBER
    assert view.tobytes() == before
