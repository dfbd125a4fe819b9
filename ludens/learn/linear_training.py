"""Linear values in self-play with averaged weights, for `ludens train`: a step is a game (CA-70).

With several `tables` a step is a game at each of them, all from the same weights; processes or a cluster can play them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.learn.learner import Setup, kept_array
from ludens.learn.linear import LinearSettings, self_play

__all__ = ["LinearTraining", "SelfPlayLearner"]


@dataclass(frozen=True)
class LinearTraining(LinearSettings):
    """Hyper-parameters of the learning rule, and of the players at the table."""

    reward: str = "points"  # CA-37: points; CA-38: win
    n_actions: int = 3  # of each kind of action that a turn is planned from
    max_offers: int = 3  # offers to players a turn
    normalising_games: int = 200  # random games from which means and deviations of features are estimated (CA-50)
    tables: int = field(default=1, metadata={"unsaid": 1})  # games of a step, all from the same weights

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.tables <= 10**4:
            raise BadInput(f"The number of tables must be from 1 to {10**4}, not {self.tables}.")
        for name, low, high in (("n_actions", 1, 30), ("max_offers", 0, 30), ("normalising_games", 1, 10**5)):
            if not low <= getattr(self, name) <= high:
                raise BadInput(f"{name} must be from {low} to {high}, not {getattr(self, name)}.")


class SelfPlayLearner:
    """All seats learn; their mean is the start of the next game."""

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings
        self._setup = setup
        self._rule = LinearSettings(**{field.name: getattr(settings, field.name) for field in fields(LinearSettings)})
        make_task = setup.game.learning()["linear"]
        self._task = make_task(setup.game, setup.options, settings.reward, settings.n_actions, settings.max_offers)
        self.weights = np.zeros(0)

    def start(self) -> None:
        self._task.estimate(self._setup.settings.normalising_games, self._setup.seed)
        self._table = self._task.table()
        self.weights = np.zeros(self._table.features)

    def step(self, index: int) -> Mapping[str, float]:
        tables = self._setup.settings.tables
        if tables == 1:
            figures = self_play(self._table, self._rule, self.weights, index, self._setup.seed)
        else:
            games = range(index * tables, (index + 1) * tables)
            played = self._setup.executor.map(_play_table, [(self._at_table(), self._rule, game) for game in games])
            self.weights = np.mean([weights for weights, _ in played], axis=0)
            figures = {name: float(np.mean([told[name] for _, told in played])) for name in played[0][1]}
        figures.pop("winner")
        return {**figures, "epsilon": self._rule.epsilon(index * tables)}

    def _at_table(self) -> dict[str, Any]:
        """What a table needs that is set up elsewhere."""
        setup, settings = self._setup, self._setup.settings
        return {
            "game": setup.game.spec.name,
            "options": setup.options,
            "task": (settings.reward, settings.n_actions, settings.max_offers),
            "mean": self._task.mean,
            "deviation": self._task.deviation,
            "weights": self.weights,
            "seed": setup.seed,
        }

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"weights": self.weights, "mean": self._task.mean, "deviation": self._task.deviation}, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        task = self._task
        task.mean = kept_array(arrays, "mean", task.mean.shape)
        task.deviation = kept_array(arrays, "deviation", task.deviation.shape)
        self._table = task.table()
        self.weights = kept_array(arrays, "weights", (self._table.features,))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        code: str = self._task.write(path.with_suffix(".json"), self.weights, training)
        return code


def _play_table(given: dict[str, Any], rule: LinearSettings, game: int) -> tuple[np.ndarray, dict[str, float]]:
    """A game of self-play from the given weights, in whatever process: what the seats learned, and its figures."""
    found = registry.game(given["game"])
    task = found.learning()["linear"](found, given["options"], *given["task"])
    task.mean, task.deviation = given["mean"], given["deviation"]
    weights = np.array(given["weights"])
    figures = self_play(task.table(), rule, weights, game, given["seed"])
    return weights, figures
