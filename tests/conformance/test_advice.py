"""`evaluate` and `prior` over all games: in range, finite, never all zero, at every kind of position."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludens.core import kernels
from ludens.core.verbs import TERMINAL
from tests.conformance.cases import Case, Node, over_cases, random_nodes, sample_nodes

_LAST = 12  # positions before the end that are all looked at


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
