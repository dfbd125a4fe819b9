"""The Discovery: the one-ply value of every move by an evaluation, tile and follower together."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array, Records
from ludens.games.discovery.evaluate import evaluate
from ludens.games.discovery.frontier import survey
from ludens.games.discovery.players.one_step import ROOM
from ludens.games.discovery.rules.followers import follower_actions
from ludens.games.discovery.rules.verbs import apply, place_tile, returns
from ludens.games.discovery.state import FIRST_FOLLOWER, FOLLOWER, MAX_PLAYERS, NOTHING, PASS, PLACING, Discovery
from ludens.games.discovery.value_network import SIZE, WORKSPACE, chances_after

__all__ = ["one_ply_values"]

_WORST = -1e300


@rule
def one_ply_values(
    s: Discovery, legal: Array, n: int, weights: Array, agent_state: Array, scratch: Records[Discovery],
    values: Array, out: Array,
) -> None:  # fmt: skip
    """See `core.verbs`: a tile has the value of the best follower move after it."""
    p = int(s.current)
    options, told, seen = np.empty(ROOM, np.int64), np.empty(MAX_PLAYERS), np.empty(WORKSPACE)
    placing = s.phase == PLACING
    for k in range(n if placing else 1):
        scratch[0] = s
        w = scratch[0]
        if placing:
            place_tile(w, int(legal[k]))
        regions = survey(w, seen) if weights.shape[0] == SIZE else 0  # the same for all follower moves
        best = _WORST
        for j in range(follower_actions(w, options)):
            _after(w, int(options[j]), weights, scratch, seen, regions, told)
            best = max(best, told[p])
            if not placing:
                out[j] = told[p]
        if placing:
            out[k] = best


@rule
def _after(
    w: Discovery, a: int, weights: Array, scratch: Records[Discovery], seen: Array, regions: int, told: Array
) -> None:
    """The results expected after the follower move, which is played on w and taken back, unless it ends the game."""
    if w.deck_left == 0:
        scratch[1] = w
        apply(scratch[1], a)
        returns(scratch[1], told)
        return
    p = int(w.current)
    score, piece = int(w.score[p]), int(w.follower[p, a - FIRST_FOLLOWER]) if FIRST_FOLLOWER <= a < PASS else 0
    apply(w, a)
    if weights.shape[0] == SIZE:
        chances_after(w, seen, regions, weights, told)
    else:
        evaluate(w, weights, told)
    w.current, w.phase, w.score[p] = p, FOLLOWER, score
    if a < FIRST_FOLLOWER:
        _take_back(w, p)
    elif a < PASS:
        _put_back(w, p, a - FIRST_FOLLOWER, piece)


@rule
def _take_back(w: Discovery, p: int) -> None:
    """Undoes placing the youngest follower."""
    k = int(w.follower_count[p]) - 1
    w.region_followers[w.piece_region[w.follower[p, k]]] -= 1
    w.follower_count[p] = k
    w.follower[p, k] = NOTHING


@rule
def _put_back(w: Discovery, p: int, k: int, piece: int) -> None:
    """Undoes taking the k-th follower, which stood on that piece."""
    for j in range(int(w.follower_count[p]), k, -1):
        w.follower[p, j] = w.follower[p, j - 1]
    w.follower[p, k] = piece
    w.follower_count[p] += 1
    w.region_followers[w.piece_region[piece]] += 1
