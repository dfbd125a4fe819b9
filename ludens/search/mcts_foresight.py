"""Tree search whose new nodes look one move ahead by the evaluation: the nodes, edges and choices of `mcts_kernel`.

A game that foresees its moves (`verbs.foresee`) tells what the evaluation says after every one of them, whole turns
included. A new node asks once: the answers are the priors of its edges, the better the larger, and the best of them is
its value, in place of a roll-out. One such look costs as much as many roll-outs and is worth more: it has weighed every
move where a roll-out has played one.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import blank
from ludens.core.verbs import CHANCE, MEMORY, TERMINAL
from ludens.search.mcts_kernel import (
    NONE,
    add_edges,
    add_result,
    has_room,
    key_of,
    match_edges,
    note,
    select,
    set_out,
    slot_of,
)

__all__ = ["Foresight", "grow_with_foresight", "make_foresight"]

_DIFFERENCE = 0.06  # of expected returns: who promises so much less has 1/e of the prior
_EVEN = 0.03  # part of the priors that all moves share alike
_WISE = -1.5  # moves that promise less are such as the game does not think of
_NOTHING = 1e-9


class Foresight(NamedTuple):
    """Memory for looks ahead."""

    memory: np.ndarray  # int64[MEMORY]: what a seat without a past remembers
    records: np.ndarray  # two records
    values: np.ndarray  # float64[seats]
    promises: np.ndarray  # float64[actions]


def make_foresight(dtype: np.dtype, actions: int, seats: int) -> Foresight:
    """Memory for one thread."""
    return Foresight(np.zeros(MEMORY, np.int64), blank(dtype, 2), np.zeros(seats), np.zeros(actions))


@rule
def _look(work: Any, ahead: Any, who: int, n: int, weights: Any, heat: float) -> None:
    """work.weights of the legal actions become their priors, work.result what the position is worth to everybody."""
    s = work.position[0]
    ahead.memory[:] = 0
    verbs.foresee(s, work.legal, n, weights, ahead.memory, ahead.records, ahead.values, ahead.promises)
    best = ahead.promises[0]
    for k in range(1, n):
        best = max(best, ahead.promises[k])
    total = 0.0
    for k in range(n):
        work.weights[k] = math.exp(max(-50.0, (ahead.promises[k] - best) / (_DIFFERENCE * heat)))
        total += work.weights[k]
    for k in range(n):
        work.weights[k] = (1.0 - _EVEN) * work.weights[k] / total + _EVEN / n
    verbs.evaluate(s, weights, work.result)
    if best > _WISE:
        _promise(work.result, who, best)


@rule
def _promise(result: Any, who: int, best: float) -> None:
    """The actor's expected result becomes the best that a move promises; the others share the rest as before."""
    players = result.shape[0]
    lost = -1.0 / (players - 1)  # the result of who has no chance to win
    best = min(1.0, max(lost, best))
    left = 1.0 - result[who]
    for p in range(players):
        result[p] = lost + (result[p] - lost) * (1.0 - best) / left if left > _NOTHING else lost * best
    result[who] = best


@rule
def _iterate(
    tree: Any, work: Any, ahead: Any, views: Any, searcher: int, weights: Any, settings: Any, rng: Any
) -> None:
    """One determinisation, one descent to a new node, and what is foreseen there added along the way."""
    kind = set_out(work, views, searcher, settings, rng)
    s = work.position[0]
    length = 0
    while True:
        who = int(verbs.actor(s))
        if who == TERMINAL:
            verbs.returns(s, work.result)
            break
        if who == CHANCE:
            verbs.apply(s, int(verbs.draw(s, rng)))
            continue
        n = int(verbs.legal(s, work.legal))
        if n == 1:
            verbs.apply(s, int(work.legal[0]))
            continue
        e = NONE
        if length < work.path.shape[0]:
            e = _step(tree, work, ahead, who, searcher, n, length == 0, weights, settings, rng)
        else:
            _look(work, ahead, who, n, weights, settings.heat)
        if e == NONE:
            break
        work.path[length, 0] = e
        work.path[length, 1] = who
        length += 1
        verbs.apply(s, int(tree.action[e]))
    add_result(tree, work, length, kind, settings)


@rule
def _step(
    tree: Any, work: Any, ahead: Any, who: int, searcher: int, n: int, at_root: bool, weights: Any, settings: Any,
    rng: Any,
) -> int:  # fmt: skip
    """The edge that the descent follows from here, or NONE with the result in work.result."""
    key = key_of(work, settings, who, searcher)
    slot = slot_of(tree, key)
    node = int(tree.slots[slot])
    fresh = node == NONE
    if fresh:
        node = note(tree, slot, key)
    missing = n
    if node != NONE and tree.first[node] != NONE:
        missing = match_edges(tree, node, work, n)
    if missing > 0:
        _look(work, ahead, who, n, weights, settings.heat)
        if node == NONE or not has_room(tree, node, missing):
            if node == NONE or missing == n:
                return NONE
        else:
            add_edges(tree, node, work, n, missing)
    if fresh and not at_root:
        return NONE
    return int(select(tree, work, n, settings, rng))


@kernel
def grow_with_foresight(
    tree: Any, work: Any, ahead: Any, views: Any, searcher: int, weights: Any, settings: Any, rng: Any, iterations: int
) -> None:
    """`mcts_kernel.grow` with looks ahead in place of roll-outs."""
    for _ in range(iterations):
        _iterate(tree, work, ahead, views, searcher, weights, settings, rng)
