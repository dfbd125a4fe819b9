"""The Discovery: actions, events and refusals as text and JSON, and back.

Coordinates are relative to the start tile, x eastwards, y northwards: `3,-1`. A tile move reads
`tile 3,-1 turned 2` (quarter turns clockwise; `3,-1 2` is enough). A follower goes on a region of the
tile just placed by `follower 2`, comes back by `remove 1`, stays where it is by `pass`; people count
regions and followers from 1, ids and JSON from 0. What stands in parentheses explains and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core.errors import BadInput, IllegalMove
from ludens.games.discovery import reading
from ludens.games.discovery.pictures import position_to_json, position_to_text, static_to_json
from ludens.games.discovery.state import (
    DRAWING,
    FIRST_FOLLOWER,
    FIRST_REGION,
    FOLLOWER,
    FOLLOWERS,
    MAX_CELLS,
    MAX_SEGMENTS,
    NOTHING,
    OVER,
    PASS,
    PLACING,
    RETURN,
)
from ludens.games.discovery.tiles import PERIOD, SIDES, TERRAINS, TILE_SET

__all__ = [
    "action_from_json",
    "action_from_text",
    "action_to_json",
    "action_to_text",
    "chance_to_text",
    "events",
    "narrate",
    "position_to_json",
    "position_to_text",
    "refusal",
    "static_to_json",
]

_HELP = "a move reads 'tile x,y turned n', 'follower n', 'remove n' or 'pass'"
_TILE = re.compile(r"(?:tile|at)?\s*(-?\d{1,3})\s*[,; ]\s*(-?\d{1,3})(?:\s+(?:turned)?\s*([0-3]))?")
_CELL = re.compile(r"cell\s+(\d{1,3})\s+turned\s+([0-3])")
_COUNTED = re.compile(r"(follower|remove)\s+(?:on\s+)?([1-9])")


# --- actions ------------------------------------------------------------------------------


def action_to_text(s: Any, a: int) -> str:
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
    x, y = reading.cell_at(s, cell)
    return f"tile {x},{y} turned {turns}"


def _about_segment(s: Any, segment: int) -> str:
    tile = int(s.placed) - 1
    scheme = TILE_SET[int(s.tile_kind[tile])]
    if s.phase != FOLLOWER or segment >= len(scheme.terrain):
        return ""
    sides = reading.side_names(s, tile, segment) or ["enclosed"]
    return f" ({TERRAINS[scheme.terrain[segment]]}, {' and '.join(sides)})"


def _about_follower(s: Any, k: int) -> str:
    p = int(s.current)
    if s.phase != FOLLOWER or k >= s.follower_count[p]:
        return ""
    piece = int(s.follower[p, k])
    region = reading.region_at(s, piece, ())
    tile = reading.place_of(s, piece)[0]
    where = f"{int(s.tile_x[tile])},{int(s.tile_y[tile])}"
    return f" ({TERRAINS[region.terrain]} at {where}, {_points(region.points)})"


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def action_from_text(s: Any, text: str) -> int:
    words = re.sub(r"\([^)]*\)", "", text).strip().lower()
    if words == "pass":
        return PASS
    if found := _COUNTED.fullmatch(words):
        number = int(found[2]) - 1
        if found[1] == "remove":
            return FIRST_FOLLOWER + _index(number, FOLLOWERS, "A follower", 1)
        return FIRST_REGION + _index(number, MAX_SEGMENTS, "A region", 1)
    if found := _CELL.fullmatch(words):
        return 4 * _index(int(found[1]), MAX_CELLS, "cell") + int(found[2])
    if found := _TILE.fullmatch(words):
        return _tile_action(s, int(found[1]), int(found[2]), int(found[3] or 0))
    raise BadInput(f"{text!r} is not a move; {_HELP}.")


def _tile_action(s: Any, x: int, y: int, turns: int) -> int:
    """The id of a placement; a symmetric tile looks the same after fewer turns."""
    cell = reading.cell_index(s, x, y)
    if s.phase == OVER:
        raise IllegalMove("The game is over.")
    if s.phase == FOLLOWER:
        raise IllegalMove("The tile of this turn is placed; finish the turn with a follower action (CD-7).")
    if cell is None:
        if reading.tile_at(s, x, y) is not None:
            raise IllegalMove(f"There is a tile at {x},{y} already; a tile goes on an empty cell (CD-8).")
        raise IllegalMove(f"No placed tile shares a side with {x},{y} (CD-8).")
    return 4 * cell + (turns % int(PERIOD[s.hand]) if s.hand != NOTHING else turns)


def action_to_json(s: Any, a: int) -> dict[str, Any]:
    if a == PASS:
        return {"type": "pass"}
    if a >= FIRST_FOLLOWER:
        return {"type": "remove", "follower": a - FIRST_FOLLOWER}
    if a >= FIRST_REGION:
        return {"type": "follower", "segment": a - FIRST_REGION}
    cell, turns = divmod(a, 4)
    if cell >= s.cells:
        return {"type": "tile", "cell": cell, "turns": turns}
    x, y = reading.cell_at(s, cell)
    return {"type": "tile", "x": x, "y": y, "turns": turns}


def action_from_json(s: Any, data: Mapping[str, Any]) -> int:
    kind, keys = data.get("type"), set(data) - {"type"}
    if kind == "pass" and not keys:
        return PASS
    if kind == "remove" and keys == {"follower"}:
        return FIRST_FOLLOWER + _index(data["follower"], FOLLOWERS, "follower")
    if kind == "follower" and keys == {"segment"}:
        return FIRST_REGION + _index(data["segment"], MAX_SEGMENTS, "segment")
    if kind == "tile" and keys == {"cell", "turns"}:
        return 4 * _index(data["cell"], MAX_CELLS, "cell") + _index(data["turns"], 4, "turns")
    if kind == "tile" and keys == {"x", "y", "turns"}:
        for axis in ("x", "y"):
            if isinstance(data[axis], bool) or not isinstance(data[axis], int):
                raise BadInput(f"{axis} must be a whole number, not {data[axis]!r}.")
        return _tile_action(s, data["x"], data["y"], _index(data["turns"], 4, "turns"))
    raise BadInput(
        'A move is {"type": "tile", "x", "y", "turns"}, {"type": "follower", "segment"}, '
        '{"type": "remove", "follower"} or {"type": "pass"}.'
    )


def _index(value: Any, count: int, what: str, first: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        shown = value + first if isinstance(value, int) and not isinstance(value, bool) else repr(value)
        raise BadInput(f"{what} must be a whole number from {first} to {count - 1 + first}, not {shown}.")
    return value


def chance_to_text(s: Any, outcome: int) -> str:
    return f"draw {TILE_SET[outcome].name}"


# --- refusals -----------------------------------------------------------------------------


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
    x, y = reading.cell_at(s, cell)
    if turns >= PERIOD[kind]:
        return f"This tile looks the same turned {turns % int(PERIOD[kind])} times; choose that (CD-8)."
    fitting = reading.fitting_turns(s, kind, cell)
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
    number = int(s.piece_region[reading.piece_number(s, tile, segment)])
    if s.region_followers[number] > 0:
        return "A follower already stands on that region (CD-10)."
    same = next(k for k in range(count) if s.piece_region[reading.piece_number(s, tile, k)] == number)
    return f"That is the same region as {same + 1}; choose {same + 1} (CD-14)."


# --- events -------------------------------------------------------------------------------


def events(before: Any, a: int, after: Any) -> list[dict[str, Any]]:
    """What an action or outcome did, as small dictionaries with a `kind` each (counted from 0)."""
    p = int(before.current)
    if before.phase == DRAWING:
        if after.phase == PLACING:
            return [{"kind": "draw", "seat": p, "tile": TILE_SET[a].name}]
        back = bool(before.unplaceable == RETURN)
        found: list[dict[str, Any]] = [{"kind": "discard", "seat": p, "tile": TILE_SET[a].name, "returns": back}]
        return found + (_final_events(after, _standing_pieces(before)) if after.phase == OVER else [])
    if before.phase == PLACING:
        return _tile_events(before, after, a & 3, p)
    pieces = _standing_pieces(before)
    if a == PASS:
        found = [{"kind": "pass", "seat": p}]
    elif a >= FIRST_FOLLOWER:
        k = a - FIRST_FOLLOWER
        piece = int(before.follower[p, k])
        found = [{"kind": "remove", "follower": k, **_place(before, p, piece, final=False)}]
        pieces.remove((p, piece))
    else:
        piece = reading.piece_number(before, int(before.placed) - 1, a - FIRST_REGION)
        found = [{"kind": "follower", **_place(before, p, piece, final=False)}]
        pieces.append((p, piece))
    return found + (_final_events(after, pieces) if after.phase == OVER else [])


def _standing_pieces(s: Any) -> list[tuple[int, int]]:
    return [(p, piece) for p, _, piece in reading.followers(s)]


def _tile_events(before: Any, after: Any, turns: int, p: int) -> list[dict[str, Any]]:
    tile = int(after.placed) - 1
    x, y = int(after.tile_x[tile]), int(after.tile_y[tile])
    name = TILE_SET[int(before.hand)].name
    found: list[dict[str, Any]] = [{"kind": "tile", "seat": p, "tile": name, "x": x, "y": y, "turns": turns}]
    touched = {int(after.piece_region[piece]) for piece in range(int(after.tile_piece[tile]), int(after.pieces))}
    for number in sorted(touched):
        region = reading.region_at(after, number)
        if region.closed and region.size > 1:
            found.append({"kind": "closed", "terrain": TERRAINS[region.terrain], "size": region.size})
    return found


def _place(s: Any, p: int, piece: int, final: bool) -> dict[str, Any]:
    tile, segment = reading.place_of(s, piece)
    region = reading.region_at(s, piece, ())
    return {
        "seat": p,
        "x": int(s.tile_x[tile]),
        "y": int(s.tile_y[tile]),
        "segment": segment,
        "terrain": TERRAINS[region.terrain],
        "points": region.final_points if final else region.points,
    }


def _final_events(after: Any, pieces: list[tuple[int, int]]) -> list[dict[str, Any]]:
    scored = [{"kind": "final", **_place(after, p, piece, final=True)} for p, piece in sorted(pieces)]
    totals = [int(points) for points in after.score[: int(after.players)]]
    return [*scored, {"kind": "over", "scores": totals}]


def narrate(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a sentence without a full stop; empty for what goes without saying."""
    kind = event["kind"]
    who = names[event["seat"]] if "seat" in event else ""
    where = f"{event['x']},{event['y']}" if "x" in event else ""
    if kind == "draw":
        return f"{who} draws {event['tile']}"
    if kind == "discard":
        fate = "it goes back into the deck" if event["returns"] else "it leaves the game"
        return f"{who} draws {event['tile']}, which fits nowhere; {fate}"
    if kind == "tile":
        turned = f", turned {event['turns']}" if event["turns"] else ""
        return f"{who} places {event['tile']} at {where}{turned}"
    if kind == "closed":
        return f"a region of {event['terrain']} is closed: {event['size']} tiles"
    if kind == "follower":
        return f"{who} puts a follower on {event['terrain']} at {where}, worth {event['points']} now"
    if kind == "remove":
        return f"{who} takes back a follower from {event['terrain']} at {where}: +{event['points']}"
    if kind == "final":
        return f"{who} scores the follower on {event['terrain']} at {where}: +{event['points']}"
    if kind == "pass":
        return f"{who} passes"
    return "the game is over"
