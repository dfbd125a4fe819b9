"""The Discovery: why a move is good, in the terms of the evaluation.

points: scored at once; soon: scored later on the expected line; closed: an own follower's region is closed now;
follower: a follower placed; region: an own follower's region that earns more or is easier to close; free: followers in
the hand; hindered: a follower of somebody else whose region is worth less.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import plain
from ludens.core.reasons import DENIES, Reason, strongest
from ludens.core.weights import TUNED
from ludens.games.discovery import evaluate
from ludens.games.discovery.rules.tiles import TERRAINS
from ludens.games.discovery.state import FOLLOWER, FOLLOWERS, MAX_TILES, Discovery
from ludens.games.discovery.text import lookup
from ludens.games.discovery.value_network import SIZE

__all__ = ["completes", "reasons"]

_COUNT = len(evaluate.FEATURES)
_TURNS = MAX_TILES - 1
_POINTS, _FREE = evaluate.FEATURES.index("points"), evaluate.FEATURES.index("free followers")
_follower_prospects = plain(evaluate._follower_prospects)


def completes(before: Discovery, action: int, after: Discovery) -> bool:
    """A tile and what is done with a follower are one move."""
    return bool(after.phase != FOLLOWER)


def reasons(before: Discovery, after: Discovery, end: Discovery, seat: int, weights: np.ndarray) -> tuple[Reason, ...]:
    """What the move from `before` to `after` improves for the seat, and what its line to `end` brings."""
    if len(weights) == SIZE:  # the network has no terms
        weights = evaluate.EVALUATIONS[TUNED]
    elif len(weights) != 2 * _COUNT:  # nor has the greedy heuristic, which is no evaluation
        return ()
    left = int(after.deck_left) / _TURNS

    def weight(feature: int) -> float:
        return float(weights[feature] + weights[_COUNT + feature] * left)

    points = int(after.score[seat]) - int(before.score[seat])
    soon = int(end.score[seat]) - int(after.score[seat])
    free = int(before.follower_count[seat]) - int(after.follower_count[seat])
    found = [
        Reason("points", points * weight(_POINTS), {"n": points}),
        Reason("soon", soon * weight(_POINTS), {"n": soon}),
    ]
    if free > 0:
        found.append(Reason("free", free * weight(_FREE), {"n": FOLLOWERS - int(after.follower_count[seat])}))
    stood = _standing(before, weights, left)
    for (owner, piece), now in _standing(after, weights, left).items():
        region = lookup.region_at(after, piece)
        told = {"terrain": TERRAINS[region.terrain], "n": region.points, "ends": region.open_ends}
        if (owner, piece) not in stood:
            found.append(Reason("follower", now, told))
            continue
        was = lookup.region_at(before, piece)
        gain = now - stood[owner, piece]
        if owner == seat:
            closed = region.closed and not was.closed
            found.append(Reason("closed" if closed else "region", gain, {**told, "before": was.points}))
        elif region.open_ends > was.open_ends:
            found.append(Reason("hindered", -gain, {**told, "before": was.points, "seat": owner}, DENIES))
    return strongest(found)


def _standing(s: Discovery, weights: np.ndarray, left: float) -> dict[tuple[int, int], float]:
    """What every placed follower is worth, by its seat and piece."""
    return {
        (seat, piece): float(_follower_prospects(s, int(s.piece_region[piece]), left, weights))
        for seat, _, piece in lookup.followers(s)
    }
