"""A series of games that any process can play a part of, and what processes need for it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from ludens.core import registry
from ludens.core.rng import GAME_SEED, generator
from ludens.core.weights import given_weights
from ludens.play.game import Outcome, play_game
from ludens.play.lineup import Lineup

__all__ = [
    "MOST_GAMES",
    "SINGLE_THREADED",
    "Series",
    "game_seed",
    "play_index",
    "reachable",
    "starting_quietly",
]

MOST_GAMES = 10**7
"""Games of a series: more would not fit the memory that their statistics take."""
SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""What tells libraries to use one thread: the games use the cores."""


@dataclass(frozen=True)
class Series:
    """All that determines a series of games; small and picklable, so that any process can play a part."""

    game: str
    options: tuple[int, ...]
    agents: tuple[Any, ...]  # codes; classes and agents given in Python that other processes cannot find
    lineup: Lineup
    seed: int
    thoughts: bool = False  # are the agents asked what they thought?
    evaluations: tuple[tuple[str, tuple[float, ...]], ...] = ()  # weights that the codes name and nobody else knows


def game_seed(seed: int, index: int) -> int:
    """The seed of game number `index` of a series."""
    return int(generator(seed, GAME_SEED, index)[0]) >> 11


def play_index(series: Series, index: int, watch: Callable[[int], None] | None = None) -> Outcome:
    """Plays game number `index` of the series; `watch` is told the number of choices after each."""
    codes = [series.agents[agent] for agent in series.lineup.at_seats(index)]
    options = np.array(series.options, np.int64)
    with given_weights(dict(series.evaluations)):
        game, seed = registry.game(series.game), game_seed(series.seed, index)
        return play_game(game, options, codes, seed, series.thoughts, watch=watch)


def reachable(game: str) -> bool:
    """Can a new process find this game? (not if it was only registered in this one)"""
    return game in registry.BUILT_IN or any(point.name == game for point in entry_points(group="ludens.games"))


@contextmanager
def starting_quietly() -> Iterator[None]:
    """While processes start: they inherit deaf ears for Ctrl-C and one thread each for numerics."""
    main = threading.current_thread() is threading.main_thread()
    before = {name: os.environ.get(name) for name in SINGLE_THREADED}
    os.environ.update(dict.fromkeys(SINGLE_THREADED, "1"))
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, handler)
        _restore(before.items())


def _restore(variables: Iterable[tuple[str, str | None]]) -> None:
    for name, value in variables:
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
