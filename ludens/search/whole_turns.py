"""Whole turns: every way in which the seat to act can play its next few decisions, one after the other.

A turn ends when another seat acts, chance falls, the game is over or the given number of decisions, its
span, is made. A tile and its follower are a turn of span two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records, blank
from ludens.core.verbs import TERMINAL

__all__ = ["Walk", "best_turn", "list_turns", "make_walk", "next_turn", "play_best_turn", "worth"]


class Walk(NamedTuple):
    """A walk over all turns of the position states[0]."""

    states: np.ndarray  # records[span + 1]
    legal: np.ndarray  # int64[span, actions]
    breadth: np.ndarray  # int64[span]
    next: np.ndarray  # int64[span]
    made: np.ndarray  # int64[1]: decisions of the present turn; its end is states[made]
    value: np.ndarray  # float64[seats]: scratch
    best: np.ndarray  # records[1]: the end of the best turn so far
    workspace: np.ndarray  # of the game's short cut
    replies: np.ndarray  # float64: the heuristic by which turns are chosen; empty: the evaluation of positions


def make_walk(dtype: np.dtype, actions: int, seats: int, span: int, replies: np.ndarray | None = None) -> Walk:
    """Memory for walks of this span."""
    return Walk(
        states=blank(dtype, span + 1),
        legal=np.zeros((span, actions), np.int64),
        breadth=np.zeros(span, np.int64),
        next=np.zeros(span, np.int64),
        made=np.zeros(1, np.int64),
        value=np.zeros(seats),
        best=blank(dtype),
        workspace=verbs.turn_workspace(dtype),
        replies=np.zeros(0) if replies is None else replies.copy(),
    )


@rule
def _descend(walk: Walk, seat: int, depth: int) -> None:
    """Plays first actions from states[depth] to the end of the turn."""
    while depth < walk.legal.shape[0] and verbs.actor(walk.states[depth]) == seat:
        walk.breadth[depth] = verbs.legal(walk.states[depth], walk.legal[depth])
        walk.next[depth] = 0
        walk.states[depth + 1] = walk.states[depth]
        verbs.apply(walk.states[depth + 1], int(walk.legal[depth, 0]))
        depth += 1
    walk.made[0] = depth


@rule
def next_turn(walk: Walk, seat: int) -> bool:
    """The next turn, or false after the last."""
    depth = int(walk.made[0]) - 1
    while depth >= 0:
        walk.next[depth] += 1
        if walk.next[depth] < walk.breadth[depth]:
            walk.states[depth + 1] = walk.states[depth]
            verbs.apply(walk.states[depth + 1], int(walk.legal[depth, walk.next[depth]]))
            _descend(walk, seat, depth + 1)
            return True
        depth -= 1
    return False


@rule
def worth(s: Position, weights: Array, heuristic: bool, out: Array) -> None:
    """The results at the end of a game (unless the evaluation is a heuristic), the evaluation before."""
    if verbs.actor(s) == TERMINAL and not heuristic:
        verbs.returns(s, out)
    else:
        verbs.evaluate(s, weights, out)


@rule
def best_turn(walk: Walk, weights: Array, heuristic: bool) -> None:
    """One-step choice (CD-30): best[0] becomes the end of the turn from states[0] that is worth most to its seat."""
    seat = int(verbs.actor(walk.states[0]))
    best = -np.inf
    _descend(walk, seat, 0)
    more = True
    while more:
        worth(walk.states[walk.made[0]], weights, heuristic, walk.value)
        if walk.value[seat] > best:
            best = walk.value[seat]
            walk.best[0] = walk.states[walk.made[0]]
        more = next_turn(walk, seat)


@rule
def play_best_turn(walk: Walk, world: Records[Position], weights: Array, heuristic: bool) -> None:
    """Plays the one-step choice in world[0], by the game's short cut where it has one for turns of this span.

    Afterwards `value` holds what the new position is worth.
    """
    replying = walk.replies.shape[0] > 0
    chooser = walk.replies if replying else weights
    n = 0
    if replying or heuristic:
        n = verbs.best_turn(world[0], chooser, walk.workspace, walk.value, walk.legal[0])
    if 0 < n <= walk.legal.shape[0]:
        for d in range(n):
            verbs.apply(world[0], int(walk.legal[0, d]))
        if not replying:
            return
    else:
        walk.states[0] = world[0]
        best_turn(walk, chooser, heuristic or replying)
        world[0] = walk.best[0]
    worth(world[0], weights, heuristic, walk.value)


@kernel
def list_turns(walk: Walk, root: Records[Position], out: Array) -> int:
    """Writes the turns of root[0], a row of actions each (-1 behind the last), into out; returns how many there are.

    Turns for which `out` has no room are counted, not written.
    """
    walk.states[0] = root[0]
    seat = int(verbs.actor(root[0]))
    _descend(walk, seat, 0)
    n = 0
    more = True
    while more:
        if n < out.shape[0]:
            for d in range(out.shape[1]):
                out[n, d] = walk.legal[d, walk.next[d]] if d < walk.made[0] else -1
        n += 1
        more = next_turn(walk, seat)
    return n
