"""Scotland Yard: the grid game with its hidden moves, solved to equilibrium, and exact best responses in it.

Whenever Mr. X shows himself everybody knows everything, so the game is a chain of short ones: a period runs from one
showing to the next, and its end is worth what the next period's beginning is worth. A period is a tree of what
everybody sees, the detectives' steps; a node of it stands for all cells where Mr. X may be. CFR+ (Tammelin 2014) solves
period after period from the last one back, with regrets of the detectives at every node and of Mr. X at every node and
cell. All values are chances that the detectives win.

`low` is what the detectives' average strategy is sure of, against a best response of Mr. X; `high` is what a best
response of theirs wins against his. The value of the game lies between, and high - low is NashConv of the pair in games
of one point (half of NashConv in results from -1 to 1).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import permutations

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.games.scotland_yard.rules.maps import StationMap

__all__ = ["Periods", "Solved", "periods_of", "solve_hidden"]

_MOVES = 16  # joint steps of two detectives at most


@dataclass(frozen=True)
class Periods:
    """A grid game as a chain of periods."""

    neighbours: np.ndarray  # int64[cells, 4], the rest -1
    degree: np.ndarray  # int64[cells]
    lengths: tuple[int, ...]  # rounds of every period
    starts: np.ndarray  # int64[n, 3]: two detectives and Mr. X, all equally likely

    @property
    def cells(self) -> int:
        return len(self.degree)


@dataclass(frozen=True)
class Solved:
    """Bounds of the detectives' chance at the beginning of every period, float64[period, cell, cell, cell]."""

    low: np.ndarray
    high: np.ndarray
    iterations: int

    def mean(self, starts: np.ndarray) -> tuple[float, float]:
        """Both bounds over starts."""
        a, b, x = starts.T
        return float(self.low[0, a, b, x].mean()), float(self.high[0, a, b, x].mean())


def periods_of(board: StationMap, options: np.ndarray) -> Periods:
    """The chain of a grid game; options that make it another kind of game are refused."""
    detectives, rounds, every, visible, apart = (int(options[k]) for k in (1, 2, 3, 4, 6))
    if detectives != 2 or not visible or every > 3:
        raise BadInput("The hidden grid is solved for two detectives, a visible start and reveal_every of 1 to 3.")
    cells = len(board.numbers)
    near: list[list[int]] = [[] for _ in range(cells)]
    for a, b, _ in board.connections:
        near[a].append(b)
        near[b].append(a)
    degree = np.array([len(others) for others in near], np.int64)
    if degree.max() > 4:
        raise BadInput("The hidden grid is solved for cells with four neighbours at most.")
    neighbours = np.full((cells, 4), -1, np.int64)
    for cell, others in enumerate(near):
        neighbours[cell, : len(others)] = sorted(others)
    lengths = tuple(min(every, rounds - begun) for begun in range(0, rounds, every))
    starts = [
        (a, b, x) for a, b, x in permutations(range(cells), 3) if not apart or (x not in near[a] and x not in near[b])
    ]
    return Periods(neighbours, degree, lengths, np.array(starts, np.int64))


# --- one period --------------------------------------------------------------------------------


@rule
def _joint(a: int, b: int, neighbours: np.ndarray, degree: np.ndarray, steps: np.ndarray) -> int:
    """The detectives' joint steps: different cells (SY-7)."""
    n = 0
    for i in range(degree[a]):
        for j in range(degree[b]):
            if neighbours[a, i] != neighbours[b, j]:
                steps[n, 0] = neighbours[a, i]
                steps[n, 1] = neighbours[b, j]
                n += 1
    return n


@rule
def _grow(
    a: int, b: int, length: int, neighbours: np.ndarray, degree: np.ndarray, pawns: np.ndarray, depth: np.ndarray,
    children: np.ndarray, count: np.ndarray, steps: np.ndarray,
) -> int:  # fmt: skip
    """The tree of the detectives' steps: nodes are numbered level by level; the last level has no children."""
    pawns[0, 0], pawns[0, 1], depth[0] = a, b, 0
    size, node = 1, 0
    while node < size:
        n = _joint(pawns[node, 0], pawns[node, 1], neighbours, degree, steps[node])
        count[node] = n
        for k in range(n):
            children[node, k] = -1
            if depth[node] + 1 < length:
                children[node, k] = size
                pawns[size, 0], pawns[size, 1] = steps[node, k, 0], steps[node, k, 1]
                depth[size] = depth[node] + 1
                size += 1
        node += 1
    return size


