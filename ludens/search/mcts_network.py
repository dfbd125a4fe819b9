"""Tree search with a network at its leaves: the nodes, edges and choices of `mcts_kernel`, usually without roll-outs.

One forward pass at a node's first visit gives the priors of its actions and the value of every seat; the node gets its
edges at once. A search that mixes values with roll-outs (`value_weight` below 1) makes one at a node's first visit
and asks the network at the second: what it says is kept, and mixed into the results of all iterations that leave the
tree behind this node, so that few of them wait for a pass. The network is shown the view of the seat that acts,
whatever the determinisation holds besides. Positions in which nobody chooses are never shown to it: draws are made and
single moves played first.

A descent stands still wherever it needs the network, and goes on with the answer. `grow_with_network` answers within
the kernel; `forest` collects the questions of many trees and has them answered together. Both make the same choices.
"""

from __future__ import annotations

import numpy as np

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.verbs import CHANCE, TERMINAL, view
from ludens.networks.forward import PackedNetwork, Thinking, forward, softmax
from ludens.search.mcts_kernel import (
    NONE,
    MctsSettings,
    Scratch,
    Tree,
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
from ludens.search.rollout import roll_out

__all__ = ["COUNT", "WHO", "answer", "descend", "finish", "grow_with_network", "make_walk", "seat_values", "set_off"]

# Where a descent stands: int64[_WALK].
_KIND = 0  # of the iteration, see `set_out`
_LENGTH = 1  # decisions on the path so far
WHO = 2  # the seat that acts in the position in question
COUNT = 3  # its legal actions
_NODE = 4  # its node, or NONE
_MISSING = 5  # actions without an edge
_LEAF = 6  # 1: the node was met for the first time, and its value ends the descent
_PASSED = 7  # the last node that was left by one of its edges, or NONE
_WALK = 8


def make_walk(*trees: int) -> np.ndarray:
    """Where a descent stands, or those of so many trees."""
    return np.zeros((*trees, _WALK), np.int64)


@rule
def set_off(
    work: Scratch, walk: Array, views: Records[Position], searcher: int, settings: MctsSettings, rng: Array
) -> None:
    """Begins an iteration."""
    walk[_KIND] = set_out(work, views, searcher, settings, rng)
    walk[_LENGTH], walk[_PASSED] = 0, NONE


@rule
def finish(tree: Tree, work: Scratch, walk: Array, settings: MctsSettings) -> None:
    """Ends an iteration: its result is added along the way."""
    add_result(tree, work, int(walk[_LENGTH]), int(walk[_KIND]), settings)


@rule
def _follow(tree: Tree, work: Scratch, walk: Array, n: int, settings: MctsSettings, rng: Array) -> bool:
    """Plays the move of the edge that is chosen; false if no legal action has one."""
    e = int(select(tree, work, n, settings, rng))
    if e == NONE:
        return False
    work.path[walk[_LENGTH], 0] = e
    work.path[walk[_LENGTH], 1] = walk[WHO]
    walk[_LENGTH] += 1
    walk[_PASSED] = walk[_NODE]
    verbs.apply(work.position[0], int(tree.action[e]))
    return True


@rule
def descend(tree: Tree, work: Scratch, walk: Array, searcher: int, settings: MctsSettings, rng: Array) -> bool:
    """Plays on until work.position is a question to the network (true), or the game has its result (false)."""
    s = work.position[0]
    while True:
        who = verbs.actor(s)
        if who == TERMINAL:
            verbs.returns(s, work.result)
            return False
        if who == CHANCE:
            verbs.apply(s, int(verbs.draw(s, rng)))
            continue
        n = int(verbs.legal(s, work.legal))
        if n == 1:
            verbs.apply(s, int(work.legal[0]))
            continue
        walk[WHO], walk[COUNT] = who, n
        walk[_NODE], walk[_MISSING], walk[_LEAF] = NONE, n, 1
        if walk[_LENGTH] >= work.path.shape[0]:
            return True
        key = key_of(work, settings, who, searcher)
        slot = slot_of(tree, key)
        node = int(tree.slots[slot])
        if node == NONE:
            walk[_NODE] = note(tree, slot, key)
            walk[_LEAF] = 0 if walk[_LENGTH] == 0 else 1
            return True
        walk[_NODE], walk[_LEAF] = node, 0
        if tree.first[node] == NONE:
            return True
        missing = match_edges(tree, node, work, n)
        walk[_MISSING] = missing
        if missing > 0 and has_room(tree, node, missing):
            return True
        if not _follow(tree, work, walk, n, settings, rng):
            return True


@rule
def answer(tree: Tree, work: Scratch, walk: Array, settings: MctsSettings, rng: Array) -> bool:
    """Goes on with the network's answer: work.weights of the legal actions, work.result of the seats.

    True if the descent goes on below the node; false if the values are the iteration's result.
    """
    node, n, missing = int(walk[_NODE]), int(walk[COUNT]), int(walk[_MISSING])
    if node == NONE:
        return False
    if has_room(tree, node, missing):
        add_edges(tree, node, work, n, missing)
    if walk[_LEAF] == 1 or tree.first[node] == NONE:
        return False
    return bool(_follow(tree, work, walk, n, settings, rng))


@rule
def seat_values(values: Array, who: int, team: int, result: Array) -> None:
    """From values in the order of play from the acting seat on to those of seat 0, 1, …

    A network of two values for more seats tells those of two sides, of the acting seat's first; bit p of `team` says on
    which of them seat p is.
    """
    players = result.shape[0]
    if values.shape[0] < players:
        for p in range(players):
            result[p] = values[((team >> p) ^ (team >> who)) & 1]
        return
    for k in range(players):
        result[(who + k) % players] = values[k]


@rule
def _ask(work: Scratch, walk: Array, network: PackedNetwork, workspace: Thinking, settings: MctsSettings) -> None:
    """Answers the question at once, by a forward pass from the view of the seat that acts."""
    who, n = int(walk[WHO]), int(walk[COUNT])
    view(work.position[0], who, work.seen)
    verbs.observe(work.seen[0], who, workspace.features)
    forward(network, work.legal, n, workspace, work.weights)
    softmax(work.weights, n, settings.prior_temperature)
    seat_values(workspace.values, who, int(settings.team), work.result)


@rule
def _keep(tree: Tree, work: Scratch, node: int) -> None:
    """Keeps what the network said of a node."""
    for p in range(work.result.shape[0]):
        tree.worth[node, p] = work.result[p]


@rule
def _mix(tree: Tree, work: Scratch, node: int, value_weight: float) -> None:
    """The result of a roll-out with what the network said of the node before it, if there is one."""
    if node != NONE:
        for p in range(work.result.shape[0]):
            work.result[p] = value_weight * tree.worth[node, p] + (1.0 - value_weight) * work.result[p]


@kernel
def grow_with_network(
    tree: Tree, work: Scratch, walk: Array, views: Records[Position], searcher: int, network: PackedNetwork,
    workspace: Thinking, weights: Array, settings: MctsSettings, rng: Array, iterations: int,
) -> None:  # fmt: skip
    """`mcts_kernel.grow` with a network; workspace is its `Thinking`, weights are the evaluation's after roll-outs."""
    value_weight = float(settings.value_weight)
    for _ in range(iterations):
        set_off(work, walk, views, searcher, settings, rng)
        unfinished = False  # must the rest be rolled out?
        while descend(tree, work, walk, searcher, settings, rng):
            unfinished = value_weight < 1.0
            if unfinished and walk[_LEAF] == 1:
                break
            _ask(work, walk, network, workspace, settings)
            if unfinished and walk[_NODE] != NONE:
                _keep(tree, work, int(walk[_NODE]))
            if not answer(tree, work, walk, settings, rng):
                break
            unfinished = False
        if unfinished:
            s = work.position[0]
            roll_out(s, settings.mode, settings.depth, weights, rng, work.legal, work.weights, work.result)
            _mix(tree, work, int(walk[_PASSED]), value_weight)
        finish(tree, work, walk, settings)
