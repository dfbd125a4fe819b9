"""Scotland Yard: the turns and mirror images of a grid, and detectives who change their names.

A symmetry's number has two digits: an image of the map (the identity alone, on maps that are no grid), and a
permutation of the detectives that one player moves and that all need tickets or all need none. The latter only where
detectives move one by one and not while they are placed; several blocked ones pass in the order of their numbers, so
then neither.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ludens.core.jit import by_record, rule
from ludens.core.record import Records
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.action_ids import double_action, first_pawn_action
from ludens.games.scotland_yard.rules.maps import StationMap
from ludens.games.scotland_yard.rules.movement import owner, pawn_can_move
from ludens.games.scotland_yard.rules.tables import dtype_of, map_of, tables
from ludens.games.scotland_yard.state import NOWHERE, WORD_BITS, WORDS, ScotlandYard

__all__ = ["map_images", "symmetries", "transform", "transform_action"]


class Images(NamedTuple):
    """What every station becomes; the first row changes nothing."""

    station: np.ndarray  # int16[images, stations]


def map_images(board: StationMap) -> Images:
    """The turns and mirror images of a grid that keep connections and start cards."""
    places = {(round(x), round(y)): station for station, (x, y) in enumerate(board.places)}
    wide, high = (max(place[axis] for place in places) for axis in range(2))
    lines, decks = set(board.connections), [set(board.detective_starts), set(board.mr_x_starts)]
    rows = []
    for turned in (False, True) if board.columns else ():
        for right in (False, True):
            for down in (False, True):
                moved = {}
                for (x, y), station in places.items():
                    u, v = wide - x if right else x, high - y if down else y
                    moved[station] = places.get((v, u) if turned else (u, v), NOWHERE)
                there = {(*sorted((moved[a], moved[b])), kind) for a, b, kind in lines}
                if there == lines and [{moved[card] for card in deck} for deck in decks] == decks:
                    rows.append([moved[station] for station in range(len(places))])
    return Images(np.array(rows or [list(range(len(board.numbers)))], np.int16))


@cache
def _images_of(dtype: np.dtype) -> Images:
    return map_images(map_of(dtype))


def _images(s: ScotlandYard) -> Images:
    """The images of the record's map, in rules."""
    return _images_of(s.dtype)


by_record(_images, lambda record_type: _images_of(dtype_of(record_type)), call=False)


# --- detectives ----------------------------------------------------------------------------


@rule
def _alike(s: ScotlandYard, a: int, b: int) -> bool:
    """May these pawns change their names? One player moves both, and both need tickets or neither does."""
    plain_clothes = int(s.detectives) - int(s.bobbies)
    return owner(s, a) == owner(s, b) and (a < plain_clothes) == (b < plain_clothes)


@rule
def _choices(s: ScotlandYard, pawn: int) -> int:
    """How many pawns from this one on may have its name, itself among them."""
    n = 0
    for other in range(pawn, s.detectives):
        if _alike(s, pawn, other):
            n += 1
    return n


@rule
def _pawn(s: ScotlandYard, pawn: int, number: int) -> int:
    """What a pawn becomes: each in turn changes its name with itself or a later one, by its digit of the number."""
    for first in range(s.detectives):
        choices = _choices(s, first)
        left = number % choices
        number //= choices
        second = first
        for other in range(first + 1, s.detectives):
            if left > 0 and _alike(s, first, other):
                second = other
                left -= 1
        if pawn == first:
            pawn = second
        elif pawn == second:
            pawn = first
    return pawn


@rule
def _names(s: ScotlandYard) -> int:
    """How many permutations of the detectives leave the game as it is."""
    if s.together or s.phase == phases.PLACING:
        return 1
    if s.phase == phases.MOVING and not pawn_can_move(s, int(s.pawn)):
        return 1
    count = 1
    for pawn in range(s.detectives):
        count *= _choices(s, pawn)
    return count


# --- the verbs ------------------------------------------------------------------------------


@rule
def symmetries(s: ScotlandYard) -> int:
    return int(_images(s).station.shape[0] * _names(s))


@rule
def _station(s: ScotlandYard, row: int, station: int) -> int:
    if station < 0:  # nowhere, hidden or unknown
        return station
    return int(_images(s).station[row, station])


@rule
def transform(s: ScotlandYard, k: int, out: Records[ScotlandYard]) -> None:
    out[0] = s
    if k == 0:
        return
    t = out[0]
    row, names = k % _images(s).station.shape[0], k // _images(s).station.shape[0]
    for pawn in range(s.detectives):
        new = _pawn(s, pawn, names)
        if pawn == s.pawn:
            t.pawn = new
        t.pawn_station[new] = _station(s, row, int(s.pawn_station[pawn]))
        t.pawn_target[new] = _station(s, row, int(s.pawn_target[pawn]))
        t.pawn_left[new] = _station(s, row, int(s.pawn_left[pawn]))
        t.pawn_moved[new] = s.pawn_moved[pawn]
        for ticket in range(3):
            t.pawn_tickets[new, ticket] = s.pawn_tickets[pawn, ticket]
    if s.phase == phases.CHOOSING:
        t.pawn = _first_to_move(t)
    t.mr_x_station = _station(s, row, int(s.mr_x_station))
    t.seen_station = _station(s, row, int(s.seen_station))
    for move in range(s.moves):
        t.log_station[move] = _station(s, row, int(s.log_station[move]))
    for word in range(WORDS):
        t.possible[word] = 0
    for station in range(s.weight.shape[1]):
        new = _station(s, row, station)
        if int(s.possible[station // WORD_BITS]) >> (station % WORD_BITS) & 1:
            t.possible[new // WORD_BITS] |= 1 << (new % WORD_BITS)
        t.weight[0, new] = s.weight[0, station]
        t.weight[1, new] = s.weight[1, station]


@rule
def _first_to_move(t: ScotlandYard) -> int:
    """Who is named while one of several is chosen: the first of them, as the rules have it."""
    for pawn in range(t.detectives):
        if t.pawn_moved[pawn] == 0 and t.pawn_station[pawn] != NOWHERE and owner(t, pawn) == t.current:
            if pawn_can_move(t, pawn):
                return pawn
    return int(t.pawn)


@rule
def transform_action(s: ScotlandYard, a: int, k: int, t: ScotlandYard) -> int:
    row, names = k % _images(s).station.shape[0], k // _images(s).station.shape[0]
    first, stations = first_pawn_action(s), tables(s).degree.shape[1]
    if a >= double_action(s):
        return a
    if a >= first:
        return first + _pawn(s, a - first, names)
    return int(a // stations * stations + _station(s, row, a % stations))
