"""Scotland Yard: positions as JSON and as plain text, from what the view holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.record import Array
from ludens.core.verbs import UNKNOWN
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.maps import TRANSPORTS
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import DOUBLE, NEVER, NOWHERE, TICKETS, UNLIMITED, ScotlandYard
from ludens.games.scotland_yard.text.actions import controller, is_stuck, station_name, station_number

__all__ = [
    "coarse_map",
    "grid_to_text",
    "log_to_json",
    "position_to_json",
    "position_to_text",
    "static_to_json",
    "winner",
]

_MAP_COLUMNS, _MAP_ROWS = 50, 16


def static_to_json(dtype: np.dtype) -> dict[str, Any]:
    """What never changes in a game: the map."""
    board = map_of(dtype)
    stations = zip(board.numbers, board.places, strict=True)
    return {
        "name": board.name,
        "columns": board.columns,
        "stations": [{"id": number, "x": x, "y": y} for number, (x, y) in stations],
        "connections": [[board.numbers[a], board.numbers[b], TRANSPORTS[kind]] for a, b, kind in board.connections],
        "detective_starts": [board.numbers[i] for i in board.detective_starts],
        "mrx_starts": [board.numbers[i] for i in board.mr_x_starts],
    }


def winner(v: ScotlandYard) -> str | None:
    """Which side has won."""
    if v.ending in (phases.CAUGHT, phases.STUCK):
        return "detectives"
    return "mr_x" if v.ending in (phases.ESCAPED, phases.EXHAUSTED) else None


def log_to_json(v: ScotlandYard) -> list[dict[str, Any]]:
    """The travel log: tickets, and the stations where he showed himself (SY-24, SY-25)."""
    return [
        {
            "move": k + 1,
            "ticket": TICKETS[int(v.log_ticket[k])],
            "station": station_number(v, int(v.log_station[k])),
        }
        for k in range(int(v.moves))
    ]


def _log_length(v: ScotlandYard) -> int:
    """How many entries the travel log can get: rounds and double moves, or the limit of moves (SY-29)."""
    if v.phase == phases.OVER:
        return int(v.moves)
    rounds = int(v.max_rounds) - int(v.round_number)
    if v.together or v.phase in (
        phases.PLACING,
        phases.FLEEING,
    ):  # he has still to move in this round (on a grid he moves last)
        rounds += max(1, int(v.double_left))
    most = int(v.moves) + rounds + max(0, int(v.mr_x_tickets[DOUBLE]))
    return min(most, max(int(v.max_moves), int(v.moves))) if v.max_moves else most


def _tickets(counts: Array, names: tuple[str, ...]) -> dict[str, int | None]:
    """Numbers of tickets; None is without limit."""
    return {name: None if n == UNLIMITED else int(n) for name, n in zip(names, counts, strict=False)}


def position_to_json(v: ScotlandYard) -> dict[str, Any]:
    """The position in the words of the game, for pages and programs: stations by number, the rest from 0."""
    board = map_of(v)
    seen = None
    if v.seen_move != NEVER:
        seen = {"station": station_number(v, int(v.seen_station)), "move": int(v.seen_move)}
    possible = possible_stations(v)
    weights = None
    if v.keeps_weights:
        row = v.weight[int(v.weight_side)]
        total = max(1, int(row.sum()))
        weights = {str(board.numbers[i]): round(int(row[i]) / total, 6) for i in possible}
    return {
        "phase": phases.PHASES[int(v.phase)],
        "columns": board.columns,
        "round": int(v.round_number),
        "max_rounds": int(v.max_rounds),
        "max_moves": int(v.max_moves) or None,
        "current": int(v.current),
        "pawn": int(v.pawn) if v.phase == phases.MOVING else None,
        "detectives": [
            {
                "seat": controller(v, pawn),
                "bobby": pawn >= int(v.detectives) - int(v.bobbies),
                "station": station_number(v, int(v.pawn_station[pawn])),
                "step": station_number(v, int(v.pawn_target[pawn])),
                "moved": bool(v.pawn_moved[pawn]),
                "stuck": is_stuck(v, pawn),
                "tickets": _tickets(v.pawn_tickets[pawn], TICKETS[:3]),
            }
            for pawn in range(int(v.detectives))
        ],
        "mr_x": {
            "station": station_number(v, int(v.mr_x_station)),
            "tickets": _tickets(v.mr_x_tickets, TICKETS),
            "double_left": int(v.double_left),
            "seen": seen,
            "visible": bool(v.phase == phases.OVER or (v.phase != phases.PLACING and v.seen_move == v.moves)),
        },
        "moves": int(v.moves),
        "log": log_to_json(v),
        "log_length": _log_length(v),
        "reveal_moves": [m for m in range(1, 63) if (int(v.reveal_moves) >> m) & 1],
        "possible": [board.numbers[i] for i in possible],
        "weights": weights,
        "ending": phases.ENDINGS[int(v.ending)],
        "winner": winner(v),
    }


# --- plain text ---------------------------------------------------------------------------


def position_to_text(v: ScotlandYard) -> str:
    """The grid as SY-13 shows it; of a map the pieces, tickets, travel log and possible stations."""
    board = map_of(v)
    head = f"round {int(v.round_number)} of {int(v.max_rounds)}, {phases.PHASES[int(v.phase)]}"
    if v.phase in (phases.FLEEING, phases.CHOOSING, phases.MOVING):
        head += f", seat {int(v.current) + 1} to act"
    if v.ending:
        head += f", {phases.ENDINGS[int(v.ending)]}: {'detectives' if winner(v) == 'detectives' else 'Mr. X'} won"
    if board.columns:
        return f"{head}\n{grid_to_text(v)}"
    rows = [head]
    for pawn in range(int(v.detectives)):
        number = station_number(v, int(v.pawn_station[pawn]))
        tickets = _tickets(v.pawn_tickets[pawn], TICKETS[:3])
        place = "out of the game" if number is None else f"{number} (stuck)" if is_stuck(v, pawn) else str(number)
        rows.append(f"detective {pawn + 1}: {place} · {_listed(tickets)}")
    rows.append(f"Mr. X: {_whereabouts(v)} · {_listed(_tickets(v.mr_x_tickets, TICKETS))}")
    rows.append("travel log: " + (" ".join(_entry(v, k) for k in range(int(v.moves))) or "empty"))
    possible = possible_stations(v)
    rows.append(f"possible ({len(possible)}): " + " ".join(station_name(board, i) for i in possible))
    rows += coarse_map(v)
    return "\n".join(rows)


def _listed(tickets: dict[str, int | None]) -> str:
    return ", ".join(f"{name} {'∞' if n is None else n}" for name, n in tickets.items())


def _whereabouts(v: ScotlandYard) -> str:
    number = station_number(v, int(v.mr_x_station))
    if number is not None:
        return str(number)
    if v.seen_move == NEVER:
        return "not seen yet"
    return f"last seen at {station_number(v, int(v.seen_station))} after move {int(v.seen_move)}"


def _entry(v: ScotlandYard, k: int) -> str:
    shown = station_number(v, int(v.log_station[k]))
    return f"{k + 1}:{TICKETS[int(v.log_ticket[k])]}" + (f"@{shown}" if shown is not None else "")


def marks(v: ScotlandYard) -> dict[int, str]:
    """What stands where: digits are detectives, X is Mr. X where he is known."""
    pawns = range(int(v.detectives))
    found = {int(v.pawn_station[pawn]): str(pawn + 1) for pawn in pawns if v.pawn_station[pawn] != NOWHERE}
    return found if v.mr_x_station in (UNKNOWN, NOWHERE) else {**found, int(v.mr_x_station): "X"}


def grid_to_text(v: ScotlandYard) -> str:
    """`1`, `2` … detectives, `X` Mr. X, `-` his last known cell, `.` other cells (SY-13)."""
    board = map_of(v)
    shown = {int(v.seen_station): "-", **marks(v)}
    cells = [shown.get(cell, ".") for cell in range(len(board.numbers))]
    rows = range(0, len(cells), board.columns)
    return "\n".join(" ".join(cells[start : start + board.columns]) for start in rows)


def coarse_map(v: ScotlandYard) -> list[str]:
    """The map in letters: digits are detectives, X is Mr. X where he is known, + a possible station, · others."""
    board = map_of(v)
    width, height = board.extent
    cells = [[" "] * _MAP_COLUMNS for _ in range(_MAP_ROWS)]
    others = dict.fromkeys(range(len(board.numbers)), "·")
    for layer in (others, dict.fromkeys(possible_stations(v), "+"), marks(v)):
        for station, mark in layer.items():
            x, y = board.places[station]
            cells[round(y / height * (_MAP_ROWS - 1))][round(x / width * (_MAP_COLUMNS - 1))] = mark
    return ["".join(row).rstrip() for row in cells]
