"""The arms of sequential halving: which moves are still compared, and the estimate of every move's value.

The first estimate of a move is its one-ply value. Roll-outs in common worlds (`sequential_halving_kernel`) correct it,
by as much as the spread of their results allows.
"""

from __future__ import annotations

import math

import numpy as np

from ludens.search.mcts import Findings
from ludens.search.sequential_halving_kernel import Tally

__all__ = ["ROUNDS", "Arms"]

ROUNDS = 6
"""After each some moves are given up."""

_NEAR = 0.3  # a move whose one-ply value is so much below the best is not compared
_DOUBT = 0.06  # standard error of the difference of two one-ply values
_SPREAD = 0.5  # of the results of one move from world to world
_SURELY = 3.0  # standard errors
_TRIFLE = 0.01  # of expected return, by which the move that is taken may be worse: half a point of win chance
_LEAST_WORLDS = 4  # before they say anything of the spread
_ENOUGH_WORLDS = 8  # before a move is surely worse
_NOISE = 1e-6  # the square of a standard error is never less
_ALIKE = 1e-9  # moves that never differ by more are one move, told in two ways (a tile that looks the same turned)


class Arms:
    """The moves of one position, by their places among the legal ones.

    The `most` of the largest one-ply values are compared. `least` of them stay to the end: one, where only the choice
    matters.
    """

    def __init__(self, one_ply: np.ndarray, most: int, least: int) -> None:
        self._one_ply, self._most, self._least = one_ply, max(most, least), least
        best = one_ply.max()
        order = np.argsort(-one_ply, kind="stable")
        likely = [k for rank, k in enumerate(order) if rank < least or one_ply[k] > best - _NEAR]
        self.left = np.array(likely[: self._most], np.int64)
        """Those that are still compared."""
        self._behind = best - one_ply  # expected return that the best move has more

    def settled(self, tallies: list[Tally]) -> bool:
        """Is one move surely better than all others, but for a trifle?"""
        tally = _sum(tallies)
        if tally.worlds[self.left[0]] < _ENOUGH_WORLDS:
            return False
        means, doubts = self._estimates(tally)
        hopes, best = means + _SURELY * doubts, int(means.argmax())
        least = means[best] - _SURELY * doubts[best]
        return bool((np.delete(hopes, best) <= least + _TRIFLE).all())

    def narrow(self, tallies: list[Tally], number: int) -> None:
        """Gives up what has fallen behind after this round, counted from 0."""
        tally = _sum(tallies)
        means, doubts = self._estimates(tally)
        self._behind[self.left] = means.max() - means
        part = (number + 1) / (ROUNDS - 1)
        room = max(self._least, math.ceil(self._most * (2 / self._most) ** part), 2)
        order = np.argsort(-means, kind="stable")
        kept = set(self._kept(int(tally.worlds[self.left[0]]), means, doubts)) | set(order[: self._least])
        if self._least == 1:
            order = order[~self._repeated(tally)[order]]
        self.left = self.left[[k for k in order[:room] if k in kept]]

    def _repeated(self, tally: Tally) -> np.ndarray:
        """By places in `left`: has a move before it the same one-ply value and the same results everywhere?"""
        if tally.worlds[self.left[0]] < _LEAST_WORLDS:
            return np.zeros(len(self.left), bool)
        told = np.column_stack((self._one_ply[self.left], tally.results[self.left], tally.squares[self.left]))
        alike: np.ndarray = (np.abs(told[:, None] - told[None, :]) <= _ALIKE * tally.worlds[self.left[0]]).all(-1)
        return np.asarray(np.tril(alike, -1).any(-1))

    def _kept(self, worlds: int, means: np.ndarray, doubts: np.ndarray) -> np.ndarray:
        if worlds < _ENOUGH_WORLDS:
            return np.arange(len(means))
        best = int(means.argmax())
        return np.flatnonzero(means + _SURELY * doubts > means[best] - _SURELY * doubts[best])

    def _estimates(self, tally: Tally) -> tuple[np.ndarray, np.ndarray]:
        """What is thought of the moves that are left, one against the other, and how surely."""
        worlds = int(tally.worlds[self.left[0]])
        prior = self._one_ply[self.left] - self._one_ply[self.left].mean()
        if worlds < _LEAST_WORLDS:
            return prior, np.full(len(prior), 1.0)
        means = tally.ahead[self.left] / worlds
        errors = (tally.squares[self.left] / worlds - means**2) / (worlds - 1) + _NOISE
        certainty = 1 / _DOUBT**2 + 1 / errors
        return (prior / _DOUBT**2 + (means - means.mean()) / errors) / certainty, certainty**-0.5

    def findings(self, legal: np.ndarray, seat: int, tallies: list[Tally]) -> Findings:
        """What is known of all moves."""
        tally = _sum(tallies)
        best = int(self.left[self._estimates(tally)[0].argmax()])
        worlds = int(tally.worlds[best])
        mean = tally.results[best, seat] / max(1, worlds)
        weight = 1 / _DOUBT**2 + worlds / _SPREAD**2
        worth = (self._one_ply[best] / _DOUBT**2 + mean * worlds / _SPREAD**2) / weight
        values = np.clip(worth - (self._behind - self._behind[best]), -1.0, 1.0)
        spread = np.maximum(0.0, tally.squares - tally.ahead**2 / np.maximum(1, tally.worlds))
        likely = np.exp((self._one_ply - self._one_ply.max()) / _DOUBT)
        return Findings(
            actions=legal.astype(np.int64),
            visits=tally.worlds,
            values=values,
            priors=likely / likely.sum(),
            simulations=int(tally.worlds.sum()),
            results=tally.results[best] / worlds if worlds else None,
            squares=tally.worlds * values**2 + spread,
        )


def _sum(tallies: list[Tally]) -> Tally:
    """What all threads have found."""
    return Tally(*(np.sum(parts, axis=0) for parts in zip(*tallies, strict=True)))
