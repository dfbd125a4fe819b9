"""Monte Carlo without a tree: flat sampling of the moves, and the prediction of CD-63 … CD-66.

Flat sampling plays every move out and takes the best mean. The prediction follows a policy, the one-step
choice by the evaluation, for as many turns as their discounted rewards matter, and averages the returns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core import kernels, verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records, blank
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.search.budget import Budget, work_off
from ludens.search.mcts import Findings
from ludens.search.rollout import roll_out
from ludens.search.whole_turns import Walk, list_turns, make_walk, play_best_turn, worth

__all__ = ["FlatMonteCarlo", "Prediction", "rewards_per_simulation"]


@kernel
def _sample(
    views: Records[Position], seat: int, turns: Array, mode: int, depth: int, weights: Array, rng: Array,
    world: Records[Position], legal: Array, priors: Array, result: Array, totals: Array, counts: Array, first: int,
    iterations: int,
) -> None:  # fmt: skip
    """Plays out turns[first], turns[first + 1], … in a circle, each from a new determinisation."""
    for i in range(first, first + iterations):
        k = i % turns.shape[0]
        verbs.determinize(views[0], seat, rng, world)
        _play_turn(world[0], turns[k])
        roll_out(world[0], mode, depth, weights, rng, legal, priors, result)
        totals[k] += result[seat]
        counts[k] += 1


@rule
def _play_turn(s: Position, turn: Array) -> None:
    for d in range(turn.shape[0]):
        if turn[d] >= 0:
            verbs.apply(s, int(turn[d]))


@kernel
def _predict(
    views: Records[Position], seat: int, turns: Array, walk: Walk, weights: Array, gamma: float, limit: float,
    own_only: bool, heuristic: bool, rng: Array, world: Records[Position], result: Array, totals: Array,
    counts: Array, first: int, iterations: int,
) -> None:  # fmt: skip
    """Simulations of CD-65 in a circle over the turns: discounted rewards under the one-step policy."""
    for i in range(first, first + iterations):
        k = i % turns.shape[0]
        verbs.determinize(views[0], seat, rng, world)
        s = world[0]
        _play_turn(s, turns[k])
        worth(s, weights, heuristic, result)
        total, discount = result[seat], gamma
        while discount >= limit:
            who = verbs.actor(s)
            while who == CHANCE:
                verbs.apply(s, int(verbs.draw(s, rng)))
                who = verbs.actor(s)
            if who == TERMINAL:
                break
            play_best_turn(walk, world, weights, heuristic)
            if who == seat or not own_only:
                total += discount * walk.value[seat]
            discount *= gamma
        totals[k] += total
        counts[k] += 1


def rewards_per_simulation(gamma: float, limit: float) -> int:
    """The first i with gamma^i < limit: how many rewards a simulation has if the game does not end before (CD-66)."""
    i, discount = 0, 1.0
    while discount >= limit:
        i, discount = i + 1, discount * gamma
    return i


class _Sampler:
    """What both have in common: the turns to compare, and sums over them."""

    def __init__(
        self, game: Game, players: int, weights: np.ndarray, span: int, replies: np.ndarray | None = None
    ) -> None:
        self._game, self._weights = game, weights
        self._walk = make_walk(game.dtype, game.spec.actions, players, span, replies)
        self._world = blank(game.dtype)
        self._result = np.zeros(players)
        self._room = np.zeros((game.spec.actions, span), np.int64)

    def _turns(self, view: np.ndarray, seat: int) -> np.ndarray:
        """All turns of the seat, a row each; what is hidden does not change its own legal actions."""
        kernels.determinize_at(view, 0, seat, generator(0), self._world)
        count = int(list_turns(self._walk, self._world, self._room))
        if count > len(self._room):
            self._room = np.zeros((2 * count, self._room.shape[1]), np.int64)
            list_turns(self._walk, self._world, self._room)
        return self._room[:count].copy()

    def search(self, view: np.ndarray, seat: int, budget: Budget, seed: int) -> tuple[np.ndarray, Findings]:
        """Spends the budget, at least one simulation a turn (CD-65); returns the best turn and all findings.

        The findings are of first actions: the mean of the best turn that begins with the action.
        """
        turns, rng = self._turns(view, seat), generator(seed)
        totals, counts = np.zeros(len(turns)), np.zeros(len(turns), np.int64)
        first = 0

        def go(n: int) -> None:
            nonlocal first
            self._simulate(view, seat, turns, rng, totals, counts, first, n)
            first += n

        done = work_off(budget, max(budget.simulations or 0, len(turns)), go)
        means = np.where(counts > 0, totals / np.maximum(counts, 1), -np.inf)
        best = turns[int(means.argmax())]
        actions = np.unique(turns[:, 0])
        values = np.array([means[turns[:, 0] == a].max() for a in actions])
        visits = np.array([counts[turns[:, 0] == a].sum() for a in actions])
        return best, Findings(actions, visits, values, np.zeros(len(actions)), done)

    def _simulate(self, view: np.ndarray, seat: int, turns: np.ndarray, rng: np.ndarray, *rest: Any) -> None:
        """Simulates turns in a circle; `rest` are totals, counts, the first and how many."""
        raise NotImplementedError


class FlatMonteCarlo(_Sampler):
    """Every turn is played out equally often."""

    def __init__(self, game: Game, players: int, weights: np.ndarray, mode: int, depth: int = 0, span: int = 1) -> None:
        super().__init__(game, players, weights, span)
        self._mode, self._depth = mode, depth
        self._legal, self._priors = np.zeros(game.spec.actions, np.int64), np.zeros(game.spec.actions)

    def _simulate(self, view: np.ndarray, seat: int, turns: np.ndarray, rng: np.ndarray, *rest: Any) -> None:
        _sample(
            view, seat, turns, self._mode, self._depth, self._weights, rng, self._world,
            self._legal, self._priors, self._result, *rest,
        )  # fmt: skip


class Prediction(_Sampler):
    """Monte Carlo prediction: discount `gamma`, rewards below the significance `limit` are not simulated.

    With `replies`, weights of `Rules.heuristics`, simulated turns are chosen by these; rewards are still by `weights`.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        weights: np.ndarray,
        gamma: float = 0.9,
        limit: float = 0.05,
        own_only: bool = False,
        span: int = 1,
        heuristic: bool = False,
        replies: np.ndarray | None = None,
    ) -> None:
        super().__init__(game, players, weights, span, replies)
        if not 0 < gamma <= 1 or not 0 < limit < 1:
            raise BadInput(f"Prediction needs 0 < gamma ≤ 1 and 0 < limit < 1, not {gamma} and {limit}.")
        self._gamma, self._limit, self._own_only, self._heuristic = gamma, limit, own_only, heuristic

    def _simulate(self, view: np.ndarray, seat: int, turns: np.ndarray, rng: np.ndarray, *rest: Any) -> None:
        _predict(
            view, seat, turns, self._walk, self._weights, self._gamma, self._limit, self._own_only,
            self._heuristic, rng, self._world, self._result, *rest,
        )  # fmt: skip
