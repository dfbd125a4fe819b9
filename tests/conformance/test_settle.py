"""Actions that leave no choice are played by the match and by batches, in every game that has some."""

from __future__ import annotations

import numpy as np

from ludens.core import kernels
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, pick
from ludens.core.verbs import TERMINAL
from tests.conformance.cases import Case, first_state, over_cases


@over_cases
def test_nobody_is_asked_where_there_is_no_choice(case: Case) -> None:
    first = case.game.spec.first_automatic
    match, rng = Match(case.game, {**case.game.spec.tournament, **case.options}, seed=95), generator(95, POLICY)
    while not match.over and match.ply < 300:
        legal = match.legal()
        assert len(legal) > 1 or legal[0] < first
        match.play(int(legal[pick(rng, len(legal))]))
    state, draws, legal = first_state(case), generator(96, CHANCE_STREAM), np.zeros(case.game.spec.actions, np.int64)
    for _ in range(300):
        n = int(kernels.settle_at(state, 0, draws, legal, first))
        if int(kernels.actor_at(state, 0)) == TERMINAL:
            break
        assert n > 1 or legal[0] < first
        kernels.apply_at(state, 0, int(legal[pick(rng, n)]))
