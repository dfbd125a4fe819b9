"""What a game offers to learners that need more of it than its verbs (`Game.learning`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypedDict

import numpy as np

__all__ = ["Learning", "LinearTask", "MoveReward", "PotentialTask", "TableTask"]


class LinearTask(Protocol):
    """Self-play for linear values (`learn.linear`): a table to play at, and files of what was learned."""

    mean: np.ndarray
    deviation: np.ndarray

    def estimate(self, games: int, seed: int) -> None: ...

    def table(self) -> Any: ...

    def write(self, path: Path, weights: np.ndarray, training: dict[str, Any]) -> str: ...


class TableTask(Protocol):
    """Decisions by the rows of a table (`learn.tabular`), and files of such tables."""

    @property
    def decisions(self) -> Any: ...

    def write(self, path: Path, table: np.ndarray, facts: dict[str, Any]) -> str: ...


class PotentialTask(Protocol):
    """Coefficients of an agent of the game (`learn.potential`), what they are worth, and files of them."""

    players: int

    @property
    def default(self) -> np.ndarray: ...

    def agent(self, coefficients: np.ndarray, **settings: Any) -> Any: ...

    def leads(self, coefficients: np.ndarray, opponents: Sequence[str], games: int, seed: int) -> np.ndarray: ...

    def write(self, path: Path, sets: dict[str, np.ndarray], facts: dict[str, Any]) -> str: ...


class MoveReward(Protocol):
    """A reward of single moves (`learn.rewards`), and its constants by name."""

    @property
    def constants(self) -> Mapping[str, float]: ...

    def __call__(
        self, states: np.ndarray, seats: np.ndarray, actions: np.ndarray, constants: Mapping[str, float]
    ) -> np.ndarray: ...


class Learning(TypedDict, total=False):
    """Everything optional, by the kind of learning; tasks are made of the game, its options and settings."""

    linear: Callable[..., LinearTask]
    tabular: Callable[..., TableTask]
    potential: Callable[..., PotentialTask]
    rewards: Mapping[str, MoveReward]
    on_gpu: Mapping[str, Any]  # the arguments of `play.gpu_seats.SeatTask`
    rows: Mapping[str, Any]  # the block and the slots of `networks.rows.rows_layout`
