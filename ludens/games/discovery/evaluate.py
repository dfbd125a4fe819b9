"""The Discovery: the expected results of an unfinished position, for every seat.

A player's prospects are a weighted sum of the FEATURES below. Every weight changes evenly with the share of
the deck that is left, and the sum is divided by the points that are still uncertain: a lead of ten counts
little at the start and decides at the end. Prospects are log-odds of winning.

The heuristics of the thesis have arrays of other sizes. One number asks for the greedy one: 0 for rank first, then the
lead (CD-33, CD-34), 1 for the rank alone, as pseudocode 3 returns it (CD-R1). `players/heuristics.py` has the
potential.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.weights import VALUE_NETWORK, read_weights, tuned_beside
from ludens.games.discovery.players.heuristics import (
    POTENTIAL_SIZE,
    potential_values,
    potential_weights,
    rank_of,
    standing,
)
from ludens.games.discovery.players.settings import FIT, GEOMETRIC, PLAIN
from ludens.games.discovery.rules.scoring import counts_as_closed, points_now, region_points, terrain_of
from ludens.games.discovery.state import CLOSED, FOLLOWERS, MAX_PLAYERS, MAX_TILES, OPEN, Discovery
from ludens.games.discovery.value_network import SIZE, chances
from ludens.games.results import softmax_returns

__all__ = ["EVALUATIONS", "FEATURES", "HEURISTICS", "evaluate", "prospects"]

FEATURES = (
    "points",  # that are scored already
    "closed",  # followers on closed regions: what they earn when they are taken back
    "left over",  # followers: what they earn at the end if they stay
    "open mountains",  # followers on open regions: what they earn now
    "open grassland",
    "open sea",
    "closing mountains",  # and what closing the region would add, divided by its open ends
    "closing grassland",
    "closing sea",
    "free followers",
    "placed",  # followers on open regions
    "to move",
)
_COUNT = len(FEATURES)
_TURNS = MAX_TILES - 1


@rule
def _weight(weights: Array, feature: int, left: float) -> float:
    """The weight of a feature with this share of the deck left."""
    return float(weights[feature] + weights[_COUNT + feature] * left)


@rule
def _follower_prospects(s: Discovery, region: int, left: float, weights: Array) -> float:
    """The features of a follower on the region."""
    open_points = region_points(s, region, False)
    closed_points = region_points(s, region, True)
    if counts_as_closed(s, region):
        staying = open_points if s.final_scoring == OPEN else closed_points
        return _weight(weights, 1, left) * closed_points + _weight(weights, 2, left) * staying
    value = _weight(weights, 2, left) * (closed_points if s.final_scoring == CLOSED else open_points)
    ends = int(s.region_ends[region])
    if ends == 0:  # closed, but too small to count as such (CD-22)
        return value + _weight(weights, 1, left) * open_points
    terrain = terrain_of(s, region)
    value += _weight(weights, 3 + terrain, left) * open_points
    value += _weight(weights, 6 + terrain, left) * (closed_points - open_points) / ends
    return value + _weight(weights, 10, left)


@rule
def prospects(s: Discovery, p: int, weights: Array) -> float:
    """The weighted features of player p."""
    left = int(s.deck_left) / _TURNS
    value = _weight(weights, 0, left) * int(s.score[p])
    for k in range(int(s.follower_count[p])):
        value += _follower_prospects(s, int(s.piece_region[s.follower[p, k]]), left, weights)
    value += _weight(weights, 9, left) * (FOLLOWERS - int(s.follower_count[p]))
    if s.current == p:
        value += _weight(weights, 11, left)
    return value / (4.0 + 16.0 * math.sqrt(left))


@rule
def evaluate(s: Discovery, weights: Array, out: Array) -> None:
    """Everybody's chance to win, a softmax of the prospects, as expected returns; or the greedy vector.

    Weights of the largest size are those of the network that has learned to tell it.
    """
    if weights.shape[0] == SIZE:
        chances(s, weights, out)
        return
    if weights.shape[0] == POTENTIAL_SIZE:
        potential_values(s, weights, out)
        return
    players = int(s.players)
    if weights.shape[0] == 1:
        _greedy(s, players, bool(weights[0] != 0.0), out)
        return
    for p in range(players):
        out[p] = prospects(s, p, weights)
    softmax_returns(out, players, 1.0)


@rule
def _worth_now(s: Discovery, p: int) -> int:
    """S of CD-33: the score, and what the placed followers would earn now."""
    total = int(s.score[p])
    for k in range(int(s.follower_count[p])):
        total += points_now(s, int(s.piece_region[s.follower[p, k]]))
    return total


@rule
def _greedy(s: Discovery, players: int, rank_alone: bool, out: Array) -> None:
    """`standing` of CD-34, divided by H: the same order of moves, and of discounted sums; or the rank alone."""
    worth = np.empty(MAX_PLAYERS, np.int64)
    for p in range(players):
        worth[p] = _worth_now(s, p)
    for p in range(players):
        told = float(players - rank_of(worth, players, p, 0)) if rank_alone else standing(worth, players, p)
        out[p] = told / players


# A first row of weights for an empty deck, a second for what a full one adds.
_FIRST_GUESS = np.array(
    [
        [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.2, 0.2, 0.2, 0.7, 0.7, 0.7, 4.0, 0.0, 1.0],
    ]
).ravel()

# Fitted to 1,100 games (held-out log loss 0.476, the first guess 0.520):
# python experiments/fit_evaluation.py discovery --games 1100 --agent mcts:simulations=60,depth=4 --processes 16
_FITTED = np.array(
    [
        [2.4913, 1.3996, 1.1418, 0.9205, 1.0663, 0.151, 0.5652, 0.4722, 1.137, 2.1409, 0.9479, 2.9523],
        [-0.6748, 0.3266, -0.8053, 0.4995, 0.9526, 1.0721, 0.0833, 1.2291, 0.2949, 2.9204, 2.7879, -1.0827],
    ]
).ravel()

EVALUATIONS = {
    **tuned_beside(__file__),
    "fitted": _FITTED,
    "prospects": _FIRST_GUESS,
    VALUE_NETWORK: read_weights(Path(__file__).with_name("value_network.json")),
}
"""The game's evaluations by name (see `Rules.evaluations`)."""

HEURISTICS = {
    "greedy": np.zeros(1),
    "rank": np.ones(1),
    "potential": potential_weights(FIT),
    "potential-geometric": potential_weights(GEOMETRIC),
    "potential-plain": potential_weights(PLAIN),
}
"""The thesis' values of a position, for its searches (see `Rules.heuristics`)."""
