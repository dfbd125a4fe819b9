"""Azul: what it offers to learners: rewards of single moves, and a table of features whose rows are alike."""

from __future__ import annotations

from typing import Any

from ludens.games.azul.rewards import REWARDS

__all__ = ["TASKS"]

TASKS: dict[str, Any] = {
    "rewards": REWARDS,
    "rows": {"block": "factories", "slots": 30},  # 5 colours × 6 destinations (AZ-66)
}
