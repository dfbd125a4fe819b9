"""Many tree searches at once, which stand still at their leaves until all leaves have been evaluated together.

Trees lie side by side in arrays, one row a tree, all of the same capacity: a row needs nothing but itself, so that
threads (here) or the threads of a GPU take any rows they like. What happens in a row are the rules of `mcts_kernel`:
tree i makes exactly the choices of a `TreeSearch` with one thread and the seed of tree i.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.core.verbs import view
from ludens.networks.forward import softmax
from ludens.search.mcts import EDGES_PER_EVALUATED_NODE, FRESH_START
from ludens.search.mcts_kernel import (
    COUNT,
    NONE,
    WHO,
    MctsSettings,
    Scratch,
    Tree,
    answer,
    descend,
    find_among,
    finish,
    make_scratches,
    make_trees,
    set_off,
)
from ludens.search.mcts_network import seat_values

__all__ = ["Evaluator", "Forest", "ForestFindings"]

Evaluator = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""features float32[n, inputs] -> logits float32[n, actions], values float32[n, seats] from the acting seat on."""

_SETTLED, _ASKING = range(2)  # what a tree is doing between two calls


@dataclass(frozen=True)
class ForestFindings:
    """What the searches know of the actions of their positions, one row a tree; illegal actions have no visits."""

    visits: np.ndarray  # int64[trees, actions]; an only action has all of them
    values: (
        np.ndarray
    )  # float64[trees, actions]: mean result of the seat to act; that of all visits where there is none
    priors: np.ndarray  # float64[trees, actions]
    results: np.ndarray  # float64[trees, seats]: mean result of every seat in all simulations

    def best(self) -> np.ndarray:
        """The most visited action of every tree; then the better value, then the larger prior."""
        best: np.ndarray = np.lexsort((self.priors, self.values, self.visits))[:, -1]
        return best


class Forest:
    """`size` trees of `nodes` nodes each; they are kept from search to search, as those of `TreeSearch`.

    Features, logits and values have the sizes of the game for these options; `evaluate` answers for many positions
    at once. Equal seeds, simulations and evaluators give equal findings, with any number of threads.
    """

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        settings: MctsSettings,
        evaluate: Evaluator,
        size: int,
        nodes: int = 256,
        threads: int = 1,
    ) -> None:
        if min(size, nodes, threads) < 1:
            raise BadInput(f"A forest needs trees, nodes and threads, not {size}, {nodes} and {threads}.")
        if settings.value_weight < 1.0:
            raise BadInput("A forest makes no roll-outs: it takes the evaluator's values alone (value_weight=1).")
        actions, players = game.spec.actions, int(options[0])
        self.settings, self.evaluate = settings, evaluate
        self._sides = np.array(game.spec.sides(players))
        self.trees = make_trees(size, nodes, max(4 * actions, EDGES_PER_EVALUATED_NODE * nodes))
        self._works = make_scratches(size, game.dtype, actions, players)
        self._stage = np.zeros(size, np.int64)
        self._features = np.zeros((size, game.spec.observation_size(options)), np.float32)
        self._row = np.zeros(size, np.int64)
        edges = np.linspace(0, size, threads + 1).astype(int)
        self._ranges = [(int(a), int(b)) for a, b in itertools.pairwise(edges) if b > a]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def search(self, views: np.ndarray, seats: np.ndarray, simulations: int, seeds: np.ndarray) -> ForestFindings:
        """Adds so many simulations to every tree, from the view of the seat to act in each; seeds[i] is tree i's."""
        size = len(self._stage)
        if not len(views) == len(seats) == len(seeds) == size or simulations < 1:
            raise BadInput(f"A search of this forest takes {size} views, seats and seeds, and at least 1 simulation.")
        self._clear_full()
        seats = np.asarray(seats, np.int64)
        teams = ((self._sides[None, :] == self._sides[seats][:, None]) << np.arange(len(self._sides))).sum(axis=1)
        rngs = np.stack([generator(int(seed), 0) for seed in seeds])
        left = np.full(size, simulations, np.int64)
        self._works.total[:] = 0
        self._stage[:] = _SETTLED
        position = (self.trees, self._works, views, seats, teams, self.settings, rngs)
        logits, values = np.zeros((1, 1), np.float32), np.zeros((1, 1), np.float32)
        while True:
            self._run(_advance, *position, left, self._stage, self._features, self._row, logits, values)
            asking = np.flatnonzero(self._stage == _ASKING)
            if len(asking) == 0:
                break
            self._row[asking] = np.arange(len(asking))
            logits, values = self.evaluate(self._features if len(asking) == size else self._features[asking])
        actions, players = self._works.legal.shape[1], len(self._sides)
        visits = np.zeros((size, actions), np.int64)
        totals, priors, results = np.zeros((size, actions)), np.zeros((size, actions)), np.zeros((size, players))
        self._run(_read_roots, *position, simulations, visits, totals, priors, results)
        mean = totals.sum(axis=1, keepdims=True) / np.maximum(1, visits.sum(axis=1, keepdims=True))
        means = np.divide(totals, visits, out=np.broadcast_to(mean, totals.shape).copy(), where=visits > 0)
        return ForestFindings(visits, means, priors, results)

    def clear(self) -> None:
        """Forgets everything."""
        self.trees.used[:] = 0
        self.trees.slots[:] = NONE

    def _clear_full(self) -> None:
        room = np.array([self.trees.key.shape[1], self.trees.action.shape[1]])
        full = (self.trees.used > FRESH_START * room).any(axis=1)
        self.trees.used[full] = 0
        self.trees.slots[full] = NONE

    def _run(self, work: Callable[..., None], *arguments: Any) -> None:
        if self._pool is None:
            work(*self._ranges[0], *arguments)
        else:
            for done in [self._pool.submit(work, low, high, *arguments) for low, high in self._ranges]:
                done.result()


