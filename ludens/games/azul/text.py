"""Azul: actions, events and positions as text and JSON, and back; reasons for refusals.

People count factories, lines and columns from 1; ids and JSON count from 0, as the specification.
A move reads `source colour destination`: `2 blue 3` (factory 2, pattern line 3),
`centre red floor`. On the grey wall a column is chosen by `column 4`. The forced step is `step`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core.errors import BadInput
from ludens.core.jit import plain
from ludens.games.azul import rules
from ludens.games.azul.state import (
    COLOURS,
    DEALING,
    EMPTY,
    FIRST_COLUMN,
    FLOOR,
    FLOOR_PENALTY,
    MARKER,
    NOBODY,
    OVER,
    PLACING,
    SIZE,
    START,
    STEP,
    TAKING,
)

__all__ = [
    "LETTERS",
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
]

_PHASES = {START: "start", DEALING: "dealing", TAKING: "taking", PLACING: "placing", OVER: "over"}
LETTERS = "BYRKW"  # K for black, as printers say
_WORDS = {**{name: i for i, name in enumerate(COLOURS)}, **{x.lower(): i for i, x in enumerate(LETTERS)}}
_full_line = plain(rules.full_line)
_tile_points = plain(rules.tile_points)
_HELP = "a move reads 'source colour destination', for example '2 blue 3' or 'centre red floor'"


# --- actions ------------------------------------------------------------------------------


def split(action: int) -> tuple[int, int, int]:
    """(source, colour, destination) of a taking action (AZ-66)."""
    return action // 30, action // 6 % 5, action % 6


def join(source: int, colour: int, destination: int) -> int:
    """The taking action of (source, colour, destination) (AZ-66)."""
    return source * 30 + colour * 6 + destination


def action_to_text(s: Any, a: int) -> str:
    if a == STEP:
        return "step"
    if a >= FIRST_COLUMN:
        return f"column {a - FIRST_COLUMN + 1}"
    source, colour, destination = split(a)
    place = "centre" if source == s.factories else str(source + 1)
    return f"{place} {COLOURS[colour]} {'floor' if destination == FLOOR else destination + 1}"


def action_from_text(s: Any, text: str) -> int:
    words = text.lower().replace(",", " ").split()
    if words == ["step"]:
        return STEP
    if len(words) == 2 and words[0] in ("column", "c"):
        return FIRST_COLUMN + _number(words[1], SIZE, "Columns")
    if len(words) != 3:
        raise BadInput(f"{text!r} is not a move; {_HELP}.")
    source = (
        int(s.factories) if words[0] in ("centre", "center", "c") else _number(words[0], int(s.factories), "Factories")
    )
    if words[1] not in _WORDS:
        raise BadInput(f"{words[1]!r} is not a colour; the colours are {', '.join(COLOURS)}.")
    destination = FLOOR if words[2] in ("floor", "f") else _number(words[2], SIZE, "Pattern lines")
    return join(source, _WORDS[words[1]], destination)


def _number(word: str, count: int, what: str) -> int:
    """A number that people count from 1, as an index."""
    if not (word.isascii() and word.isdigit() and 1 <= int(word) <= count):
        raise BadInput(f"{what} are numbered 1 to {count}, not {word!r}; {_HELP}.")
    return int(word) - 1


def action_to_json(s: Any, a: int) -> dict[str, Any]:
    if a == STEP:
        return {"type": "step"}
    if a >= FIRST_COLUMN:
        return {"type": "column", "column": a - FIRST_COLUMN}
    source, colour, destination = split(a)
    return {"type": "take", "source": source, "colour": COLOURS[colour], "destination": destination}


def action_from_json(s: Any, data: Mapping[str, Any]) -> int:
    kind = data.get("type")
    if kind == "step" and set(data) == {"type"}:
        return STEP
    if kind == "column" and set(data) == {"type", "column"}:
        return FIRST_COLUMN + _index(data["column"], SIZE, "column")
    if kind == "take" and set(data) == {"type", "source", "colour", "destination"}:
        if data["colour"] not in COLOURS:
            raise BadInput(f"colour must be one of {', '.join(COLOURS)}, not {data['colour']!r}.")
        source = _index(data["source"], int(s.factories) + 1, "source")
        return join(source, COLOURS.index(data["colour"]), _index(data["destination"], FLOOR + 1, "destination"))
    raise BadInput(
        'A move of azul is {"type": "take", "source", "colour", "destination"}, '
        '{"type": "column", "column"} or {"type": "step"}.'
    )


def _index(value: Any, count: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise BadInput(f"{what} must be a whole number from 0 to {count - 1}, not {value!r}.")
    return value


def chance_to_text(s: Any, outcome: int) -> str:
    return f"seat {outcome + 1} starts" if s.phase == START else f"draw {COLOURS[outcome]}"


def refusal(s: Any, a: int) -> str:
    """Why an action is not legal now, naming the rule."""
    if s.phase == OVER:
        return "The game is over."
    if s.phase == PLACING:
        return _refuse_placing(s, a)
    if a >= FIRST_COLUMN:
        return "Tiles are being taken now; the wall is tiled when all tiles are taken (AZ-26)."
    source, colour, line = split(a)
    if source > s.factories:
        return f"There are {int(s.factories)} factories and the centre (AZ-4)."
    place = "the centre" if source == s.factories else f"factory {source + 1}"
    if s.sources[source, colour] == 0:
        return f"There is no {COLOURS[colour]} tile in {place} (AZ-15)."
    p = int(s.current)
    held = int(s.line_colour[p, line])
    if held == EMPTY:
        return f"Row {line + 1} of the wall already has {COLOURS[colour]} (AZ-22)."
    if held != colour:
        return f"Pattern line {line + 1} holds {COLOURS[held]} and takes only {COLOURS[held]} (AZ-21)."
    return f"Pattern line {line + 1} is full (AZ-21)."


def _refuse_placing(s: Any, a: int) -> str:
    if a < FIRST_COLUMN:
        return "All tiles are taken; the walls are being tiled now (AZ-26)."
    columns = open_columns(s)
    if len(columns) <= 1:
        return "There is nothing to choose in this step; play 'step' (AZ-27)."
    line = _full_line(s, int(s.current))
    colour = COLOURS[int(s.line_colour[s.current, line])]
    allowed = ", ".join(str(c + 1) for c in columns)
    return f"Choose a column for {colour} in row {line + 1}: {allowed} (AZ-38)."


def open_columns(s: Any) -> list[int]:
    """Where the tile of the topmost full line of the current player may stand (AZ-38)."""
    p = int(s.current)
    line = _full_line(s, p)
    if line < 0:
        return []
    colour = int(s.line_colour[p, line])
    if not s.grey:
        return [(colour + line) % SIZE]
    wall = s.wall[p]
    return [c for c in range(SIZE) if wall[line, c] == EMPTY and colour not in wall[:, c]]


def complete(s: Any, p: int) -> dict[str, int]:
    """Complete rows, columns and colours of a wall (AZ-34)."""
    wall = s.wall[p]
    return {
        "rows": int((wall != EMPTY).all(axis=1).sum()),
        "columns": int((wall != EMPTY).all(axis=0).sum()),
        "colours": sum(int((wall == colour).sum()) == SIZE for colour in range(SIZE)),
    }


# --- events -------------------------------------------------------------------------------


def events(before: Any, a: int, after: Any) -> list[dict[str, Any]]:
    """What an action or outcome did, as small dictionaries with a `kind` each (counted from 0)."""
    if before.phase == START:
        return [{"kind": "start", "seat": a}]
    if before.phase == DEALING:
        return [{"kind": "deal", "factory": int(before.dealt) // 4, "colour": COLOURS[a]}]
    p = int(before.current)
    if before.phase == TAKING:
        source, colour, destination = split(a)
        count = int(before.sources[source, colour])
        line = destination if destination != FLOOR else None
        room = 0 if line is None else line + 1 - int(before.line_count[p, line])
        take = {
            "kind": "take",
            "seat": p,
            "source": source,
            "centre": source == int(before.factories),
            "colour": COLOURS[colour],
            "count": count,
            "line": line,
            "overflow": max(0, count - room),
            "marker": bool(before.marker == NOBODY and after.marker == p),
        }
        return [take]
    return _tiling_events(before, a, after, p)


def _tiling_events(before: Any, a: int, after: Any, p: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    line = int(_full_line(before, p))
    gained = 0
    if line >= 0:
        colour = COLOURS[int(before.line_colour[p, line])]
        placed = [c for c in range(SIZE) if before.wall[p, line, c] == EMPTY and after.wall[p, line, c] != EMPTY]
        if placed:
            gained = int(_tile_points(before.wall[p], line, placed[0]))
            tile = {"kind": "tile", "seat": p, "row": line, "column": placed[0], "colour": colour, "points": gained}
            found.append(tile)
            if all(after.wall[p, line, c] != EMPTY for c in range(SIZE)):
                found.append({"kind": "row", "seat": p, "row": line})
        else:
            found.append({"kind": "drop", "seat": p, "row": line, "colour": colour, "count": line + 1})
    settled = after.phase != PLACING or after.current != p
    if settled:
        dropped = line + 1 if line >= 0 and not gained else 0
        used = min(7, int(before.floor_count[p]) + dropped)
        lost = min(int(FLOOR_PENALTY[used]), int(before.score[p]) + gained)
        found.append({"kind": "floor", "seat": p, "places": used, "points": -lost})
    if after.phase == OVER:
        for seat in range(int(after.players)):
            counts = complete(after, seat)
            points = 2 * counts["rows"] + 7 * counts["columns"] + 10 * counts["colours"]
            found.append({"kind": "bonus", "seat": seat, **counts, "points": points})
        found.append({"kind": "over", "cut_off": bool(after.cut_off)})
    elif after.phase != PLACING:
        found.append({"kind": "round", "round": int(after.round_number), "first": int(after.first)})
    return found


def narrate(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a sentence without a full stop; empty for what goes without saying."""
    kind = event["kind"]
    who = names[event["seat"]] if "seat" in event else ""
    if kind == "start":
        return f"{who} starts"
    if kind == "deal":
        return f"factory {event['factory'] + 1} gets {event['colour']}"
    if kind == "take":
        place = "the centre" if event["centre"] else f"factory {event['source'] + 1}"
        where = "the floor" if event["line"] is None else f"line {event['line'] + 1}"
        spilled = event["overflow"] if event["line"] is not None else 0
        more = f", {spilled} to the floor" if spilled else ""
        marker = ", with the first-player marker" if event["marker"] else ""
        return f"{who} takes {event['count']} {event['colour']} from {place} to {where}{more}{marker}"
    if kind == "tile":
        return (
            f"{who} tiles {event['colour']} at row {event['row'] + 1}, column {event['column'] + 1}: +{event['points']}"
        )
    if kind == "row":
        return f"{who} completes row {event['row'] + 1}"
    if kind == "drop":
        return f"{who} has no place for {event['colour']} in row {event['row'] + 1}; {event['count']} fall to the floor"
    if kind == "floor":
        return f"{who} clears {event['places']} from the floor: {event['points']}" if event["places"] else ""
    if kind == "bonus":
        parts = ", ".join(_counted(event[what], what) for what in ("rows", "columns", "colours"))
        return f"{who} scores bonuses for {parts}: +{event['points']}"
    if kind == "round":
        return f"round {event['round']} begins, {names[event['first']]} starts"
    return "the round limit ends the game" if event["cut_off"] else "the game is over"


