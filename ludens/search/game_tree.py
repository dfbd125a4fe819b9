"""Whole game trees of small games, their information sets, and what can be computed on them exactly.

A tree is laid out level by level. Positions that nobody can tell apart by their history are one node: in open games
those of equal bytes, in hidden ones those after which also every seat remembers the same. What a seat remembers is the
chain of its views and of its own actions, so information sets have perfect recall, as OpenSpiel's do.

Two players whose results sum to zero: CFR+ (Tammelin 2014) with alternating updates and linear averaging, best
responses, and NashConv (Lanctot et al. 2017): what both could win by best responses.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from ludens.core import kernels
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import blank
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL

__all__ = ["MOST_NODES", "GameTree", "Solution", "best_response", "grow_tree", "solve"]

MOST_NODES = 2_000_000
"""Of a tree: what has more is not small."""


@dataclass(frozen=True)
class GameTree:
    """Nodes in order of their level; the edges of a node lie together, in the order of actions or outcomes."""

    actor: np.ndarray  # int8[node]: a seat, CHANCE or TERMINAL
    first: np.ndarray  # int64[node + 1]: its edges
    child: np.ndarray  # int64[edge]
    action: np.ndarray  # int64[edge]: action or outcome
    chance: np.ndarray  # float64[edge]: probability of an outcome, 1 for actions
    information_set: np.ndarray  # int64[node], -1 where nobody acts
    slot: np.ndarray  # int64[information set + 1]: where its strategy begins
    result: np.ndarray  # float64[node]: of seat 0, at the end
    keys: tuple[bytes, ...]  # information set -> what its seat sees, the bytes of its view
    level: np.ndarray  # int64[level + 1]: where the nodes of every level begin
    open: bool  # every information set is one node, which several ways may lead to

    @property
    def nodes(self) -> int:
        return len(self.actor)

    @property
    def information_sets(self) -> int:
        return len(self.slot) - 1


@dataclass(frozen=True)
class Solution:
    """What CFR+ found: the average strategy, and how far it is from an equilibrium."""

    strategy: np.ndarray  # float64: shares of every action of every information set, from `GameTree.slot` on
    value: float  # of seat 0 under the average strategy of both
    curve: tuple[tuple[int, float], ...]  # iterations and NashConv after them

    @property
    def nash_conv(self) -> float:
        return self.curve[-1][1]


def grow_tree(game: Game, options: np.ndarray, most: int = MOST_NODES, root: np.ndarray | None = None) -> GameTree:
    """The tree of a game of two players, or of what is left of it from `root`, which everybody saw."""
    if int(options[0]) != 2:
        raise BadInput("A game is solved for two players.")
    hidden = game.spec.hidden
    start = blank(game.dtype) if root is None else root.copy()
    if root is None:
        kernels.reset_at(start, 0, options)
    view, legal = blank(game.dtype), np.zeros(game.spec.actions, np.int64)
    outcomes, weights = np.zeros(max(1, game.spec.outcomes), np.int64), np.zeros(max(1, game.spec.outcomes))
    results = np.zeros(2)

    def seen_by(state: np.ndarray, seat: int) -> bytes:
        kernels.view_at(state, 0, seat, view)
        return view.tobytes()

    actors, firsts, children, actions, chances, sets, ends = [], [0], [], [], [], [], []
    numbers: dict[bytes, int] = {}
    keys: list[bytes] = []
    slots, levels = [0], {}
    level = [(start, tuple(_chain(b"", seen_by(start, seat)) for seat in range(2)) if hidden else ())]
    begins, depth, total = [0], 0, 0
    while level:
        total += len(level)
        if total > most:
            raise BadInput(f"The game has more than {most:,} positions: too many to be solved.")
        following: list[tuple[np.ndarray, tuple[bytes, ...]]] = []
        known: dict[tuple[bytes, ...], int] = {}
        for state, memories in level:
            who = int(kernels.actor_at(state, 0))
            actors.append(who)
            ends.append(0.0)
            sets.append(-1)
            moves: list[int] = []
            if who == TERMINAL:
                kernels.returns_at(state, 0, results)
                if abs(results[0] + results[1]) > 1e-9:
                    raise BadInput(f"Results of {game.spec.title} do not sum to zero here.")
                ends[-1] = float(results[0])
            elif who == CHANCE:
                n = kernels.chance_at(state, 0, outcomes, weights)
                moves = outcomes[:n].tolist()
                chances += weights[:n].tolist()
            else:
                n = kernels.legal_at(state, 0, legal)
                moves = legal[:n].tolist()
                chances += [1.0] * n
                key = bytes([who]) + (memories[who] if hidden else state.tobytes())
                if key not in numbers:
                    numbers[key], levels[key] = len(keys), depth
                    keys.append(seen_by(state, who))
                    slots.append(slots[-1] + n)
                if levels[key] != depth:
                    raise BadInput("An information set lies on several levels of the tree, which is not supported.")
                sets[-1] = numbers[key]
            for move in moves:
                after = state.copy()
                kernels.apply_at(after, 0, move)
                remembered = memories
                if hidden:
                    remembered = tuple(
                        _remember(
                            memories[seat], move if seat == who else -1, seen_by(state, seat), seen_by(after, seat)
                        )
                        for seat in range(2)
                    )
                name = (after.tobytes(), *remembered)
                if name not in known:
                    known[name] = len(following)
                    following.append((after, remembered))
                children.append(total + known[name])
                actions.append(move)
            firsts.append(len(children))
        begins.append(total)
        level = following
        depth += 1
    return GameTree(
        np.array(actors, np.int8), np.array(firsts), np.array(children, np.int64), np.array(actions, np.int64),
        np.array(chances), np.array(sets), np.array(slots), np.array(ends), tuple(keys), np.array(begins),
        not hidden,
    )  # fmt: skip


def _chain(memory: bytes, news: bytes) -> bytes:
    return hashlib.blake2b(memory + news, digest_size=12).digest()


def _remember(memory: bytes, own: int, before: bytes, after: bytes) -> bytes:
    """A seat remembers what it does, and whatever changes before its eyes."""
    if own < 0 and before == after:
        return memory
    return _chain(memory, own.to_bytes(4, "little", signed=True) + after)


# --- on the arrays of a tree ---------------------------------------------------------------------


@rule
def _matched(regrets: np.ndarray, slot: np.ndarray, out: np.ndarray) -> None:
    """Shares like the positive regrets of every information set, or even ones."""
    for k in range(slot.shape[0] - 1):
        total = 0.0
        for j in range(slot[k], slot[k + 1]):
            total += max(regrets[j], 0.0)
        for j in range(slot[k], slot[k + 1]):
            out[j] = max(regrets[j], 0.0) / total if total > 0 else 1.0 / (slot[k + 1] - slot[k])


@rule
def _reaches(
    actor: np.ndarray, first: np.ndarray, child: np.ndarray, chance: np.ndarray, sets: np.ndarray, slot: np.ndarray,
    strategy: np.ndarray, seat: int, own: np.ndarray, others: np.ndarray,
) -> None:  # fmt: skip
    """How likely a node is, as far as the seat decides, and as far as all others and chance do."""
    own[:], others[:] = 0.0, 0.0
    own[0], others[0] = 1.0, 1.0
    for node in range(actor.shape[0]):
        for k in range(first[node + 1] - first[node]):
            edge = first[node] + k
            share = chance[edge] if actor[node] == CHANCE else strategy[slot[sets[node]] + k]
            to = child[edge]
            own[to] = max(own[to], own[node] * (share if actor[node] == seat else 1.0))
            others[to] += others[node] * (1.0 if actor[node] == seat else share)


@kernel
def _values(
    actor: np.ndarray, first: np.ndarray, child: np.ndarray, chance: np.ndarray, sets: np.ndarray, slot: np.ndarray,
    result: np.ndarray, strategy: np.ndarray, values: np.ndarray,
) -> None:  # fmt: skip
    """What every node is worth for seat 0 under a strategy of both."""
    for node in range(actor.shape[0] - 1, -1, -1):
        values[node] = result[node]
        for k in range(first[node + 1] - first[node]):
            edge = first[node] + k
            share = chance[edge] if actor[node] == CHANCE else strategy[slot[sets[node]] + k]
            values[node] += share * values[child[edge]]


@kernel
def _respond(
    actor: np.ndarray, first: np.ndarray, child: np.ndarray, chance: np.ndarray, sets: np.ndarray, slot: np.ndarray,
    result: np.ndarray, level: np.ndarray, weight: np.ndarray, strategy: np.ndarray, seat: int, gains: np.ndarray,
    values: np.ndarray, response: np.ndarray,
) -> float:  # fmt: skip
    """A best response of the seat, written into `response`; `weight` is how likely the others make a node.

    Returns what seat 0 gets then. All nodes of an information set lie on one level, so that level by level, from the
    last one back, what its actions bring can be summed up before one is chosen.
    """
    sign = 1.0 if seat == 0 else -1.0
    gains[:] = 0.0
    for depth in range(level.shape[0] - 2, -1, -1):
        for node in range(level[depth], level[depth + 1]):
            values[node] = result[node]
            for k in range(first[node + 1] - first[node]):
                edge = first[node] + k
                if actor[node] == seat:
                    gains[slot[sets[node]] + k] += weight[node] * sign * values[child[edge]]
                else:
                    share = chance[edge] if actor[node] == CHANCE else strategy[slot[sets[node]] + k]
                    values[node] += share * values[child[edge]]
        for node in range(level[depth], level[depth + 1]):
            if actor[node] == seat:
                begin, end = slot[sets[node]], slot[sets[node] + 1]
                best = begin + np.argmax(gains[begin:end])
                response[begin:end] = 0.0
                response[best] = 1.0
                values[node] = values[child[first[node] + best - begin]]
    return float(values[0])


@kernel
def _learn(
    actor: np.ndarray, first: np.ndarray, child: np.ndarray, sets: np.ndarray, slot: np.ndarray, seat: int, t: int,
    own: np.ndarray, others: np.ndarray, values: np.ndarray, strategy: np.ndarray, regrets: np.ndarray,
    sums: np.ndarray, news: np.ndarray,
) -> None:  # fmt: skip
    """One update of CFR+ for a seat: regrets stay positive, later strategies count more."""
    sign = 1.0 if seat == 0 else -1.0
    news[:] = 0.0
    for node in range(actor.shape[0] - 1, -1, -1):
        if actor[node] == seat:
            begin = slot[sets[node]]
            for k in range(first[node + 1] - first[node]):
                news[begin + k] += others[node] * sign * (values[child[first[node] + k]] - values[node])
    seen = np.zeros(slot.shape[0] - 1, np.bool_)
    for node in range(actor.shape[0]):
        if actor[node] == seat and not seen[sets[node]]:
            seen[sets[node]] = True
            for j in range(slot[sets[node]], slot[sets[node] + 1]):
                sums[j] += t * own[node] * strategy[j]
                regrets[j] = max(0.0, regrets[j] + news[j])


@kernel
def _shares(weights: np.ndarray, slot: np.ndarray, out: np.ndarray) -> None:
    _matched(weights, slot, out)


@kernel
def _likely(
    actor: np.ndarray, first: np.ndarray, child: np.ndarray, chance: np.ndarray, sets: np.ndarray, slot: np.ndarray,
    strategy: np.ndarray, seat: int, own: np.ndarray, others: np.ndarray,
) -> None:  # fmt: skip
    _reaches(actor, first, child, chance, sets, slot, strategy, seat, own, others)


class _Arrays:
    """The tree in the order that kernels take it, and memory to work in."""

    def __init__(self, tree: GameTree) -> None:
        self.tree, nodes, edges = tree, tree.nodes, int(tree.slot[-1])
        self.ways = (tree.actor, tree.first, tree.child, tree.chance, tree.information_set, tree.slot)
        self.own, self.others, self.values = np.ones(nodes), np.ones(nodes), np.zeros(nodes)
        self.gains, self.response = np.zeros(edges), np.zeros(edges)

    def reaches(self, strategy: np.ndarray, seat: int) -> None:
        if not self.tree.open:  # where everybody sees everything a node is decided by itself
            _likely(*self.ways, strategy, seat, self.own, self.others)

    def respond(self, strategy: np.ndarray, seat: int) -> float:
        self.reaches(strategy, seat)
        tree = self.tree
        return float(
            _respond(
                *self.ways, tree.result, tree.level, self.others, strategy, seat, self.gains, self.values,
                self.response,
            )
        )  # fmt: skip


def best_response(tree: GameTree, strategy: np.ndarray, seat: int) -> tuple[float, np.ndarray]:
    """What the seat gets by a best response to this strategy of the other, and the strategy with it in its place."""
    arrays = _Arrays(tree)
    value = arrays.respond(strategy, seat)
    found = strategy.copy()
    for node in np.flatnonzero(tree.actor == seat):
        part = slice(tree.slot[tree.information_set[node]], tree.slot[tree.information_set[node] + 1])
        found[part] = arrays.response[part]
    return (value if seat == 0 else -value), found


def solve(tree: GameTree, iterations: int = 1000, tolerance: float = 0.0) -> Solution:
    """CFR+ for so many iterations, or until NashConv of the average strategy is within the tolerance."""
    arrays, edges = _Arrays(tree), int(tree.slot[-1])
    regrets, sums, strategy, news, average = (np.zeros(edges) for _ in range(5))
    curve: list[tuple[int, float]] = []
    for t in range(1, iterations + 1):
        for seat in range(2):
            _shares(regrets, tree.slot, strategy)
            arrays.reaches(strategy, seat)
            _values(*arrays.ways, tree.result, strategy, arrays.values)
            _learn(
                tree.actor, tree.first, tree.child, tree.information_set, tree.slot, seat, t, arrays.own,
                arrays.others, arrays.values, strategy, regrets, sums, news,
            )  # fmt: skip
        if t & (t - 1) == 0 or t == iterations:
            _shares(sums, tree.slot, average)
            gap = arrays.respond(average, 0) - arrays.respond(average, 1)
            curve.append((t, max(0.0, gap)))
            if gap <= tolerance:
                break
    _values(*arrays.ways, tree.result, average, arrays.values)
    return Solution(average, float(arrays.values[0]), tuple(curve))