@rule
def _tree_at(trees: Tree, i: int) -> Tree:
    return Tree(
        trees.used[i],
        trees.slots[i],
        trees.key[i],
        trees.first[i],
        trees.breadth[i],
        trees.action[i],
        trees.visits[i],
        trees.available[i],
        trees.total[i],
        trees.squares[i],
        trees.prior[i],
        trees.worth[i],
    )


@rule
def _work_at(works: Scratch, i: int) -> Scratch:
    return Scratch(
        works.position[i : i + 1],
        works.position_words[i : i + 1],
        works.seen[i : i + 1],
        works.seen_words[i : i + 1],
        works.legal[i],
        works.weights[i],
        works.place[i],
        works.path[i],
        works.walk[i],
        works.result[i],
        works.total[i],
    )


@rule
def _settings_of(settings: MctsSettings, team: int) -> MctsSettings:
    return MctsSettings(
        settings.puct,
        settings.exploration,
        settings.first_play_urgency,
        settings.mode,
        settings.depth,
        settings.eyes,
        settings.hidden,
        settings.opponent_determinisation,
        team,
        settings.value_weight,
        settings.prior_temperature,
    )


@rule
def _take(work: Scratch, logits: Array, values: Array, row: int, settings: MctsSettings) -> None:
    """Takes the answer of a row: weights of the legal actions, values of the seats."""
    n = int(work.walk[COUNT])
    for k in range(n):
        work.weights[k] = logits[row, work.legal[k]]
    softmax(work.weights, n, settings.prior_temperature)
    seat_values(values[row], int(work.walk[WHO]), settings.team, work.result)


@kernel
def _advance(
    low: int, high: int, trees: Tree, works: Scratch, views: Records[Position], seats: Array,
    teams: Array, settings: MctsSettings, rngs: Array, left: Array, stage: Array, features: Array, rows: Array,
    logits: Array, values: Array,
) -> None:  # fmt: skip
    """Each tree takes its answer and goes on to its next question, or to the last of its simulations."""
    for i in range(low, high):
        tree, work, rng = _tree_at(trees, i), _work_at(works, i), rngs[i]
        own = _settings_of(settings, int(teams[i]))
        seat = int(seats[i])
        answered = False
        if stage[i] == _ASKING:
            _take(work, logits, values, int(rows[i]), own)
            answered = answer(tree, work)
            if not answered:
                finish(tree, work, own)
                left[i] -= 1
        stage[i] = _SETTLED
        while answered or left[i] > 0:
            if not answered:
                set_off(work, views[i : i + 1], seat, own, rng)
            if descend(tree, work, seat, own, rng, answered):
                who = int(work.walk[WHO])
                view(work.position[0], who, work.seen)
                verbs.observe(work.seen[0], who, features[i])
                stage[i] = _ASKING
                break
            finish(tree, work, own)
            left[i] -= 1
            answered = False


@kernel
def _read_roots(
    low: int, high: int, trees: Tree, works: Scratch, views: Records[Position], seats: Array,
    teams: Array, settings: MctsSettings, rngs: Array, simulations: int, visits: Array, totals: Array, priors: Array,
    results: Array,
) -> None:  # fmt: skip
    """What every tree knows of the actions of its root."""
    for i in range(low, high):
        tree, work, seat = _tree_at(trees, i), _work_at(works, i), int(seats[i])
        for p in range(results.shape[1]):
            results[i, p] = work.total[p] / max(1.0, work.total[-1])
        verbs.determinize(views[i], seat, rngs[i], work.position)
        if verbs.legal(work.position[0], work.legal) == 1:
            only = work.legal[0]
            visits[i, only], totals[i, only], priors[i, only] = simulations, simulations * results[i, seat], 1.0
            continue
        node = find_among(tree, work, seat, settings)
        if node != NONE:
            for e in range(tree.first[node], tree.first[node] + tree.breadth[node]):
                visits[i, tree.action[e]] = tree.visits[e]
                totals[i, tree.action[e]] = tree.total[e]
                priors[i, tree.action[e]] = tree.prior[e]
