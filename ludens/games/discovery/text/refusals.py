"""The Discovery: why an action is not legal now, naming the rule."""

from __future__ import annotations

from typing import Any

from ludens.games.discovery.rules.tiles import PERIOD, SIDES, TERRAINS, TILE_SET
from ludens.games.discovery.state import DRAWING, FIRST_FOLLOWER, FIRST_REGION, FOLLOWERS, OVER, PLACING
from ludens.games.discovery.text import lookup

__all__ = ["refusal"]


def refusal(s: Any, a: int) -> str:
    """Why an action is not legal now, naming the rule."""
    if s.phase == OVER:
        return "The game is over."
    if s.phase == DRAWING:
        return "A tile is being drawn (CD-7)."
    if s.phase == PLACING:
        if a >= FIRST_REGION:
            return "Place the tile first; a follower action finishes the turn (CD-7)."
        return _refuse_tile(s, a)
    if a < FIRST_REGION:
        return "The tile of this turn is placed; finish the turn with a follower action (CD-7)."
    if a < FIRST_FOLLOWER:
        return _refuse_segment(s, a - FIRST_REGION)
    count = int(s.follower_count[s.current])
    return f"There is no follower {a - FIRST_FOLLOWER + 1} to take back; {_standing(count)} (CD-10)."


def _standing(count: int) -> str:
    return "none of yours stands on the map" if count == 0 else f"yours on the map are numbered 1 to {count}"


def _refuse_tile(s: Any, a: int) -> str:
    cell, turns = divmod(a, 4)
    if cell >= s.cells:
        return f"The map has {int(s.cells)} cells where a tile may lie, none with number {cell} (CD-8)."
    kind = int(s.hand)
    x, y = lookup.cell_at(s, cell)
    if turns >= PERIOD[kind]:
        return f"This tile looks the same turned {turns % int(PERIOD[kind])} times; choose that (CD-8)."
    fitting = lookup.fitting_turns(s, kind, cell)
    scheme = TILE_SET[kind]
    for side, name in enumerate(SIDES):
        asked = int(s.cell_code[cell]) >> 2 * side & 3
        shown = scheme.terrain[scheme.sides[(side - turns) % 4]]
        if asked < len(TERRAINS) and asked != shown:
            hint = f"; there it fits turned {' or '.join(map(str, fitting))}" if fitting else ""
            return f"Side {name} of {x},{y} asks for {TERRAINS[asked]}, not {TERRAINS[shown]} (CD-8){hint}."
    return "The terrains do not agree (CD-8)."


def _refuse_segment(s: Any, segment: int) -> str:
    tile = int(s.placed) - 1
    count = len(TILE_SET[int(s.tile_kind[tile])].terrain)
    if segment >= count:
        return f"The placed tile has {count} regions, not {segment + 1} (CD-10)."
    if s.follower_count[s.current] == FOLLOWERS:
        return f"All {FOLLOWERS} followers stand on the map; take one back first (CD-10)."
    number = int(s.piece_region[lookup.piece_number(s, tile, segment)])
    if s.region_followers[number] > 0:
        return "A follower already stands on that region (CD-10)."
    same = next(k for k in range(count) if s.piece_region[lookup.piece_number(s, tile, k)] == number)
    return f"That is the same region as {same + 1}; choose {same + 1} (CD-14)."
