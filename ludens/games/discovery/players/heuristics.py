"""The Discovery: the value of a position for a player: random, greedy, potential (CD-32 … CD-40).

A player decides after placing a tile what to do with a follower. `prepare` reads the map once after the
tile; `value_after` then adds what one follower action changes, so that all actions together cost little
more than one. `value` is the same for a position where the turn has ended (CD-29).
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import uniform
from ludens.games.discovery.players.potential import begin_decision, normalised, phi, survey
from ludens.games.discovery.players.settings import (
    CONSTANTS,
    POTENTIAL,
    RANDOM,
    SETTINGS_RECORD,
    WORKSPACE_RECORD,
    Settings,
    Workspace,
    city_share,
)
from ludens.games.discovery.rules.scoring import final_points, points_now
from ludens.games.discovery.rules.tiles import TERRAINS
from ludens.games.discovery.state import FIRST_FOLLOWER, FIRST_REGION, FOLLOWER, FOLLOWERS, NOTHING, PASS, Discovery

__all__ = [
    "POTENTIAL_SIZE",
    "potential_values",
    "potential_weights",
    "prepare",
    "rank_of",
    "standing",
    "value",
    "value_after",
]


@rule
def standing(worth: Array, players: int, p: int) -> float:
    """(H - rank) + d / 1000: rank first, then the lead, or minus the gap to the next one above (CD-34)."""
    mine = worth[p]
    rank = 1
    above = 0.0
    best_other = 0.0
    others = 0
    for q in range(players):
        if q == p:
            continue
        if worth[q] > mine:
            if rank == 1 or worth[q] < above:
                above = worth[q]
            rank += 1
        if others == 0 or worth[q] > best_other:
            best_other = worth[q]
        others += 1
    gap = mine - best_other if rank == 1 else mine - above
    return float(players - rank + gap / 1000.0)


@rule
def rank_of(worth: Array, players: int, p: int, gain: int) -> int:
    """The rank of player p, who gains so much (CD-34)."""
    rank = 1
    for q in range(players):
        if q != p and worth[q] > worth[p] + gain:
            rank += 1
    return rank


@rule
def _staying(s: Discovery, settings: Settings, workspace: Workspace, region: int) -> float:
    """What a follower on the region is worth if it stays there."""
    if settings.terminal_aware and s.deck_left == 0:
        return float(final_points(s, region))  # CD-35
    if settings.heuristic == POTENTIAL:
        return phi(s, settings, workspace, region)
    return float(points_now(s, region))


@rule
def prepare(s: Discovery, settings: Settings, workspace: Workspace) -> None:
    """Every player's worth with the followers as they stand, and for the potential the regions still to be had."""
    if settings.heuristic == RANDOM:
        return
    if settings.heuristic == POTENTIAL:
        survey(s, workspace)
    for p in range(s.players):
        total = float(s.score[p])
        for k in range(s.follower_count[p]):
            region = int(s.piece_region[s.follower[p, k]])
            workspace.stay[region] = _staying(s, settings, workspace, region)
            total += workspace.stay[region]
        workspace.worth[p] = total
    if settings.heuristic == POTENTIAL:
        _rank_regions(s, settings, workspace)


@rule
def _rank_regions(s: Discovery, settings: Settings, workspace: Workspace) -> None:
    """The occupiable regions by weight, heaviest first: what the heap of CD-37 would give."""
    count = 0
    for region in range(s.pieces):
        if s.piece_region[region] != region or s.region_ends[region] == 0 or s.region_followers[region] > 0:
            continue
        workspace.stay[region] = _staying(s, settings, workspace, region)
        weight = normalised(s, settings, workspace, region, workspace.stay[region])
        workspace.weight[region] = weight
        at = count
        while at > 0 and workspace.weight[workspace.ranking[at - 1]] < weight:
            workspace.ranking[at] = workspace.ranking[at - 1]
            at -= 1
        workspace.ranking[at] = region
        count += 1
    workspace.ranked = count


@rule
def _future(s: Discovery, workspace: Workspace, p: int, without: int, extra: float) -> None:
    """Plays out who occupies what (CD-37, step 5): `without` is no longer to be had, `extra` (if > 0) newly is."""
    players = int(s.players)
    at = 0
    mover = (p + 1) % players
    for _ in range(s.deck_left):
        if at < workspace.ranked and workspace.ranking[at] == without:
            at += 1
        if at >= workspace.ranked and extra <= 0.0:
            break
        if workspace.free[mover] == 0:
            workspace.free[mover] += 1
        else:
            workspace.free[mover] -= 1
            if at >= workspace.ranked or extra > workspace.weight[workspace.ranking[at]]:
                workspace.future[mover] += extra
                extra = 0.0
            else:
                workspace.future[mover] += workspace.weight[workspace.ranking[at]]
                at += 1
        mover = (mover + 1) % players


@rule
def value_after(s: Discovery, settings: Settings, workspace: Workspace, p: int, a: int, rng: Array) -> float:
    """The heuristic's value for p after follower action a; `prepare` must have read this position."""
    if settings.heuristic == RANDOM:
        return uniform(rng)  # CD-32
    for q in range(s.players):
        workspace.future[q] = workspace.worth[q]
        workspace.free[q] = FOLLOWERS - int(s.follower_count[q])
    without = NOTHING
    extra = 0.0
    if a < FIRST_FOLLOWER:
        region = int(s.piece_region[int(s.tile_piece[int(s.placed) - 1]) + a - FIRST_REGION])
        if settings.heuristic != POTENTIAL or s.region_ends[region] == 0:
            workspace.stay[region] = _staying(s, settings, workspace, region)
        workspace.future[p] += workspace.stay[region]
        workspace.free[p] -= 1
        without = region
    elif a < PASS:
        region = int(s.piece_region[s.follower[p, a - FIRST_FOLLOWER]])
        workspace.future[p] += points_now(s, region) - workspace.stay[region]
        workspace.free[p] += 1
        if settings.heuristic == POTENTIAL and s.region_followers[region] == 1 and s.region_ends[region] > 0:
            extra = normalised(s, settings, workspace, region, workspace.stay[region])
    if settings.heuristic == POTENTIAL:
        _future(s, workspace, p, without, extra)
    return standing(workspace.future, int(s.players), p)


# --- values of positions (CD-29) ----------------------------------------------------------


@rule
def value(s: Discovery, settings: Settings, workspace: Workspace, p: int, rng: Array) -> float:
    """The value of a position for player p, who has just moved."""
    begin_decision(s, settings, workspace)
    prepare(s, settings, workspace)
    return value_after(s, settings, workspace, p, PASS, rng)


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