@rule
def _exits(x: int, c: int, d: int, neighbours: np.ndarray, degree: np.ndarray) -> int:
    n = 0
    for i in range(degree[x]):
        if neighbours[x, i] != c and neighbours[x, i] != d:
            n += 1
    return n


@rule
def _match(regrets: np.ndarray, allowed: np.ndarray, n: int, out: np.ndarray) -> None:
    """Regret matching over the allowed of n actions: shares like the positive regrets, or even ones."""
    total, many = 0.0, 0
    for k in range(n):
        if allowed[k]:
            many += 1
            total += max(regrets[k], 0.0)
    for k in range(n):
        out[k] = 0.0
        if allowed[k]:
            out[k] = max(regrets[k], 0.0) / total if total > 0 else 1.0 / many


@rule
def _flights(x: int, c: int, d: int, neighbours: np.ndarray, degree: np.ndarray, allowed: np.ndarray) -> None:
    for i in range(degree[x]):
        allowed[i] = neighbours[x, i] != c and neighbours[x, i] != d


@rule
def _ranges(
    size: int, x: int, children: np.ndarray, count: np.ndarray, steps: np.ndarray, neighbours: np.ndarray,
    degree: np.ndarray, flight: np.ndarray, ranges: np.ndarray, allowed: np.ndarray, shares: np.ndarray,
) -> None:  # fmt: skip
    """Where Mr. X is at every node, if he plays by `flight` and was not caught: weights of all cells."""
    cells = degree.shape[0]
    ranges[:size] = 0.0
    ranges[0, x] = 1.0
    for node in range(size):
        for k in range(count[node]):
            child = children[node, k]
            if child < 0:
                continue
            c, d = steps[node, k, 0], steps[node, k, 1]
            for y in range(cells):
                if ranges[node, y] > 0 and y != c and y != d and _exits(y, c, d, neighbours, degree) > 0:
                    _flights(y, c, d, neighbours, degree, allowed)
                    _match(flight[child, y], allowed, degree[y], shares)
                    for i in range(degree[y]):
                        if allowed[i]:
                            ranges[child, neighbours[y, i]] += ranges[node, y] * shares[i]


@rule
def _hunt_values(
    children: np.ndarray, count: np.ndarray, steps: np.ndarray, neighbours: np.ndarray, degree: np.ndarray,
    ranges: np.ndarray, here: np.ndarray, many: int, leaf: np.ndarray, node: int, gains: np.ndarray,
    values: np.ndarray,
) -> None:  # fmt: skip
    """What every joint step at a node is worth, weighted by where Mr. X is; values of later nodes are known."""
    for k in range(count[node]):
        c, d, total = steps[node, k, 0], steps[node, k, 1], 0.0
        child = children[node, k]
        for m in range(many):
            y = here[m]
            if child < 0:
                total += ranges[node, y] * leaf[c, d, y]
            elif y in (c, d) or _exits(y, c, d, neighbours, degree) == 0:
                total += ranges[node, y]
        gains[k] = total if child < 0 else total + values[child]


@rule
def _cell_value(
    c: int, d: int, y: int, child: int, neighbours: np.ndarray, degree: np.ndarray, leaf: np.ndarray,
    cell_values: np.ndarray, flight: np.ndarray, best: bool, allowed: np.ndarray, shares: np.ndarray,
) -> float:  # fmt: skip
    """The detectives' chance after they stepped to c and d, with Mr. X in y to move; `best`: he knows and chooses."""
    if child < 0:
        return float(leaf[c, d, y])
    if y in (c, d) or _exits(y, c, d, neighbours, degree) == 0:
        return 1.0
    _flights(y, c, d, neighbours, degree, allowed)
    if best:
        least = 2.0
        for i in range(degree[y]):
            if allowed[i]:
                least = min(least, cell_values[child, neighbours[y, i]])
        return least
    _match(flight[child, y], allowed, degree[y], shares)
    total = 0.0
    for i in range(degree[y]):
        if allowed[i]:
            total += shares[i] * cell_values[child, neighbours[y, i]]
    return total


