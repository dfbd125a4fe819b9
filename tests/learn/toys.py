"""A learner without a game behind it: a random walk whose steps depend on what it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.learn.learner import Algorithm, Setup


@dataclass(frozen=True)
class WalkSettings:
    size: float = 1.0
    name: str = "walk"
    marks: tuple[tuple[int, float], ...] = ((0, 0.5),)
    strict: bool = False
    count: int = 3


class Walk:
    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self.at = np.zeros(3)

    def start(self) -> None:
        self.at = np.ones(3)

    def step(self, index: int) -> Mapping[str, float]:
        self.at += self._setup.settings.size * np.random.default_rng([self._setup.seed, index]).normal(size=3)
        return {"height": float(self.at.sum()), "first": float(self.at[0])}

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"at": self.at}, {"said": "hello"}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        self.at = arrays["at"].copy()
        assert facts["said"] == "hello"

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        path.with_suffix(".txt").write_text(repr(self.at.tolist()))
        return "heuristic"


WALK = Algorithm("walk", "a toy", WalkSettings, Walk, steps=100, shown="height")
