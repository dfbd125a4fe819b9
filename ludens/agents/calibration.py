"""Expected results as chances that come true.

A search's mean result comes from an evaluation that was tuned to tell good moves from bad ones; how much a lead is
worth, it need not know. Every game has a slope, fitted to games of agents by `experiments/calibration.py`, by which the
log-odds of a chance to win are multiplied; 1 changes nothing. Where the players at a table are a pairing that was
measured, its own slope counts, and in games whose sides differ a shift of the log-odds for the first side, which tells
chances against that opponent. Moves keep their order, and nobody plays by this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.spec import Game
from ludens.search.candidates import Analysis, Candidate, with_candidates

__all__ = [
    "FILE",
    "PAIRINGS",
    "Pairing",
    "adjusted",
    "calibrated",
    "calibrated_result",
    "chances_of",
    "pairing_of",
    "pairings",
    "sides_differ",
    "slope_of",
    "special_options",
]

FILE = Path(__file__).with_name("calibration.json")
PAIRINGS = Path(__file__).with_name("pairings.json")
_SURE = 1e-9
_NEAR = 1e-4


@dataclass(frozen=True)
class Pairing:
    """Who plays whom, and how what a search expects became true in so many games of theirs."""

    game: str
    players: int
    agents: tuple[str, ...]  # of every side
    options: Mapping[str, Any] = field(default_factory=dict)  # other than the usual ones
    slope: float = 1.0
    shift: float = 0.0  # of the first side's log-odds
    games: int = 0
    decisions: int = 0
    off: float = 0.0  # mean distance of said and come true in the tenths, on games that had no part in the fit
    tenths: tuple[tuple[float, float, float, int], ...] = ()  # said, come true, its standard error by games, how many

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def slope_of(game: Game) -> float:
    """The slope of a game; 1 for one that nobody has measured."""
    return _slopes().get(game.spec.name, 1.0)


@lru_cache(maxsize=1)
def pairings() -> tuple[Pairing, ...]:
    """The pairings that were measured."""
    listed = json.loads(PAIRINGS.read_text("utf-8")) if PAIRINGS.is_file() else []
    return tuple(
        Pairing(**{**one, "agents": tuple(one["agents"]), "tenths": tuple(map(tuple, one["tenths"]))}) for one in listed
    )


def sides_differ(game: Game, players: int) -> bool:
    """Do the sides of the game play different parts, so that they may win unequally between equals?"""
    return not all(name.startswith("Player ") for name in game.spec.seat_names(players))


def special_options(game: Game, options: np.ndarray) -> dict[str, Any]:
    """The options that are neither the usual ones nor those of all tournaments or of all tables with people."""
    usual = [game.show_options(game.options(some)) for some in ({}, game.spec.tournament, game.spec.for_people)]
    shown = game.show_options(options).items()
    return {key: value for key, value in shown if key != "players" and all(value != one[key] for one in usual)}


def pairing_of(game: Game, options: np.ndarray, agents: Sequence[str]) -> Pairing | None:
    """The measured pairing of a table with this agent on every seat, "" where a person sits; None without one.

    A person is taken for an equal of the agents, else for a beginner.
    """
    players, special = int(options[0]), special_options(game, options)
    sides, found = game.spec.sides(players), list[Pairing]()
    for one in pairings():
        same = one.game == game.spec.name and one.players == players and dict(one.options) == special
        if same and any(agents) and all(code in ("", one.agents[sides[seat]]) for seat, code in enumerate(agents)):
            found.append(one)
    return min(found, key=lambda one: (len(set(one.agents)), "beginner" not in one.agents), default=None)


@lru_cache(maxsize=1)
def _slopes() -> dict[str, float]:
    return dict(json.loads(FILE.read_text("utf-8"))) if FILE.is_file() else {}


def chances_of(results: Sequence[float], sides: Sequence[int]) -> np.ndarray:
    """Every side's chance to win by the expected results of the seats: an even share is a result of 0."""
    count = max(sides) + 1
    of_side = [[result for result, own in zip(results, sides, strict=True) if own == side] for side in range(count)]
    return np.array([(np.mean(own) * (count - 1) + 1) / count for own in of_side])


def adjusted(chances: np.ndarray, slope: float, shift: float = 0.0) -> np.ndarray:
    """Chances of all sides (the last axis) with log-ratios multiplied, the first side's shifted; they add up to one."""
    powers = np.clip(chances, _SURE, 1.0) ** slope
    powers[..., 0] *= np.exp(shift)
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def calibrated_result(
    game: Game, result: float, players: int, seat: int = 0, slope: float | None = None, shift: float = 0.0
) -> float:
    """A seat's expected result, the other sides sharing the rest evenly; by default with the game's slope."""
    sides = game.spec.sides(players)
    count = max(sides) + 1
    own = (result * (count - 1) + 1) / count
    chances = np.full(count, (1 - own) / (count - 1))
    chances[sides[seat]] = own
    told = adjusted(chances, slope_of(game) if slope is None else slope, shift)[sides[seat]]
    return float((told * count - 1) / (count - 1))


def calibrated(game: Game, analysis: Analysis, players: int, pairing: Pairing | None = None) -> Analysis:
    """The analysis with results that are chances as they come true, and doubts to fit."""
    slope, shift = (slope_of(game), 0.0) if pairing is None else (pairing.slope, pairing.shift)
    sides = game.spec.sides(players)
    if slope == 1.0 and shift == 0.0:
        return analysis

    def told(result: float) -> float:
        return calibrated_result(game, float(np.clip(result, -1, 1)), players, analysis.seat, slope, shift)

    moves: list[Candidate] = []
    for move in analysis.candidates:
        steepness = (told(move.result + _NEAR) - told(move.result - _NEAR)) / (2 * _NEAR)
        doubt, precision = min(1.0, move.doubt * steepness), min(2.0, move.precision * steepness)
        moves.append(replace(move, result=told(move.result), doubt=doubt, precision=precision))
    results = analysis.results
    if results:
        count = max(sides) + 1
        chances = adjusted(chances_of(results, sides), slope, shift)
        results = tuple(float((chances[side] * count - 1) / (count - 1)) for side in sides)
    return with_candidates(game, replace(analysis, results=results), moves)