@kernel
def solve_roots(
    roots: np.ndarray, length: int, last: bool, neighbours: np.ndarray, degree: np.ndarray, next_low: np.ndarray,
    next_high: np.ndarray, iterations: int, tolerance: float, nodes: int, low: np.ndarray, high: np.ndarray,
) -> int:  # fmt: skip
    """CFR+ in the periods that begin at the roots; returns the most iterations that one took."""
    cells, most = degree.shape[0], 0
    # What a last step of Mr. X leaves: he chooses by the middle of the bounds.
    leaf, leaf_low = np.zeros((cells, cells, cells)), np.zeros((cells, cells, cells))
    leaf_high = np.zeros((cells, cells, cells))
    for c in range(cells):
        for d in range(cells):
            for y in range(cells):
                least, lowest, highest = 1.0, 1.0, 1.0  # he is caught or shut in
                if y != c and y != d and _exits(y, c, d, neighbours, degree) > 0:
                    least = 0.0 if last else 3.0
                    lowest, highest = least, least
                    for i in range(degree[y]):
                        to = neighbours[y, i]
                        if to != c and to != d and not last:
                            middle = (next_low[c, d, to] + next_high[c, d, to]) / 2
                            lowest = min(lowest, next_low[c, d, to])
                            if middle < least:
                                least, highest = middle, next_high[c, d, to]
                leaf[c, d, y], leaf_low[c, d, y], leaf_high[c, d, y] = least, lowest, highest
    pawns, depth = np.zeros((nodes, 2), np.int64), np.zeros(nodes, np.int64)
    children, count = np.zeros((nodes, _MOVES), np.int64), np.zeros(nodes, np.int64)
    steps = np.zeros((nodes, _MOVES, 2), np.int64)
    hunt, hunt_sum = np.zeros((nodes, _MOVES)), np.zeros((nodes, _MOVES))
    flight, flight_sum = np.zeros((nodes, cells, 4)), np.zeros((nodes, cells, 4))
    ranges, here, many = np.zeros((nodes, cells)), np.zeros((nodes, cells), np.int64), np.zeros(nodes, np.int64)
    values, cell_values = np.zeros(nodes), np.zeros((nodes, cells))
    reach, policy = np.zeros(nodes), np.zeros((nodes, _MOVES))
    gains, shares = np.zeros(_MOVES), np.zeros(4)
    allowed, every = np.zeros(4, np.bool_), np.ones(_MOVES, np.bool_)
    for r in range(roots.shape[0]):
        x = roots[r, 2]
        size = _grow(roots[r, 0], roots[r, 1], length, neighbours, degree, pawns, depth, children, count, steps)
        hunt[:size], hunt_sum[:size], flight[:size], flight_sum[:size] = 0.0, 0.0, 0.0, 0.0
        # Even shares lead wherever he may be.
        _ranges(size, x, children, count, steps, neighbours, degree, flight, ranges, allowed, shares)
        for node in range(size):
            many[node] = 0
            for y in range(cells):
                if ranges[node, y] > 0:
                    here[node, many[node]] = y
                    many[node] += 1
        for t in range(1, iterations + 1):
            # The detectives learn against Mr. X as he plays now.
            _ranges(size, x, children, count, steps, neighbours, degree, flight, ranges, allowed, shares)
            for node in range(size - 1, -1, -1):
                _hunt_values(
                    children, count, steps, neighbours, degree, ranges, here[node], many[node], leaf, node, gains,
                    values,
                )  # fmt: skip
                _match(hunt[node], every, count[node], policy[node])
                mean = 0.0
                for k in range(count[node]):
                    mean += policy[node, k] * gains[k]
                values[node] = mean
                for k in range(count[node]):
                    hunt[node, k] = max(0.0, hunt[node, k] + gains[k] - mean)
            # What they play now, and how often they come to every node.
            reach[0] = 1.0
            for node in range(size):
                _match(hunt[node], every, count[node], policy[node])
                for k in range(count[node]):
                    hunt_sum[node, k] += t * reach[node] * policy[node, k]
                    if children[node, k] >= 0:
                        reach[children[node, k]] = reach[node] * policy[node, k]
            # Mr. X learns against that.
            for node in range(size - 1, -1, -1):
                for m in range(many[node]):
                    y = here[node, m]
                    total = 0.0
                    for k in range(count[node]):
                        c, d, child = steps[node, k, 0], steps[node, k, 1], children[node, k]
                        found = _cell_value(
                            c, d, y, child, neighbours, degree, leaf, cell_values, flight, False, allowed, shares
                        )
                        total += policy[node, k] * found
                        if child >= 0 and reach[child] > 0 and y != c and y != d:
                            for i in range(degree[y]):
                                to = neighbours[y, i]
                                if to != c and to != d:
                                    flight[child, y, i] = max(
                                        0.0, flight[child, y, i] + reach[child] * (found - cell_values[child, to])
                                    )
                    cell_values[node, y] = total
            _ranges(size, x, children, count, steps, neighbours, degree, flight, ranges, allowed, shares)
            for node in range(size):
                for k in range(count[node]):
                    child = children[node, k]
                    if child >= 0:
                        c, d = steps[node, k, 0], steps[node, k, 1]
                        for y in range(cells):
                            if ranges[node, y] > 0 and y != c and y != d:
                                _flights(y, c, d, neighbours, degree, allowed)
                                if _exits(y, c, d, neighbours, degree) > 0:
                                    _match(flight[child, y], allowed, degree[y], shares)
                                    for i in range(degree[y]):
                                        flight_sum[child, y, i] += t * ranges[node, y] * shares[i]
            if t & (t - 1) and t != iterations:  # looks at the best responses are rare
                continue
            # Best responses to the averages: sums are shares as regrets are.
            _ranges(size, x, children, count, steps, neighbours, degree, flight_sum, ranges, allowed, shares)
            for node in range(size - 1, -1, -1):
                _hunt_values(
                    children, count, steps, neighbours, degree, ranges, here[node], many[node], leaf_high, node,
                    gains, values,
                )  # fmt: skip
                values[node] = gains[: count[node]].max()
            for node in range(size - 1, -1, -1):
                _match(hunt_sum[node], every, count[node], policy[node])
                for m in range(many[node]):
                    y = here[node, m]
                    total = 0.0
                    for k in range(count[node]):
                        if policy[node, k] > 0:
                            total += policy[node, k] * _cell_value(
                                steps[node, k, 0], steps[node, k, 1], y, children[node, k], neighbours, degree,
                                leaf_low, cell_values, flight, True, allowed, shares,
                            )  # fmt: skip
                    cell_values[node, y] = total
            low[r], high[r] = cell_values[0, x], values[0]
            most = max(most, t)
            if high[r] - low[r] <= tolerance:
                break
    return most


