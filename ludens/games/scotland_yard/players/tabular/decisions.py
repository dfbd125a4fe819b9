"""Scotland Yard: the grid game as rows of a table for Q-learning, in the thesis' set-up and in better ones.

`thesis`: a row is (detective, detective, last seen cell, t), a column one of 16 joint moves (SY-47, SY-48).
`improved`: each detective decides for itself, the second knowing where the first goes; both use one table (SY-59),
whose rows are classes of situations that are the same up to symmetry (SY-58), and every reveal is rewarded by the
distances (SY-60). `unfolded` is the same without symmetry, `joint` the same with joint moves.

Mr. X replies inside a step, by a table of what v4 would do in all 13,800 placements (SY-46, SY-51).
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ludens.core import kernels
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, blank
from ludens.core.rng import CHANCE_STREAM, generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.players import thesis_alphabeta
from ludens.games.scotland_yard.rules.verbs import actor, apply, draw, legal
from ludens.games.scotland_yard.state import NOWHERE, ScotlandYard

__all__ = [
    "CELLS",
    "COLUMNS",
    "DIRECTIONS",
    "HIDDEN_MOVES",
    "ROWS",
    "SIZE",
    "GridDecisions",
    "Symmetries",
    "cell_maps",
    "joint_row",
    "replies",
    "row_of",
    "symmetries",
    "tables_of",
    "unfolded",
]

SIZE = 5
CELLS = SIZE * SIZE
DIRECTIONS = np.array([-SIZE, -1, 1, SIZE], np.int64)
"""What a step up, left, right or down adds to a cell."""


class Symmetries(NamedTuple):
    """The eight symmetries, for situations (own cell, partner's cell, last seen cell)."""

    number: np.ndarray  # int64[cells³]: the number of a situation's class
    map: np.ndarray  # int64[cells³]: the symmetry that makes the situation its class's least one
    turned: np.ndarray  # int64[8, 4]: the direction that a direction becomes
    back: np.ndarray  # int64[8, 4]: the inverse
    classes: int


def cell_maps(reflections: bool = True) -> np.ndarray:
    """int64[4 or 8, cells]: where every cell goes under the rotations, and after them the reflections."""
    grid = np.arange(CELLS).reshape(SIZE, SIZE)
    pictures = [np.rot90(grid, k) for k in range(4)]
    if reflections:
        pictures += [np.rot90(grid.T, k) for k in range(4)]
    return np.array([np.argsort(picture.reshape(-1)) for picture in pictures])


@cache
def symmetries() -> Symmetries:
    """The tables for all eight symmetries."""
    maps = cell_maps()
    triples = np.unravel_index(np.arange(CELLS**3), (CELLS,) * 3)
    codes = np.array([np.ravel_multi_index(tuple(m[cells] for cells in triples), (CELLS,) * 3) for m in maps])
    least = codes.min(axis=0)
    known, number = np.unique(least, return_inverse=True)
    centre = CELLS // 2
    turned = np.array(
        [[list(DIRECTIONS).index(m[centre + step] - m[centre]) for step in DIRECTIONS] for m in maps], np.int64
    )
    return Symmetries(
        number.reshape(-1).astype(np.int64), codes.argmin(axis=0), turned, np.argsort(turned, axis=1), len(known)
    )


@cache
def unfolded() -> Symmetries:
    """The same tables with every situation a class of its own."""
    return symmetries()._replace(number=np.arange(CELLS**3), map=np.zeros(CELLS**3, np.int64), classes=CELLS**3)


# --- the game as rows of a table ---------------------------------------------------------


HIDDEN_MOVES = 3  # values of t (SY-10)
ROWS = {
    "thesis": CELLS**3 * HIDDEN_MOVES,
    "improved": symmetries().classes * HIDDEN_MOVES * 2,
    "unfolded": CELLS**3 * HIDDEN_MOVES * 2,
    "joint": symmetries().classes * HIDDEN_MOVES,
}
COLUMNS = {"thesis": 16, "improved": 4, "unfolded": 4, "joint": 16}


def tables_of(form: str) -> Symmetries:
    """Which situations are the same in a table of this form."""
    return symmetries() if form in ("improved", "joint") else unfolded()


@cache
def replies(game: Game, version: int = 4) -> np.ndarray:
    """int64[cells, cells, cells]: where Mr. X of the thesis goes from every placement, or NOWHERE if he cannot."""
    settings = thesis_alphabeta.Settings(version)
    search = thesis_alphabeta.new_search(game.dtype, settings)
    plies = thesis_alphabeta.plies_of(settings, settings.depth)
    states, rng = blank(game.dtype), generator(0, CHANCE_STREAM)
    kernels.reset_at(states, 0, game.options())
    while kernels.actor_at(states, 0) == CHANCE:
        kernels.apply_at(states, 0, kernels.draw_at(states, 0, rng))
    s = states[0]
    s.phase = phases.FLEEING
    found = np.full((CELLS,) * 3, NOWHERE, np.int64)
    for first, second, mr_x in permutations(range(CELLS), 3):
        s.pawn_station[0], s.pawn_station[1], s.mr_x_station = first, second, mr_x
        near = [mr_x + step for step in DIRECTIONS if _inside(mr_x, int(step))]
        if any(cell not in (first, second) for cell in near):
            thesis_alphabeta.flee(states, search, plies)
            found[first, second, mr_x] = search.line[0, 0]
    return found


def _inside(cell: int, step: int) -> bool:
    column = cell % SIZE + (step if abs(step) == 1 else 0)
    return 0 <= column < SIZE and 0 <= cell + step < CELLS


@rule
def _distance(a: int, b: int) -> int:
    return abs(a // SIZE - b // SIZE) + abs(a % SIZE - b % SIZE)


@rule
def row_of(s: ScotlandYard, number: Array, maps: Array) -> tuple[int, int]:
    """The row of a table of single moves for the pawn to move, and the symmetry that leads there."""
    own = int(s.pawn_station[s.pawn])
    partner = int(s.pawn_target[0]) if s.pawn == 1 else int(s.pawn_station[1])
    code = (own * CELLS + partner) * CELLS + int(s.seen_station)
    hidden = int(s.moves) - int(s.seen_move)
    return (number[code] * HIDDEN_MOVES + hidden) * 2 + int(s.pawn), maps[code]


@rule
def _settle(s: ScotlandYard, rng: Array, reply: Array, weight: float) -> float:
    """Plays start cards and Mr. X's replies up to the detectives' next decision; what it is worth to them."""
    worth = 0.0
    while True:
        who = actor(s)
        if who == CHANCE:
            a = draw(s, rng)
            next_event(rng)
            apply(s, a)
        elif who == 0:
            first, second = int(s.pawn_station[0]), int(s.pawn_station[1])
            apply(s, reply[first, second, s.mr_x_station])
            if s.seen_move == s.moves and actor(s) != TERMINAL:  # SY-60: rewarded at every reveal, by v4's evaluation
                near, far = _distance(first, int(s.mr_x_station)), _distance(second, int(s.mr_x_station))
                worth -= weight * (min(near, far) + max(near, far) / 2)
        else:
            return worth


@kernel
def _begin(states: Records[ScotlandYard], rng: Array, reply: Array) -> None:
    _settle(states[0], rng, reply, 0.0)


@kernel
def _step(
    states: Records[ScotlandYard], column: int, joint: bool, m: int, back: Array, directions: Array, rng: Array,
    reply: Array, weight: float,
) -> float:  # fmt: skip
    """The pawn to move, or both, take the steps of a column under a symmetry; what follows is worth …"""
    s = states[0]
    if joint:
        second = int(s.pawn_station[1]) + directions[back[m, column % 4]]
        apply(s, int(s.pawn_station[0]) + directions[back[m, column // 4]])
        apply(s, second)
    else:
        apply(s, int(s.pawn_station[s.pawn]) + directions[back[m, column]])
    return _settle(s, rng, reply, weight)


@kernel
def _own_row(
    states: Records[ScotlandYard], number: Array, maps: Array, turned: Array, directions: Array, ids: Array
) -> tuple[int, int, int]:
    """Row, symmetry and legal columns of a table of single moves; -1 after the end."""
    s = states[0]
    if actor(s) == TERMINAL:
        return -1, 0, 0
    row, m = row_of(s, number, maps)
    n = legal(s, ids)
    mask = 0
    for k in range(n):
        for d in range(4):
            if ids[k] - int(s.pawn_station[s.pawn]) == directions[d]:
                mask |= 1 << turned[m, d]
    return row, m, mask


@rule
def joint_row(s: ScotlandYard, number: Array, maps: Array, turned: Array, directions: Array) -> tuple[int, int, int]:
    """Row, symmetry and legal joint moves of a table of joint moves."""
    first, second = int(s.pawn_station[0]), int(s.pawn_station[1])
    code = (first * CELLS + second) * CELLS + int(s.seen_station)
    m = maps[code]
    mask = 0
    for d in range(4):
        for e in range(4):
            to, other = first + directions[d], second + directions[e]
            inside = 0 <= to < CELLS and 0 <= other < CELLS
            if inside and _distance(first, to) == 1 and _distance(second, other) == 1 and to != other:
                mask |= 1 << (4 * turned[m, d] + turned[m, e])
    return number[code] * HIDDEN_MOVES + int(s.moves) - int(s.seen_move), m, mask


@kernel
def _joint_row(
    states: Records[ScotlandYard], number: Array, maps: Array, turned: Array, directions: Array
) -> tuple[int, int, int]:
    """`joint_row` of states[0]; -1 after the end."""
    if actor(states[0]) == TERMINAL:
        return -1, 0, 0
    return joint_row(states[0], number, maps, turned, directions)


class GridDecisions:
    """The detectives' decisions against Mr. X of the thesis; what `ludens.learn.tabular` asks of a game."""

    def __init__(self, game: Game, options: np.ndarray, form: str = "improved", reveal: float = 0.02) -> None:
        self._joint, self._weight = COLUMNS[form] == 16, 0.0 if form == "thesis" else reveal
        self.rows, self.columns = ROWS[form], COLUMNS[form]
        self._options, self._reply = options, replies(game)
        self._states, self._ids = blank(game.dtype), np.zeros(game.spec.actions, np.int64)
        self._blank = blank(game.dtype)
        self._tables = tables_of(form)
        self.row, self.mask, self.final, self._map = -1, 0, 0.0, 0

    def begin(self, seed: int) -> None:
        """A new game from a random placement."""
        self._states[:] = self._blank
        self._rng = generator(seed, CHANCE_STREAM)
        kernels.reset_at(self._states, 0, self._options)
        _begin(self._states, self._rng, self._reply)
        self._look()

    def step(self, column: int) -> float:
        """Moves a pawn, or both; the reward: 1 for a capture, -1 for an escape, and the reward of a reveal."""
        way = column, self._joint, self._map, self._tables.back, DIRECTIONS
        reward = float(_step(self._states, *way, self._rng, self._reply, self._weight))
        self._look()
        return reward + (self.final if self.row < 0 else 0.0)

    def _look(self) -> None:
        tables = self._tables.number, self._tables.map, self._tables.turned
        if self._joint:
            self.row, self._map, self.mask = _joint_row(self._states, *tables, DIRECTIONS)
        else:
            self.row, self._map, self.mask = _own_row(self._states, *tables, DIRECTIONS, self._ids)
        if self.row < 0:
            returns = np.zeros(2)
            kernels.returns_at(self._states, 0, returns)
            self.final = float(returns[1])

    def result(self) -> dict[str, float]:
        """Rounds of the game and whether the detectives won it."""
        return {"rounds": float(self._states[0].round_number), "won": float(self.final > 0)}
