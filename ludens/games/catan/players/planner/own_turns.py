"""Catan: finding the planner's segments, compiled (CA-32 … CA-35): breadth first, the best ones by v_quick returned.

A way to a position is kept as the node before it and a code: an action, or an offer to the others with their answers.
Python plays the few ways again that it wants to know (`segments.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.record import blank
from ludens.games.catan.players.linear.turns import Desk, new_desk, rank_actions, useful
from ludens.games.catan.players.planner.values import accepts, known_value
from ludens.games.catan.rules.verbs import actor, apply, legal
from ludens.games.catan.state import (
    ACCEPT,
    ANSWER,
    BEFORE_ROLL,
    DECLINE,
    DTYPE,
    END,
    GIVE,
    KINDS,
    LAST_CHANCE,
    MAIN,
    OVER,
    PARTNER,
    PARTNERING,
    PROPOSE,
    WANT,
)

__all__ = ["Room", "best_segments", "new_room", "offer_of", "offered_actions"]

_MOST = 300  # segments looked at in one position
_CARD, _TRADE = 0, 1  # of the stages of CA-33
_STAGES = 6
_NO_ACTION = 1 << 20


class Room(NamedTuple):
    """What looking for segments writes on; the first `n` entries of `order` then name the ends, the best first."""

    queue: np.ndarray  # records: positions within the turn
    stage: np.ndarray  # int64[nodes]: which kinds of action may follow there
    parent: np.ndarray  # int64[nodes]
    code: np.ndarray  # int64[nodes]: how the node was reached from its parent: an action, or an offer below zero
    ends: np.ndarray  # records: positions after segments
    words: np.ndarray  # the same memory as numbers, to tell equal ones
    last: np.ndarray  # int64[ends]: the node whose turn ends there, or -1 - node where the node itself is the end
    worth: np.ndarray  # float64[ends]: v_quick
    order: np.ndarray  # int64[ends]
    trial: np.ndarray  # records: for trying offers
    gives: np.ndarray  # int64[kinds]: the best cards to offer
    gains: np.ndarray  # float64[kinds]: what the trade is worth


def new_room() -> tuple[Room, Desk]:
    """Room for one seat's thoughts."""
    ends = blank(DTYPE, _MOST + 1)
    words = ends.view(np.uint64).reshape(_MOST + 1, -1)
    room = Room(
        blank(DTYPE, _MOST),
        np.zeros(_MOST, np.int64),
        np.zeros(_MOST, np.int64),
        np.zeros(_MOST, np.int64),
        ends,
        words,
        np.zeros(_MOST + 1, np.int64),
        np.zeros(_MOST + 1),
        np.zeros(_MOST + 1, np.int64),
        blank(DTYPE, 2),
        np.zeros(KINDS, np.int64),
        np.zeros(KINDS),
    )
    return room, new_desk(1)


def offer_of(code: int) -> tuple[int, int, int]:
    """Size, given and wanted kind of an offer's code."""
    rest, wanted = divmod(-1 - code, KINDS)
    size, given = divmod(rest, KINDS)
    return size, given, wanted


def offered_actions(code: int) -> list[int]:
    """The actions that put an offer on the table."""
    size, given, wanted = offer_of(code)
    return [*[GIVE + given] * size, WANT + wanted, PROPOSE]


@kernel
def best_segments(states: Any, seat: int, weights: Any, settings: Any, room: Any, desk: Any) -> int:
    """Looks for the segments from states[0] on; returns how many there are.

    Of twins, which end in equal positions, the first keeps its place and the last its way.
    """
    room.queue[0] = states[0]
    room.stage[0] = _CARD
    room.parent[0] = -1
    count, at, found = 1, 0, 0
    while at < count:
        here = room.queue[at]
        phase = int(here.phase)
        if phase <= LAST_CHANCE or phase == OVER or actor(here) != seat:
            room.ends[found] = here
            found = _noted(room, found, -1 - at)
            at += 1
            continue
        if phase == MAIN:
            room.ends[found] = here
            apply(room.ends[found], END)
            found = _noted(room, found, at)
        rank_actions(here, seat, room.stage[at], weights, settings, desk)
        if phase == BEFORE_ROLL:
            count = _pushed(room, desk, at, count, _TRADE)  # the roll itself
            count = _pushed(room, desk, at, count, _CARD)
        else:
            for kind in range(_STAGES):
                count = _pushed(room, desk, at, count, kind)
        if phase == MAIN and room.stage[at] <= _TRADE:
            count = _pushed_offers(room, desk, at, count, seat, weights, settings)
        at += 1
    for k in range(found):
        room.worth[k] = known_value(room.ends[k], seat, weights, desk.scratch[3:4], desk.memo)
        place = k
        while place > 0 and room.worth[room.order[place - 1]] < room.worth[k]:
            room.order[place] = room.order[place - 1]
            place -= 1
        room.order[place] = k
    return found


