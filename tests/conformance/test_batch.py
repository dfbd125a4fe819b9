"""Batches: they play as single matches do, refuse nonsense, tell ends from cuts, sample, save and restore."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from ludens.core import kernels, record, verbs
from ludens.core.batch import Batch, Buffers
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, pick
from ludens.core.verbs import TERMINAL
from tests.conformance.cases import Case, over_cases, over_games
from tests.examples import hidden, tiny

CUT = 3  # decisions after which games are cut off, where that is tried


def started(game: Any, size: int, *arguments: Any, **settings: Any) -> tuple[Batch, Buffers]:
    batch = Batch(game, size, *arguments, **settings)
    out = batch.buffers()
    batch.reset(out)
    return batch, out


def bound(case: Case) -> int:
    """A number of steps after which every game has ended."""
    return (case.game.spec.longest(case.values) or 0) + 1


def observed(state: np.ndarray, seat: int, size: int) -> np.ndarray:
    view, features = record.blank(state.dtype), np.zeros(size, np.float32)
    kernels.view_at(state, 0, seat, view)
    kernels.observe_at(view, 0, seat, features)
    return features


@over_cases
def test_a_batch_plays_as_single_matches_do(case: Case) -> None:
    size = 5
    batch, out = started(case.game, size, case.options, seed=30, threads=2, autoreset=False)
    options = {**case.game.spec.tournament, **case.options}
    matches = [Match(case.game, options, seed=batch.game_seed(i)) for i in range(size)]
    rng = generator(31, POLICY)
    rewarded = np.zeros((size, case.players))
    for _ in range(bound(case)):
        if all(match.over for match in matches):
            break
        actions, last = np.zeros(size, np.int64), out.actor.copy()
        for i, match in enumerate(matches):
            legal = match.legal()
            assert np.flatnonzero(out.mask[i]).tolist() == legal.tolist()
            assert out.actor[i] == match.actor
            assert batch.states[i].tobytes() == match.state().tobytes()
            if not match.over:
                actions[i] = legal[pick(rng, len(legal))]
                assert np.array_equal(observed(match.state(), match.actor, out.features.shape[1]), out.features[i])
                match.play(int(actions[i]))
        batch.step(actions, out)
        rewarded += out.reward
        for i, match in enumerate(matches):
            assert not out.done[i] or match.over
            if out.done[i]:
                assert out.terminated[i]
                assert out.final_seat[i] == last[i]
                assert np.array_equal(out.final_scores[i], np.array(match.scores(), np.float32))
                assert np.array_equal(out.final_returns[i], np.array(match.returns(), np.float32))
                seen = observed(match.state(), last[i], out.features.shape[1])
                assert np.array_equal(out.final_features[i], seen)
    assert all(match.over for match in matches)
    assert np.allclose(rewarded, [match.returns() for match in matches])
    assert (out.actor == TERMINAL).all()
    finals = out.final_scores.copy(), out.final_features.copy()
    batch.step(np.full(size, -1), out)
    assert not out.done.any()
    assert not out.reward.any()
    assert np.array_equal(out.final_scores, finals[0])
    assert np.array_equal(out.final_features, finals[1])


@over_cases
def test_a_game_started_anew_is_a_blank_record_reset(case: Case) -> None:
    """The state after a restart is, byte by byte, what a reset leaves in a zeroed record with the same draws."""
    size = 3
    anew, out = started(case.game, size, case.options, seed=40)
    stays, other = started(case.game, size, case.options, seed=40, autoreset=False)
    restarts = np.zeros(size, int)
    for _ in range(bound(case)):
        actions = anew.sample()
        anew.step(actions, out)
        stays.step(actions, other)
        for i in np.flatnonzero(out.done):
            if restarts[i] == 0:  # from then on the game that stays takes no actions
                fresh, chance = record.blank(case.game.dtype), stays.save()["chance"][i]
                kernels.reset_at(fresh, 0, case.values)
                legal = np.zeros(case.game.spec.actions, np.int64)
                n = kernels.settle_at(fresh, 0, chance, legal, case.game.spec.first_automatic)
                assert anew.states[i].tobytes() == fresh.tobytes()
                assert np.flatnonzero(out.mask[i]).tolist() == legal[:n].tolist()
                assert out.actor[i] == kernels.actor_at(fresh, 0) >= 0
                assert np.array_equal(out.features[i], observed(fresh, out.actor[i], out.features.shape[1]))
                for field in ("reward", "final_scores", "final_returns", "final_features", "final_seat"):
                    assert np.array_equal(getattr(out, field)[i], getattr(other, field)[i]), field
            restarts[i] += 1
        if restarts.all():
            break
    assert restarts.all()


@over_cases
def test_games_are_cut_off_after_the_longest(case: Case) -> None:
    batch, out = started(case.game, 2, case.options, seed=50, longest=CUT, all_seats=True)
    plain, same = started(case.game, 2, case.options, seed=50, autoreset=False)
    for count in range(1, CUT + 1):
        actions = batch.sample()
        batch.step(actions, out)
        plain.step(actions, same)
        assert not out.terminated.any()
        assert out.truncated.all() == out.truncated.any() == (count == CUT)
    assert not out.reward.any()
    assert not out.final_returns.any()
    assert np.array_equal(out.final_seat, same.actor)
    assert np.array_equal(out.final_features, same.features)
    for i in range(2):
        scores = np.zeros(case.players)
        kernels.scores_at(plain.states, i, scores)
        assert np.array_equal(out.final_scores[i], np.float32(scores))
        assert out.seat_features is not None and out.final_seat_features is not None
        for seat in range(case.players):
            width = out.features.shape[1]
            last, now = plain.states[i : i + 1], batch.states[i : i + 1]
            assert np.array_equal(out.final_seat_features[i, seat], observed(last, seat, width))
            assert np.array_equal(out.seat_features[i, seat], observed(now, seat, width))
        assert np.array_equal(out.features[i], out.seat_features[i, out.actor[i]])


def test_an_end_at_the_last_decision_is_no_cut() -> None:
    batch, out = started(hidden.GAME, 2, players=3, longest=9)  # this game has nine decisions
    for _ in range(9):
        batch.step(batch.sample(), out)
    assert out.terminated.all()
    assert not out.truncated.any()


def test_a_game_cut_off_without_a_restart_stays_finished() -> None:
    batch, out = started(tiny.GAME, 2, autoreset=False, longest=2)
    batch.step(np.array([0, 0]), out)
    batch.step(batch.sample(), out)
    assert out.truncated.all()
    assert (out.actor == TERMINAL).all()
    assert not out.mask.any()
    before = batch.states.tobytes()
    batch.step(batch.sample(), out)
    assert not out.done.any()
    assert batch.states.tobytes() == before


BAD = {
    "negative": lambda good, actions: np.where(np.arange(len(good)) == 2, -1, good),
    "too large": lambda good, actions: np.where(np.arange(len(good)) == 2, 5000, good),
    "one too large": lambda good, actions: np.where(np.arange(len(good)) == 2, actions, good),
    "huge": lambda good, actions: np.where(np.arange(len(good)) == 2, np.uint64(2**64 - 1), good.astype(np.uint64)),
    "too few": lambda good, actions: good[:-1],
    "too many": lambda good, actions: np.append(good, good[0]),
    "table": lambda good, actions: good[:, None],
    "floats": lambda good, actions: good.astype(float),
    "truth values": lambda good, actions: good.astype(bool),
    "words": lambda good, actions: good.astype(str),
    "nothing": lambda good, actions: None,
}


@over_games
def test_what_is_no_legal_action_is_refused_and_nothing_changes(game) -> None:
    batch, out = started(game, 4, seed=3)
    batch.step(batch.sample(), out)
    good = batch.sample()
    illegal = good.copy()
    closed = np.flatnonzero(out.mask[1] == 0)
    if len(closed):
        illegal[1] = closed[0]
    saved = batch.save()
    buffers = {name: getattr(out, name).copy() for name in ("actor", "mask", "features", "reward", "terminated")}
    for name, bad in {**BAD, "illegal": lambda *_: illegal}.items():
        if name == "illegal" and not len(closed):
            continue
        with pytest.raises(BadInput):
            batch.step(bad(good, game.spec.actions), out)
        now = batch.save()
        assert all(np.array_equal(saved[key], now[key]) for key in saved), name
        assert all(np.array_equal(kept, getattr(out, key)) for key, kept in buffers.items()), name
    with pytest.raises(BadInput, match="game 2"):
        batch.step(BAD["negative"](good, 0), out)
    for kind in (np.int8, np.int32, np.uint16):
        if game.spec.actions <= np.iinfo(kind).max:
            batch.restore(saved, out)
            batch.step(good.astype(kind), out)


def test_settings_and_buffers_are_checked() -> None:
    wrong: list[dict[str, Any]] = [{"size": 0}, {"size": 1, "threads": 0}, {"size": 1, "longest": 0}]
    for settings in [*wrong, {"size": 1, "seed": -1}]:
        with pytest.raises(BadInput):
            Batch(tiny.GAME, **settings)
    batch = Batch(tiny.GAME, 2)
    for act in (lambda: batch.step(np.zeros(2, int), batch.buffers()), batch.sample, batch.save):
        with pytest.raises(BadInput, match="reset first"):
            act()
    with pytest.raises(BadInput, match="buffer actor"):
        batch.reset(Batch(tiny.GAME, 3).buffers())
    out = batch.buffers()
    with pytest.raises(BadInput, match="contiguous"):
        batch.reset(Buffers(**{**out.__dict__, "mask": np.zeros((2, 4), np.int8)[:, ::2]}))
    with pytest.raises(BadInput, match="seat_features"):
        Batch(tiny.GAME, 2, all_seats=True).reset(out)
    with pytest.raises(BadInput, match="0 … 1"):
        batch.game_seed(2)


def test_the_check_can_be_switched_off() -> None:
    batch, out = started(tiny.GAME, 2, check=False)
    batch.step(np.array([1, 7]), out)  # the game takes everything but 0 for holding
    assert batch.states["current"].tolist() == [1, 1]


@over_games
def test_a_saved_batch_goes_on_bit_for_bit(game, tmp_path) -> None:
    batch, out = started(game, 3, seed=60, longest=40)
    for _ in range(25):
        batch.step(batch.sample(), out)
    saved: dict[str, Any] = batch.save()
    np.savez(tmp_path / "batch.npz", **saved)
    first = list(_run_on(batch, out))
    other = Batch(game, 3, seed=61, threads=2, longest=40)
    again = other.buffers()
    with np.load(tmp_path / "batch.npz") as saved:
        other.restore(saved, again)
    assert other.game_seed(1) == batch.game_seed(1)
    assert list(_run_on(other, again)) == first


def _run_on(batch: Batch, out: Buffers) -> Iterator[bytes]:
    for _ in range(30):
        yield b"".join(array.tobytes() for array in (batch.states, out.actor, out.mask, out.features))
        batch.step(batch.sample(out.mask.astype(np.float32)), out)
        yield out.reward.tobytes() + out.terminated.tobytes() + out.truncated.tobytes()


def test_what_was_saved_elsewhere_is_refused_and_nothing_changes() -> None:
    batch, out = started(tiny.GAME, 3, seed=1)
    saved = batch.save()
    others: dict[str, tuple[Any, int, dict[str, Any]]] = {
        "game": (hidden.GAME, 3, {}),
        "size": (tiny.GAME, 4, {}),
        "options": (tiny.GAME, 3, {"players": 3}),
        "autoreset": (tiny.GAME, 3, {"autoreset": False}),
        "longest": (tiny.GAME, 3, {"longest": 5}),
    }
    for what, (game, size, settings) in others.items():
        other, its = started(game, size, **settings)
        before = other.save()
        with pytest.raises(BadInput, match=f"another {what}"):
            other.restore(saved, its)
        after = other.save()
        assert all(np.array_equal(before[key], after[key]) for key in before)
    damaged = {
        "missing": {key: value for key, value in saved.items() if key != "chance"},
        "shape": {**saved, "states": saved["states"][:, :-1]},
        "kind": {**saved, "decisions": saved["decisions"].astype(float)},
        "version": {**saved, "game": np.array(f"{tiny.GAME.spec.name}@0")},
    }
    for what, document in damaged.items():
        with pytest.raises(BadInput):
            batch.restore(document, out)
        assert np.array_equal(batch.save()["states"], saved["states"]), what


def _points_gained(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    players = int(before["players"][0])
    return (after["score"] - before["score"])[:, :players] / 10


@pytest.mark.parametrize("autoreset", [True, False])
def test_rewards_can_be_shaped(autoreset: bool) -> None:
    batch, out = started(tiny.GAME, 4, seed=5, autoreset=autoreset, shaping=_points_gained)
    plain, same = started(tiny.GAME, 4, seed=5, autoreset=autoreset)
    gained, ended = np.zeros((4, batch.players)), np.zeros(4, bool)
    for _ in range(2000):
        actions = batch.sample()
        batch.step(actions, out)
        plain.step(actions, same)
        live = ~ended
        gained[live] += (out.reward - same.reward)[live]
        for i in np.flatnonzero(out.done & ~ended):
            assert gained[i] == pytest.approx(out.final_scores[i] / 10, abs=1e-4), "all points, also the last ones"
        if not autoreset:
            assert not out.reward[ended].any()
        assert np.array_equal(out.final_returns, same.final_returns)
        ended |= out.done == 1
        if ended.all():
            break
    assert ended.all()
    if not autoreset:
        batch.step(batch.sample(), out)
        assert not out.reward.any()


def test_a_shaping_of_the_wrong_shape_is_refused_before_anything_is_played() -> None:
    batch = Batch(tiny.GAME, 3, shaping=lambda before, after: np.zeros(3))
    with pytest.raises(BadInput, match=r"shape \(3, 2\)"):
        batch.reset(batch.buffers())


def _agree(counts: np.ndarray, expected: np.ndarray) -> bool:
    """Are the counts such as chance leaves? Rare actions are taken together."""
    rare = expected < 5
    seen = np.append(counts[~rare], counts[rare].sum())
    wanted = np.append(expected[~rare], expected[rare].sum())
    return bool(chisquare(seen[wanted > 0], wanted[wanted > 0]).pvalue > 0.001)


def test_uniform_sampling_has_the_right_frequencies() -> None:
    batch, out = started("azul", 400, seed=9)
    counts = np.zeros(out.mask.shape[1])
    expected = np.zeros(out.mask.shape[1])
    for _ in range(50):
        counts += np.bincount(batch.sample(), minlength=len(counts))
        expected += (out.mask / out.mask.sum(axis=1, keepdims=True)).sum(axis=0)
    assert not counts[expected == 0].any()
    assert _agree(counts, expected)


def test_weighted_sampling_has_the_right_frequencies() -> None:
    batch, out = started("azul", 400, seed=10)
    weights = np.random.default_rng(1).exponential(size=out.mask.shape).astype(np.float32)
    weights[:, ::3] = 0
    weights[0] = 0  # nothing is preferred there
    counts, expected = np.zeros(out.mask.shape[1]), np.zeros(out.mask.shape[1])
    legal = weights.astype(float) * out.mask  # sums must agree closely
    legal[0] = out.mask[0]
    legal /= legal.sum(axis=1, keepdims=True)
    for _ in range(50):
        actions = batch.sample(weights)
        assert out.mask[np.arange(400), actions].all()
        counts += np.bincount(actions, minlength=len(counts))
        expected += legal.sum(axis=0)
    assert not counts[expected == 0].any()
    assert _agree(counts, expected)


@over_cases
def test_the_prior_of_a_batch_is_the_share_of_every_legal_action(case: Case) -> None:
    batch = Batch(case.game, 6, case.options, seed=3)
    out = batch.buffers()
    batch.reset(out)
    weights = np.zeros(case.game.spec.actions)
    for _ in range(20):
        shares = batch.prior()
        assert ((shares > 0) <= (out.mask == 1)).all()
        for i in range(len(batch)):
            legal = np.flatnonzero(out.mask[i])
            _ask_prior(batch.states, i, legal, weights)
            assert np.allclose(shares[i, legal], weights[: len(legal)] / weights[: len(legal)].sum(), atol=1e-6)
        batch.step(batch.sample(shares), out)
    with pytest.raises(BadInput, match="need a contiguous array of float32"):
        batch.prior(np.zeros((5, 2), np.float32))


@kernel
def _ask_prior(states: Any, i: int, legal: Any, out: Any) -> None:
    verbs.prior(states[i], legal, legal.shape[0], out)


def test_weights_that_are_no_weights_are_refused() -> None:
    batch, _ = started(tiny.GAME, 3)
    for bad in (-1.0, np.nan, np.inf):
        weights = np.ones((3, 2), np.float32)
        weights[1, 0] = bad
        with pytest.raises(BadInput, match="game 1"):
            batch.sample(weights)
    with pytest.raises(BadInput, match="shape"):
        batch.sample(np.ones((3, 3), np.float32))
    with pytest.raises(BadInput, match="int64"):
        batch.sample(actions=np.zeros(3, np.int32))


def test_every_game_of_a_batch_samples_from_its_own_stream() -> None:
    """A game's choices and draws do not depend on how many games stand beside it."""
    few, its = started("azul", 2, seed=12)
    many, their = started("azul", 7, seed=12, threads=3)
    for _ in range(30):
        few.step(few.sample(), its)
        many.step(many.sample(), their)
        assert few.states.tobytes() == many.states[:2].tobytes()


