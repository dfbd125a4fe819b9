"""Q-learning with a table, for `ludens train`: a step is a hundred games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.learn.learner import Setup, kept_array
from ludens.learn.tabular import QSettings, learn_game, new_table

__all__ = ["TabularLearner", "TabularTraining"]

_GAMES = 100


@dataclass(frozen=True)
class TabularTraining(QSettings):
    """Hyper-parameters of the rule, and of the game's table."""

    credit: str = "form"  # "path" for the thesis' form (SY-49), "step" for the improved one, which earns at reveals
    form: str = "improved"  # "thesis": the set-up that failed there; "unfolded", "joint": improved but for one thing
    reveal: float = 0.02  # cost of the distance at a reveal (SY-60)
    schedule: int = 1000  # steps after which the last learning rate and exploration are reached

    def __post_init__(self) -> None:
        self.rule()
        if self.schedule < 1 or not 0 <= self.reveal <= 1:
            raise BadInput("schedule must be at least 1, and reveal must lie between 0 and 1.")

    def rule(self) -> QSettings:
        """The learning rule's part."""
        values = {field.name: getattr(self, field.name) for field in fields(QSettings)}
        if self.credit == "form":
            values["credit"] = "path" if self.form == "thesis" else "step"
        return QSettings(**values)


class TabularLearner:
    """Learns the table of one side against the game's own opponent."""

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings
        self._setup = setup
        self._rule = settings.rule()
        make_task = setup.game.learning()["tabular"]
        self._task = make_task(setup.game, setup.options, settings.form, settings.reveal)
        self._table = np.zeros((0, 0))

    def start(self) -> None:
        decisions = self._task.decisions
        self._table = new_table(self._rule, decisions.rows, decisions.columns, 1.0)

    def step(self, index: int) -> Mapping[str, float]:
        progress = min(1.0, index / self._setup.settings.schedule)
        games = [
            learn_game(self._task.decisions, self._table, self._rule, game, self._setup.seed, progress)
            for game in range(index * _GAMES, (index + 1) * _GAMES)
        ]
        return {name: float(np.mean([figures[name] for figures in games])) for name in games[0]}

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"table": self._table}, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        self._table = kept_array(arrays, "table", (self._task.decisions.rows, self._task.decisions.columns))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        code: str = self._task.write(path.with_suffix(".json"), self._table, {"training": training})
        return code
