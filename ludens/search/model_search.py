"""A tree search that knows how its opponents answer: at their turns a model of them is asked.

The searcher's own decisions are nodes, told apart by what its seat sees; moves there are chosen by UCB1 (Kocsis and
Szepesvári 2006). What others do between two of them is the model's answer, so it is no part of the tree: a search of
one player against an environment, as approximate best responses are made (Timbers et al. 2020), with the model in place
of the learnt policy that is searched against. Beyond the tree all seats play by the model, up to the end or, after
`depth` own decisions, an evaluation: with a tree of one move it is a roll-out algorithm with the model as its base
policy (Bertsekas), which wins no less than the model does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ludens.core import kernels
from ludens.core.record import blank
from ludens.core.rng import generator, pick
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL

__all__ = ["ModelSearch"]

Answer = Callable[[int, np.ndarray, np.ndarray], int]
"""Seat, its view and its legal actions to an action."""


@dataclass
class _Node:
    """An own decision: what was tried there and what came of it."""

    actions: np.ndarray
    visits: np.ndarray = field(init=False)
    total: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.visits, self.total = np.zeros(len(self.actions)), np.zeros(len(self.actions))


class ModelSearch:
    """Searches for one seat; those of its side play as the model too."""

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        seat: int,
        answer: Answer,
        depth: int = 0,
        weights: np.ndarray | None = None,
        exploration: float = 1.0,
        seed: int = 0,
    ) -> None:
        self._game, self._seat, self._answer = game, seat, answer
        self._depth, self._weights, self._exploration = depth, weights, exploration
        self._rng = generator(seed)
        self._state, self._view = blank(game.dtype), blank(game.dtype)
        self._legal, self._results = np.zeros(game.spec.actions, np.int64), np.zeros(int(options[0]))

    def best(self, view: np.ndarray, legal: np.ndarray, simulations: int) -> tuple[int, float]:
        """The best action of those that were tried much, and the mean result of all simulations.

        Among equals the model's own move is played: where nothing can be won by leaving it, it is followed.
        """
        tree: dict[bytes, _Node] = {}
        total = sum(self._simulate(view, tree) for _ in range(simulations))
        root = tree[view.tobytes()]
        means = root.total / np.maximum(1, root.visits)
        means[root.visits < root.visits.max() / 2] = -np.inf
        best = np.flatnonzero(means == means.max())
        own = self._answer(self._seat, view.copy(), legal)
        return (own if own in root.actions[best] else int(root.actions[best[0]])), total / simulations

    def _simulate(self, view: np.ndarray, tree: dict[bytes, _Node]) -> float:
        """One world, one way through it; the result of the searching seat."""
        kernels.determinize_at(view, 0, self._seat, self._rng, self._state)
        path: list[tuple[_Node, int]] = []
        inside, own, here = True, 0, view
        while (who := int(kernels.actor_at(self._state, 0))) != TERMINAL:
            if who == CHANCE:
                kernels.apply_at(self._state, 0, int(kernels.draw_at(self._state, 0, self._rng)))
                continue
            n = kernels.legal_at(self._state, 0, self._legal)
            legal = self._legal[:n].copy()
            if n == 1 and (path or who != self._seat):
                kernels.apply_at(self._state, 0, int(legal[0]))
                continue
            if path or who != self._seat:
                kernels.view_at(self._state, 0, who, self._view)
                here = self._view
            if who == self._seat and inside:
                key = here.tobytes()
                inside = key in tree
                node = tree.setdefault(key, _Node(legal))
                k = self._choose(node)
                path.append((node, k))
                action = int(node.actions[k])
            else:
                own += who == self._seat
                if self._weights is not None and own > self._depth:
                    break
                action = self._answer(who, here.copy(), legal)
            kernels.apply_at(self._state, 0, action)
        else:
            kernels.returns_at(self._state, 0, self._results)
            return self._learn(path)
        kernels.evaluate_at(self._state, 0, self._weights, self._results)
        return self._learn(path)

    def _choose(self, node: _Node) -> int:
        """A move that was not tried, or the one of the highest upper bound."""
        untried = np.flatnonzero(node.visits == 0)
        if len(untried):
            return int(untried[pick(self._rng, len(untried))])
        spread = self._exploration * math.sqrt(math.log(node.visits.sum()))
        return int(np.argmax(node.total / node.visits + spread / np.sqrt(node.visits)))

    def _learn(self, path: list[tuple[_Node, int]]) -> float:
        result = float(self._results[self._seat])
        for node, k in path:
            node.visits[k] += 1
            node.total[k] += result
        return result
