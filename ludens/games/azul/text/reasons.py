"""Azul: why a move is good, in the terms of the evaluation.

points: the score as it will be after tiling, with floor and bonuses; line: a started line; column, colour: tiles that
lead to a bonus; wall: what the free places would bring; marker: the start of the next round; denied: the tiles that
the next player would have liked best.
"""

from __future__ import annotations

import numpy as np

from ludens.core import kernels
from ludens.core.jit import plain
from ludens.core.reasons import DENIES, Reason, strongest
from ludens.games.azul import evaluate, phases
from ludens.games.azul.state import COLOURS, FLOOR, SIZE, STEP, Azul

__all__ = ["reasons"]

_prospects = plain(evaluate.prospects)
_stage_of = plain(evaluate.stage_of)
_column_for = plain(evaluate.column_for)
_wall_bits = plain(evaluate.wall_bits)
_evaluated_tiled = plain(evaluate.tiled)
_PLACES = {name: place for place, name in enumerate(evaluate.FEATURES)}
_LINES = ("line points", "line share", "one to go")
_COLUMNS = ("four in a column", "three in a column", "two in a column")
_COLOURS = ("four of a colour", "three of a colour", "two of a colour")
_WALL = ("four in a row", "three in a row", "neighbourhood", "tiles on the wall")


def reasons(before: Azul, after: Azul, end: Azul, seat: int, weights: np.ndarray) -> tuple[Reason, ...]:
    """What the move from `before` to `after` improves for the seat."""
    if before.phase != phases.TAKING:
        return ()
    stage = int(_stage_of(after))

    def gain(*names: str) -> float:
        kept = _only(weights, *names)
        return float(_prospects(after, seat, stage, kept) - _prospects(before, seat, stage, kept))

    points = _points(after, seat) - _points(before, seat)
    full = [line + 1 for line in range(SIZE) if _held(after, seat, line) == line + 1 > _held(before, seat, line)]
    grown = [line for line in range(SIZE) if 0 < _held(before, seat, line) < _held(after, seat, line) <= line]
    started = [line for line in range(SIZE) if _held(before, seat, line) == 0 < _held(after, seat, line) <= line]
    found = []
    if points > 0:
        found.append(Reason("points", gain("points"), {"n": points, **({"line": full[0]} if full else {})}))
    for line in (grown + started)[:1]:
        found.append(Reason("line", gain(*_LINES), {"line": line + 1, "n": _held(after, seat, line), "size": line + 1}))
    for line in full[:1]:
        column = _new_column(before, after, seat, line - 1)
        standing = _in_column(after, seat, column) if column >= 0 else 0
        if standing > 1:
            found.append(Reason("column", gain(*_COLUMNS), {"n": standing, "column": column + 1}))
        colour = int(after.line_colour[seat, line - 1])
        of_colour = _of_colour(after, seat, colour)
        if of_colour > 1:
            found.append(Reason("colour", gain(*_COLOURS), {"n": of_colour, "colour": COLOURS[colour]}))
        opened = _open_points(after, seat) - _open_points(before, seat)
        if opened > 0:
            found.append(Reason("wall", gain(*_WALL), {"n": opened}))
    if after.marker == seat != before.marker and stage < SIZE:
        found.append(Reason("marker", gain("marker")))
    found += _denied(before, after, seat, stage, weights)
    return strongest(found)


def _only(weights: np.ndarray, *names: str) -> np.ndarray:
    """The weights of these features, nothing for the others."""
    kept = np.zeros_like(weights).reshape(3, -1)
    places = [_PLACES[name] for name in names]
    kept[:, places] = weights.reshape(3, -1)[:, places]
    return kept.ravel()


def _amount(s: Azul, seat: int, feature: str) -> int:
    """The feature itself, without its weight."""
    return round(_prospects(s, seat, 0, _only(np.ones(3 * len(_PLACES)), feature)))


def _points(s: Azul, seat: int) -> int:
    return _amount(s, seat, "points")


def _open_points(s: Azul, seat: int) -> int:
    return _amount(s, seat, "neighbourhood")


def _held(s: Azul, seat: int, line: int) -> int:
    return int(s.line_count[seat, line])


def _new_column(before: Azul, after: Azul, seat: int, line: int) -> int:
    """Where the tile of a line that is full now will stand, the fuller lines above it tiled."""
    bits = _tiled(before, seat)
    return int(_column_for(after, seat, bits, line, int(after.line_colour[seat, line])))


def _tiled(s: Azul, seat: int) -> int:
    """The wall as it will be when the full lines are tiled."""
    return int(_evaluated_tiled(s, seat, _wall_bits(s, seat)))


def _in_column(s: Azul, seat: int, column: int) -> int:
    bits = _tiled(s, seat)
    return sum(bits >> (SIZE * row + column) & 1 for row in range(SIZE))


def _of_colour(s: Azul, seat: int, colour: int) -> int:
    full = sum(_held(s, seat, line) == line + 1 and s.line_colour[seat, line] == colour for line in range(SIZE))
    return int((s.wall[seat] == colour).sum() + full)


def _denied(before: Azul, after: Azul, seat: int, stage: int, weights: np.ndarray) -> list[Reason]:
    """What the next player would have done best in our place, if our move has taken just these tiles."""
    if after.phase != phases.TAKING:
        return []
    other = int(after.current)
    if other == seat:
        return []
    wished, best = _best_take(before, other, stage, weights)
    _, left = _best_take(after, other, stage, weights)
    source, colour = divmod(wished // (FLOOR + 1), SIZE)
    taken = before.sources[:, colour].sum() > after.sources[:, colour].sum() and after.sources[source, colour] == 0
    line = wished % (FLOOR + 1)
    if not taken or line == FLOOR or before.line_colour[other, line] != colour or _held(before, other, line) == 0:
        return []  # what would go to an empty line is not needed for it
    tiles = min(int(before.sources[source, colour]), line + 1 - _held(before, other, line))  # that the line takes
    told = {"n": tiles, "colour": COLOURS[colour], "seat": other, "line": line + 1}
    points = _points(_played(before, other, wished), other) - _points(before, other)
    return [Reason("denied", best - left, {**told, "points": max(0, points)}, DENIES)]


def _played(s: Azul, seat: int, action: int) -> Azul:
    """The position after an action of the seat, as if it were its turn."""
    root = np.array([s], s.dtype)
    root["current"] = seat
    kernels.apply_at(root, 0, action)
    played: Azul = root[0]
    return played


def _best_take(s: Azul, seat: int, stage: int, weights: np.ndarray) -> tuple[int, float]:
    """The take that is best for the seat's own prospects, and how much it gains, if it were the seat's turn."""
    root = np.array([s], s.dtype)
    root["current"] = seat
    legal = np.zeros(STEP + 1, np.int64)
    now = _prospects(root[0], seat, stage, weights)
    best, gained = -1, -np.inf
    for action in legal[: kernels.legal_at(root, 0, legal)].tolist():
        tried = root.copy()
        kernels.apply_at(tried, 0, action)
        gain = _prospects(tried[0], seat, stage, weights) - now
        if gain > gained:
            best, gained = action, gain
    return best, float(gained)
