"""The offers among which a policy is learnt."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.batch import Batch
from ludens.core.record import blank
from ludens.core.registry import game
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases

CATAN = game("catan")


def positions(restricted: bool, seed: int, steps: int = 900, games: int = 32) -> np.ndarray:
    """Positions at decisions of random games, of every phase in which the restriction may matter."""
    batch = Batch(CATAN, games, {"board": "variable"}, seed, restricted=restricted)
    out = batch.buffers()
    batch.reset(out)
    kept = []
    for step in range(steps):
        batch.step(batch.sample(), out)
        if step % 3 == 0:
            kept.append(batch.states.copy())
    return np.concatenate(kept)


def legal_and_left(states: np.ndarray, i: int) -> tuple[list[int], list[int]]:
    legal = np.zeros(CATAN.spec.actions, np.int64)
    n = kernels.legal_at(states, i, legal)
    left = legal.copy()
    return legal[:n].tolist(), left[: kernels.restrict_at(states, i, left, n)].tolist()


@pytest.mark.parametrize("restricted", [False, True])
def test_some_legal_actions_are_left_in_their_order_and_the_position_stays_as_it_was(restricted: bool) -> None:
    states = positions(restricted, seed=5)
    before = states.copy()
    for i in range(len(states)):
        legal, left = legal_and_left(states, i)
        assert left
        assert left == [a for a in legal if a in set(left)]
    assert (states == before).all()


def test_a_view_leaves_what_the_position_leaves() -> None:
    states, views = positions(True, seed=6, steps=300), blank(CATAN.dtype)
    for i in range(len(states)):
        kernels.view_at(states, i, kernels.actor_at(states, i), views)
        assert legal_and_left(views, 0) == legal_and_left(states, i)


def test_a_policy_makes_one_offer_a_turn_that_helps_its_hand() -> None:
    states = positions(True, seed=7)
    seen = set()
    for i in range(len(states)):
        phase, (legal, left) = int(states[i]["phase"]), legal_and_left(states, i)
        seen.add(phase)
        offers = [a for a in left if ids.GIVE <= a < ids.PROPOSE]
        if phase == phases.MAIN:
            assert not any(a >= ids.WANT for a in offers)
            assert not (offers and states[i]["offers_made"])
            terms = range(ids.GIVE, ids.PROPOSE)
            assert [a for a in legal if a not in terms] == [a for a in left if a not in terms]
        elif phase == phases.ANSWER:
            assert ids.COUNTER not in left
            assert ids.ACCEPT in left  # a bare "no" is given without a choice
        elif phase == phases.OFFERING:
            assert len(left) > 1
            assert not {ids.CANCEL, ids.PROPOSE} & set(left)  # likewise
            assert sum(states[i]["offer"][states[i]["offer"] > 0]) <= 2
        assert phase != phases.COUNTERING
    assert {phases.MAIN, phases.ANSWER, phases.OFFERING} <= seen


def test_restricted_games_end() -> None:
    """Random games with offers of every kind hardly do."""
    batch = Batch(CATAN, 32, {"board": "variable"}, seed=8, restricted=True)
    out = batch.buffers()
    batch.reset(out)
    ended = 0
    for _ in range(3000):
        batch.step(batch.sample(), out)
        ended += int(out.done.sum())
    assert ended > 32
