"""Trees searched side by side, one a thread, and merged at the root."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core import kernels
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.networks.forward import PackedNetwork, make_thinking
from ludens.search.budget import Budget, in_batches, side_by_side, work_off
from ludens.search.mcts_kernel import MctsSettings, Scratch, Tree, find_node, grow, make_scratch, make_tree
from ludens.search.mcts_network import grow_with_network
from ludens.search.rollout import CUT

__all__ = ["EDGES_PER_EVALUATED_NODE", "FRESH_START", "Findings", "TreeBench", "TreeSearch"]

_EDGES_PER_NODE = 8  # most nodes are met once and have no edges at all
EDGES_PER_EVALUATED_NODE = 32
"""With a network a node has its edges from the first visit on."""
_NODE_BYTES = 16 + 2 * 4 * 2  # a node and its slots in the table
_EDGE_BYTES = 32
_BEYOND_MEASURE = 1e9  # a prior that no value outweighs
_MANY_BATCHES, _MUCH = 20, 10_000  # trees of a move where there is work enough: each finds a value of its own
_BENCH_STREAM = 11  # apart from the streams of the trees of a search
_LOOKS_AT_THE_CLOCK = 64  # worlds from one look to the next
_TRIES = 64  # to meet the root: worlds that an opponent believes in may have another
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
        self.network, self._sizes, self._actions = network, (nodes, edges), game.spec.actions
        self._thinking = [] if network is None else [make_thinking(network) for _ in range(threads)]
        self.settings, self.weights = settings, weights
        self._sides = game.spec.sides(players)
        self._seats = 0 if network is None else players  # of which nodes keep what the network says
        self.trees: list[Tree] = [make_tree(nodes, edges, self._seats) for _ in range(threads)]
        self.scratches: list[Scratch] = [make_scratch(game.dtype, game.spec.actions, players) for _ in range(threads)]

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
        settings = self.settings_of(seat)
        done = [0] * len(self.trees)
        share = -(-(budget.simulations or 0) // len(self.trees))

        def work(k: int) -> None:
            rng = generator(seed, k)
            self.scratches[k].total[:] = 0
            done[k] = work_off(
                budget,
                share,
                lambda n: self.grow(self.trees[k], k, view, seat, settings, rng, n),
                (lambda left: self.lead(k, view, seat) > left) if choice_only else None,
            )

        if len(self.trees) > 1:  # compiles before the others start
            self.grow(self.trees[0], 0, view, seat, settings, generator(seed, 0), 0)
        side_by_side(len(self.trees), work)
        return self._merge(view, seat, legal, sum(done))

    def settings_of(self, seat: int) -> MctsSettings:
        """The settings of a search for this seat."""
        return self.settings._replace(
            team=sum(1 << other for other, side in enumerate(self._sides) if side == self._sides[seat])
        )

    def grow(
        self, tree: Tree, k: int, view: np.ndarray, seat: int, settings: MctsSettings, rng: np.ndarray, n: int
    ) -> None:
        """Adds n iterations to a tree, by thread k."""
        scratch = self.scratches[k]
        if self.network is None:
            grow(tree, scratch, view, seat, self.weights, settings, rng, n)
        else:
            workspace, weights = self._thinking[k], self.weights
            grow_with_network(tree, scratch, view, seat, self.network, workspace, weights, settings, rng, n)

    def _merge(self, view: np.ndarray, seat: int, legal: np.ndarray, simulations: int) -> Findings:
        """The statistics of the root of every tree, added up action by action."""
        visits, totals, priors = np.zeros(len(legal), np.int64), np.zeros(len(legal)), np.zeros(len(legal))
        squares = np.zeros(len(legal))
        for k, tree in enumerate(self.trees):
            node = self.root_of(tree, k, view, seat)
            if node < 0:
                continue
            edges = _edges(tree, node)
            places = np.searchsorted(legal, tree.action[edges])
            visits[places] += tree.visits[edges]
            totals[places] += tree.total[edges]
            squares[places] += tree.squares[edges]
            priors[places] = tree.prior[edges]
        mean = totals.sum() / max(1, visits.sum())
        values = np.divide(totals, visits, out=np.full(len(legal), mean), where=visits > 0)
        sums = np.sum([scratch.total for scratch in self.scratches], axis=0)
        results = sums[:-1] / max(1, sums[-1])
        return Findings(legal.astype(np.int64), visits, values, priors, simulations, results, squares)

    def bench(self, view: np.ndarray, seat: int, legal: np.ndarray, moves: int, seed: int, work: int = 0) -> TreeBench:
        """Trees for so many single moves of a position; together they take as much memory as those of the search."""
        return TreeBench(self, view, seat, legal, moves, seed, _MANY_BATCHES if work >= _MUCH else TreeBench.batches)

    def lead(self, k: int, view: np.ndarray, seat: int) -> int:
        """Visits that the most visited action in the root of tree k has more than any other."""
        tree = self.trees[k]
        node = self.root_of(tree, k, view, seat)
        if node < 0 or tree.breadth[node] < 2:
            return 0
        second, first = np.partition(tree.visits[_edges(tree, node)], -2)[-2:]
        return int(first - second)

    def continuation(
        self, position: np.ndarray, seat: int, legal: np.ndarray, seen_by: int, tree: Tree | None = None
    ) -> int:
        """The most visited action of the seat to act in a tree, the first one without, for a full position; -1 if none
        was visited.

        `seen_by` is the seat whose search it was.
        """
        tree, scratch = tree or self.trees[0], self.scratches[0]
        scratch.position[0] = position[0]
        node = int(find_node(tree, scratch, seen_by, self.settings))
        if node < 0:
            return -1
        edges = _edges(tree, node)
        best = int(tree.visits[edges].argmax())
        action = int(tree.action[edges][best])
        return -1 if tree.visits[edges][best] == 0 or action not in legal else action

    def root_of(self, tree: Tree, k: int, view: np.ndarray, seat: int) -> int:
        """The node of the view in a tree, or -1; thread k looks."""
        scratch = self.scratches[k]
        kernels.determinize_at(view, 0, seat, generator(0), scratch.position)
        return int(find_node(tree, scratch, seat, self.settings))

    def plant(self, share: int) -> Tree:
        """An empty tree, of which so many have room in the memory of all threads."""
        nodes, edges = self._sizes
        nodes, edges = (max(64, len(self.trees) * size // share) for size in (nodes, edges))
        return make_tree(nodes, max(edges, 4 * self._actions), self._seats)


class TreeBench:
    """Trees in which one move each is looked at: a tree for every move and batch."""

    batches = 10
    least = 400

    def __init__(
        self,
        search: TreeSearch,
        view: np.ndarray,
        seat: int,
        legal: np.ndarray,
        moves: int,
        seed: int,
        batches: int = batches,
    ) -> None:
        self.batches = batches
        self._search, self._view, self._seat, self._legal = search, view, seat, legal
        self._settings, self._share = search.settings_of(seat), max(1, moves * self.batches)
        self._keys = [int(generator(seed, _BENCH_STREAM, batch)[0]) >> 2 for batch in range(self.batches)]
        self._trees: dict[tuple[int, int], Tree] = {}
        self._made: dict[tuple[int, int], int] = {}  # worlds
        self._totals: dict[tuple[int, int], np.ndarray] = {}  # of every seat's results, and their number

    def look(self, k: int, worlds: int, clock: Budget) -> bool:
        """Looks at move k in so many further worlds of every batch; false if the clock ended it before."""
        self._grow(k, 0, 0, 0, clock)  # compiles before the others start
        threads = min(len(self._search.trees), self.batches)
        return in_batches(self.batches, threads, lambda batch, thread: self._grow(k, batch, thread, worlds, clock))

    def _grow(self, k: int, batch: int, thread: int, worlds: int, clock: Budget) -> bool:
        search, place = self._search, (k, batch)
        if place not in self._trees:
            self._trees[place] = self._planted(k, thread)
            self._made[place], self._totals[place] = 0, np.zeros_like(search.scratches[thread].total)
        tree, rng = self._trees[place], np.zeros(2, np.uint64)
        search.scratches[thread].total[:] = 0
        made = self._made[place]
        for world in range(made, made + worlds):
            if world % _LOOKS_AT_THE_CLOCK == 0 and clock.left() <= 0:
                return False
            rng[0], rng[1] = self._keys[batch] + world, 0
            search.grow(tree, thread, self._view, self._seat, self._settings, rng, 1)
            self._made[place] = world + 1
        self._totals[place] += search.scratches[thread].total
        return True

    def _planted(self, k: int, thread: int) -> Tree:
        """A tree whose root knows only one move: a prior or results beyond measure keep the others out."""
        search, tree = self._search, self._search.plant(self._share)
        root, number = -1, 0
        while root < 0 and number < _TRIES:
            rng = generator(number, _BENCH_STREAM)
            search.grow(tree, thread, self._view, self._seat, self._settings, rng, 1)
            root, number = search.root_of(tree, thread, self._view, self._seat), number + 1
        edges = _edges(tree, root)
        for known in (tree.visits, tree.available, tree.total, tree.squares):
            known[edges] = 0
        own = tree.action[edges] == self._legal[k]
        if self._settings.puct:
            tree.prior[edges][own] = _BEYOND_MEASURE
        else:
            tree.visits[edges], tree.available[edges] = ~own, 1
            tree.total[edges] = np.where(own, 0.0, -_BEYOND_MEASURE)
        return tree

    def _known(self, k: int, batch: int) -> tuple[float, int]:
        """The sum of the seat's results for a move in one batch, and how many these are."""
        tree = self._trees[k, batch]
        root = self._search.root_of(tree, 0, self._view, self._seat)
        edges = _edges(tree, root)
        own = tree.action[edges] == self._legal[k]
        return float(tree.total[edges][own].sum()), int(tree.visits[edges][own].sum())

    def means(self, k: int) -> np.ndarray:
        """The mean result of the seat for move k in every batch."""
        known = [self._known(k, batch) for batch in range(self.batches)]
        return np.array([total / max(1, visits) for total, visits in known])

    def visits(self, k: int) -> int:
        """How many results these are."""
        return sum(self._known(k, batch)[1] for batch in range(self.batches))

    def results(self, k: int) -> np.ndarray:
        """The mean result of every seat for move k."""
        totals = np.sum([self._totals[k, batch] for batch in range(self.batches)], axis=0)
        return np.asarray(totals[:-1] / max(1, totals[-1]))

    def continuation(self, k: int, position: np.ndarray, seat: int, legal: np.ndarray) -> int:
        """How the seat to act goes on after move k in a full position; -1: unknown."""
        return self._search.continuation(position, seat, legal, self._seat, self._trees[k, 0])


def _edges(tree: Tree, node: int) -> slice:
    """The edges of a node."""
    return slice(tree.first[node], tree.first[node] + tree.breadth[node])


def _clear(tree: Tree) -> None:
    tree.used[:] = 0
    tree.slots[:] = -1
