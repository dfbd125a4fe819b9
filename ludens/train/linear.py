"""Linear values in self-play with averaged weights, for `ludens train`: a step is a game (CA-70)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ludens.learn.linear import LinearSettings, self_play
from ludens.train.learner import Setup

__all__ = ["LinearTraining", "SelfPlayLearner"]


@dataclass(frozen=True)
class LinearTraining(LinearSettings):
    """Hyper-parameters of the learning rule, and of the players at the table."""

    reward: str = "points"  # CA-37: points; CA-38: win
    n_actions: int = 3  # of each kind of action that a turn is planned from
    max_offers: int = 3  # offers to players a turn
    normalising_games: int = 200  # random games from which means and deviations of features are estimated (CA-50)


class SelfPlayLearner:
    """All seats learn; their mean is the start of the next game."""

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings
        self._setup = setup
        self._rule = LinearSettings(**{field.name: getattr(settings, field.name) for field in fields(LinearSettings)})
        make_task = setup.game.learning()["linear"]  # type: ignore[misc]
        self._task = make_task(setup.game, setup.options, settings.reward, settings.n_actions, settings.max_offers)
        self.weights = np.zeros(0)

    def start(self) -> None:
        self._task.estimate(self._setup.settings.normalising_games, self._setup.seed)
        self._table = self._task.table()
        self.weights = np.zeros(self._table.features)

    def step(self, index: int) -> Mapping[str, float]:
        figures = self_play(self._table, self._rule, self.weights, index, self._setup.seed)
        figures.pop("winner")
        return {**figures, "epsilon": self._rule.epsilon(index)}

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"weights": self.weights, "mean": self._task.mean, "deviation": self._task.deviation}, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        self._task.mean, self._task.deviation = arrays["mean"], arrays["deviation"]
        self._table = self._task.table()
        self.weights = np.array(arrays["weights"])

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        code: str = self._task.write(path.with_suffix(".json"), self.weights, training)
        return code
