"""The contract of a game (see `ludens.core.verbs`), enforced over all games."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from scipy import stats

from ludens.core import kernels, record
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.match import Match
from ludens.core.rng import DETERMINIZE, generator
from ludens.core.verbs import CHANCE, SPECTATOR, TERMINAL
from tests.conformance.cases import Case, all_games, first_state, over_cases, over_games, random_nodes, sample_nodes


def seen_by(case: Case, state: np.ndarray, seat: int) -> np.ndarray:
    out = record.blank(case.game.dtype)
    kernels.view_at(state, 0, seat, out)
    return out


def features_of(case: Case, view: np.ndarray, seat: int) -> np.ndarray:
    out = np.full(case.game.spec.observation_size(case.values), np.nan, np.float32)
    kernels.observe_at(view, 0, seat, out)
    return out


@over_cases
def test_legal_actions_are_ascending_ids_in_range(case: Case) -> None:
    for node in random_nodes(case, seed=1):
        assert (np.diff(node.legal) > 0).all()
        if node.actor in (CHANCE, TERMINAL):
            assert len(node.legal) == 0
        else:
            assert 0 <= node.actor < case.players
            assert len(node.legal) > 0
            assert node.legal[0] >= 0
            assert node.legal[-1] < case.game.spec.actions


@over_cases
def test_chance_outcomes_are_ascending_and_their_weights_sum_to_one(case: Case) -> None:
    outcomes = np.zeros(case.game.spec.outcomes, np.int64)
    weights = np.zeros(case.game.spec.outcomes)
    met = False
    for node in random_nodes(case, seed=2):
        n = int(kernels.chance_at(node.state, 0, outcomes, weights))
        if node.actor != CHANCE:
            assert n == 0
            continue
        met = True
        assert n > 0
        assert (np.diff(outcomes[:n]) > 0).all()
        assert outcomes[0] >= 0
        assert outcomes[n - 1] < case.game.spec.outcomes
        assert (weights[:n] > 0).all()
        assert weights[:n].sum() == pytest.approx(1, abs=1e-9)
        assert node.played in outcomes[:n]
    assert met == case.game.spec.chance


@over_cases
def test_draws_follow_the_explicit_weights(case: Case) -> None:
    outcomes = np.zeros(case.game.spec.outcomes, np.int64)
    weights = np.zeros(case.game.spec.outcomes)
    nodes = [node for node in random_nodes(case, seed=3) if node.actor == CHANCE]
    rng = generator(4, DETERMINIZE)
    pvalues = []
    for node in nodes[:: max(1, len(nodes) // 5)]:
        n = int(kernels.chance_at(node.state, 0, outcomes, weights))
        before = node.state.tobytes()
        drawn = np.array([kernels.draw_at(node.state, 0, rng) for _ in range(1000)])
        assert node.state.tobytes() == before
        counts = np.array([(drawn == outcome).sum() for outcome in outcomes[:n]])
        assert counts.sum() == 1000
        if n > 1:
            pvalues.append(stats.chisquare(counts, 1000 * weights[:n]).pvalue)
    assert min(pvalues, default=1) > 1e-5


@over_cases
def test_a_copy_is_independent_and_earlier_states_do_not_change(case: Case) -> None:
    nodes = list(random_nodes(case, seed=5))
    bytes_then = [node.state.tobytes() for node in nodes]
    for node, following in itertools.pairwise(nodes):
        copy = node.state.copy()
        kernels.apply_at(copy, 0, node.played)
        assert copy.tobytes() == following.state.tobytes()
    assert [node.state.tobytes() for node in nodes] == bytes_then


@over_cases
def test_reading_a_state_does_not_change_it(case: Case) -> None:
    outcomes, weights = np.zeros(case.game.spec.outcomes, np.int64), np.zeros(case.game.spec.outcomes)
    legal, out = np.zeros(case.game.spec.actions, np.int64), np.zeros(case.players)
    for node in sample_nodes(case, seed=6):
        before = node.state.tobytes()
        kernels.legal_at(node.state, 0, legal)
        kernels.chance_at(node.state, 0, outcomes, weights)
        kernels.returns_at(node.state, 0, out)
        kernels.scores_at(node.state, 0, out)
        for seat in range(SPECTATOR, case.players):
            features_of(case, seen_by(case, node.state, seat), seat)
        assert node.state.tobytes() == before


@over_cases
def test_the_game_ends_within_the_declared_bound_and_returns_are_in_range(case: Case) -> None:
    bound = case.game.spec.longest(case.values)
    assert bound is not None, "the tournament options must keep a game finite"
    sides = case.game.spec.sides(case.players)
    out = np.zeros(case.players)
    for seed in range(3):
        length = -1
        for node in random_nodes(case, seed):
            length += 1
            kernels.returns_at(node.state, 0, out)
            if node.actor != TERMINAL:
                assert (out == 0).all()
        assert length <= bound
        assert (np.abs(out) <= 1).all()
        assert not case.game.spec.zero_sum or out.sum() == pytest.approx(0)
        for a in range(case.players):
            for b in range(case.players):
                assert sides[a] != sides[b] or out[a] == out[b], "a side shares its utility"


@over_cases
def test_the_log_replays_to_the_same_bytes(case: Case) -> None:
    nodes = list(random_nodes(case, seed=7))
    log = np.array([node.played for node in nodes[:-1]], np.int64)
    spec = case.game.spec
    legal, outcomes = np.zeros(spec.actions, np.int64), np.zeros(spec.outcomes, np.int64)
    state = first_state(case)
    assert kernels.replay(state, log, legal, outcomes, np.zeros(spec.outcomes)) == len(log)
    assert state.tobytes() == nodes[-1].state.tobytes()


@over_cases
def test_actions_round_trip_through_text_and_json(case: Case) -> None:
    text = case.game.text
    for node in sample_nodes(case, seed=8):
        s = node.state[0]
        words = [text.action_to_text(s, int(a)) for a in node.legal]
        assert len(set(words)) == len(words)
        for a, word in zip(node.legal, words, strict=True):
            assert text.action_from_text(s, word) == a
            data = json.loads(json.dumps(text.action_to_json(s, int(a))))
            assert text.action_from_json(s, data) == a
        if node.actor == CHANCE:
            assert text.chance_to_text(s, node.played)


@over_cases
def test_events_and_positions_are_words_and_json(case: Case) -> None:
    text, names = case.game.text, case.game.spec.seat_names(case.players)
    nodes = list(random_nodes(case, seed=9))
    for node, following in itertools.pairwise(nodes):
        for event in text.events(node.state[0], node.played, following.state[0]):
            assert isinstance(event["kind"], str)
            json.dumps(event)
            assert isinstance(text.narrate(event, names), str)
    for node in nodes[:: max(1, len(nodes) // 10)]:
        for seat in range(SPECTATOR, case.players):
            view = seen_by(case, node.state, seat)
            json.dumps(text.position_to_json(view[0]))
            assert text.position_to_text(view[0])


@over_cases
def test_every_illegal_action_is_refused_with_one_sentence_and_changes_nothing(case: Case) -> None:
    match = Match(case.game, {**case.game.spec.tournament, **case.options}, seed=10)
    for _ in range(4):
        if match.over:
            break
        before, log = match.state().tobytes(), list(match.log)
        legal = set(match.legal().tolist())
        for action in range(case.game.spec.actions):
            if action not in legal:
                with pytest.raises(IllegalMove, match=r"[.)]$"):
                    match.play(action)
        for nonsense in (-1, case.game.spec.actions, True, 1.5, None, "xyzzy", "", {}, {"type": "xyzzy"}):
            with pytest.raises(BadInput):
                match.play(nonsense)  # type: ignore[arg-type]
        assert match.state().tobytes() == before
        assert match.log == log
        match.play(int(match.legal()[-1]))


@over_cases
def test_views_hide_what_determinize_may_change(case: Case) -> None:
    """Two states that agree in a seat's view are the same to that seat: view, features and choices."""
    rng = generator(11, DETERMINIZE)
    legal = np.zeros(case.game.spec.actions, np.int64)
    for node in sample_nodes(case, seed=12):
        for seat in range(SPECTATOR, case.players):
            view = seen_by(case, node.state, seat)
            assert seen_by(case, view, seat).tobytes() == view.tobytes(), "seeing twice is seeing once"
            other = record.blank(case.game.dtype)
            kernels.determinize_at(view, 0, seat, rng, other)
            assert seen_by(case, other, seat).tobytes() == view.tobytes()
            ours, theirs = features_of(case, view, seat), features_of(case, seen_by(case, other, seat), seat)
            assert np.array_equal(ours, theirs)
            assert int(kernels.actor_at(other, 0)) == node.actor
            if seat == node.actor:
                for guess in (other, view):
                    n = int(kernels.legal_at(guess, 0, legal))
                    assert legal[:n].tolist() == node.legal.tolist()
            if not case.game.spec.hidden:
                assert view.tobytes() == node.state.tobytes()


