"""What a small game offers beside its verbs: exact best responses and its equilibrium (`Game.exact`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ludens.core.agent import Agent
from ludens.core.spec import Game

__all__ = ["Equilibrium", "Exact", "ExactResponse"]


@dataclass(frozen=True)
class ExactResponse:
    """A best response to an agent over all information sets, from some starts."""

    place: int  # of the side that responds
    won: int  # starts
    starts: int
    whole: bool  # these are all starts: the share has no error
    asked: int  # positions in which the agent was asked first
    drawn: float  # part of them in which another seed answered otherwise; above 0 `won` was counted in real games


@dataclass(frozen=True)
class Equilibrium:
    """Bounds of what a side wins in equilibrium, by CFR+."""

    place: int
    low: float
    high: float
    curve: tuple[tuple[int, float], ...]  # iterations, and NashConv after them: what both sides could win, in results
    seconds: float

    @property
    def iterations(self) -> int:
        return self.curve[-1][0]


class Exact(Protocol):
    """A solver of the game; options that it cannot solve are refused."""

    def responses(
        self, game: Game, options: np.ndarray, seat: Callable[[int, int], Agent], starts: int, seed: int,
        report: Callable[[int, int], None],
    ) -> list[ExactResponse]:  # fmt: skip
        """Best responses to the agent that `seat(seat, seed)` makes; from `starts` starts, or from all for 0."""

    def equilibrium(
        self, options: np.ndarray, iterations: int, tolerance: float, threads: int, report: Callable[[int, int], None]
    ) -> Equilibrium: ...
