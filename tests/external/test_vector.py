"""The vectorised environment: the same games as single ones, with Gymnasium's way of starting anew."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from ludens.adapters.gymnasium import environment_id, register_all
from ludens.adapters.vector import LudensVectorEnv
from ludens.core.errors import BadInput
from ludens.core.rng import POLICY, generator, pick
from tests.external.cases import features, match_of, over_all_cases, scripted

SIZE = 6
_MOST_STEPS = 1000  # of games that may last very long


def _first_legal(mask):
    return mask.argmax(axis=1)


@over_all_cases
def test_every_game_is_the_match_of_its_seed(game, players):
    """Game i of seed s follows the match of seed s + i with random opponents, decision by decision."""
    env = LudensVectorEnv(game, num_envs=SIZE, seat="rotate", options={"players": players})
    observations, infos = env.reset(seed=20)
    assert infos["seat"].tolist() == [i % players for i in range(SIZE)]
    matches = [match_of(game, players, 20 + i) for i in range(SIZE)]
    policies = [generator(20 + i, POLICY) for i in range(SIZE)]
    live = set(range(SIZE))
    for i in range(SIZE):
        _play_others(matches[i], policies[i], i % players)
        if matches[i].over:  # dealt again: the following game is not that of a fresh match
            live.discard(i)
    assert live
    rewards = np.zeros(SIZE)
    for _ in range(_MOST_STEPS):
        if not live:
            break
        actions = _first_legal(infos["action_mask"])
        for i in live:
            seat = i % players
            assert np.array_equal(np.flatnonzero(infos["action_mask"][i]), matches[i].legal())
            assert np.array_equal(observations[i], features(matches[i], seat))
            actions[i] = scripted(matches[i])
            matches[i].play(int(actions[i]))
            _play_others(matches[i], policies[i], seat)
        observations, reward, ended, truncated, infos = env.step(actions)
        assert not truncated.any()
        for i in sorted(live):
            rewards[i] += reward[i]
            assert bool(ended[i]) == matches[i].over
            if ended[i]:
                assert infos["action_mask"][i].all()
                assert rewards[i] == pytest.approx(matches[i].returns()[i % players])
                live.discard(i)


def _play_others(match, policy, seat):
    while not match.over and match.actor != seat:
        legal = match.legal()
        match.play(int(legal[pick(policy, len(legal))]))


@over_all_cases
def test_the_step_after_the_end_starts_a_new_game_at_the_next_seat(game, players):
    env = LudensVectorEnv(game, num_envs=SIZE, seat="rotate", options={"players": players})
    observations, infos = env.reset(seed=1)
    seats, finished = infos["seat"], 0
    waiting = np.zeros(SIZE, bool)
    while finished < 2 * SIZE:
        actions = np.where(waiting, -7, _first_legal(infos["action_mask"]))  # ignored where a game starts
        observations, reward, ended, _, infos = env.step(actions)
        assert env.observation_space.contains(observations)
        assert not infos["illegal"].any()
        assert (reward[waiting] == 0).all()
        assert not ended[waiting].any()
        assert np.array_equal(infos["seat"], np.where(waiting, (seats + 1) % players, seats))
        seats, waiting = infos["seat"], ended
        finished += int(ended.sum())


@over_all_cases
def test_an_illegal_action_loses_that_game_only(game, players):
    env = LudensVectorEnv(game, num_envs=3, options={"players": players})
    _, infos = env.reset(seed=8)
    actions = _first_legal(infos["action_mask"])
    actions[1] = game.spec.actions
    _, reward, ended, _, infos = env.step(actions)
    assert infos["illegal"].tolist() == [False, True, False]
    assert reward[1] == -1
    assert ended[1]
    _, _, ended, _, infos = env.step(_first_legal(infos["action_mask"]))
    assert not ended[1]
    assert not infos["illegal"].any()


@over_all_cases
def test_equal_seeds_give_equal_games(game, players):
    runs = []
    for _ in range(2):
        env = LudensVectorEnv(game, num_envs=4, options={"players": players})
        observations, infos = env.reset(seed=9)
        seen = [observations]
        for _ in range(30):
            observations, *_, infos = env.step(_first_legal(infos["action_mask"]))
            seen.append(observations)
        runs.append(np.array(seen))
    assert np.array_equal(runs[0], runs[1])


def test_gymnasium_makes_it_by_id():
    register_all()
    env = gymnasium.make_vec(
        environment_id("azul"), num_envs=4, vectorization_mode="vector_entry_point", options={"players": 3}
    )
    observations, infos = env.reset(seed=0)
    assert observations.shape == env.observation_space.shape
    assert infos["action_mask"].shape == (4, env.single_action_space.n)


def test_settings_are_checked():
    with pytest.raises(BadInput, match="at least one game"):
        LudensVectorEnv("azul", num_envs=0)
    env = LudensVectorEnv("azul", num_envs=2)
    env.reset(seed=0)
    with pytest.raises(BadInput, match="2 actions"):
        env.step([1])
