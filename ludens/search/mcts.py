"""Trees searched side by side, one a thread, and merged at the root."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

import numpy as np

from ludens.core import kernels
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.networks.forward import PackedNetwork, make_thinking
from ludens.search.budget import Budget, work_off
from ludens.search.mcts_kernel import MctsSettings, Scratch, Tree, find_node, grow, make_scratch, make_tree
from ludens.search.mcts_network import grow_with_network, make_walk
from ludens.search.rollout import CUT

__all__ = ["EDGES_PER_EVALUATED_NODE", "FRESH_START", "Findings", "TreeSearch"]

_EDGES_PER_NODE = 8  # most nodes are met once and have no edges at all
EDGES_PER_EVALUATED_NODE = 32
"""With a network a node has its edges from the first visit on."""
_NODE_BYTES = 16 + 2 * 4 * 2  # a node and its slots in the table
_EDGE_BYTES = 32
_BEYOND_MEASURE = 1e9  # a prior that no value outweighs
_SECOND_STREAM = 11  # the seed of second looks
FRESH_START = 0.5
"""A tree fuller than this is cleared before the next move."""


@dataclass(frozen=True)
class Findings:
    """What a search knows of the actions of one position, in the order of their ids."""

    actions: np.ndarray  # int64
    visits: np.ndarray  # int64
    values: np.ndarray  # float64: mean result of the seat to act; that of all visits where there is none
    priors: np.ndarray  # float64
    simulations: int
    results: np.ndarray | None = None  # float64[seats]: mean result of every seat in all simulations, if kept
    squares: np.ndarray | None = None  # float64: sums of the squares of the results, if kept

    def order(self) -> np.ndarray:
        """Places of the actions from most visits to least; then the better value, then the larger prior."""
        return np.lexsort((self.priors, self.values, self.visits))[::-1]

    def best(self) -> int:
        """The first action of `order`."""
        return int(self.actions[self.order()[0]])


class TreeSearch:
    """Monte Carlo tree search with `threads` trees of `memory` MiB each.

    Nodes are known by what is seen in them, so the trees go on being used from move to move: `search`
    finds what was learnt of the new position before. Equal seeds, budgets in simulations and numbers of
    threads give equal findings. With a network, which must fit the game and its options, leaves are evaluated by it.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        settings: MctsSettings,
        weights: np.ndarray,
        threads: int = 1,
        memory: float = 64,
        network: PackedNetwork | None = None,
    ) -> None:
        per_node = _EDGES_PER_NODE if network is None else EDGES_PER_EVALUATED_NODE
        nodes = max(64, int(memory * 2**20 / (_NODE_BYTES + per_node * _EDGE_BYTES)))
        edges = max(4 * game.spec.actions, per_node * nodes)
        self.network = network
        self._thinking = [] if network is None else [(make_walk(), make_thinking(network)) for _ in range(threads)]
        self.settings, self.weights = settings, weights
        self._sides = game.spec.sides(players)
        seats = 0 if network is None else players
        self.trees: list[Tree] = [make_tree(nodes, edges, seats) for _ in range(threads)]
        self._scratch: list[Scratch] = [make_scratch(game.dtype, game.spec.actions, players) for _ in range(threads)]

    @property
    def evaluates(self) -> bool:
        """Are its weights those of an evaluation? Else it plays games to the end, or asks a network."""
        return self.settings.mode == CUT

    def clear(self) -> None:
        """Forgets everything."""
        for tree in self.trees:
            _clear(tree)

    def search(
        self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget, seed: int, choice_only: bool = False
    ) -> Findings:
        """Searches from the view of the seat to act; `legal` are its actions.

        With `choice_only` a tree whose most visited action cannot be caught up in the time left stops growing.
        """
        for tree in self.trees:
            if (tree.used > [FRESH_START * len(tree.key), FRESH_START * len(tree.action)]).any():
                _clear(tree)
        team = sum(1 << other for other, side in enumerate(self._sides) if side == self._sides[seat])
        settings = self.settings._replace(team=team)
        done = [0] * len(self.trees)
        share = -(-(budget.simulations or 0) // len(self.trees))

        def work(k: int) -> None:
            rng = generator(seed, k)
            self._scratch[k].total[:] = 0
            done[k] = work_off(
                budget,
                share,
                lambda n: self._grow(k, view, seat, settings, rng, n),
                (lambda left: self.lead(k, view, seat) > left) if choice_only else None,
            )

        # The first tree is grown here, so that one tree needs no thread; it also compiles before the others start.
        others = [threading.Thread(target=work, args=(k,)) for k in range(1, len(self.trees))]
        if others:
            self._grow(0, view, seat, settings, generator(seed, 0), 0)
        for thread in others:
            thread.start()
        work(0)
        for thread in others:
            thread.join()
        return self._merge(view, seat, legal, sum(done))

    def _grow(self, k: int, view: np.ndarray, seat: int, settings: MctsSettings, rng: np.ndarray, n: int) -> None:
        """Adds n iterations to tree k."""
        tree, scratch = self.trees[k], self._scratch[k]
        if self.network is None:
            grow(tree, scratch, view, seat, self.weights, settings, rng, n)
        else:
            walk, workspace = self._thinking[k]
            weights = self.weights
            grow_with_network(tree, scratch, walk, view, seat, self.network, workspace, weights, settings, rng, n)

    def _merge(self, view: np.ndarray, seat: int, legal: np.ndarray, simulations: int) -> Findings:
        """The statistics of the root of every tree, added up action by action."""
        visits, totals, priors = np.zeros(len(legal), np.int64), np.zeros(len(legal)), np.zeros(len(legal))
        squares = np.zeros(len(legal))
        for k, tree in enumerate(self.trees):
            node = self.root(k, view, seat)
            if node < 0:
                continue
            edges = slice(tree.first[node], tree.first[node] + tree.breadth[node])
            places = np.searchsorted(legal, tree.action[edges])
            visits[places] += tree.visits[edges]
            totals[places] += tree.total[edges]
            squares[places] += tree.squares[edges]
            priors[places] = tree.prior[edges]
        mean = totals.sum() / max(1, visits.sum())
        values = np.divide(totals, visits, out=np.full(len(legal), mean), where=visits > 0)
        sums = np.sum([scratch.total for scratch in self._scratch], axis=0)
        results = sums[:-1] / max(1, sums[-1])
        return Findings(legal.astype(np.int64), visits, values, priors, simulations, results, squares)

    def insist(self, view: np.ndarray, seat: int, findings: Findings, k: int, budget: Budget) -> Findings:
        """Looks at the k-th action of the findings alone; the others stay as they were found.

        A prior beyond all measure makes the trees follow it. Without priors (UCT) nothing is added.
        """
        if not self.settings.puct or findings.squares is None:
            return findings
        places = []
        for number, tree in enumerate(self.trees):
            node = self.root(number, view, seat)
            if node >= 0:
                edges = slice(tree.first[node], tree.first[node] + tree.breadth[node])
                places += [
                    (tree, tree.first[node] + e) for e in np.flatnonzero(tree.action[edges] == findings.actions[k])
                ]
        for tree, place in places:
            tree.prior[place] = _BEYOND_MEASURE
        looked = self.search(view, seat, findings.actions, budget, _SECOND_STREAM)
        assert looked.squares is not None
        for tree, place in places:
            tree.prior[place] = findings.priors[k]
        visits, values, squares = findings.visits.copy(), findings.values.copy(), findings.squares.copy()
        for known, new in ((visits, looked.visits), (values, looked.values), (squares, looked.squares)):
            known[k] = new[k]
        return replace(findings, visits=visits, values=values, squares=squares)

    def lead(self, k: int, view: np.ndarray, seat: int) -> int:
        """Visits that the most visited action in the root of tree k has more than any other."""
        tree, node = self.trees[k], self.root(k, view, seat)
        if node < 0 or tree.breadth[node] < 2:
            return 0
        second, first = np.partition(tree.visits[tree.first[node] :][: tree.breadth[node]], -2)[-2:]
        return int(first - second)

    def continuation(self, position: np.ndarray, seat: int, legal: np.ndarray, seen_by: int) -> int:
        """The most visited action of the seat to act in the first tree, for a full position; -1 if none was visited.

        `seen_by` is the seat whose search it was.
        """
        tree, scratch = self.trees[0], self._scratch[0]
        scratch.position[0] = position[0]
        node = int(find_node(tree, scratch, seen_by, self.settings))
        if node < 0:
            return -1
        edges = slice(tree.first[node], tree.first[node] + tree.breadth[node])
        best = int(tree.visits[edges].argmax())
        action = int(tree.action[edges][best])
        return -1 if tree.visits[edges][best] == 0 or action not in legal else action

    def root(self, k: int, view: np.ndarray, seat: int) -> int:
        """The node of the view in tree k, or -1."""
        scratch = self._scratch[k]
        kernels.determinize_at(view, 0, seat, generator(0), scratch.position)
        return int(find_node(self.trees[k], scratch, seat, self.settings))


def _clear(tree: Tree) -> None:
    tree.used[:] = 0
    tree.slots[:] = -1