@rule
def _noted(room: Any, found: int, last: int) -> int:
    """Keeps ends[found] unless an equal one is there; returns how many there are."""
    for k in range(found):
        same = True
        for word in range(room.words.shape[1]):
            if room.words[k, word] != room.words[found, word]:
                same = False
                break
        if same:
            room.last[k] = last
            return found
    room.last[found] = last
    return found + 1


@rule
def _pushed(room: Any, desk: Any, at: int, count: int, kind: int) -> int:
    """Puts the positions after the best actions of a kind into the queue; those beyond its end are never looked at."""
    here = room.queue[at]
    within = here.phase != MAIN and here.phase != BEFORE_ROLL
    for k in range(desk.found[kind]):
        if count == room.queue.shape[0]:
            return count
        room.queue[count] = here
        apply(room.queue[count], desk.top[kind, k])
        room.stage[count] = room.stage[at] if within else _TRADE if kind == _CARD else kind
        room.parent[count] = at
        room.code[count] = desk.top[kind, k]
        count += 1
    return count


@rule
def _pushed_offers(room: Any, desk: Any, at: int, count: int, seat: int, weights: Any, settings: Any) -> int:
    """Offers that somebody would take, one card for one; two for one only where nobody takes one (CA-34, CA-35)."""
    here = room.queue[at]
    if here.offers_made >= min(settings.max_offers, int(here.max_offers)):
        return count
    for wanted in range(KINDS):
        if not useful(here, seat, wanted):
            continue
        for size in range(1, 3):
            made = 0
            for given in range(KINDS):
                if given == wanted or here.hand[seat, given] < size:
                    continue
                if not _traded(room, desk, at, seat, given, size, wanted, weights):
                    continue
                gain = known_value(room.trial[0], seat, weights, desk.scratch[3:4], desk.memo)
                place = made
                while place > 0 and room.gains[place - 1] < gain:
                    room.gains[place] = room.gains[place - 1]
                    room.gives[place] = room.gives[place - 1]
                    place -= 1
                room.gains[place] = gain
                room.gives[place] = given
                made += 1
            for k in range(min(made, settings.n_actions)):
                if count == room.queue.shape[0]:
                    return count
                _traded(room, desk, at, seat, room.gives[k], size, wanted, weights)
                room.queue[count] = room.trial[0]
                room.stage[count] = _TRADE
                room.parent[count] = at
                room.code[count] = -1 - ((size * KINDS + room.gives[k]) * KINDS + wanted)
                count += 1
            if made > 0:
                break
    return count


@rule
def _traded(room: Any, desk: Any, at: int, seat: int, given: int, size: int, wanted: int, weights: Any) -> bool:
    """Does the offer lead to a trade, with the answers that the opponents' own values suggest? See trial[0]."""
    trial = room.trial
    trial[0] = room.queue[at]
    for k in range(size + 2):
        a = GIVE + given if k < size else WANT + wanted if k == size else PROPOSE
        if not _is_legal(trial[0], a, desk):
            return False
        apply(trial[0], a)
    while trial[0].phase == ANSWER:
        asked = int(trial[0].responder)
        willing = _is_legal(trial[0], ACCEPT, desk) and accepts(trial[0:1], asked, weights, desk.scratch)
        apply(trial[0], ACCEPT if willing else DECLINE)
    if trial[0].phase == PARTNERING:
        n = legal(trial[0], desk.legal)
        partner = _NO_ACTION
        for k in range(n - 1, -1, -1):
            if desk.legal[k] >= PARTNER:
                partner = desk.legal[k]
        apply(trial[0], partner)
    return trial[0].hand[seat, wanted] > room.queue[at].hand[seat, wanted]


@rule
def _is_legal(s: Any, a: int, desk: Any) -> bool:
    n = legal(s, desk.legal)
    for k in range(n):
        if desk.legal[k] == a:
            return True
    return False
