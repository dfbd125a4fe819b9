"""Catan: planned turns (CA-23, CA-24, CA-32 … CA-36): which sequences of own actions are worth a thought.

A segment is a sequence of own actions up to the end of the turn or the next chance event. Segments keep the
order of CA-33: one development card, the roll, trades, roads, settlements, cities, new cards. Of every kind of
action only the best by `q_heuristic` are tried.

They are found breadth first, compiled; the best ones by v_quick are returned. A way to a position is kept as the node
before it and a code: an action, or an offer to the others with their answers. The few ways that a plan needs are played
again (`steps.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import numpy as np

from ludens.core import kernels, record
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, blank, copied, workspace
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.players.linear.turns import Desk, TurnSettings, new_desk, rank_actions, useful
from ludens.games.catan.players.planner.steps import Key, is_wanted, offer_code, remember_opponents, steps_along, traded
from ludens.games.catan.players.planner.twins import Twins, forget_twins, new_twins, records_and_words, twin_of
from ludens.games.catan.players.planner.values import SCRATCH, accepts, heuristic_values, known_value, quick_value
from ludens.games.catan.players.thesis_features import BASE
from ludens.games.catan.rules.verbs import actor, apply
from ludens.games.catan.state import DTYPE, KINDS, MAX_PLAYERS, Catan

__all__ = ["PlannedTurn", "PlannerSettings", "Room", "Segment", "Segments", "best_segments", "new_room"]

_MOST = 300  # segments looked at in one position
_CARD, _TRADE = 0, 1  # of the stages of CA-33
_STAGES = 6


class Room(NamedTuple):
    """What looking for segments writes on; the first `n` entries of `order` then name the ends, the best first."""

    queue: Records[Catan]  # records: positions within the turn
    queue_words: np.ndarray  # the same memory as numbers
    queue_twins: Twins  # equal ones at the same stage
    stage: Annotated[Array, record.int64(_MOST)]  # which kinds of action may follow there
    parent: Annotated[Array, record.int64(_MOST)]  # int64[nodes]
    code: Annotated[
        Array, record.int64(_MOST)
    ]  # how the node was reached from its parent: an action, or an offer below zero
    first: Annotated[
        Array, record.int64(_MOST + 1)
    ]  # the first of the nodes that follow it; they end where the next one's begin
    ends: np.ndarray  # records: positions after segments
    ends_words: np.ndarray
    ends_twins: Twins
    last: Annotated[
        Array, record.int64(_MOST + 1)
    ]  # the node whose turn ends there, or -1 - node where the node itself is the end
    worth: Annotated[Array, record.float64(_MOST + 1)]  # v_quick
    order: Annotated[Array, record.int64(_MOST + 1)]  # int64[ends]
    trial: Annotated[Array, KINDS]  # after offers of cards of each kind
    gives: Annotated[Array, record.int64(KINDS)]  # the best cards to offer
    gains: Annotated[Array, record.float64(KINDS)]  # what the trade is worth
    features: Annotated[Array, record.float64(MAX_PLAYERS, BASE)]  # what others think of a position before an offer
    values: Annotated[Array, record.float64(MAX_PLAYERS)]  # float64[seats]


def new_room() -> tuple[Room, Desk]:
    """Room for one seat's thoughts."""
    queue, queue_words = records_and_words(_MOST)
    ends, ends_words = records_and_words(_MOST + 1)
    twins = {"queue_twins": new_twins(_MOST), "ends_twins": new_twins(_MOST + 1)}
    records = {"queue": queue, "queue_words": queue_words, "ends": ends, "ends_words": ends_words}
    return workspace(Room, DTYPE, **records, **twins), new_desk(1)


@kernel
def best_segments(
    states: Records[Catan], seat: int, weights: Array, settings: TurnSettings, room: Room, desk: Desk
) -> int:
    """Looks for the segments from states[0] on; returns how many there are.

    Of twins, which end in equal positions, the first keeps its place and the last its way.
    """
    room.queue[0] = states[0]
    room.stage[0] = _CARD
    room.parent[0] = -1
    forget_twins(room.queue_twins)
    forget_twins(room.ends_twins)
    count, at, found = 1, 0, 0
    while at < count:
        here = room.queue[at]
        room.first[at] = count
        phase = int(here.phase)
        if phase <= phases.LAST_CHANCE or phase == phases.OVER or actor(here) != seat:
            room.ends[found] = here
            found = _noted(room, found, -1 - at)
            at += 1
            continue
        if phase == phases.MAIN:
            room.ends[found] = here
            apply(room.ends[found], ids.END)
            found = _noted(room, found, at)
        twin = twin_of(room.queue_twins, room.queue_words, at, room.stage[at])
        if twin < at:
            count = _pushed_again(room, twin, at, count)
            at += 1
            continue
        rank_actions(here, seat, room.stage[at], weights, settings, desk)
        if phase == phases.BEFORE_ROLL:
            count = _pushed(room, desk, at, count, _TRADE)  # the roll itself
            count = _pushed(room, desk, at, count, _CARD)
        else:
            for kind in range(_STAGES):
                count = _pushed(room, desk, at, count, kind)
        if phase == phases.MAIN and room.stage[at] <= _TRADE:
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
def _noted(room: Room, found: int, last: int) -> int:
    """Keeps ends[found] unless an equal one is there; returns how many there are."""
    place = twin_of(room.ends_twins, room.ends_words, found, 0)
    room.last[place] = last
    return found + 1 if place == found else found


