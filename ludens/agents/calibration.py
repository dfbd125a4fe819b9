"""Expected results as chances that come true.

A search's mean result comes from an evaluation that was tuned to tell good moves from bad ones; how much a lead is
worth, it need not know. Every game has a slope, fitted to games of agents by `experiments/calibration.py`, by which the
log-odds of a chance to win are multiplied; 1 changes nothing. Moves keep their order, and nobody plays by this.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from ludens.core.spec import Game
from ludens.search.candidates import Analysis, Candidate, with_candidates

__all__ = ["FILE", "calibrated", "calibrated_result", "chances_of", "sharpened", "slope_of"]

FILE = Path(__file__).with_name("calibration.json")
_SURE = 1e-9
_NEAR = 1e-4


def slope_of(game: Game) -> float:
    """The slope of a game; 1 for one that nobody has measured."""
    return _slopes().get(game.spec.name, 1.0)


@lru_cache(maxsize=1)
def _slopes() -> dict[str, float]:
    return dict(json.loads(FILE.read_text("utf-8"))) if FILE.is_file() else {}


def chances_of(results: Sequence[float], sides: Sequence[int]) -> np.ndarray:
    """Every side's chance to win by the expected results of the seats: an even share is a result of 0."""
    count = max(sides) + 1
    of_side = [[result for result, own in zip(results, sides, strict=True) if own == side] for side in range(count)]
    return np.array([(np.mean(own) * (count - 1) + 1) / count for own in of_side])


def sharpened(chances: np.ndarray, slope: float) -> np.ndarray:
    """Chances of all sides (the last axis) with their log-ratios multiplied; they add up to one."""
    powers = np.clip(chances, _SURE, 1.0) ** slope
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def calibrated_result(game: Game, result: float, players: int) -> float:
    """One seat's expected result, the other sides sharing the rest of the chance evenly."""
    count = max(game.spec.sides(players)) + 1
    own = (result * (count - 1) + 1) / count
    chances = np.array([own, *[(1 - own) / (count - 1)] * (count - 1)])
    return float((sharpened(chances, slope_of(game))[0] * count - 1) / (count - 1))


def calibrated(game: Game, analysis: Analysis, players: int) -> Analysis:
    """The analysis with results that are chances as they come true, and doubts to fit."""
    slope, sides = slope_of(game), game.spec.sides(players)
    if slope == 1.0:
        return analysis
    moves: list[Candidate] = []
    for move in analysis.candidates:
        near = [calibrated_result(game, float(np.clip(move.result + d, -1, 1)), players) for d in (-_NEAR, _NEAR)]
        steepness = (near[1] - near[0]) / (2 * _NEAR)
        result = calibrated_result(game, move.result, players)
        doubt, precision = min(1.0, move.doubt * steepness), min(2.0, move.precision * steepness)
        moves.append(replace(move, result=result, doubt=doubt, precision=precision))
    results = analysis.results
    if results:
        count = max(sides) + 1
        chances = sharpened(chances_of(results, sides), slope)
        results = tuple(float((chances[side] * count - 1) / (count - 1)) for side in sides)
    return with_candidates(game, replace(analysis, results=results), moves)
