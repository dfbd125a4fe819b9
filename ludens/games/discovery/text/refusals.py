"""The Discovery: why an action is not legal now, naming the rule."""

from __future__ import annotations

from ludens.games.discovery.rules.tiles import PERIOD, SIDES, TERRAINS, TILE_SET
from ludens.games.discovery.state import DRAWING, FIRST_FOLLOWER, FIRST_REGION, FOLLOWERS, OVER, PLACING, Discovery
from ludens.games.discovery.text import lookup
from ludens.i18n.messages import say

__all__ = ["refusal"]


def refusal(s: Discovery, a: int) -> str:
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
    missing = "There is no follower {n} to take back; {standing} (CD-10)."
    return say(missing, n=a - FIRST_FOLLOWER + 1, standing=_standing(count))


def _standing(count: int) -> str:
    if count == 0:
        return say("none of yours stands on the map")
    return say("yours on the map are numbered 1 to {n}", n=count)


def _refuse_tile(s: Discovery, a: int) -> str:
    cell, turns = divmod(a, 4)
    if cell >= s.cells:
        return say(
            "The map has {n} cells where a tile may lie, none with number {cell} (CD-8).", n=int(s.cells), cell=cell
        )
    kind = int(s.hand)
    x, y = lookup.cell_at(s, cell)
    if turns >= PERIOD[kind]:
        return say("This tile looks the same turned {n} times; choose that (CD-8).", n=turns % int(PERIOD[kind]))
    fitting = lookup.fitting_turns(s, kind, cell)
    scheme = TILE_SET[kind]
    for side, name in enumerate(SIDES):
        asked = int(s.cell_code[cell]) >> 2 * side & 3
        shown = scheme.terrain[scheme.sides[(side - turns) % 4]]
        if asked < len(TERRAINS) and asked != shown:
            turned = " or ".join(map(str, fitting))
            hint = say("; there it fits turned {turned}", turned=turned) if fitting else ""
            sides = {"side": name, "place": f"{x},{y}", "asked": TERRAINS[asked], "shown": TERRAINS[shown]}
            return say("Side {side} of {place} asks for {asked}, not {shown} (CD-8){hint}.", hint=hint, **sides)
    return "The terrains do not agree (CD-8)."


def _refuse_segment(s: Discovery, segment: int) -> str:
    tile = int(s.placed) - 1
    count = len(TILE_SET[int(s.tile_kind[tile])].terrain)
    if segment >= count:
        return say("The placed tile has {n} regions, not {asked} (CD-10).", n=count, asked=segment + 1)
    if s.follower_count[s.current] == FOLLOWERS:
        return say("All {n} followers stand on the map; take one back first (CD-10).", n=FOLLOWERS)
    number = int(s.piece_region[lookup.piece_number(s, tile, segment)])
    if s.region_followers[number] > 0:
        return "A follower already stands on that region (CD-10)."
    same = next(k for k in range(count) if s.piece_region[lookup.piece_number(s, tile, k)] == number)
    return say("That is the same region as {n}; choose {n} (CD-14).", n=same + 1)
