"""The vectorised environment: the same games as single ones, with Gymnasium's way of starting anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from ludens.adapters.gymnasium import LudensEnv, environment_id, register_all
from ludens.adapters.stable_baselines import LudensVecEnv
from ludens.adapters.vector import LudensVectorEnv
from ludens.core import kernels
from ludens.core.agent import Agent
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.jit import rule
from ludens.core.record import layout
from ludens.core.rng import POLICY, generator, pick
from ludens.core.verbs import TERMINAL
from tests.examples import tiny
from tests.external.cases import features, match_of, over_all_cases, scripted

SIZE = 6
_MOST_STEPS = 1000  # of games that may last very long


def _first_legal(mask):
    return mask.argmax(axis=1)


@over_all_cases
def test_every_game_is_the_match_of_its_seed(game, players):
    """Game i follows the match of its seed with random opponents, decision by decision."""
    env = LudensVectorEnv(game, num_envs=SIZE, seat="rotate", options={"players": players})
    observations, infos = env.reset(seed=20)
    assert infos["seat"].tolist() == [i % players for i in range(SIZE)]
    matches = [match_of(game, players, env.game_seed(i)) for i in range(SIZE)]
    policies = [generator(env.game_seed(i), POLICY) for i in range(SIZE)]
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
    for _ in range(50 * _MOST_STEPS):  # a game that never ends must fail, not hang
        if finished >= 2 * SIZE:
            break
        actions = np.where(waiting, -7, _first_legal(infos["action_mask"]))  # ignored where a game starts
        observations, reward, ended, _, infos = env.step(actions)
        assert env.observation_space.contains(observations)
        assert not infos["illegal"].any()
        assert (reward[waiting] == 0).all()
        assert not ended[waiting].any()
        assert np.array_equal(infos["seat"], np.where(waiting, (seats + 1) % players, seats))
        seats, waiting = infos["seat"], ended
        finished += int(ended.sum())
    assert finished >= 2 * SIZE


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
    with pytest.raises(BadInput, match="whole numbers"):
        env.step([1.0, 2.0])
    wrong: list[dict[str, Any]] = [
        {"longest": 0}, {"autoreset_mode": "Disabled"}, {"autoreset_mode": "never"}, {"pool": []},
        {"pool": ["random"], "opponents": "random"}, {"by_game": ["random"]},
        {"opponents": ["random", "random"]}, {"opponents": "nobody"}, {"opponents": 7},
    ]  # fmt: skip
    for settings in wrong:
        with pytest.raises(BadInput):
            LudensVectorEnv("azul", num_envs=2, **settings)
    with pytest.raises(BadInput, match="reset first"):
        LudensVectorEnv("azul", num_envs=2).step([0, 0])


class First(Agent):
    """Plays the first legal action; notes what it is asked."""

    seatings: ClassVar[list] = []
    endings: ClassVar[list] = []

    def start(self, seating):
        self.seating = seating
        First.seatings.append(seating)

    def choose(self, view, legal, clock):
        assert kernels.actor_at(view, 0) == self.seating.seat
        return int(legal[0])

    def end(self, view):
        First.endings.append(kernels.actor_at(view, 0))


class FirstOfMany:
    """The same for many games in one call."""

    def __init__(self):
        self.calls = []

    def choose_many(self, views, features, masks):
        assert len(views) == len(features) == len(masks)
        self.calls.append(len(views))
        return masks.argmax(axis=1)


def _states(steps=40, size=5, **settings):
    """The observations, rewards and ends of a run in which the seat itself plays its first legal action."""
    env = LudensVectorEnv("azul", size, "rotate", {"players": 3}, **settings)
    observations, infos = env.reset(seed=11)
    seen = [observations]
    for _ in range(steps):
        observations, reward, ended, cut, infos = env.step(_first_legal(infos["action_mask"]))
        seen.append(np.column_stack([observations, reward, ended, cut]))
    return seen


def _same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_agents_of_all_forms_play_the_same_games():
    First.seatings.clear()
    First.endings.clear()
    expected = _states(opponents=First)
    assert {seating.seat for seating in First.seatings} == {0, 1, 2}
    assert len({seating.seed for seating in First.seatings}) == len(First.seatings) > 10
    assert First.endings
    assert set(First.endings) == {TERMINAL}
    many = FirstOfMany()
    assert _same(_states(opponents=many), expected)
    assert max(many.calls) > 1
    assert _same(_states(opponents=First()), expected)
    assert _same(_states(opponents=[First, many]), expected)
    assert _same(_states(by_game=[First, many, First(), [many, First], many]), expected)
    assert _same(_states(pool=[First, many]), expected)
    assert not _same(_states(opponents="random"), expected)


def test_an_agent_plays_in_the_vector_environment_as_in_the_single_one():
    env = LudensVectorEnv("azul", 2, seat=1, opponents="heuristic:ties=random")
    _, infos = env.reset(seed=4)
    for i in range(2):
        single = LudensEnv("azul", ["heuristic:ties=random"], seat=1)
        observation, info = single.reset(seed=env.game_seed(i))
        other = LudensVectorEnv("azul", 2, seat=1, opponents="heuristic:ties=random")
        observations, infos = other.reset(seed=4)
        done = False
        for _ in range(200):
            assert np.array_equal(observation, observations[i])
            assert np.array_equal(info["action_mask"], infos["action_mask"][i])
            if done:
                break
            actions = _first_legal(infos["action_mask"])
            observation, reward, done, _, info = single.step(int(actions[i]))
            observations, rewards, ended, _, infos = other.step(actions)
            assert reward == pytest.approx(rewards[i])
            assert done == ended[i]
        assert done
        assert infos["scores"][i].tolist() == info["scores"].tolist()
        assert infos["_scores"][i]


def test_a_pool_is_drawn_from_for_every_game_and_seat():
    """Over many games every member sits about equally often, and random ones stay in the kernel."""
    one, other = FirstOfMany(), FirstOfMany()
    env = LudensVectorEnv("azul", 300, options={"players": 3}, pool=[one, other, "random"])
    env.reset(seed=5)
    counts = np.bincount(np.maximum(env._games.holders[:, 1:].ravel(), 0), minlength=3)  # random choices are -1
    assert counts.sum() == 600
    assert (abs(counts - 200) < 60).all()
    before = env._games.holders.copy()
    env.reset(seed=6)
    assert not np.array_equal(before, env._games.holders)


def test_an_opponent_that_plays_illegally_is_named():
    class Wrong(FirstOfMany):
        def choose_many(self, views, features, masks):
            return np.full(len(views), -1)

    class Lost(FirstOfMany):
        def choose_many(self, views, features, masks):
            return np.zeros(1)

    env = LudensVectorEnv("azul", 3, seat=1, opponents=Wrong())
    with pytest.raises(IllegalMove, match="game 0"):
        env.reset(seed=1)
    with pytest.raises(BadInput, match="reset first"):
        env.step([0, 0, 0])
    with pytest.raises(BadInput, match="whole numbers"):
        LudensVectorEnv("azul", 3, seat=1, opponents=Lost()).reset(seed=1)


@pytest.mark.parametrize("opponents", ["random", FirstOfMany()], ids=["random", "agent"])
def test_both_ways_to_start_anew_play_the_same_games(opponents):
    """In the same step the last observation is kept apart; with the step that is waited for left out both are equal."""
    waits = LudensVectorEnv("azul", 4, "rotate", opponents=opponents)
    at_once = LudensVectorEnv("azul", 4, "rotate", opponents=opponents, autoreset_mode=AutoresetMode.SAME_STEP)
    rows: dict[bool, list[list[Any]]] = {False: [[] for _ in range(4)], True: [[] for _ in range(4)]}
    for env in (waits, at_once):
        same_step = env is at_once
        observations, infos = env.reset(seed=2)
        for _ in range(120):
            shown, masks = observations, infos["action_mask"]
            waiting = env._over.copy()
            observations, reward, ended, _, infos = env.step(_first_legal(masks))
            last = infos["final_info"] if same_step and ended.any() else infos
            for i in range(4):
                if not waiting[i]:
                    rows[same_step][i].append((shown[i].tobytes(), masks[i].tobytes(), reward[i], bool(ended[i])))
                if ended[i]:
                    final = infos["final_obs"][i] if same_step else observations[i]
                    scores, returns = last["scores"][i].tolist(), last["returns"][i].tolist()
                    rows[same_step][i].append((final.tobytes(), scores, returns))
            if same_step and ended.any():
                assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == ended.tolist()
    for i in range(4):
        shorter = min(len(rows[False][i]), len(rows[True][i]))
        assert shorter > 80
        assert rows[False][i][:shorter] == rows[True][i][:shorter]


def test_a_game_is_cut_off_after_the_longest():
    env = LudensVectorEnv("azul", 3, "rotate", longest=4, autoreset_mode="SameStep")
    _, infos = env.reset(seed=3)
    for step in range(1, 13):
        _, reward, ended, cut, infos = env.step(_first_legal(infos["action_mask"]))
        assert not ended.any()
        assert not reward.any()
        assert cut.all() == cut.any() == (step % 4 == 0)
        assert ("final_obs" in infos) == (step % 4 == 0)


def test_games_that_never_reach_the_seat_raise_instead_of_hanging():
    """Seat 2 of a game that ends before anybody else can act never chooses."""
    spec = replace(tiny.GAME.spec, name="over_at_once")
    dtype = layout("over_at_once", tiny.Pig)
    game = replace(tiny.GAME, spec=spec, dtype=dtype, rules=replace(tiny.GAME.rules, reset=_over_at_once))
    with pytest.raises(RuntimeError, match="before the seat's first choice"):
        LudensVectorEnv(game, 1).reset(seed=0)


@rule
def _over_at_once(s, options):
    s.players = options[0]
    s.phase = tiny.OVER


def test_gymnasium_counts_what_the_games_bring():
    env = RecordEpisodeStatistics(LudensVectorEnv("azul", 6, "rotate"))
    _, infos = env.reset(seed=1)
    total = 0.0
    for _ in range(100):
        _, reward, ended, _, infos = env.step(_first_legal(infos["action_mask"]))
        total += reward.sum()
        assert ("episode" in infos) == ended.any()
    assert env.episode_count > 6
    assert total != 0


def test_maskable_ppo_trains_on_it():
    """sb3-contrib finds the masks of all games, and never plays an illegal action."""
    envs = LudensVecEnv("azul", 8, "rotate", pool=["random", FirstOfMany()], longest=25)
    assert is_masking_supported(envs)
    model = MaskablePPO("MlpPolicy", envs, n_steps=64, batch_size=128, n_epochs=1, seed=1, device="cpu").learn(1024)
    observations = envs.reset()
    ended = 0
    for _ in range(60):
        masks = get_action_masks(envs)
        assert masks.shape == (8, envs.action_space.n)
        actions, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(8), actions].all()
        observations, _, dones, infos = envs.step(actions)
        for i in np.flatnonzero(dones):
            ended += 1
            assert infos[i]["terminal_observation"].shape == observations[i].shape
            assert infos[i]["scores"].shape == (2,)
            assert "illegal" not in infos[i]
        assert all(info["TimeLimit.truncated"] <= done for info, done in zip(infos, dones, strict=True))
    assert ended
    with pytest.raises(BadInput, match="action_masks only"):
        envs.env_method("render")
