"""Symmetries over all games: play and turn is turn and play."""

from __future__ import annotations

import numpy as np

from ludens.core import kernels, record
from ludens.core.rng import AGENT, generator, pick
from ludens.core.verbs import CHANCE, SPECTATOR, TERMINAL
from tests.conformance.cases import Case, over_cases, random_nodes, sample_nodes
from tests.conformance.test_contract import seen_by

_SOME = 4  # symmetries tried a position, besides the identity


def transformed(state: np.ndarray, k: int) -> np.ndarray:
    out = record.blank(state.dtype)
    kernels.transform_at(state, 0, k, out)
    return out


def applied(state: np.ndarray, a: int) -> np.ndarray:
    after = state.copy()
    kernels.apply_at(after, 0, a)
    return after


def some(count: int, rng: np.ndarray) -> list[int]:
    """The identity and a few others by lot; all of them if they are few."""
    return list(range(count)) if count <= _SOME else [0, *(pick(rng, count) for _ in range(_SOME))]


def numbers_of(verb, case: Case, state: np.ndarray) -> list[float]:
    out = np.zeros(case.players)
    verb(state, 0, out)
    return out.tolist()


@over_cases
def test_playing_and_transforming_change_places(case: Case) -> None:
    rng = generator(80, AGENT)
    for node in random_nodes(case, seed=80):
        if node.actor == TERMINAL:
            break
        after = applied(node.state, node.played)
        most = min(int(kernels.symmetries_at(node.state, 0)), int(kernels.symmetries_at(after, 0)))
        for k in some(most, rng):
            there = transformed(node.state, k)
            a = int(kernels.transform_action_at(node.state, 0, node.played, k, there))
            assert transformed(after, k).tobytes() == transformed(applied(there, a), 0).tobytes()


@over_cases
def test_legal_actions_draws_scores_and_returns_are_transformed_too(case: Case) -> None:
    rng, spec = generator(81, AGENT), case.game.spec
    legal, outcomes, weights = (
        np.zeros(spec.actions, np.int64),
        np.zeros(spec.outcomes, np.int64),
        np.zeros(spec.outcomes),
    )
    for node in sample_nodes(case, seed=81):
        for k in some(int(kernels.symmetries_at(node.state, 0)), rng):
            there = transformed(node.state, k)
            seat = [int(kernels.transform_seat_at(node.state, 0, p, k)) for p in range(case.players)]
            assert sorted(seat) == list(range(case.players))
            assert int(kernels.actor_at(there, 0)) == (seat[node.actor] if node.actor >= 0 else node.actor)
            image = [int(kernels.transform_action_at(node.state, 0, int(a), k, there)) for a in node.legal]
            assert sorted(image) == legal[: kernels.legal_at(there, 0, legal)].tolist()
            if node.actor == CHANCE:
                n = kernels.chance_at(node.state, 0, outcomes, weights)
                moved = [int(kernels.transform_action_at(node.state, 0, int(o), k, there)) for o in outcomes[:n]]
                expected = dict(zip(moved, weights[:n].tolist(), strict=True))
                n = kernels.chance_at(there, 0, outcomes, weights)
                assert dict(zip(outcomes[:n].tolist(), weights[:n].tolist(), strict=True)) == expected
            for verb in (kernels.scores_at, kernels.returns_at):
                ours, theirs = numbers_of(verb, case, node.state), numbers_of(verb, case, there)
                assert ours == [theirs[seat[p]] for p in range(case.players)]


@over_cases
def test_a_transformed_view_is_the_view_of_the_transformed_position(case: Case) -> None:
    rng = generator(82, AGENT)
    for node in sample_nodes(case, seed=82, every=23):
        for k in some(int(kernels.symmetries_at(node.state, 0)), rng):
            there = transformed(node.state, k)
            for seat in range(SPECTATOR, case.players):
                image = seat if seat == SPECTATOR else int(kernels.transform_seat_at(node.state, 0, seat, k))
                ours = transformed(seen_by(case, node.state, seat), k)
                assert ours.tobytes() == seen_by(case, there, image).tobytes()


@over_cases
def test_the_identity_leaves_everything_that_matters_and_others_do_not(case: Case) -> None:
    legal = np.zeros(case.game.spec.actions, np.int64)
    most, distinct = 1, 1
    for node in sample_nodes(case, seed=83, every=23):
        same = transformed(node.state, 0)
        assert transformed(same, 0).tobytes() == same.tobytes()
        assert int(kernels.symmetries_at(same, 0)) == int(kernels.symmetries_at(node.state, 0))
        assert legal[: kernels.legal_at(same, 0, legal)].tolist() == node.legal.tolist()
        assert [int(kernels.transform_seat_at(node.state, 0, p, 0)) for p in range(case.players)] == [
            *range(case.players)
        ]
        assert [int(kernels.transform_action_at(node.state, 0, int(a), 0, same)) for a in node.legal] == [*node.legal]
        count = min(int(kernels.symmetries_at(node.state, 0)), 40)
        looks = len({transformed(node.state, k).tobytes() for k in range(count)})
        most, distinct = max(most, count), max(distinct, looks)
    assert distinct > 1 or most == 1
