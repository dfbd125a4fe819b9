"""The games of learners on a stand-in of a GPU beside those on the CPU: run with NUMBA_DISABLE_JIT=1.

python -m tests.learn.gpu_games REWARD …
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch

from ludens.core import registry
from ludens.learn.gpu_opposition import GpuOpposition
from ludens.learn.opposition import Opposition
from ludens.learn.ppo import PPO, Settings
from ludens.networks.network import untrained
from ludens.networks.plain import PlainLayout
from tests.conformance.gpu_stand_in import stand_in

AZUL = registry.game("azul")
OPTIONS = AZUL.options({"players": 2, "round_limit": 2})


def same_games(reward: str) -> str:
    """Plays both with the same random actions; names the first thing that differs, or is empty."""
    settings: Any = (AZUL, OPTIONS, 4, ("random", "heuristic"), {}, reward, 0.5, 0.25, "prior")
    cpu, gpu = Opposition(*settings), GpuOpposition(*settings)
    cpu.start(5)
    gpu.start(5)
    random, ends = np.random.default_rng(1), 0
    for step in range(14):
        pairs: list[Any] = [
            ("features", cpu.features, gpu.features),
            ("mask", cpu.mask, gpu.mask),
            ("lead", cpu.lead, gpu.lead),
        ]
        pairs += [("seats", cpu.seats, gpu.seats), ("deals", cpu.count, gpu.count)]
        action = np.where(cpu.mask == 1, random.random(cpu.mask.shape), -1).argmax(1)
        if not np.allclose(cpu.advice(), gpu.advice(), rtol=1e-4, atol=1e-6):
            return f"advice at step {step}"
        there, here = cpu.step(action), gpu.step(torch.from_numpy(action))
        pairs += [("reward", there.reward, here.reward), ("results", there.results, here.results)]
        pairs += [("ended", there.ended, here.ended)]
        for name, one, other in pairs:
            if not np.array_equal(one, other.numpy()):
                return f"{name} at step {step}"
        ends += int(there.ended.sum())
        if step == 7:
            fresh = GpuOpposition(*settings)
            fresh.load({name: array.copy() for name, array in gpu.save().items()})
            fresh._totals.copy_(gpu._totals)
            gpu = fresh
    if ends < 4 or not np.allclose(list(cpu.figures().values()), list(gpu.figures().values())):
        return f"figures after {ends} games"
    return ""


def same_learner() -> str:
    """Three steps of PPO against everybody who plays on a GPU give the same weights."""
    settings = Settings(games=6, length=4, parts=2, width=16, reward="wall", reward_scale=0.1, past_every=1)
    layout = PlainLayout(
        inputs=AZUL.spec.observation_size(OPTIONS), actions=AZUL.spec.actions, seats=2, width=16, blocks=1,
        auxiliary={"critic": 1},
    )  # fmt: skip
    weights = []
    for kind in (Opposition, GpuOpposition):
        run = PPO(untrained(AZUL, OPTIONS, seed=1, layout=layout), settings, 1)
        games = kind(AZUL, OPTIONS, 6, ("random", "heuristic", "self", "past"), run.players, "wall", 0.1)
        games.start(1)
        for k in range(3):
            run.step(k, games)
        weights.append(run.module.state_dict())
    return "".join(name for name in weights[0] if not torch.equal(weights[0][name], weights[1][name]))


if __name__ == "__main__":
    stand_in()
    for found in (*map(same_games, sys.argv[1:]), same_learner()):
        print(found or "same")
