"""Azul: what it offers to learners, above all the thesis's three rewards of a move (AZ-116 … AZ-125).

A reward is told from the position before the move.

None of them looks at the result, at the marker, or at how full the floor already is. Constants have names; those of
AZ-120 are starting values of ours, since the thesis gives none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.learning import Learning
from ludens.core.record import Array, Records, blank
from ludens.games.azul.players.heuristic import best_column, choose_on_gpu, project
from ludens.games.azul.rules.wall import tile_points
from ludens.games.azul.state import DTYPE, EMPTY, FIRST_COLUMN, FLOOR, SIZE, Azul

__all__ = ["REWARDS", "TASKS", "MoveReward", "reward"]

_IMMEDIATE, _WALL, _PROJECTED = range(3)
_TO_FLOOR = -10.0  # AZ-116
_LARGEST_LINE = 5.0  # AZ-118


@rule
def reward(
    s: Azul, p: int, a: int, kind: int, constants: Array | tuple[float, ...], scratch: Records[Azul], columns: Array
) -> float:
    """What player p earns by the take `a`; nothing for the choice of a column on the grey wall.

    `constants` are in the order of `MoveReward.numbers`.
    """
    if a >= FIRST_COLUMN:
        return 0.0
    source, colour, line = a // 30, a // 6 % 5, a % 6
    c, c1, c2, c3 = constants[0], constants[1], constants[2], constants[3]
    real_wall, level_floor = constants[4], constants[5]
    scratch[0] = s
    w = scratch[0]
    if kind == _PROJECTED:
        project(w, p, line, columns)  # AZ-122
    filled = 0
    for r in range(SIZE):
        for column in range(SIZE):
            tile = s.wall[p, r, column] if real_wall > 0 else w.wall[p, r, column]
            if tile != EMPTY:
                filled += 1
    if line == FLOOR:
        return _TO_FLOOR - filled if level_floor > 0 and kind != _IMMEDIATE else _TO_FLOOR  # AZ-139
    taken = int(s.sources[source, colour])
    over = int(s.line_count[p, line]) + taken - (line + 1)
    if kind == _IMMEDIATE:  # AZ-118
        return _LARGEST_LINE - over if over >= 0 else float(taken)
    points = 0
    column = best_column(w, p, line, colour, columns)
    if column >= 0:
        points = tile_points(w.wall[p], line, column)
    if over >= 0:  # AZ-119
        return float(c + c1 * points - over - filled)
    return float(c2 + c3 * points - filled)


@kernel
def _rewards(
    states: Records[Azul], seats: Array, actions: Array, kind: int, constants: Array | tuple[float, ...],
    scratch: Records[Azul], columns: Array, out: Array,
) -> None:  # fmt: skip
    for i in range(states.shape[0]):
        out[i] = reward(states[i], seats[i], actions[i], kind, constants, scratch, columns)


@dataclass(frozen=True)
class MoveReward:
    """A reward that depends on a move and the position before it."""

    help: str
    kind: int
    constants: Mapping[str, float] = field(default_factory=dict)

    def __call__(
        self, states: np.ndarray, seats: np.ndarray, actions: np.ndarray, constants: Mapping[str, float]
    ) -> np.ndarray:
        """float64[n]: of actions[i] by seats[i], about to move in states[i]."""
        out = np.zeros(len(states))
        numbers = self.numbers(constants)
        _rewards(states, seats, actions, self.kind, numbers, blank(DTYPE), np.zeros(SIZE, np.int64), out)
        return out

    def numbers(self, constants: Mapping[str, float]) -> tuple[float, ...]:
        """All constants in the order in which the rule takes them."""
        values = {**_CONSTANTS, **constants}
        return tuple(float(values[name]) for name in _CONSTANTS)


# c … c3 of AZ-119; real_wall: count tiles on the real wall (AZ-123); level_floor: the same baseline for the floor move
# as for all others (AZ-139).
_CONSTANTS = {"c": 3.0, "c1": 1.0, "c2": 0.0, "c3": 0.5, "real_wall": 0.0, "level_floor": 0.0}

REWARDS = {
    "immediate": MoveReward("reward 1: immediate gain, the wall ignored (AZ-118)", _IMMEDIATE),
    "wall": MoveReward("reward 2: immediate gain with regard to the wall (AZ-119)", _WALL, _CONSTANTS),
    "projected": MoveReward("reward 3: the same with full lines on the wall (AZ-123)", _PROJECTED, _CONSTANTS),
}


TASKS: Learning = {
    "rewards": REWARDS,
    "on_gpu": {"player": "heuristic", "choose": choose_on_gpu, "reward": reward},  # see `gpu.kernels`
    "rows": {"block": "factories", "slots": 30},  # 5 colours × 6 destinations (AZ-66)
}
