"""Scotland Yard: what every position of a game on a map obeys, for positions from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ludens.core.positions import possible_if
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.maps import StationMap
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.rules.tables import neighbours
from ludens.games.scotland_yard.state import (
    BLACK,
    DOUBLE,
    HIDDEN,
    MAX_PAWNS,
    NEVER,
    NOWHERE,
    TAXI,
    UNLIMITED,
    WEIGHT_TOTAL,
    WORD_BITS,
    WORDS,
    ScotlandYard,
)

__all__ = ["check_position_on"]

_OPTIONS = (
    *("detectives", "bobbies", "classic", "together", "detectives_first", "start_visible", "keeps_weights"),
    *("max_rounds", "max_moves", "reveal_moves", "stuck_stay", "starts_apart"),
)


def check_position_on(board: StationMap) -> Callable[[Any, Any], str | None]:
    """Why a record cannot be a position on this map, of the game that begins with another record, or None."""
    stations = (NOWHERE, len(board.numbers) - 1)
    limits = {
        "phase": (phases.PLACING, phases.OVER),
        "ending": (phases.RUNNING, phases.EXHAUSTED),
        "current pawn": (0, MAX_PAWNS),
        "detectives": (1, MAX_PAWNS),
        "round_number": (1, 1000),
        "double_left": (0, 2),
        "pawn_station pawn_target pawn_left mr_x_station log_station seen_station": stations,
        "pawn_moved weight_side": (0, 1),
        "pawn_tickets mr_x_tickets": (UNLIMITED, 1000),
        "moves": (0, 1000),
        "log_ticket": (HIDDEN, BLACK),
        "seen_move": (NEVER, 1000),
        "weight": (0, 2 * WEIGHT_TOTAL),
    }
    return possible_if(limits, _OPTIONS, _faults)


def _faults(s: ScotlandYard, begun: ScotlandYard) -> Iterator[str]:
    yield from _tickets(s, begun)
    yield from _pawns(s)
    yield from _turn(s)
    yield from _log(s, begun)
    yield from _suspects(s)


def _tickets(s: ScotlandYard, begun: ScotlandYard) -> Iterator[str]:
    for name in ("pawn_tickets", "mr_x_tickets"):
        if not np.array_equal(s[name] == UNLIMITED, begun[name] == UNLIMITED):
            yield f"{name} runs out where the options say so, and only there"
    if (s["pawn_tickets"] > begun["pawn_tickets"]).any():
        yield "a detective has more tickets than at the beginning (SY-19)"
    received = (begun["pawn_tickets"] - s["pawn_tickets"]).sum(axis=0) if s["classic"] else np.zeros(3, int)
    most = begun["mr_x_tickets"].astype(int)
    most[: len(received)] += received
    if (s["mr_x_tickets"] > most).any():
        yield "Mr. X has more tickets than he can have (SY-19, SY-20)"


def _pawns(s: ScotlandYard) -> Iterator[str]:
    detectives, phase = int(s["detectives"]), int(s["phase"])
    stations = s["pawn_station"][:detectives]
    absent = [s[name][detectives:] for name in ("pawn_station", "pawn_target", "pawn_left")]
    if any((field != NOWHERE).any() for field in absent) or s["pawn_moved"][detectives:].any():
        yield f"there are {detectives} detectives"
    placed = int(s["pawn"]) if phase == phases.PLACING else detectives
    if placed > detectives or (stations[placed:] != NOWHERE).any():
        yield "start cards are drawn one after the other (SY-6, SY-21)"
    gone = s["pawn_left"][:detectives] != NOWHERE
    if not np.array_equal(gone[:placed], (stations == NOWHERE)[:placed]) or (gone.any() and s["stuck_stay"]):
        yield "a detective is on the board, or has left it somewhere (SY-27)"
    here = stations[stations != NOWHERE].tolist()
    if len(set(here)) < len(here):
        yield "two detectives share a station (SY-7, SY-23)"
    if (int(s["mr_x_station"]) == NOWHERE) != (phase == phases.PLACING):
        yield "Mr. X is on the board as soon as the start cards are drawn (SY-21)"
    if phase != phases.PLACING and (int(s["mr_x_station"]) in here) != (int(s["ending"]) == phases.CAUGHT):
        yield "Mr. X is caught where a detective stands on his station, and only there (SY-8)"
    if phase not in (phases.PLACING, phases.OVER) and not here:
        yield "no detective is left (SY-28)"


def _turn(s: ScotlandYard) -> Iterator[str]:
    phase, current, pawn = int(s["phase"]), int(s["current"]), int(s["pawn"])
    detectives, players = int(s["detectives"]), int(s["players"])
    if (int(s["ending"]) == phases.RUNNING) == (phase == phases.OVER):
        yield "a game is over when it has an ending"
    if phase in (phases.PLACING, phases.FLEEING, phases.OVER) and current != 0:
        yield "it is Mr. X's turn"
    if phase in (phases.CHOOSING, phases.MOVING) and not 1 <= current < players:
        yield "it is the turn of a seat with detectives"
    if phase == phases.CHOOSING and s["together"]:
        yield "detectives who step together are not chosen (SY-7)"
    if phase == phases.MOVING:
        if pawn >= detectives or s["pawn_station"][pawn] == NOWHERE or s["pawn_moved"][pawn]:
            yield "the detective to move has moved already, or is not there"
        if 1 + pawn % (players - 1) != current:
            yield "the detective to move is another player's (SY-15)"
    chosen: list[int] = []
    for k in range(detectives):
        target = int(s["pawn_target"][k])
        if target == NOWHERE:
            if phase == phases.MOVING and s["together"] and s["pawn_moved"][k]:
                yield "a detective has chosen a step (SY-7)"
            continue
        if not (phase == phases.MOVING and s["together"] and s["pawn_moved"][k]):
            yield "a step is kept while the others choose theirs, and only then (SY-7)"
        if target in chosen or target not in neighbours(s.dtype, TAXI, int(s["pawn_station"][k])):
            yield "a detective steps to a neighbouring cell of its own (SY-4, SY-7)"
        chosen.append(target)
    moved = s["pawn_moved"][:detectives].tolist()
    if phase == phases.MOVING and s["together"] and moved != [k < pawn for k in range(detectives)]:
        yield "detectives choose their steps in order (SY-7)"


def _log(s: ScotlandYard, begun: ScotlandYard) -> Iterator[str]:
    phase, moves, rounds = int(s["phase"]), int(s["moves"]), int(s["round_number"])
    if rounds > int(s["max_rounds"]) or moves > len(s["log_ticket"]):
        yield f"a game has {int(s['max_rounds'])} rounds"
    if int(s["max_moves"]) and moves > int(s["max_moves"]):
        yield f"Mr. X has {int(s['max_moves'])} moves"
    announced, left = int(begun["mr_x_tickets"][DOUBLE]) - int(s["mr_x_tickets"][DOUBLE]), int(s["double_left"])
    if left and (phase != phases.FLEEING or announced == 0):
        yield "no double move was announced (SY-26)"
    before, after = rounds - 1 + announced, rounds + announced  # of this round's move, doubles counted twice
    allowed = range(before, before + 1)
    if phase == phases.PLACING:
        allowed = range(1)
    elif phase == phases.FLEEING and left:
        allowed = range(before + 1 - left, before + 2 - left)
    elif phase in (phases.CHOOSING, phases.MOVING) and not s["detectives_first"]:
        allowed = range(after, after + 1)
    elif phase == phases.OVER:
        allowed = range(max(0, before - 1), after + 1)
    if moves not in allowed:
        yield f"in round {rounds} Mr. X has made {allowed[0]} moves, not {moves}"
    shown = [bool(int(s["reveal_moves"]) >> move & 1) for move in range(1, moves + 1)]
    if (s["log_ticket"][:moves] == HIDDEN).any() or (s["log_ticket"][moves:] != HIDDEN).any():
        yield "the travel log holds a ticket of every move (SY-24)"
    if (s["log_station"][:moves] != HIDDEN).tolist() != shown or (s["log_station"][moves:] != HIDDEN).any():
        yield "the travel log shows the stations where Mr. X had to show himself (SY-25)"
    seen = [move for move in range(1, moves + 1) if shown[move - 1]]
    last = (
        moves
        if phase == phases.OVER
        else seen[-1]
        if seen
        else 0
        if s["start_visible"] and phase != phases.PLACING
        else NEVER
    )
    if int(s["seen_move"]) != last or (last == NEVER) != (int(s["seen_station"]) == NOWHERE):
        yield "seen_move and seen_station tell when and where Mr. X was last seen"
    if seen and phase != phases.OVER and int(s["seen_station"]) != int(s["log_station"][seen[-1] - 1]):
        yield "Mr. X was last seen where the travel log says"


def _suspects(s: ScotlandYard) -> Iterator[str]:
    stations = s["weight"].shape[1]
    for word in range(WORDS):
        room = min(WORD_BITS, max(0, stations - word * WORD_BITS))
        if int(s["possible"][word]) >> room:
            yield "possible holds stations of the map"
    suspects = possible_stations(s)
    if int(s["phase"]) != phases.PLACING and int(s["mr_x_station"]) not in suspects:
        yield "Mr. X is not where he may be (SY-62)"
    weights = s["weight"][int(s["weight_side"])]
    if s["keeps_weights"] and np.flatnonzero(weights).tolist() != suspects:
        yield "the stations where Mr. X may be have weights, and only they (SY-62)"
    if not s["keeps_weights"] and (s["weight"].any() or s["weight_side"]):
        yield "no weights are kept"
