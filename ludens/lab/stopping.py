"""Series that end when a sequential test has decided."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ludens.lab.experiment import Series
from ludens.lab.games_table import GamesTable, load_games
from ludens.play.results import ResultsFile

__all__ = ["decided_games", "is_decided", "watched_shares"]


def watched_shares(series: Series, games: GamesTable) -> np.ndarray:
    """Victories of the player whom a sequential test watches, game by game, as far as no number is missing.

    Games beside nobody but itself tell nothing and are left out; where it sits on several places, their mean counts.
    """
    unbroken, own = _watched(series, games)
    places = own[own.any(axis=1)]
    won = unbroken.victory[:, unbroken.places][own.any(axis=1)]
    return np.asarray(np.where(places, won, 0).sum(axis=1) / places.sum(axis=1))


def _watched(series: Series, games: GamesTable) -> tuple[GamesTable, np.ndarray]:
    """The games as far as no number is missing, and for each the places that the test takes."""
    assert series.stop is not None
    unbroken = games.where(games.number == np.arange(games.games))
    own = unbroken.player[:, unbroken.places] == unbroken.index(series.stop.player)
    return unbroken, own & ~own.all(axis=1, keepdims=True)


def decided_games(series: Series, games: GamesTable) -> GamesTable:
    """The games that count: where a sequential test has decided, those up to its decision, whoever played them."""
    within = games.where(games.number < series.plan.total)
    if series.stop is None:
        return within
    decided = series.stop.test.decided(watched_shares(series, within))
    if decided is None:
        return within
    unbroken, own = _watched(series, within)
    last = unbroken.number[own.any(axis=1)][decided[0] - 1]
    return within.where(within.number <= last)


def is_decided(path: Path, series: Series) -> bool:
    """Has the test of the series decided by what is stored?"""
    if series.stop is None:
        return False
    with ResultsFile(path) as file:
        found = {run.name: run for run in file.runs()}
        if series.name not in found:
            return False
        games = load_games(file, found[series.name])
        return series.stop.test.decided(watched_shares(series, games)) is not None
