"""`evaluate`, `prior` and `one_ply_values` over all games: in range, finite, never all zero, at any position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ludens.core import kernels, verbs
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.verbs import AGENT_STATE, TERMINAL
from tests.conformance.cases import Case, Node, over_cases, random_nodes, sample_nodes

_LAST = 12  # positions before the end that are all looked at
_NO_THOUGHT = -2  # the one-ply value, at the most, of moves that a game does not consider


@kernel
def _one_ply_values(
    states: Any, legal: Any, weights: Any, agent_state: Any, scratch: Any, values: Any, out: Any
) -> None:
    verbs.one_ply_values(states[0], legal, legal.shape[0], weights, agent_state, scratch, values, out)


def nodes_of(case: Case, seed: int) -> Iterator[Node]:
    """Positions of a random game, chance nodes among them, and all of its last ones."""
    yield from sample_nodes(case, seed, every=5)
    yield from list(random_nodes(case, seed))[-_LAST:]


def spread(weights: np.ndarray, seed: int) -> np.ndarray:
    """Other weights of that length, as tuning tries them, far from sensible ones."""
    return np.random.default_rng(seed).normal(0, 5, weights.shape) + 3 * weights


@over_cases
def test_evaluations_lie_between_a_loss_and_a_win(case: Case) -> None:
    rules, out = case.game.rules, np.zeros(case.players)
    for seed in (91, 92):
        for node in nodes_of(case, seed):
            before = node.state.tobytes()
            for kind, arrays in (("evaluation", rules.evaluations), ("heuristic", rules.heuristics)):
                if kind == "evaluation" and node.actor == TERMINAL:
                    continue
                for name, weights in arrays.items():
                    tried = [weights, spread(weights, seed), np.zeros_like(weights)]
                    for array in tried if kind == "evaluation" else [weights]:
                        out[:] = np.nan
                        kernels.evaluate_at(node.state, 0, array, out)
                        assert np.isfinite(out).all(), (name, out)
                        assert (np.abs(out) <= 1 + 1e-9).all(), (name, out)
            assert node.state.tobytes() == before


@over_cases
def test_a_prior_is_never_negative_and_never_all_zero(case: Case) -> None:
    met = 0
    for seed in (93, 94):
        for node in nodes_of(case, seed):
            if node.actor < 0:
                continue
            before, n = node.state.tobytes(), len(node.legal)
            out = np.full(n, np.nan)
            kernels.prior_at(node.state, 0, node.legal, n, out)
            assert np.isfinite(out).all()
            assert (out >= 0).all()
            assert out.sum() > 0
            assert node.state.tobytes() == before
            met += 1
    assert met


@over_cases
def test_some_move_has_a_one_ply_value_and_the_position_stays_as_it_is(case: Case) -> None:
    scratch, values = blank(case.game.dtype, 2), np.zeros(case.players)
    for node in nodes_of(case, seed=95):
        if len(node.legal) < 2:
            continue
        before = node.state.tobytes()
        for name, weights in case.game.rules.evaluations.items():
            out = np.full(len(node.legal), np.nan)
            _one_ply_values(node.state, node.legal, weights, np.zeros(AGENT_STATE, np.int64), scratch, values, out)
            assert node.state.tobytes() == before
            thought_of = out > _NO_THOUGHT
            assert thought_of.any() and (np.abs(out[thought_of]) <= 1 + 1e-9).all(), (name, out)
