"""Tree search with a network at its leaves: the nodes, edges and choices of `mcts_kernel`, usually without roll-outs.

One forward pass at a node's first visit gives the priors of its actions and the value of every seat; the node gets its
edges at once. A search that mixes values with roll-outs (`value_weight` below 1) makes one at a node's first visit
and asks the network at the second: what it says is kept, and mixed into the results of all iterations that leave the
tree behind this node, so that few of them wait for a pass. The network is shown the view of the seat that acts,
whatever the determinisation holds besides. Positions in which nobody chooses are never shown to it: draws are made and
single moves played first.

`grow_with_network` answers a descent's questions within the kernel; `forest` collects those of many trees and has them
answered together. Both make the same choices.
"""

from __future__ import annotations

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.verbs import view
from ludens.networks.forward import PackedNetwork, Thinking, forward, softmax
from ludens.search.mcts_kernel import (
    COUNT,
    LEAF,
    NODE,
    NONE,
    PASSED,
    WHO,
    MctsSettings,
    Scratch,
    Tree,
    answer,
    descend,
    finish,
    set_off,
)
from ludens.search.rollout import roll_out

__all__ = ["grow_with_network", "seat_values"]


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
def _ask(work: Scratch, network: PackedNetwork, workspace: Thinking, settings: MctsSettings) -> None:
    """Answers the question at once, by a forward pass from the view of the seat that acts."""
    who, n = int(work.walk[WHO]), int(work.walk[COUNT])
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
    tree: Tree, work: Scratch, views: Records[Position], searcher: int, network: PackedNetwork,
    workspace: Thinking, weights: Array, settings: MctsSettings, rng: Array, iterations: int,
) -> None:  # fmt: skip
    """`mcts_kernel.grow` with a network; workspace is its `Thinking`, weights are the evaluation's after roll-outs."""
    value_weight = float(settings.value_weight)
    for _ in range(iterations):
        set_off(work, views, searcher, settings, rng)
        answered = False
        while descend(tree, work, searcher, settings, rng, answered):
            answered = value_weight == 1.0 or work.walk[LEAF] == 0
            if answered:
                _ask(work, network, workspace, settings)
                if value_weight < 1.0 and work.walk[NODE] != NONE:
                    _keep(tree, work, int(work.walk[NODE]))
                answered = answer(tree, work)
            if not answered:
                if value_weight < 1.0:
                    s = work.position[0]
                    roll_out(s, settings.mode, settings.depth, weights, rng, work.legal, work.weights, work.result)
                    _mix(tree, work, int(work.walk[PASSED]), value_weight)
                break
        finish(tree, work, settings)
