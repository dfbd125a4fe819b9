"""What a learner is to `ludens train`: it makes steps, can be kept and taken up again, and gives an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.play.executors import Executor, ThisProcess

__all__ = ["DESCRIPTION", "Algorithm", "Learner", "Setup", "kept_array"]

DESCRIPTION = "description"
"""What a game offers that describes its positions to small networks (`verbs.describe`)."""


@dataclass(frozen=True)
class Setup:
    """What a learner is made from."""

    game: Game
    options: np.ndarray
    settings: Any  # of the algorithm's own dataclass
    seed: int
    opponents: tuple[str, ...]  # agents to learn against, for those that do not play themselves
    steps: int = 0  # that are planned
    executor: Executor = field(default_factory=ThisProcess)  # for games of a step that do not depend on each other


class Learner(Protocol):
    """One run of an algorithm on a game.

    Every step depends on the learner's arrays, its facts and the number of steps made, and on nothing else: what was
    saved after a step and loaded into a fresh learner of the same setup goes on as if nothing had happened.
    """

    def start(self) -> None:
        """Begins from nothing; called once, and not when a checkpoint is loaded."""

    def step(self, index: int) -> Mapping[str, float]:
        """Makes the step of this index (from 0) and returns its figures, the same names every time."""

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """All that has to be kept: arrays by name, and facts that JSON can hold."""

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Takes up what `save` gave."""

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        """Writes the trained agent to a file (without an ending, which is the learner's to choose); its code."""


def kept_array(arrays: Mapping[str, np.ndarray], name: str, shape: tuple[int, ...]) -> np.ndarray:
    """A copy of an array of a checkpoint; one of another shape, or with numbers that are none, is refused by name."""
    found = arrays[name]
    if found.shape != shape or found.dtype != np.float64 or not np.isfinite(found).all():
        raise BadInput(f"The checkpoint's array {name!r} is not of {' × '.join(map(str, shape))} finite numbers.")
    return found.copy()


@dataclass(frozen=True)
class Algorithm:
    """A way to learn, by name."""

    name: str
    help: str
    settings: Callable[[], Any]  # the dataclass of hyper-parameters, whose defaults are the starting point
    make: Callable[[Setup], Learner]
    needs: str = ""  # the kind of task that a game must offer in `Game.learning`; empty: every game will do
    unit: str = "games"  # what a step is
    steps: int = 1000  # by default
    shown: str = ""  # the figure that the terminal draws
    place: int | None = None  # the place at which it is evaluated, if it plays one side only; None: all in turn
    opponents: tuple[str, ...] = ("random",)  # to learn against or to be evaluated against, by default
    fixed: Mapping[str, Any] | None = None  # settings that make this algorithm what it is
    renamed: Callable[[], Mapping[str, str]] = dict  # what settings were called formerly, and are called now

    def task(self, game: Game) -> Any:
        """What the game offers of the kind that is needed; None where nothing special is."""
        return game.learning().get(self.needs)

    def options(self, game: Game) -> dict[str, Any]:
        """The options of the game's task, where it has some of its own."""
        task = self.task(game)
        return dict(getattr(task, "options", game.spec.tournament))
