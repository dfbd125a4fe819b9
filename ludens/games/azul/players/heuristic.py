"""Azul: the heuristic player (AZ-91): what a move is worth at once (AZ-92), on the wall as it will be then (AZ-122)."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, blank
from ludens.core.rng import below
from ludens.games.azul import phases
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.rules.wall import tile_points, wall_columns
from ludens.games.azul.state import DTYPE, FIRST_COLUMN, FLOOR, FLOOR_PENALTY, FLOOR_ROOM, NOBODY, SIZE, STEP, Azul

__all__ = [
    "HeuristicAgent",
    "best_action",
    "best_column",
    "choose",
    "choose_many",
    "choose_on_gpu",
    "project",
    "rank_of_take",
]


@rule
def best_column(s: Azul, p: int, row: int, colour: int, columns: Array) -> int:
    """The legal column with most points, ties to the smallest, or -1 (AZ-68, AZ-124)."""
    n = wall_columns(s, p, row, colour, columns)
    best, best_points = -1, -1
    for k in range(n):
        points = tile_points(s.wall[p], row, columns[k])
        if points > best_points:
            best, best_points = columns[k], points
    return best


@rule
def project(s: Azul, p: int, destination: int, columns: Array) -> None:
    """Puts the tiles of the full lines above the destination on player p's wall, in place (AZ-122)."""
    for line in range(min(destination, SIZE)):
        if s.line_count[p, line] == line + 1:
            colour = int(s.line_colour[p, line])
            column = best_column(s, p, line, colour, columns)
            if column >= 0:
                s.wall[p, line, column] = colour


@rule
def rank_of_take(s: Azul, a: int, scratch: Records[Azul], columns: Array) -> int:
    """The order of AZ-92 as one number, larger is better; the action id breaks ties.

    `scratch` is an array of one record, `columns` an integer array of five.
    """
    p = int(s.current)
    source, colour, line = a // 30, a // 6 % 5, a % 6
    taken = int(s.sources[source, colour])
    marker = 1 if source == s.factories and s.marker == NOBODY else 0
    gain, over, room = 0, taken, 0
    if line != FLOOR:
        held = int(s.line_count[p, line])
        over = max(0, held + taken - line - 1)
        room = max(0, line + 1 - held - taken)
        if room == 0:
            scratch[0] = s
            w = scratch[0]
            project(w, p, line, columns)
            column = best_column(w, p, line, colour, columns)
            if column >= 0:
                gain = tile_points(w.wall[p], line, column)
    used = int(s.floor_count[p])
    gain -= int(FLOOR_PENALTY[min(FLOOR_ROOM, used + over + marker)] - FLOOR_PENALTY[used])
    on_line = 0 if line == FLOOR else 1
    return (((((gain + 20) * 2 + on_line) * 32 + taken) * 32 + 31 - over) * 8) + 7 - room


@rule
def best_action(
    s: Azul, legal: Array, n: int, scratch: Records[Azul], columns: Array, rng: Array, random_ties: bool
) -> int:
    """The heuristic's choice among legal[:n]: AZ-92 when taking, AZ-68 on the grey wall."""
    if s.phase == phases.PLACING:
        if legal[0] == STEP:
            return STEP
        p = int(s.current)
        line = full_line(s, p)
        return FIRST_COLUMN + best_column(s, p, line, int(s.line_colour[p, line]), columns)
    best, best_rank, ties = -1, -1, 0
    for k in range(n):
        rank = rank_of_take(s, int(legal[k]), scratch, columns)
        if rank > best_rank:
            best, best_rank, ties = legal[k], rank, 1
        elif rank == best_rank and random_ties:
            ties += 1
            if below(rng, ties) == 0:
                best = legal[k]
    return best


@rule
def choose_on_gpu(s: Azul, legal: Array, n: int, scratch: Records[Azul], columns: Array) -> int:
    """`best_action` with first ties, for `gpu.kernels`; it reads nothing that is hidden."""
    return best_action(s, legal, n, scratch, columns, legal, False)


@kernel
def choose(
    views: Records[Azul], legal: Array, scratch: Records[Azul], columns: Array, rng: Array, random_ties: bool
) -> int:
    """`best_action` for Python: the choice for views[0]."""
    return best_action(views[0], legal, legal.shape[0], scratch, columns, rng, random_ties)


@kernel
def choose_many(
    views: Records[Azul], masks: Array, legal: Array, scratch: Records[Azul], columns: Array, rng: Array,
    random_ties: bool, out: Array,
) -> None:  # fmt: skip
    """`best_action` for many views with masks of their legal actions."""
    for i in range(views.shape[0]):
        n = 0
        for a in range(masks.shape[1]):
            if masks[i, a]:
                legal[n] = a
                n += 1
        out[i] = best_action(views[i], legal, n, scratch, columns, rng, random_ties)


class HeuristicAgent(Agent):
    """Takes the move with the largest immediate gain, then the one with more tiles and less on the floor."""

    def __init__(self, ties: str = "first") -> None:
        self._random_ties = ties == "random"
        self._scratch = blank(DTYPE)
        self._columns = np.zeros(SIZE, np.int64)

    def start(self, seating: Seating) -> None:
        self._rng = seating.generator()

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(choose(view, legal, self._scratch, self._columns, self._rng, self._random_ties))

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """int64[k]: what it chooses in each of k positions, for trainings that ask about thousands at once."""
        out, legal = np.zeros(len(views), np.int64), np.zeros(masks.shape[1], np.int64)
        choose_many(views, masks, legal, self._scratch, self._columns, self._rng, self._random_ties, out)
        return out
