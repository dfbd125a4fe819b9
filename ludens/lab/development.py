"""How scores grow: the mean score of every player, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core import registry
from ludens.play.logs import scores_by_turn
from ludens.play.results import ResultsFile, Run

__all__ = ["Development", "score_development"]


@dataclass(frozen=True)
class Development:
    """Means over games; curve[player, turn] is nan where fewer than half of the player's games lasted so long."""

    names: tuple[str, ...]
    curve: np.ndarray
    games: int


def score_development(file: ResultsFile, run: Run, below: int | None = None, most: int = 1000) -> Development:
    """From the logs of at most so many games, the first ones by number; the last turn stands for the final score.

    Games from number `below` on are left out.
    """
    game = registry.game(run.game_name)
    options = game.options(run.plan["options"])
    arrangements, sides = run.plan["arrangements"], game.spec.sides(int(options[0]))
    order = list(dict.fromkeys(sides))
    total: dict[int, np.ndarray] = {}
    count: dict[int, np.ndarray] = {}
    played = 0
    for number, log in file.logs(run, below):
        if played == most:
            break
        played += 1
        scores = scores_by_turn(game, options, log)
        places = arrangements[number % len(arrangements)]
        for seat, side in enumerate(sides):
            player = places[order.index(side)]
            total[player] = _added(total.get(player), scores[:, seat])
            count[player] = _added(count.get(player), np.ones(len(scores)))
    length = max((len(one) for one in total.values()), default=0)
    curve = np.full((len(run.players), length), np.nan)
    for player, points in total.items():
        enough = count[player] >= count[player][:1] / 2
        curve[player, : len(points)][enough] = points[enough] / count[player][enough]
    return Development(tuple(run.players), curve, played)


def _added(one: np.ndarray | None, other: np.ndarray) -> np.ndarray:
    """Elementwise sum of arrays of different lengths."""
    if one is None:
        return other.copy()
    if len(one) < len(other):
        one, other = other.copy(), one
    one[: len(other)] += other
    return one
