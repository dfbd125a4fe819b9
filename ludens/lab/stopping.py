"""Sequential tests: a series ends when enough was played."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ludens.core.errors import BadInput
from ludens.lab.standings import GamesTable, load_games
from ludens.lab.statistics import check_errors
from ludens.play.results import ResultsFile

__all__ = ["Sprt", "Stop", "decided_games", "is_decided", "watched_shares"]


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a mean share of victory: `low` against `high`, with these probabilities of error.

    The likelihood ratio is that of normal means with the variance seen so far, which draws need. The verdict depends
    on the games in the order of their numbers alone: whoever plays them, and however often a run is broken off.
    """

    low: float = 0.5
    high: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 20  # games before the first look

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise BadInput(f"A sequential test needs 0 ≤ low < high ≤ 1, not {self.low} and {self.high}.")
        check_errors(self.alpha, 1 - self.beta)
        if self.alpha + self.beta >= 1:
            raise BadInput(f"The errors of a sequential test sum to less than 1, not {self.alpha} and {self.beta}.")
        if self.least < 1:
            raise BadInput(f"A sequential test looks after 1 game or more, not {self.least}.")

    def ratios(self, shares: Sequence[float] | np.ndarray) -> np.ndarray:
        """The logarithm of the likelihood ratio after every game."""
        values = np.asarray(shares, float)
        n = np.arange(1, len(values) + 1)
        mean = np.cumsum(values) / n
        variance = np.maximum(np.cumsum(values**2) / n - mean**2, 1 / (4 * n))
        return np.asarray(n * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance))

    def decided(self, shares: Sequence[float] | np.ndarray) -> tuple[int, bool] | None:
        """After how many games it is decided and whether for `high`; None if it is still open."""
        ratios = self.ratios(shares)
        upper, lower = math.log((1 - self.beta) / self.alpha), math.log(self.beta / (1 - self.alpha))
        over = np.flatnonzero(((ratios >= upper) | (ratios <= lower)) & (np.arange(len(ratios)) + 1 >= self.least))
        return None if len(over) == 0 else (int(over[0]) + 1, bool(ratios[over[0]] >= upper))


@dataclass(frozen=True)
class Stop:
    """When a series may end before its last game."""

    player: str
    test: Sprt


def watched_shares(stop: Stop, games: GamesTable) -> np.ndarray:
    """Victories of the player whom a sequential test watches, game by game, as far as no number is missing.

    Games beside nobody but itself tell nothing and are left out; where it sits on several places, their mean counts.
    """
    unbroken, own = _watched(stop, games)
    places = own[own.any(axis=1)]
    won = unbroken.victory[:, unbroken.places][own.any(axis=1)]
    return np.asarray(np.where(places, won, 0).sum(axis=1) / places.sum(axis=1))


def _watched(stop: Stop, games: GamesTable) -> tuple[GamesTable, np.ndarray]:
    """The games as far as no number is missing, and for each the places by which the test decides."""
    unbroken = games.where(games.number == np.arange(games.games))
    own = unbroken.player[:, unbroken.places] == unbroken.index(stop.player)
    return unbroken, own & ~own.all(axis=1, keepdims=True)


def decided_games(stop: Stop | None, total: int, games: GamesTable) -> GamesTable:
    """Those of the first `total` games that count: up to the decision of a sequential test, whoever played them."""
    within = games.where(games.number < total)
    decided = None if stop is None else stop.test.decided(watched_shares(stop, within))
    if stop is None or decided is None:
        return within
    unbroken, own = _watched(stop, within)
    last = unbroken.number[own.any(axis=1)][decided[0] - 1]
    return within.where(within.number <= last)


def is_decided(path: Path, name: str, stop: Stop | None) -> bool:
    """Has the test of a run decided by what is stored?"""
    if stop is None:
        return False
    with ResultsFile(path) as file:
        found = {run.name: run for run in file.runs()}
        return name in found and stop.test.decided(watched_shares(stop, load_games(file, found[name]))) is not None
