"""Scotland Yard: a position as one line of text (docs/positions.md)."""

from __future__ import annotations

import re

from ludens.core.notation import Notation, Part, bags, choice, number, numbers
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.maps import StationMap
from ludens.games.scotland_yard.rules.possible import exclude, possible_stations, see, spread, suspect_starts
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import (
    HIDDEN,
    NEVER,
    NOWHERE,
    UNLIMITED,
    WORD_BITS,
    ScotlandYard,
)
from ludens.games.scotland_yard.text.actions import station_name

__all__ = ["notation"]

_TICKETS = "tbuk"  # taxi, bus, underground, black
_ENTRY = re.compile(rf"([{_TICKETS}])([a-z]?\d+)?")


def _station(board: StationMap, name: str) -> int:
    if name == "-":
        return NOWHERE
    for station in range(len(board.numbers)):
        if station_name(board, station) == name:
            return station
    raise ValueError(f"there is no station {name}")


def _named(board: StationMap, station: int) -> str:
    return "-" if station == NOWHERE else station_name(board, station)


def _stations(name: str, field: str) -> Part:
    """A station for every detective."""

    def write(s: ScotlandYard) -> str:
        return ",".join(_named(map_of(s), int(k)) for k in s[field][: int(s.detectives)])

    def read(s: ScotlandYard, text: str) -> None:
        names = text.split(",")
        if len(names) != int(s.detectives):
            raise ValueError(f"there are {int(s.detectives)} detectives")
        s[field][: len(names)] = [_station(map_of(s), one) for one in names]

    return Part(name, write, read)


def _read_mr_x(s: ScotlandYard, text: str) -> None:
    s.mr_x_station = _station(map_of(s), text)


def _write_log(s: ScotlandYard) -> str:
    def entry(ticket: int, station: int) -> str:
        return _TICKETS[ticket] + ("" if station == HIDDEN else station_name(map_of(s), station))

    log = zip(s.log_ticket[: int(s.moves)].tolist(), s.log_station[: int(s.moves)].tolist(), strict=True)
    return ",".join(entry(ticket, station) for ticket, station in log) or "-"


def _read_log(s: ScotlandYard, text: str) -> None:
    entries = [] if text == "-" else text.split(",")
    if len(entries) > len(s.log_ticket):
        raise ValueError(f"a log has at most {len(s.log_ticket)} moves")
    for k, entry in enumerate(entries):
        found = _ENTRY.fullmatch(entry)
        if found is None:
            raise ValueError(
                f"'{entry[:20]}' is not a ticket ({', '.join(_TICKETS)}), with the station where it was shown"
            )
        s.log_ticket[k] = _TICKETS.index(found[1])
        s.log_station[k] = _station(map_of(s), found[2]) if found[2] else HIDDEN
    s.moves = len(entries)


def _write_seen(s: ScotlandYard) -> str:
    return "-" if s.seen_move == NEVER else f"{_named(map_of(s), int(s.seen_station))}@{int(s.seen_move)}"


def _read_seen(s: ScotlandYard, text: str) -> None:
    station, _, move = text.partition("@")
    s.seen_station, s.seen_move = _station(map_of(s), station), NEVER if text == "-" else int(move)


def _write_possible(s: ScotlandYard) -> str:
    return ",".join(station_name(map_of(s), k) for k in possible_stations(s)) or "-"


def _read_possible(s: ScotlandYard, text: str) -> None:
    s.possible[:] = 0
    for name in [] if text == "-" else text.split(","):
        station = _station(map_of(s), name)
        s.possible[station // WORD_BITS] |= 1 << station % WORD_BITS


def _derive(s: ScotlandYard, begun: ScotlandYard) -> None:
    """Where Mr. X was last seen, and where he may be by the log alone (SY-62).

    Who has not followed the detectives' moves cannot leave out where they stood meanwhile.
    """
    s.seen_station, s.seen_move = begun.seen_station, begun.seen_move
    if s.phase == phases.PLACING:
        return
    for move in range(int(s.moves), 0, -1):
        if s.log_station[move - 1] != HIDDEN:
            s.seen_station, s.seen_move = s.log_station[move - 1], move
            break
    else:
        if s.start_visible and s.moves == 0:
            s.seen_station, s.seen_move = s.mr_x_station, 0
    stood = s.pawn_station.copy()
    s.pawn_station[:] = NOWHERE  # they stood elsewhere then
    if s.seen_move == NEVER:
        suspect_starts(s)
    else:
        moves, s.moves = int(s.moves), s.seen_move
        see(s, int(s.seen_station))
        s.moves = moves
    for move in range(max(0, int(s.seen_move)), int(s.moves)):
        spread(s, int(s.log_ticket[move]))
    s.pawn_station[:] = stood
    for station in stood[: int(s.detectives)]:
        if station not in (NOWHERE, s.mr_x_station):
            exclude(s, int(station))


def _tidy(s: ScotlandYard) -> None:
    """Of the two rows of weights one holds."""
    if s.keeps_weights:
        s.weight[1 - int(s.weight_side)] = 0


def notation() -> Notation:
    """Stations by their names; tickets t b u k and d for taxi, bus, underground, black and double; seat 0 is Mr. X."""
    return Notation(
        parts=(
            number("round", "round_number"),
            choice("phase", "phase", ("place", "flee", "choose", "move", "over")),
            number("turn", "current"),
            number("pawn", "pawn", first=1),
            _stations("detectives", "pawn_station"),
            Part("mrx", lambda s: _named(map_of(s), int(s.mr_x_station)), _read_mr_x),
            bags("tickets", "pawn_tickets", _TICKETS[:3], last=lambda s: int(s.detectives), endless=UNLIMITED),
            bags("mrx_tickets", "mr_x_tickets", f"{_TICKETS}d", endless=UNLIMITED),
            number("double", "double_left"),
            Part("log", _write_log, _read_log),
            numbers("moved", "pawn_moved", lambda s: int(s.detectives)),
            _stations("left", "pawn_left"),
            _stations("targets", "pawn_target"),
            choice("ending", "ending", ("running", "caught", "stuck", "escaped", "exhausted")),
            Part("seen", _write_seen, _read_seen, follows=True),
            Part("possible", _write_possible, _read_possible, follows=True),
        ),
        derive=_derive,
        tidy=_tidy,
    )
