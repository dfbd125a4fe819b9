"""Catan: planned turns (CA-23, CA-24, CA-32 … CA-36): which sequences of own actions are worth a thought.

A segment is a sequence of own actions up to the end of the turn or the next chance event. Segments keep the
order of CA-33: one development card, the roll, trades, roads, settlements, cities, new cards. Of every kind of
action only the best by `q_heuristic` are tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ludens.core import kernels
from ludens.core.record import blank, copied
from ludens.games.catan import action_ids as ids
from ludens.games.catan.players.linear.turns import TurnSettings
from ludens.games.catan.players.planner.own_turns import best_segments, new_room
from ludens.games.catan.players.planner.steps import Key, steps_along
from ludens.games.catan.players.planner.values import SCRATCH, accepts, heuristic_values, quick_value
from ludens.games.catan.state import DTYPE

__all__ = ["PlannedTurn", "PlannerSettings", "Segment", "Segments"]


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
