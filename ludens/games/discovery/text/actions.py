"""The Discovery: actions as text and JSON, and back; draws as text.

Coordinates are relative to the start tile, x eastwards, y northwards: `3,-1`. A tile move reads
`tile 3,-1 turned 2` (quarter turns clockwise; `3,-1 2` is enough). A follower goes on a region of the
tile just placed by `follower 2`, comes back by `remove 1`, stays where it is by `pass`; people count
regions and followers from 1, ids and JSON from 0. What stands in parentheses explains and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ludens.core.errors import BadInput, IllegalMove, checked_index
from ludens.games.discovery.rules.tiles import PERIOD, TERRAINS, TILE_SET
from ludens.games.discovery.state import (
    FIRST_FOLLOWER,
    FIRST_REGION,
    FOLLOWER,
    FOLLOWERS,
    MAX_CELLS,
    MAX_SEGMENTS,
    NOTHING,
    OVER,
    PASS,
    Discovery,
)
from ludens.games.discovery.text import lookup

__all__ = ["action_from_json", "action_from_text", "action_to_json", "action_to_text", "chance_to_text"]

_HELP = "a move reads 'tile x,y turned n', 'follower n', 'remove n' or 'pass'"
_TILE = re.compile(r"(?:tile|at)?\s*(-?\d{1,3})\s*[,; ]\s*(-?\d{1,3})(?:\s+(?:turned)?\s*([0-3]))?")
_CELL = re.compile(r"cell\s+(\d{1,3})\s+turned\s+([0-3])")
_COUNTED = re.compile(r"(follower|remove)\s+(?:on\s+)?([1-9])")


def action_to_text(s: Discovery, a: int) -> str:
    if a == PASS:
        return "pass"
    if a >= FIRST_FOLLOWER:
        k = a - FIRST_FOLLOWER
        return f"remove {k + 1}{_about_follower(s, k)}"
    if a >= FIRST_REGION:
        segment = a - FIRST_REGION
        return f"follower {segment + 1}{_about_segment(s, segment)}"
    cell, turns = divmod(a, 4)
    if cell >= s.cells:
        return f"cell {cell} turned {turns}"
    x, y = lookup.cell_at(s, cell)
    return f"tile {x},{y} turned {turns}"


def _about_segment(s: Discovery, segment: int) -> str:
    tile = int(s.placed) - 1
    scheme = TILE_SET[int(s.tile_kind[tile])]
    if s.phase != FOLLOWER or segment >= len(scheme.terrain):
        return ""
    sides = lookup.side_names(s, tile, segment) or ["enclosed"]
    return f" ({TERRAINS[scheme.terrain[segment]]}, {' and '.join(sides)})"


def _about_follower(s: Discovery, k: int) -> str:
    p = int(s.current)
    if s.phase != FOLLOWER or k >= s.follower_count[p]:
        return ""
    piece = int(s.follower[p, k])
    region = lookup.region_at(s, piece, ())
    tile = lookup.place_of(s, piece)[0]
    where = f"{int(s.tile_x[tile])},{int(s.tile_y[tile])}"
    return f" ({TERRAINS[region.terrain]} at {where}, {_points(region.points)})"


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def action_from_text(s: Discovery, text: str) -> int:
    words = re.sub(r"\([^()]*\)", "", text).strip().lower()
    if words == "pass":
        return PASS
    if found := _COUNTED.fullmatch(words):
        number = int(found[2]) - 1
        if found[1] == "remove":
            return FIRST_FOLLOWER + checked_index(number, FOLLOWERS, "A follower", 1)
        return FIRST_REGION + checked_index(number, MAX_SEGMENTS, "A region", 1)
    if found := _CELL.fullmatch(words):
        return 4 * checked_index(int(found[1]), MAX_CELLS, "cell") + int(found[2])
    if found := _TILE.fullmatch(words):
        return _tile_action(s, int(found[1]), int(found[2]), int(found[3] or 0))
    raise BadInput(f"{text!r} is not a move; {_HELP}.")


def _tile_action(s: Discovery, x: int, y: int, turns: int) -> int:
    """The id of a placement; a symmetric tile looks the same after fewer turns."""
    cell = lookup.cell_index(s, x, y)
    if s.phase == OVER:
        raise IllegalMove("The game is over.")
    if s.phase == FOLLOWER:
        raise IllegalMove("The tile of this turn is placed; finish the turn with a follower action (CD-7).")
    if cell is None:
        if lookup.tile_at(s, x, y) is not None:
            raise IllegalMove(f"There is a tile at {x},{y} already; a tile goes on an empty cell (CD-8).")
        raise IllegalMove(f"No placed tile shares a side with {x},{y} (CD-8).")
    return 4 * cell + (turns % int(PERIOD[s.hand]) if s.hand != NOTHING else turns)


def action_to_json(s: Discovery, a: int) -> dict[str, Any]:
    if a == PASS:
        return {"type": "pass"}
    if a >= FIRST_FOLLOWER:
        return {"type": "remove", "follower": a - FIRST_FOLLOWER}
    if a >= FIRST_REGION:
        return {"type": "follower", "segment": a - FIRST_REGION}
    cell, turns = divmod(a, 4)
    if cell >= s.cells:
        return {"type": "tile", "cell": cell, "turns": turns}
    x, y = lookup.cell_at(s, cell)
    return {"type": "tile", "x": x, "y": y, "turns": turns}


def action_from_json(s: Discovery, data: Mapping[str, Any]) -> int:
    kind, keys = data.get("type"), set(data) - {"type"}
    if kind == "pass" and not keys:
        return PASS
    if kind == "remove" and keys == {"follower"}:
        return FIRST_FOLLOWER + checked_index(data["follower"], FOLLOWERS, "follower")
    if kind == "follower" and keys == {"segment"}:
        return FIRST_REGION + checked_index(data["segment"], MAX_SEGMENTS, "segment")
    if kind == "tile" and keys == {"cell", "turns"}:
        return 4 * checked_index(data["cell"], MAX_CELLS, "cell") + checked_index(data["turns"], 4, "turns")
    if kind == "tile" and keys == {"x", "y", "turns"}:
        for axis in ("x", "y"):
            if isinstance(data[axis], bool) or not isinstance(data[axis], int):
                raise BadInput(f"{axis} must be a whole number, not {data[axis]!r}.")
        return _tile_action(s, data["x"], data["y"], checked_index(data["turns"], 4, "turns"))
    raise BadInput(
        'A move is {"type": "tile", "x", "y", "turns"}, {"type": "follower", "segment"}, '
        '{"type": "remove", "follower"} or {"type": "pass"}.'
    )


def chance_to_text(s: Discovery, outcome: int) -> str:
    return f"draw {TILE_SET[outcome].name}"
