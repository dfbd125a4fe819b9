"""Coefficients of a formula, learned by gradient descent after games (CD-67 … CD-79); a step is a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput, did_you_mean
from ludens.learn.learner import Setup, kept_array
from ludens.play.game import play_game

__all__ = ["GradientLearner", "GradientTraining"]

_SEEDS = 1 << 32  # of games apart from those of other trainings


@dataclass(frozen=True)
class GradientTraining:
    """Hyper-parameters of the descent."""

    rate: float = 0.005  # CD-74
    iterations: int = 50  # after a game, at most (CD-73)
    least: float = 0.001  # length of the gradient at which it stops
    clip: float = 10.0  # length to which a longer one is cut
    normalising: str = "terrain"  # A and B by terrain, or "shared" (CD-69)

    def __post_init__(self) -> None:
        if not 0 < self.rate < 1 or not 1 <= self.iterations <= 10**6 or not self.least >= 0 or not self.clip > 0:
            raise BadInput(
                f"rate must lie between 0 and 1, iterations from 1 to {10**6}, least be 0 or more and clip above 0."
            )
        if self.normalising not in ("terrain", "shared"):
            raise did_you_mean(self.normalising, ("terrain", "shared"), "way of normalising")


class GradientLearner:
    """One set of coefficients for every opponent and own seat; a step is a game (CD-76)."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._task = setup.game.learning()["potential"](setup.game, setup.options)
        self._sets: dict[str, np.ndarray] = {}

    def _pairs(self) -> list[tuple[str, int]]:
        return [(opponent, seat) for opponent in self._setup.opponents for seat in range(self._task.players)]

    def start(self) -> None:
        self._sets = {f"{opponent}/{seat}": self._task.default.copy() for opponent, seat in self._pairs()}

    def step(self, index: int) -> Mapping[str, float]:
        pairs, setup = self._pairs(), self._setup
        opponent, seat = pairs[index % len(pairs)]
        agent = self._task.agent(self._sets[f"{opponent}/{seat}"], **vars(setup.settings))
        codes: list[Any] = [agent if p == seat else opponent for p in range(self._task.players)]
        scores = play_game(setup.game, setup.options, codes, setup.seed * _SEEDS % (1 << 53) + index).scores
        best = max(score for p, score in enumerate(scores) if p != seat)
        won = 1.0 if scores[seat] > best else 0.5 if scores[seat] == best else 0.0
        return {"lead": scores[seat] - best, "score": scores[seat], "won": won, "squared_error": agent.loss}

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return self._sets, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        names = [f"{opponent}/{seat}" for opponent, seat in self._pairs()]
        self._sets = {name: kept_array(arrays, name, self._task.default.shape) for name in names}

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        facts = {"rate": self._setup.settings.rate, "training": training}
        code: str = self._task.write(path.with_suffix(".json"), self._sets, facts)
        return code
