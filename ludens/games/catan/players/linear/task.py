"""Catan: what `ludens train` needs to learn linear values: a table, and files of what was learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ludens.core.errors import did_you_mean
from ludens.core.spec import Game
from ludens.games.catan.players.linear.files import FEATURES, document_of, write_model
from ludens.games.catan.players.linear.table import LearningTable, features_of_turns
from ludens.games.catan.players.linear.turns import TurnSettings
from ludens.games.catan.players.linear.value import REWARDS
from ludens.games.catan.players.thesis_features import BASE

__all__ = ["LinearTask"]


class LinearTask:
    """Self-play of Catan for `ludens.learn.linear`; the normalisation comes from random games (CA-50, CA-69)."""

    features_version = FEATURES
    options: ClassVar[dict[str, Any]] = {"preset": "thesis", "board": "variable", "turn_limit": 500}
    """Unless the training says otherwise."""

    def __init__(self, game: Game, options: np.ndarray, reward: str, n_actions: int, max_offers: int) -> None:
        if reward not in REWARDS:
            raise did_you_mean(reward, REWARDS, "reward")
        self._game, self._options, self._reward = game, options, reward
        self._settings = TurnSettings(n_actions, max_offers)
        self.mean, self.deviation = np.zeros(BASE), np.ones(BASE)

    def estimate(self, games: int, seed: int) -> None:
        """Means and deviations of the base features over the ends of turns of so many random games."""
        rows = features_of_turns(self.table(), games, seed)
        self.mean, self.deviation = rows.mean(axis=0), rows.std(axis=0)

    def table(self) -> LearningTable:
        """A table of its own."""
        return LearningTable(self._game, self._options, self.mean, self.deviation, self._reward, self._settings)

    def write(self, path: Path, weights: np.ndarray, training: dict[str, Any]) -> str:
        """Writes an agent's file and returns the agent's code."""
        write_model(path, document_of(weights, self.mean, self.deviation, self._reward, training))
        return f"linear:weights={path},n_actions={self._settings.n_actions}"
