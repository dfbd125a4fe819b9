"""The Discovery: the turn that the greedy heuristic likes best, without trying every follower move on a map of its own.

Followers do not change the map: once a tile lies, every follower's worth is read once, and each follower move only
adds or takes one number (CD-30, CD-33, CD-34).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.games.discovery.players.heuristics import standing
from ludens.games.discovery.rules.followers import follower_actions
from ludens.games.discovery.rules.map import join_tile
from ludens.games.discovery.rules.scoring import final_points, points_now
from ludens.games.discovery.rules.tiles import fitting_turns
from ludens.games.discovery.state import FIRST_FOLLOWER, FIRST_REGION, PASS, PLACING

__all__ = ["best_turn"]


@rule
def _staying(s: Any, region: int) -> int:
    """What a follower that stays counts: after the last tile, what it earns at the end."""
    return int(final_points(s, region)) if s.deck_left == 0 else int(points_now(s, region))


@rule
def best_turn(s: Any, weights: Any, scratch: Any, worth: Any, out: Any) -> int:
    """The verb, for the greedy heuristic before the tile is placed; the first of equally good turns."""
    if weights.shape[0] != 1 or s.phase != PLACING:
        return 0
    players, p, kind = int(s.players), int(s.current), int(s.hand)
    best = -np.inf
    tile_move, follower_move, tried = -1, -1, 0
    for cell in range(int(s.cells)):
        fitting = fitting_turns(kind, int(s.cell_code[cell]))
        for turns in range(4):
            if not fitting >> turns & 1:
                continue
            scratch[0] = s
            w = scratch[0]
            join_tile(w, kind, turns, int(s.cell_tiles[cell]))
            for q in range(players):
                total = int(w.score[q])
                for k in range(int(w.follower_count[q])):
                    total += _staying(w, int(w.piece_region[w.follower[q, k]]))
                worth[q] = total
            before = worth[p]
            moves = follower_actions(w, out)
            tried += moves
            for j in range(moves):
                a = int(out[j])
                if a < FIRST_FOLLOWER:
                    first = int(w.tile_piece[int(w.placed) - 1])
                    worth[p] = before + _staying(w, int(w.piece_region[first + a - FIRST_REGION]))
                elif a < PASS:
                    region = int(w.piece_region[w.follower[p, a - FIRST_FOLLOWER]])
                    worth[p] = before + points_now(w, region) - _staying(w, region)
                else:
                    worth[p] = before
                value = standing(worth, players, p)
                if value > best:
                    best = value
                    tile_move, follower_move = 4 * cell + turns, a
    out[0], out[1], out[2] = tile_move, follower_move, tried
    return 2
