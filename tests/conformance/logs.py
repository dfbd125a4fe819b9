"""Prints a digest of one random game of every case; run with JIT on and off, the output must be the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np

from ludens.core import kernels
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from tests.conformance.cases import Case, all_cases, first_state


def digest(case: Case, seed: int) -> str:
    """A hash of the log, the last state, its views' features, scores and returns, an image, and advice on the way."""
    spec = case.game.spec
    state, log = first_state(case), np.zeros(spec.longest(case.values) or 0, np.int64)
    rngs = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    n = kernels.random_game(state, *rngs, np.zeros(spec.actions, np.int64), log)
    parts = [log[:n].tobytes(), state.tobytes()]
    for seat in range(case.players):
        view, features = state.copy(), np.zeros(spec.observation_size(case.values), np.float32)
        kernels.view_at(state, 0, seat, view)
        kernels.observe_at(view, 0, seat, features)
        parts += [view.tobytes(), np.round(features, 5).tobytes()]
    for verb in (kernels.scores_at, kernels.returns_at):
        numbers = np.zeros(case.players)
        verb(state, 0, numbers)
        parts.append(np.round(numbers, 9).tobytes())
    image = state.copy()
    kernels.transform_at(state, 0, kernels.symmetries_at(state, 0) - 1, image)
    return hashlib.sha256(b"".join([*parts, image.tobytes(), *advice(case, log[:n])])).hexdigest()


def advice(case: Case, log: np.ndarray) -> Iterator[bytes]:
    """Evaluations and priors of a few positions of the game."""
    state, legal = first_state(case), np.zeros(case.game.spec.actions, np.int64)
    every = max(1, len(log) // 7)
    for ply, action in enumerate(log.tolist()):
        if ply % every == 0:
            for weights in case.game.rules.evaluations.values():
                values = np.zeros(case.players)
                kernels.evaluate_at(state, 0, weights, values)
                yield np.round(values, 7).tobytes()
            count = int(kernels.legal_at(state, 0, legal))
            if count > 0:
                prior = np.zeros(count)
                kernels.prior_at(state, 0, legal, count, prior)
                yield np.round(prior / prior.sum(), 7).tobytes()
        kernels.apply_at(state, 0, action)


if __name__ == "__main__":
    print(json.dumps({str(case): digest(case, 50) for case in all_cases()}))
