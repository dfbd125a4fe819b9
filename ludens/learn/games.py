"""What `ppo` and `dqn` play: many games at once, with the learner on one seat of each.

Who holds the other seats and what is rewarded is decided elsewhere (`learn.opposition`): an algorithm sees decisions of
its own seats alone, one after the other. A seat is kept until the end of its game; the next game then begins at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

__all__ = ["Chooser", "Games", "Outcome"]


@dataclass(frozen=True)
class Outcome:
    """What followed one decision in every game, up to the seat's next decision or the end."""

    reward: np.ndarray  # float32[games]
    ended: np.ndarray  # bool[games]: the game is over, and the next decision belongs to a new one
    results: np.ndarray  # float32[games, players]: returns of the own seat and of those after it; zeros before the end


class Games(Protocol):
    """Many games, stepped together."""

    size: int
    features: np.ndarray  # float32[games, inputs]: what the seats see at their present decisions
    mask: np.ndarray  # int8[games, actions]: their legal actions

    def begin_step(self, seed: int) -> None:
        """Opponents draw from this seed on: what they do depends on the games and on the seed, not on earlier steps."""

    def step(self, actions: np.ndarray) -> Outcome:
        """Plays actions[i] in game i, then everybody else."""

    def advice(self) -> np.ndarray:
        """float32[games, actions]: how likely the teacher is to play each action at the present decisions."""

    def figures(self) -> dict[str, float]:
        """Means over the games that ended since the last call: won, points, lead, reward, …"""


class Chooser(Protocol):
    """A player of many games in one call."""

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """int64[k]: a legal action for each of k decisions."""