def _counted(number: int, plural: str) -> str:
    return f"{number} {plural if number != 1 else plural[:-1]}"


# --- positions ----------------------------------------------------------------------------


def position_to_json(v: Any) -> dict[str, Any]:
    """The position in the words of the game, for pages and programs (counted from 0)."""
    line = int(_full_line(v, int(v.current))) if v.phase == PLACING else -1
    return {
        "phase": _PHASES[int(v.phase)],
        "round": int(v.round_number),
        "round_limit": int(v.round_limit),
        "grey": bool(v.grey),
        "current": int(v.current),
        "first": int(v.first),
        "marker_in_centre": bool(v.marker == NOBODY),
        "cut_off": bool(v.cut_off),
        "tiling_line": line if line >= 0 else None,
        "factories": [_tiles(v.sources[f]) for f in range(int(v.factories))],
        "centre": _tiles(v.sources[int(v.factories)]),
        "bag": _tiles(v.bag),
        "lid": _tiles(v.lid),
        "boards": [_board_to_json(v, p) for p in range(int(v.players))],
    }


def _tiles(counts: Any) -> dict[str, int]:
    return {name: int(n) for name, n in zip(COLOURS, counts, strict=True) if n}


def _name(tile: int) -> str | None:
    return None if tile == EMPTY else "marker" if tile == MARKER else COLOURS[tile]


