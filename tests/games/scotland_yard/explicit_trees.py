"""Scotland Yard: the alpha-beta algorithm of the thesis on explicit trees (SY-31, SY-32).

This is the statement of what `players/thesis_alphabeta.py` does fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ludens.games.scotland_yard.rules.maps import StationMap

__all__ = ["Node", "alpha_beta", "grow", "minimax"]


@dataclass
class Node:
    """One node (SY-32). `value` is the sum of f from below the root down to this node."""

    detectives: tuple[int, int] = (0, 0)
    mr_x: int = 0  # the assumed cell
    depth: int = 0  # plies below the root
    detectives_to_move: bool = True
    value: float = 0.0
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    alpha: float = float("-inf")
    beta: float = float("inf")
    best: Node | None = None
    visited: bool = False


def alpha_beta(node: Node, maximise: bool = True) -> float:
    """Steps 1 to 4 of SY-31: sets α, β and the best child of every node visited; returns the node's value."""
    node.visited = True
    if node.parent is not None:
        node.alpha, node.beta = node.parent.alpha, node.parent.beta
    if not node.children:
        return node.value
    for child in node.children:
        if node.alpha >= node.beta:
            break
        value = alpha_beta(child, not maximise)
        if maximise and value > node.alpha:
            node.alpha, node.best = value, child
        elif not maximise and value < node.beta:
            node.beta, node.best = value, child
    return node.alpha if maximise else node.beta


def minimax(node: Node, maximise: bool = True) -> float:
    """The same value without pruning."""
    if not node.children:
        return node.value
    values = [minimax(child, not maximise) for child in node.children]
    return max(values) if maximise else min(values)


def grow(
    board: StationMap,
    root: Node,
    plies: int,
    evaluate: Callable[[Node, int], float],
    steps: tuple[int, ...] = (),
) -> Node:
    """The whole tree below a position of the grid game; `evaluate(node, ply)` is f of the node after that ply.

    Moves are in the order of the cells, or of `steps` from one cell to the next.
    """
    near: dict[int, list[int]] = {i: [] for i in range(len(board.numbers))}
    for a, b, _ in board.connections:
        near[a].append(b)
        near[b].append(a)
    for cell, others in near.items():
        others.sort(key=lambda other, here=cell: steps.index(other - here) if steps else other)  # type: ignore[misc]
    _grow(root, 0, plies, near, evaluate)
    return root


def _grow(node: Node, ply: int, plies: int, near: dict[int, list[int]], evaluate: Callable[[Node, int], float]) -> None:
    if ply == plies or node.mr_x in node.detectives:
        return
    for detectives, mr_x in _moves(node, near):
        child = Node(detectives, mr_x, ply + 1, not node.detectives_to_move, parent=node)
        child.value = node.value + evaluate(child, ply)
        node.children.append(child)
        _grow(child, ply + 1, plies, near, evaluate)


def _moves(node: Node, near: dict[int, list[int]]) -> Iterator[tuple[tuple[int, int], int]]:
    """Positions after each legal move (SY-7)."""
    first, second = node.detectives
    if node.detectives_to_move:
        for to_first in near[first]:
            for to_second in near[second]:
                if to_first != to_second:
                    yield (to_first, to_second), node.mr_x
    else:
        for to in near[node.mr_x]:
            if to not in node.detectives:
                yield node.detectives, to
