"""A learner from outside gets better at a game: the proof that observations, masks and rewards belong together."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from ludens.adapters.gymnasium import LudensEnv

STEPS = 30_000
GAMES = 400


def _win_shares(model):
    """What the policy takes of each of many games against random play, at alternating seats: 1, ½ or 0."""
    env = LudensEnv("azul", seat="rotate")
    shares = []
    for game in range(GAMES):
        observation, _ = env.reset(seed=1_000_000 + game)
        done = False
        while not done:
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, reward, done, _, info = env.step(int(action))
        assert "reason" not in info
        shares.append((reward + 1) / 2)
    return np.array(shares)


def _interval(shares):
    half = 1.96 * shares.std(ddof=1) / np.sqrt(len(shares))
    return shares.mean() - half, shares.mean() + half


@pytest.mark.slow
@pytest.mark.parametrize("reward", ["return", "score"])
def test_maskable_ppo_learns_to_beat_random_play(reward):
    """From the returns alone, and from the points, in about half a minute on one core."""
    torch.set_num_threads(1)
    envs = make_vec_env(lambda: LudensEnv("azul", seat="rotate", reward=reward), 8, seed=1)
    settings = {"n_steps": 128, "batch_size": 256, "n_epochs": 4, "learning_rate": 7e-4, "ent_coef": 0.01}
    model = MaskablePPO("MlpPolicy", envs, gamma=1.0 if reward == "return" else 0.99, seed=1, device="cpu", **settings)
    untrained = _interval(_win_shares(model))
    model.learn(STEPS)
    trained = _interval(_win_shares(model))
    assert trained[0] > 0.9, f"win share against random play {trained}, before training {untrained}"
    assert trained[0] > untrained[1]
