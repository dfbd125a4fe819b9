"""Prints a digest of one random game of every case; run with JIT on and off, the output must be the same."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from ludens.core import kernels
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from tests.conformance.cases import Case, all_cases, first_state


def digest(case: Case, seed: int) -> str:
    """A hash of the log, the last state, its views' features, scores and returns."""
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
    return hashlib.sha256(b"".join(parts)).hexdigest()


if __name__ == "__main__":
    print(json.dumps({str(case): digest(case, 50) for case in all_cases()}))
