"""Azul: what it offers to learners: rewards of single moves, and a table of features whose rows are alike."""

from __future__ import annotations

from ludens.core.learning import Learning
from ludens.games.azul.players.heuristic import choose_on_gpu
from ludens.games.azul.rewards import REWARDS, reward_on_gpu

__all__ = ["TASKS"]

TASKS: Learning = {
    "rewards": REWARDS,
    "on_gpu": {"player": "heuristic", "choose": choose_on_gpu, "reward": reward_on_gpu},  # see `gpu.kernels`
    "rows": {"block": "factories", "slots": 30},  # 5 colours × 6 destinations (AZ-66)
}