def test_neighbouring_batches_share_no_game() -> None:
    seeds = [Batch(tiny.GAME, 50, seed=seed).game_seed(i) for seed in range(40) for i in range(50)]
    assert len(set(seeds)) == len(seeds)
    first, second = (Batch("azul", 6, seed=seed) for seed in (7, 8))
    for batch in (first, second):
        batch.reset(batch.buffers())
    assert not {state.tobytes() for state in first.states} & {state.tobytes() for state in second.states}
    assert np.array_equal(first.save()["chance"][2][0], generator(first.game_seed(2), CHANCE_STREAM)[0])


def test_the_same_without_a_compiler() -> None:
    """Steps, samples, ends and features are equal bit by bit when the same source runs as Python."""
    script = """
import hashlib, numpy as np
from ludens.core.batch import Batch
for name in ("azul", "scotland_yard_grid"):
    batch = Batch(name, 2, seed=4, longest=30, all_seats=True)
    out = batch.buffers()
    batch.reset(out)
    digest = hashlib.sha256()
    for step in range(45):
        weights = ((np.arange(out.mask.size) % 7 + step % 2) / 10).astype(np.float32).reshape(out.mask.shape)
        batch.step(batch.sample(weights if step % 3 else None), out)
        for array in (batch.states, *vars(out).values(), *batch.save().values()):
            digest.update(array.tobytes())
    print(digest.hexdigest())
"""
    found = []
    for switch in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": switch}
        run = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        found.append(run.stdout.split())
    assert found[0] == found[1]
    assert len(found[0]) == 2
