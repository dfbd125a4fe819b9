"""The Discovery: followers are placed, taken back and scored (CD-10)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.discovery.rules.scoring import points_now
from ludens.games.discovery.rules.tiles import SEGMENTS
from ludens.games.discovery.state import FIRST_FOLLOWER, FIRST_REGION, FOLLOWERS, NOTHING, PASS, Discovery

__all__ = ["follower_actions", "move_follower", "place_follower", "take_follower"]


@rule
def follower_actions(s: Discovery, out: Array) -> int:
    """Place, take back, pass (CD-10). Segments that have joined are one region: the first one stands for it."""
    n = 0
    p = int(s.current)
    if s.follower_count[p] < FOLLOWERS:
        tile = int(s.placed) - 1
        first = int(s.tile_piece[tile])
        for segment in range(int(SEGMENTS[s.tile_kind[tile]])):
            region = int(s.piece_region[first + segment])
            if s.region_followers[region] == 0 and not _met_before(s, first, segment, region):
                out[n] = FIRST_REGION + segment
                n += 1
    for k in range(int(s.follower_count[p])):
        out[n] = FIRST_FOLLOWER + k
        n += 1
    out[n] = PASS
    return n + 1


@rule
def _met_before(s: Discovery, first: int, segment: int, region: int) -> bool:
    for piece in range(first, first + segment):
        if s.piece_region[piece] == region:
            return True
    return False


@rule
def move_follower(s: Discovery, a: int) -> None:
    """The follower action alone, without the end of the turn (CD-10)."""
    p = int(s.current)
    if a < FIRST_FOLLOWER:
        place_follower(s, p, int(s.tile_piece[int(s.placed) - 1]) + a - FIRST_REGION)
    elif a < PASS:
        k = a - FIRST_FOLLOWER
        s.score[p] += points_now(s, int(s.piece_region[s.follower[p, k]]))
        take_follower(s, p, k)


@rule
def place_follower(s: Discovery, p: int, piece: int) -> None:
    s.follower[p, s.follower_count[p]] = piece
    s.follower_count[p] += 1
    s.region_followers[s.piece_region[piece]] += 1


@rule
def take_follower(s: Discovery, p: int, k: int) -> None:
    """Takes a follower off the map without scoring; the younger ones move up."""
    s.region_followers[s.piece_region[s.follower[p, k]]] -= 1
    s.follower_count[p] -= 1
    for j in range(k, int(s.follower_count[p])):
        s.follower[p, j] = s.follower[p, j + 1]
    s.follower[p, s.follower_count[p]] = NOTHING