@rule
def _pushed_again(room: Room, twin: int, at: int, count: int) -> int:
    """Puts what follows an equal position of the same stage into the queue once more."""
    for k in range(room.first[twin], room.first[twin + 1]):
        if count == room.queue.shape[0]:
            return count
        room.queue[count] = room.queue[k]
        room.stage[count] = room.stage[k]
        room.parent[count] = at
        room.code[count] = room.code[k]
        count += 1
    return count


@rule
def _pushed(room: Room, desk: Desk, at: int, count: int, kind: int) -> int:
    """Puts the positions after the best actions of a kind into the queue; those beyond its end are never looked at."""
    here = room.queue[at]
    within = here.phase != phases.MAIN and here.phase != phases.BEFORE_ROLL
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
def _pushed_offers(
    room: Room, desk: Desk, at: int, count: int, seat: int, weights: Array, settings: TurnSettings
) -> int:
    """Offers that somebody would take, one card for one; two for one only where nobody takes one (CA-34, CA-35)."""
    here = room.queue[at]
    if here.offers_made >= min(settings.max_offers, int(here.max_offers)):
        return count
    remember_opponents(here, seat, weights, room.features, room.values, desk)
    for wanted in range(KINDS):
        if not useful(here, seat, wanted):
            continue
        for size in range(1, 3):
            made = 0
            for given in range(KINDS):
                if given == wanted or here.hand[seat, given] < size:
                    continue
                code, trial = offer_code(size, given, wanted), room.trial[given : given + 1]
                if not is_wanted(here, seat, code, weights, room.features, room.values, desk):
                    continue
                if not traded(here, seat, code, weights, trial, desk):
                    continue
                gain = known_value(trial[0], seat, weights, desk.scratch[3:4], desk.memo)
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
                room.queue[count] = room.trial[room.gives[k]]
                room.stage[count] = _TRADE
                room.parent[count] = at
                room.code[count] = offer_code(size, room.gives[k], wanted)
                count += 1
            if made > 0:
                break
    return count


# --- segments for the search ----------------------------------------------------------------


@dataclass(frozen=True)
class PlannerSettings:
    """How broad and deep the planner thinks."""

    depth: int = 1  # CA-29
    n_actions: int = 3  # of each kind of action (CA-32.1)
    n_turns: int = 9  # of the turns at the root (CA-32.2)
    n_turns_search: int = 3  # of the turns inside the search (CA-32.3)
    max_offers: int = 3  # offers to players a turn (CA-35)
    blend: float = 0.5  # weight of imagined settlements in the value of a road (CA-36)
    chance_window: str = "open"  # CA-27
    opponent_model: str = "minimise"  # CA-28


@dataclass(frozen=True)
class Segment:
    """A way from a position, and the position after it."""

    segments: Segments
    start: np.ndarray
    way: tuple[int, ...]
    after: np.ndarray

    @property
    def steps(self) -> tuple[tuple[Key, int], ...]:
        """Own actions with the key of the position before each."""
        return self.segments.steps(self.start, self.way)


@dataclass(frozen=True)
class PlannedTurn:
    """The steps to take, and how to go on after every outcome of the chance event that may follow (CA-24)."""

    steps: tuple[tuple[Key, int], ...]
    value: float
    continuations: dict[Key, PlannedTurn] = field(default_factory=dict)


class Segments:
    """Finds the segments of a seat by the settings and an evaluation."""

    def __init__(self, seat: int, settings: PlannerSettings, weights: np.ndarray) -> None:
        self._seat, self._settings, self._weights = seat, settings, weights
        self._breadth = TurnSettings(settings.n_actions, settings.max_offers, settings.blend)
        self._scratch = blank(DTYPE, SCRATCH)
        self._legal = np.zeros(ids.ACTIONS, np.int64)
        self._room, self._desk = new_room()

    def quick(self, states: np.ndarray) -> float:
        """v_quick of a position."""
        return float(quick_value(states, self._seat, self._weights))

    def best_actions(self, states: np.ndarray, actions: list[int], most: int) -> list[int]:
        """The best actions by q_heuristic, at most so many, the best first (CA-32.1)."""
        if len(actions) < 2:
            return actions
        choices, values = np.array(actions, np.int64), np.zeros(len(actions))
        blend, memo = self._settings.blend, self._desk.memo
        heuristic_values(states, self._seat, choices, blend, self._weights, self._scratch, memo, values)
        return [actions[k] for k in np.argsort(-values, kind="stable")[:most]]

    def accepts(self, states: np.ndarray, seat: int) -> bool:
        """Would this seat take the offer on the table? (CA-35)"""
        return bool(accepts(states, seat, self._weights, self._scratch, self._desk.memo))

    def legal(self, states: np.ndarray) -> list[int]:
        """The legal actions in a position."""
        return [int(a) for a in self._legal[: kernels.legal_at(states, 0, self._legal)]]

    def best(self, states: np.ndarray, most: int) -> list[Segment]:
        """The best segments by v_quick, at most so many, the best first (CA-32.2)."""
        room = self._room
        n = best_segments(states, self._seat, self._weights, self._breadth, room, self._desk)
        return [
            Segment(self, states, self._way(int(k)), copied(room.ends[k : k + 1])) for k in room.order[: min(n, most)]
        ]

    def _way(self, end: int) -> tuple[int, ...]:
        """The codes that lead to an end of the last search."""
        room, last = self._room, int(self._room.last[end])
        codes, node = ([ids.END], last) if last >= 0 else ([], -1 - last)
        while room.parent[node] >= 0:
            codes.append(int(room.code[node]))
            node = int(room.parent[node])
        return tuple(reversed(codes))

    def steps(self, states: np.ndarray, way: tuple[int, ...]) -> tuple[tuple[Key, int], ...]:
        """The own actions of a way with the key of the position before each."""
        return steps_along(states, self._seat, way, self._weights, self._room.trial, self._desk)
