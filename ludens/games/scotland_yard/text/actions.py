"""Scotland Yard: actions in words and JSON, and back.

Stations go by their printed numbers, the cells of a grid by letter and row: `c3` is the third
column of the third row. On a grid `up`, `down`, `left` and `right` are understood too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludens.core.errors import BadInput, IllegalMove
from ludens.core.jit import plain
from ludens.core.verbs import UNKNOWN
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.maps import StationMap
from ludens.games.scotland_yard.rules.movement import owner, pawn_has_ride
from ludens.games.scotland_yard.rules.tables import map_of, tables_of
from ludens.games.scotland_yard.state import BLACK, MAX_PAWNS, NOWHERE, TICKETS, ScotlandYard

__all__ = [
    "action_from_json",
    "action_from_text",
    "action_to_json",
    "action_to_text",
    "chance_to_text",
    "controller",
    "is_stuck",
    "split",
    "station_name",
    "station_number",
]

_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_SHORT = {"t": "taxi", "b": "bus", "u": "underground", "x": "black"}
_HELP = "a move reads 'ticket station', for example 'taxi 46' or 'black 157'; or 'detective 2', 'double', 'pass'"
_GRID_HELP = "a move names the cell to step to, for example 'c3', or reads 'up', 'down', 'left' or 'right'"


def split(s: ScotlandYard, a: int) -> tuple[str, int, int]:
    """(kind, ticket, station) of a ride; (kind, pawn, 0) of a choice; (kind, 0, 0) of the rest."""
    kinds, stations = tables_of(s.dtype).degree.shape
    rest = a - kinds * stations
    if rest < 0:
        return "ride", a // stations, a % stations
    if rest < MAX_PAWNS:
        return "choose", rest, 0
    return ("double" if rest == MAX_PAWNS else "pass"), 0, 0


def _special(s: ScotlandYard, rest: int) -> int:
    kinds, stations = tables_of(s.dtype).degree.shape
    return int(kinds * stations + rest)


def station_number(s: ScotlandYard, station: int) -> int | None:
    """The printed number; None for nowhere and for what is hidden."""
    return map_of(s).numbers[station] if station >= 0 else None


def station_name(board: StationMap, station: int) -> str:
    """A station as people write it."""
    if board.columns:
        return f"{chr(ord('a') + station % board.columns)}{station // board.columns + 1}"
    return str(board.numbers[station])


_has_ride = plain(pawn_has_ride)
controller = plain(owner)
"""The seat that moves the pawn (SY-15), for Python."""


def is_stuck(s: ScotlandYard, pawn: int) -> bool:
    """Does the detective stay on the board without a ticket that is of use there? (SY-27)"""
    return bool(s.stuck_stay and s.pawn_station[pawn] != NOWHERE and not _has_ride(s, pawn))


# --- words --------------------------------------------------------------------------------


def action_to_text(s: ScotlandYard, a: int) -> str:
    kind, first, station = split(s, a)
    if kind == "ride":
        board = map_of(s)
        place = station_name(board, station)
        return place if board.columns else f"{TICKETS[first]} {place}"
    return f"detective {first + 1}" if kind == "choose" else kind


def action_from_text(s: ScotlandYard, text: str) -> int:
    board = map_of(s)
    words = text.lower().replace(",", " ").split()
    if words in (["double"], ["pass"]):
        return _special(s, MAX_PAWNS + (words == ["pass"]))
    if len(words) == 2 and words[0] in ("detective", "d"):
        return _special(s, _pawn_of_word(words[1]))
    if board.columns:
        return _cell_of_text(s, board, words, text)
    if len(words) != 2:
        raise BadInput(f"{text!r} is not a move; {_HELP}.")
    ticket = _SHORT.get(words[0], words[0])
    if ticket not in TICKETS[: BLACK + 1] or TICKETS.index(ticket) >= tables_of(s.dtype).degree.shape[0]:
        raise BadInput(f"{words[0]!r} is not a ticket; {_HELP}.")
    if not (words[1].isascii() and words[1].isdigit()):
        raise BadInput(f"{words[1]!r} is not the number of a station; {_HELP}.")
    return TICKETS.index(ticket) * len(board.numbers) + board.index(int(words[1]))


def _pawn_of_word(word: str) -> int:
    if not (word.isascii() and word.isdigit() and 1 <= int(word) <= MAX_PAWNS):
        raise BadInput(f"Detectives are numbered 1 to {MAX_PAWNS}, not {word!r}.")
    return int(word) - 1


def _cell_of_text(s: ScotlandYard, board: StationMap, words: list[str], text: str) -> int:
    """The cell of `c3`, or of a step from where the piece to move stands."""
    rows = len(board.numbers) // board.columns
    word = words[0] if len(words) == 1 else ""
    if word in _STEPS:
        here = int(s.mr_x_station) if s.phase == phases.FLEEING else int(s.pawn_station[int(s.pawn)])
        if here == UNKNOWN:
            raise BadInput("Mr. X's cell is hidden; name the cell to step to.")
        row, column = here // board.columns + _STEPS[word][0], here % board.columns + _STEPS[word][1]
        if not (0 <= row < rows and 0 <= column < board.columns):
            raise IllegalMove(f"A step {word} from {station_name(board, here)} leaves the board (SY-4).")
        return row * board.columns + column
    column = ord(word[0]) - ord("a") if word else -1
    digits = word[1:]
    if not (0 <= column < board.columns and digits.isascii() and digits.isdigit() and 1 <= int(digits) <= rows):
        raise BadInput(f"{text!r} is not a move; {_GRID_HELP}.")
    return (int(digits) - 1) * board.columns + column


# --- JSON ---------------------------------------------------------------------------------


def action_to_json(s: ScotlandYard, a: int) -> dict[str, Any]:
    kind, first, station = split(s, a)
    if kind == "ride":
        return {"type": "ride", "ticket": TICKETS[first], "station": map_of(s).numbers[station]}
    return {"type": "choose", "detective": first} if kind == "choose" else {"type": kind}


def action_from_json(s: ScotlandYard, data: Mapping[str, Any]) -> int:
    kind = data.get("type")
    if kind in ("double", "pass") and set(data) == {"type"}:
        return _special(s, MAX_PAWNS + (kind == "pass"))
    if kind == "choose" and set(data) == {"type", "detective"}:
        pawn = data["detective"]
        if isinstance(pawn, bool) or not isinstance(pawn, int) or not 0 <= pawn < MAX_PAWNS:
            raise BadInput(f"detective must be a whole number from 0 to {MAX_PAWNS - 1}, not {pawn!r}.")
        return _special(s, pawn)
    if kind == "ride" and set(data) == {"type", "ticket", "station"}:
        board, kinds = map_of(s), tables_of(s.dtype).degree.shape[0]
        if data["ticket"] not in TICKETS[:kinds]:
            raise BadInput(f"ticket must be one of {', '.join(TICKETS[:kinds])}, not {data['ticket']!r}.")
        number = data["station"]
        if isinstance(number, bool) or not isinstance(number, int):
            raise BadInput(f"station must be the number of a station, not {number!r}.")
        return TICKETS.index(data["ticket"]) * len(board.numbers) + board.index(number)
    raise BadInput(
        'A move of scotland_yard is {"type": "ride", "ticket", "station"}, {"type": "choose", "detective"}, '
        '{"type": "double"} or {"type": "pass"}.'
    )


def chance_to_text(s: ScotlandYard, outcome: int) -> str:
    who = f"detective {int(s.pawn) + 1}" if s.pawn < s.detectives else "Mr. X"
    return f"{who} starts at {station_name(map_of(s), outcome)}"
