"""The measured strength that ships with the package: ladders and pairings, made from files of results by one command.

A game's file has `rungs` as the ladder has them, `steps` (how often a level beats the one below it) and `pairings` (how
often the first side wins with these agents and options). What was played by another code than the level of that name
has now is left out. `experiments/strength/ship.py` writes the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import named_kinds, parse_code
from ludens.core.agent import LEVELS
from ludens.core.files import read_json
from ludens.core.spec import Game
from ludens.lab.experiment import Experiment, Series
from ludens.lab.ladder import covariance_of
from ludens.lab.ratings import ELO, comparisons, fit_strengths
from ludens.lab.standings import GamesTable, load_games
from ludens.lab.statistics import share_interval
from ludens.play.results import ResultsFile
from ludens.version import __version__

__all__ = ["FOLDER", "measured", "measured_from"]

FOLDER = Path(__file__).with_name("measured")
_LEAST = 10  # games of a series that are told of


@dataclass(frozen=True)
class _Played:
    """The games of one series."""

    series: Series
    games: GamesTable
    codes: tuple[str, ...]  # of the players

    def at_sides(self) -> tuple[int, ...]:
        """The player on every side; the first table's."""
        return self.series.schedule.at_places(0)


@lru_cache(maxsize=16)
def measured(name: str) -> dict[str, Any]:
    """What ships of a game; without anything measured, empty lists."""
    path = FOLDER / f"{name}.json"
    empty = {"version": __version__, "commit": "", "rungs": [], "steps": [], "pairings": []}
    return {**empty, **read_json(path, "holds no measured strength")} if path.is_file() else empty


def measured_from(game: Game, ladder: Experiment | None, pairings: Experiment | None, commit: str) -> dict[str, Any]:
    """The document of a game, from the results of its two experiments as far as they were played."""
    steps = list(_played(game, ladder))
    told = {"game": game.spec.identity, "version": __version__, "commit": commit}
    return {
        **told,
        "rungs": _rungs(game, steps),
        "steps": [step for below, level in _neighbours() if (step := _step(steps, below, level))],
        "pairings": [_pairing(game, played) for played in _played(game, pairings)],
    }


def _played(game: Game, experiment: Experiment | None) -> Iterator[_Played]:
    """The series that have games which the present levels would have played."""
    if experiment is None or not experiment.results.exists():
        return
    with ResultsFile(experiment.results) as file:
        runs = {run.name: run for run in file.runs()}
        for one in experiment.series:
            run = runs.get(one.name)
            if run is None or run.game != game.spec.identity or one.schedule.game != game.spec.name:
                continue
            games, codes = load_games(file, run), run.plan["players"]
            used = [name for k, name in enumerate(games.names) if (games.player == k).any()]
            if games.games >= _LEAST and all(_as_now(game, name, codes[name]) for name in used):
                yield _Played(one, games, tuple(codes.values()))


def _as_now(game: Game, name: str, code: str) -> bool:
    """Does a player of this name, if it is a level's, play as the level does now?"""
    level = name if name in LEVELS else code if code in LEVELS else ""
    if level not in named_kinds(game):
        return True
    now, then = parse_code(game, level), parse_code(game, code)
    return (now[0].make, _told(now[1])) == (then[0].make, _told(then[1]))


def _told(values: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in values.items()}


