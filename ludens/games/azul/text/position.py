"""Azul: positions as JSON and in plain letters, and two questions that their readers share."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ludens.core.jit import plain
from ludens.games.azul import phases
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.state import COLOURS, EMPTY, FLOOR_PENALTY, FLOOR_ROOM, LETTERS, MARKER, NOBODY, SIZE, Azul

__all__ = ["complete", "open_columns", "position_to_json", "position_to_text"]

_NAMES: dict[int, str | None] = {**dict(enumerate(COLOURS)), EMPTY & 0xFF: None, MARKER: "marker"}  # by byte
_KEPT = 8192  # parts of positions that are kept: two boards change of a game while all others stay
_PENALTIES: list[int] = [int(points) for points in FLOOR_PENALTY]
_full_line = plain(full_line)


def position_to_json(v: Azul) -> dict[str, Any]:
    """The position in the words of the game, for pages and programs (counted from 0).

    Parts are kept by their bytes and shared by positions: nobody may change them.
    """
    line = int(_full_line(v, int(v.current))) if v.phase == phases.PLACING else -1
    factories = int(v.factories)
    held = v.sources.tobytes()
    sources = [_tiles(held[SIZE * k : SIZE * (k + 1)]) for k in range(factories + 1)]
    return {
        "phase": phases.PHASES[int(v.phase)],
        "round": int(v.round_number),
        "round_limit": int(v.round_limit),
        "grey": bool(v.grey),
        "current": int(v.current),
        "first": int(v.first),
        "marker_in_centre": bool(v.marker == NOBODY),
        "cut_off": bool(v.cut_off),
        "tiling_line": line if line >= 0 else None,
        "factories": sources[:factories],
        "centre": sources[factories],
        "bag": _tiles(v.bag.tobytes()),
        "lid": _tiles(v.lid.tobytes()),
        "boards": _boards_to_json(v),
    }


@lru_cache(_KEPT)
def _tiles(counts: bytes) -> dict[str, int]:
    return {name: n for name, n in zip(COLOURS, counts, strict=True) if n}


def _boards_to_json(v: Azul) -> list[dict[str, Any]]:
    """All boards; NumPy is asked for whole fields, since every question to it costs as much as a row."""
    marker, scores, used = int(v.marker), v.score.tolist(), v.floor_count.tolist()
    colours, counts, walls, floors = (field.tobytes() for field in (v.line_colour, v.line_count, v.wall, v.floor))
    return [
        _board(
            scores[p],
            marker == p,
            colours[SIZE * p : SIZE * (p + 1)],
            counts[SIZE * p : SIZE * (p + 1)],
            walls[SIZE * SIZE * p : SIZE * SIZE * (p + 1)],
            floors[FLOOR_ROOM * p : FLOOR_ROOM * p + used[p]],
        )
        for p in range(int(v.players))
    ]


@lru_cache(_KEPT)
def _board(score: int, marker: bool, colours: bytes, counts: bytes, wall: bytes, floor: bytes) -> dict[str, Any]:
    return {
        "score": score,
        "has_marker": marker,
        "lines": [_line(colour, count) for colour, count in zip(colours, counts, strict=True)],
        "wall": [_row(wall[SIZE * r : SIZE * (r + 1)]) for r in range(SIZE)],
        "floor": _row(floor),
        "penalty": _PENALTIES[len(floor)],
    }


@lru_cache(_KEPT)
def _line(colour: int, count: int) -> dict[str, Any]:
    return {"colour": _NAMES[colour], "count": count}


@lru_cache(_KEPT)
def _row(places: bytes) -> list[str | None]:
    return [_NAMES[tile] for tile in places]


def position_to_text(v: Azul) -> str:
    """The position in plain letters; small letters are places still empty on the fixed wall."""
    waiting = f", seat {int(v.current) + 1} to act" if v.phase in (phases.TAKING, phases.PLACING) else ""
    rows = [f"round {int(v.round_number)}, {phases.PHASES[int(v.phase)]}{waiting}"]
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


def _cell(v: Azul, p: int, r: int, c: int) -> str:
    tile = int(v.wall[p, r, c])
    if tile != EMPTY:
        return LETTERS[tile]
    return "." if v.grey else LETTERS[(c - r) % SIZE].lower()


def open_columns(s: Azul) -> list[int]:
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


def complete(s: Azul, p: int) -> dict[str, int]:
    """Complete rows, columns and colours of a wall (AZ-34)."""
    wall = s.wall[p]
    return {
        "rows": int((wall != EMPTY).all(axis=1).sum()),
        "columns": int((wall != EMPTY).all(axis=0).sum()),
        "colours": sum(int((wall == colour).sum()) == SIZE for colour in range(SIZE)),
    }