@over_cases
def test_determinized_states_can_be_played_to_the_end(case: Case) -> None:
    rng, log = generator(13, DETERMINIZE), np.zeros(case.game.spec.longest(case.values) or 0, np.int64)
    legal = np.zeros(case.game.spec.actions, np.int64)
    for node in sample_nodes(case, seed=14, every=29):
        for seat in range(SPECTATOR, case.players):
            other = record.blank(case.game.dtype)
            kernels.determinize_at(seen_by(case, node.state, seat), 0, seat, rng, other)
            kernels.random_game(other, rng, rng.copy(), legal, log)
            assert kernels.actor_at(other, 0) == TERMINAL


@over_cases
def test_features_fill_their_vector_with_finite_numbers(case: Case) -> None:
    for node in sample_nodes(case, seed=15):
        for seat in range(SPECTATOR, case.players):
            assert np.isfinite(features_of(case, seen_by(case, node.state, seat), seat)).all()


@over_cases
def test_a_position_survives_bytes_and_json(case: Case) -> None:
    for node in sample_nodes(case, seed=16, every=31):
        assert record.from_bytes(case.game.dtype, node.state.tobytes()).tobytes() == node.state.tobytes()
        data = json.loads(json.dumps(record.to_json(node.state)))
        assert record.from_json(case.game.dtype, data).tobytes() == node.state.tobytes()
        assert record.digest(node.state) == record.digest(node.state.copy())


@over_games
def test_options_round_trip_and_unknown_ones_are_refused(game) -> None:
    values = game.options()
    assert game.options(game.show_options(values)).tolist() == values.tolist()
    for bad in ({"players": 99}, {"players": "many"}, {"no_such_option": 1}):
        with pytest.raises(BadInput):
            game.options(bad)
    for option in game.spec.options:
        with pytest.raises(BadInput, match=option.name):
            game.options({option.name: "xyzzy"})


def test_no_two_games_share_a_record_type() -> None:
    kinds = [game.dtype for game in all_games()]
    assert len(set(kinds)) == len(kinds)