def _board_to_json(v: Any, p: int) -> dict[str, Any]:
    return {
        "score": int(v.score[p]),
        "has_marker": bool(v.marker == p),
        "lines": [{"colour": _name(int(v.line_colour[p, r])), "count": int(v.line_count[p, r])} for r in range(SIZE)],
        "wall": [[_name(int(v.wall[p, r, c])) for c in range(SIZE)] for r in range(SIZE)],
        "floor": [_name(int(v.floor[p, k])) for k in range(int(v.floor_count[p]))],
        "penalty": int(FLOOR_PENALTY[int(v.floor_count[p])]),
    }


def position_to_text(v: Any) -> str:
    """The position in plain letters; small letters are places still empty on the fixed wall."""
    waiting = f", seat {int(v.current) + 1} to act" if v.phase in (TAKING, PLACING) else ""
    rows = [f"round {int(v.round_number)}, {_PHASES[int(v.phase)]}{waiting}"]
    for source in range(int(v.factories) + 1):
        name = "centre" if source == v.factories else f"{source + 1}"
        tiles = "".join(LETTERS[t] * int(v.sources[source, t]) for t in range(SIZE))
        first = " 1st" if source == v.factories and v.marker == NOBODY else ""
        rows.append(f"{name:>7}: {tiles or '-'}{first}")
    rows.append("    bag: " + " ".join(f"{LETTERS[t]}{int(v.bag[t])}" for t in range(SIZE)))
    rows.append("    lid: " + " ".join(f"{LETTERS[t]}{int(v.lid[t])}" for t in range(SIZE)))
    for p in range(int(v.players)):
        rows.append(f"seat {p + 1}: {int(v.score[p])} points")
        for r in range(SIZE):
            colour = int(v.line_colour[p, r])
            held = int(v.line_count[p, r])
            line = "." * (r + 1 - held) + ("" if colour == EMPTY else LETTERS[colour] * held)
            rows.append(f"  {line:>5} | {''.join(_cell(v, p, r, c) for c in range(SIZE))}")
        floor = "".join("1" if t == MARKER else LETTERS[t] for t in v.floor[p, : int(v.floor_count[p])])
        rows.append(f"  floor: {floor or '-'}")
    return "\n".join(rows)


def _cell(v: Any, p: int, r: int, c: int) -> str:
    tile = int(v.wall[p, r, c])
    if tile != EMPTY:
        return LETTERS[tile]
    return "." if v.grey else LETTERS[(c - r) % SIZE].lower()
