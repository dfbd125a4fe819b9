"""The Discovery: what `ludens train` needs to learn the coefficients of the potential formula."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ludens.core import kernels
from ludens.core.errors import did_you_mean
from ludens.core.record import blank
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.core.spec import Game
from ludens.games.discovery.players.coefficients import ANY, DEFAULT, FEATURES, settings_of, write_sets
from ludens.games.discovery.players.learning import LearningAgent
from ludens.games.discovery.players.one_step import ROOM, one_step_game
from ludens.games.discovery.players.settings import GREEDY, POTENTIAL, RANDOM, blank_workspace, make_settings

__all__ = ["PotentialTask"]

_RIVALS = {
    "random-turn": RANDOM,
    "H-Rnd": RANDOM,
    "greedy": GREEDY,
    "H-Gr": GREEDY,
    "potential": POTENTIAL,
    "H-Pot": POTENTIAL,
}


class PotentialTask:
    """Agents that learn, files of what they learned, and the worth of coefficients in compiled games."""

    features_version = FEATURES
    options: ClassVar[dict[str, Any]] = {"players": 2}
    """Unless the training says otherwise."""
    default = DEFAULT

    def __init__(self, game: Game, options: np.ndarray) -> None:
        self._game, self._options = game, options
        self.players = int(options[0])

    def agent(self, coefficients: np.ndarray, **settings: Any) -> LearningAgent:
        """An agent that learns these coefficients in place."""
        return LearningAgent(coefficients=coefficients, **settings)

    def write(self, path: Path, sets: dict[str, np.ndarray], facts: dict[str, Any]) -> str:
        """Writes the sets, with the mean of every seat as that for any opponent, and returns the agent's code."""
        for seat in range(self.players):
            own = [values for name, values in sets.items() if name.endswith(f"/{seat}")]
            if own:
                sets = {**sets, f"{ANY}/{seat}": np.mean(own, axis=0)}
        write_sets(path, sets, facts)
        return f"learning:load={path}"

    def leads(self, coefficients: np.ndarray, opponents: Sequence[str], games: int, seed: int) -> np.ndarray:
        """Points by which a player with these coefficients leads its best opponent, game by game, seats in turn."""
        for name in opponents:
            if name not in _RIVALS:
                raise did_you_mean(name, _RIVALS, "opponent whose games are compiled")
        own, found = settings_of(coefficients), np.zeros(games)
        state, workspace, scratch = blank(self._game.dtype), blank_workspace(), blank(self._game.dtype)
        legal, options = np.zeros(self._game.spec.actions, np.int64), np.zeros(ROOM, np.int64)
        for index in range(games):
            seat = index % self.players
            rival = make_settings(_RIVALS[opponents[index // self.players % len(opponents)]])
            settings = np.concatenate([own if p == seat else rival for p in range(self.players)])
            state[:] = blank(self._game.dtype)
            kernels.reset_at(state, 0, self._options)
            rngs = np.stack([generator(seed + index, POLICY, p) for p in range(self.players)])
            one_step_game(
                state, settings, workspace, scratch, legal, options, generator(seed + index, CHANCE_STREAM), rngs
            )
            points = state["score"][0, : self.players].astype(float)
            found[index] = points[seat] - np.delete(points, seat).max()
        return found
