"""Gymnasium's and Stable-Baselines3's checks over every game, and one seat's rewards, masks and rotation."""

from __future__ import annotations

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as check_env_sb3

from ludens.adapters.gymnasium import LudensEnv, environment_id, register_all
from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating, agent_seed
from ludens.core.errors import BadInput, IllegalMove
from tests.external.cases import GAMES, features, match_of, over_all_cases, scripted


@over_all_cases
@pytest.mark.parametrize("seat", [0, "rotate"])
def test_gymnasium_check_env(game, players, seat):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # unbounded features
        check_env(LudensEnv(game, seat=seat, options={"players": players}, render_mode="ansi"))


@over_all_cases
@pytest.mark.parametrize("illegal", ["lose", "replace"])
def test_stable_baselines3_check_env(game, players, illegal):
    check_env_sb3(LudensEnv(game, options={"players": players}, illegal=illegal))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_every_game_is_registered_and_passes_the_check_with_its_id(game):
    register_all()
    made = gymnasium.make(environment_id(game.spec.name), seat="rotate", options={"players": max(game.spec.players)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(made.unwrapped)  # with an id the check also compares seeded games
    assert made.unwrapped.observation_space.shape[0] > 0


def test_environments_are_made_by_their_ids_one_and_many_without_an_import():
    """In a process that has imported nothing but Gymnasium; plain names do as well."""
    code = """
import gymnasium
one = gymnasium.make("ludens.adapters.gymnasium:ludens/Azul-v0", opponents=["heuristic"])
assert one.reset(seed=3)[1]["action_mask"].sum() > 0
many = gymnasium.make_vec("ludens/ScotlandYardGrid-v0", num_envs=3, vectorization_mode="vector_entry_point", seat=1)
assert many.num_envs == 3 and len(many.reset(seed=3)[1]["action_mask"]) == 3
assert gymnasium.make("ludens/azul-v0").unwrapped.observation_space == one.unwrapped.observation_space
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@over_all_cases
def test_the_seat_sees_and_earns_what_the_match_says(game, players):
    """The same seed gives the game that a match with the same agents gives, at every seat."""
    decisive = 0
    for seat in range(players):
        env = LudensEnv(game, seat=seat, options={"players": players})
        observation, info = env.reset(seed=seat + 10)
        match, agents = _match_with_random_agents(game, players, seat, info["seed"])
        total, done = 0.0, False
        while not done:
            assert match.actor == seat
            assert np.array_equal(observation, features(match, seat))
            assert np.array_equal(np.flatnonzero(env.action_masks()), match.legal())
            assert np.array_equal(info["action_mask"], env.action_masks())
            action = scripted(match)
            match.play(action)
            _play_others(match, agents, seat)
            observation, reward, done, truncated, info = env.step(action)
            assert not truncated
            total += reward
        assert match.over
        assert env.action_masks().all()
        assert total == pytest.approx(match.returns()[seat])
        assert info["scores"].tolist() == match.scores()
        assert info["returns"].tolist() == match.returns()
        decisive += total != 0
    assert decisive > 0


def _match_with_random_agents(game, players, seat, seed):
    match = match_of(game, players, seed)
    agents = {}
    for other in range(players):
        if other != seat:
            agents[other] = make_agent(game, "random")
            agents[other].start(Seating(game, match.options, other, agent_seed(seed, other)))
    _play_others(match, agents, seat)
    return match, agents


def _play_others(match, agents, seat):
    while not match.over and match.actor != seat:
        actor = match.actor
        match.play(agents[actor].choose(match.view(actor), match.legal(), Clock()))


@over_all_cases
def test_rotation_visits_every_seat_and_rewards_follow_it(game, players):
    env = LudensEnv(game, seat="rotate", options={"players": players})
    seats = []
    for episode in range(2 * players):
        _, info = env.reset(seed=players if episode == 0 else None)
        seats.append(info["seat"])
        done = False
        while not done:
            _, reward, done, _, info = env.step(np.flatnonzero(env.action_masks())[0])
        assert info["seat"] == seats[-1]
        assert reward == pytest.approx(info["returns"][seats[-1]])
    assert seats == [*range(players)] * 2
    env.reset(seed=1)
    assert env.seat == 1


@over_all_cases
def test_the_three_answers_to_an_illegal_action(game, players):
    answers = {answer: LudensEnv(game, options={"players": players}, illegal=answer) for answer in ("lose", "replace")}
    for bad in (-1, game.spec.actions, "x"):
        for answer, env in answers.items():
            env.reset(seed=4)
            _, reward, done, truncated, info = env.step(bad)
            assert info["reason"]
            assert not truncated
            if answer == "lose":
                assert (reward, done) == (-1.0, True)
                with pytest.raises(BadInput, match="call reset"):
                    env.step(0)
    strict = LudensEnv(game, options={"players": players}, illegal="raise")
    before, _ = strict.reset(seed=4)
    with pytest.raises(IllegalMove):
        strict.step(-1)
    assert np.array_equal(before, strict._simulation.observe(0))
    _, _, _, _, info = strict.step(int(np.flatnonzero(strict.action_masks())[0]))
    assert "reason" not in info


def test_the_reason_names_the_rule():
    env = LudensEnv("azul")
    env.reset(seed=0)
    *_, info = env.step(305)
    assert "AZ-26" in info["reason"]


def test_opponents_are_agents_by_code():
    """A strong opponent takes more from a random seat than a random one does."""
    means = []
    for code in ("random", "heuristic"):
        env = LudensEnv("azul", opponents=[code], seat="rotate")
        rng = np.random.default_rng(1)
        results = []
        for seed in range(30):
            env.reset(seed=seed)
            done = False
            while not done:
                _, reward, done, _, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
            results.append(reward)
        means.append(np.mean(results))
    assert means[1] < -0.9 < means[0]


def test_settings_are_checked():
    with pytest.raises(BadInput, match="from 0 to 1"):
        LudensEnv("azul", seat=2)
    with pytest.raises(BadInput, match="one for each"):
        LudensEnv("azul", opponents=["random"] * 2, options={"players": 4})
    with pytest.raises(BadInput, match="did you mean random"):
        LudensEnv("azul", opponents=["randam"])
    with pytest.raises(BadInput, match="did you mean lose"):
        LudensEnv("azul", illegal="loose")
    with pytest.raises(BadInput, match="render mode"):
        LudensEnv("azul", render_mode="human")
    with pytest.raises(BadInput, match="A seed"):
        LudensEnv("azul").reset(seed=1 << 60)
    with pytest.raises(BadInput, match="call reset"):
        LudensEnv("azul").step(0)