# --- the chain ---------------------------------------------------------------------------------


def _likeness(board: StationMap) -> np.ndarray:
    """int64[images, cells]: the symmetries of a square of cells; of another board the identity alone."""
    cells, side = len(board.numbers), board.columns
    if side * side != cells:
        return np.arange(cells)[None]
    square = np.arange(cells).reshape(side, side)
    turned = [np.rot90(square, k) for k in range(4)]
    return np.array([one.ravel() for image in turned for one in (image, image.T)])


def solve_hidden(
    board: StationMap,
    options: np.ndarray,
    iterations: int = 1000,
    tolerance: float = 1e-4,
    threads: int = 2,
    report: Callable[[int, int], None] = lambda done, all: None,
) -> Solved:
    """Solves all periods from the last back; a root is left when its bounds are within `tolerance`."""
    chain = periods_of(board, options)
    cells, images = chain.cells, _likeness(board)
    placed = np.array(list(permutations(range(cells), 3)), np.int64)
    # Alike are roots that a symmetry, or naming the detectives the other way, turns into each other.
    codes = [
        (first * cells + second) * cells + mr_x
        for image in images
        for first, second, mr_x in ((image[placed[:, i]], image[placed[:, 1 - i]], image[placed[:, 2]]) for i in (0, 1))
    ]
    ranks, back = np.unique(np.min(codes, axis=0), return_inverse=True)
    roots = np.stack([ranks // cells // cells, ranks // cells % cells, ranks % cells], axis=1)
    low, high = (np.zeros((len(chain.lengths), cells, cells, cells)) for _ in range(2))
    zero, used = np.zeros((cells,) * 3), 0
    a, b, x = placed.T
    for period in range(len(chain.lengths) - 1, -1, -1):
        length, last = chain.lengths[period], period == len(chain.lengths) - 1
        nodes = sum(_MOVES**k for k in range(length))
        after = (zero, zero) if last else (low[period + 1], high[period + 1])
        found_low, found_high = np.zeros(len(roots)), np.zeros(len(roots))

        shares = [np.arange(k, len(roots), threads) for k in range(threads)]
        found = [(np.zeros(len(mine)), np.zeros(len(mine))) for mine in shares]
        solve = partial(
            solve_roots, length=length, last=last, neighbours=chain.neighbours, degree=chain.degree,
            next_low=after[0], next_high=after[1], iterations=iterations, tolerance=tolerance, nodes=nodes,
        )  # fmt: skip
        with ThreadPoolExecutor(threads) as pool:
            took = [
                pool.submit(solve, roots[mine], low=one, high=other)
                for mine, (one, other) in zip(shares, found, strict=True)
            ]
            used = max(used, *(int(part.result()) for part in took))
        for mine, (lowest, highest) in zip(shares, found, strict=True):
            found_low[mine], found_high[mine] = lowest, highest
        low[period, a, b, x], high[period, a, b, x] = found_low[back], found_high[back]
        report(len(chain.lengths) - period, len(chain.lengths))
    return Solved(low, high, used)
