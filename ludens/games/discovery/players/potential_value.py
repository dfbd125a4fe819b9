"""The Discovery: the potential heuristic as a value of positions, for searches (CD-29, CD-37)."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.discovery.players.heuristics import standing, value
from ludens.games.discovery.players.settings import (
    CONSTANTS,
    POTENTIAL,
    SETTINGS_RECORD,
    WORKSPACE_RECORD,
    city_share,
)
from ludens.games.discovery.rules.tiles import TERRAINS
from ludens.games.discovery.state import FOLLOWER, Discovery

__all__ = ["POTENTIAL_SIZE", "potential_values", "potential_weights"]

POTENTIAL_SIZE = 1 + CONSTANTS.size
"""How many numbers ask for it: the weighting of CD-40, then the constants of CD-50."""

_CITY_SHARE = np.array([city_share(terrain) for terrain in range(len(TERRAINS))])


def potential_weights(weighting: int) -> np.ndarray:
    """The numbers for the constants of CD-50."""
    return np.concatenate([[float(weighting)], CONSTANTS.ravel()])


@rule
def potential_values(s: Discovery, weights: Array, out: Array) -> None:
    """Everybody's standing by the potential, divided by the number of players as the greedy one is."""
    settings, workspace, rng = np.zeros(1, SETTINGS_RECORD), np.zeros(1, WORKSPACE_RECORD), np.zeros(1, np.uint64)
    asked, worked = settings[0], workspace[0]
    asked.heuristic = POTENTIAL
    asked.weighting = int(weights[0])
    for t in range(len(TERRAINS)):
        asked.city_chance[t] = _CITY_SHARE[t]
        for i in range(3):
            for j in range(3):
                asked.constants[i, j, t] = weights[1 + (3 * i + j) * len(TERRAINS) + t]
        for x in range(4):
            asked.scale[x, t] = 1.0
    players, mover = int(s.players), int(s.current)
    if s.phase != FOLLOWER:
        mover = (mover + players - 1) % players  # the turn has passed on
    value(s, asked, worked, mover, rng)
    for p in range(players):
        out[p] = standing(worked.future, players, p) / players