def _rungs(game: Game, steps: Sequence[_Played]) -> list[dict[str, Any]]:
    """Ratings with intervals, of all who are linked by games; `random` (else the weakest) is 0, the strongest first.

    Intervals are those of the distance from `beginner`: random play loses so surely that its own place is hardly known.
    """
    every = list(dict.fromkeys(name for played in steps for name in _used(played.games)))
    all_wins = np.zeros((len(every), len(every)))
    for played in steps:
        own, places = comparisons(played.games).wins(), len(played.games.places)
        for i, j in np.argwhere(own > 0):
            one, two = (every.index(played.games.names[k]) for k in (i, j))
            all_wins[one, two] += own[i, j] / (places // 2 * ((places + 1) // 2))  # a game of four is one comparison
    linked = _linked(all_wins, every.index("random") if "random" in every else 0)
    names, wins = [every[k] for k in linked], all_wins[np.ix_(linked, linked)]
    if not names:
        return []
    ratings = np.nan_to_num(fit_strengths(wins))
    anchor = names.index("random") if "random" in names else int(ratings.argmin())
    covariance = covariance_of(wins, ratings)
    middle = names.index(LEVELS[0]) if LEVELS[0] in names else anchor
    variance = np.diag(covariance) + covariance[middle, middle] - 2 * covariance[middle]
    ratings, spread = ratings - ratings[anchor], ELO * np.sqrt(np.maximum(0, variance))
    low, high = ratings - 1.96 * spread, ratings + 1.96 * spread
    found = []
    for k, name in enumerate(names):
        tables = [played.games for played in steps if name in played.games.names]
        at = [(games, games.player == games.names.index(name)) for games in tables]
        decisions = sum(float(games.decisions[seats].sum()) for games, seats in at)
        seconds = sum(float(games.seconds[seats].sum()) for games, seats in at)
        found.append(
            {
                "agent": name,
                "rating": round(float(ratings[k]), 1),
                "low": round(float(low[k]), 1),
                "high": round(float(high[k]), 1),
                "games": sum(int(seats.any(axis=1).sum()) for _, seats in at),
                "seconds": float(f"{seconds / decisions:.3g}") if decisions else None,
                "level": name in LEVELS,
            }
        )
    return sorted(found, key=lambda rung: -float(rung["rating"]))


def _linked(wins: np.ndarray, start: int) -> list[int]:
    """Who has met the first, or somebody who has met them, and so on."""
    met, found, new = (wins + wins.T) > 0, set[int](), {start} if len(wins) else set()
    while new:
        found |= new
        new = {int(k) for one in new for k in np.flatnonzero(met[one])} - found
    return sorted(found)


def _used(games: GamesTable) -> list[str]:
    return [name for k, name in enumerate(games.names) if (games.player == k).any()]


def _neighbours() -> list[tuple[str, str]]:
    return list(zip(("random", *LEVELS), LEVELS, strict=False))


def _step(steps: Sequence[_Played], below: str, level: str) -> dict[str, Any] | None:
    """How often a level won against the one below it, on every side alike; None where they did not meet on each."""
    shares, games, even, first = [], 0, 0.5, set[int]()
    for played in steps:
        if set(_used(played.games)) == {below, level}:
            seats = played.games.player == played.games.index(level)
            one_a_side = seats[:, played.games.places]
            won = (played.games.victory[:, played.games.places] * one_a_side).sum(axis=1)
            shares.append(float(won.mean()))
            games += played.games.games
            first |= set(np.flatnonzero(one_a_side.any(axis=0)).tolist())
            even = 1 / len(played.games.places)
    if len(first) < round(1 / even):
        return None
    share = float(np.mean(shares))
    low, high = share_interval(share * games, games)
    told = {"level": level, "below": below, "games": games, "even": even}
    return {**told, "share": round(share, 4), "low": round(low, 4), "high": round(high, 4)}


def _pairing(game: Game, played: _Played) -> dict[str, Any]:
    """How often the first side won."""
    games, usual = played.games, game.show_options(game.options())
    options = game.show_options(np.array(played.series.schedule.options))
    won = float(games.victory[:, 0].sum())
    low, high = share_interval(won, games.games)
    return {
        "options": {key: value for key, value in options.items() if value != usual[key]},
        "players": int(played.series.schedule.options[0]),
        "agents": [_shown(played, player) for player in played.at_sides()],
        "games": games.games,
        "share": round(won / games.games, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _shown(played: _Played, player: int) -> str:
    """The level that a player is, else its code."""
    name = played.games.names[player]
    return name if name in LEVELS else played.codes[player]
