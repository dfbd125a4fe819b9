"""Who is still in the running while moves are rehearsed, and what is thought of every move.

What an evaluation promises of the moves is the first opinion. Worlds in which they were compared (`rehearsal_kernel`)
correct it, by as much as the spread of what they say allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ludens.search.mcts import Findings
from ludens.search.rehearsal_kernel import Tally

__all__ = ["ROUNDS", "Contest"]

ROUNDS = 6
"""After each some moves are given up."""

_NEAR = 0.3  # a move that promises so much less than the best, in expected return, is not rehearsed
_DOUBT = 0.06  # how far off promises usually are, one against the other
_SPREAD = 0.5  # of the results of one move from world to world
_SURELY = 3.0  # standard errors
_TRIFLE = 0.01  # of expected return, by which the move that is taken may be worse: half a point of win chance
_LEAST_WORLDS = 4  # before they say anything of the spread
_ENOUGH_WORLDS = 8  # before a move is surely worse
_NOISE = 1e-6  # the square of a standard error is never less
_ALIKE = 1e-9  # moves that never differ by more are one move, told in two ways (a tile that looks the same turned)


class Contest:
    """The moves of one position, by their places among the legal ones.

    The `most` that promise most are compared, or those `among`. `least` of them stay to the end: one, where only the
    choice matters.
    """

    def __init__(self, promises: np.ndarray, most: int, least: int, among: Sequence[int] = ()) -> None:
        self._promises, self._most, self._least = promises, max(most, least), least
        best = promises.max()
        order = np.argsort(-promises, kind="stable")
        likely = [k for rank, k in enumerate(order) if rank < least or promises[k] > best - _NEAR]
        self.left = np.array(among or likely[: self._most], np.int64)
        """Those that are still compared."""
        self._behind = best - promises  # expected return that the best move has more

    def settled(self, tallies: list[Tally]) -> bool:
        """Is one move surely better than all others, but for a trifle?"""
        tally = _sum(tallies)
        if tally.worlds[self.left[0]] < _ENOUGH_WORLDS:
            return False
        means, doubts = self._judged(tally)
        hopes, best = means + _SURELY * doubts, int(means.argmax())
        least = means[best] - _SURELY * doubts[best]
        return bool((np.delete(hopes, best) <= least + _TRIFLE).all())

    def narrow(self, tallies: list[Tally], number: int) -> None:
        """Gives up what has fallen behind after this round, counted from 0."""
        tally = _sum(tallies)
        means, doubts = self._judged(tally)
        self._behind[self.left] = means.max() - means
        part = (number + 1) / (ROUNDS - 1)
        room = max(self._least, math.ceil(self._most * (2 / self._most) ** part), 2)
        order = np.argsort(-means, kind="stable")
        kept = set(self._kept(int(tally.worlds[self.left[0]]), means, doubts)) | set(order[: self._least])
        if self._least == 1:
            order = order[~self._repeated(tally)[order]]
        self.left = self.left[[k for k in order[:room] if k in kept]]

    def _repeated(self, tally: Tally) -> np.ndarray:
        """By places in `left`: did another move before it promise the same and come out the same everywhere?"""
        if tally.worlds[self.left[0]] < _LEAST_WORLDS:
            return np.zeros(len(self.left), bool)
        told = np.column_stack((self._promises[self.left], tally.results[self.left], tally.squares[self.left]))
        alike: np.ndarray = (np.abs(told[:, None] - told[None, :]) <= _ALIKE * tally.worlds[self.left[0]]).all(-1)
        return np.asarray(np.tril(alike, -1).any(-1))

    def _kept(self, worlds: int, means: np.ndarray, doubts: np.ndarray) -> np.ndarray:
        if worlds < _ENOUGH_WORLDS:
            return np.arange(len(means))
        best = int(means.argmax())
        return np.flatnonzero(means + _SURELY * doubts > means[best] - _SURELY * doubts[best])

    def _judged(self, tally: Tally) -> tuple[np.ndarray, np.ndarray]:
        """What is thought of the moves that are left, one against the other, and how surely."""
        worlds = int(tally.worlds[self.left[0]])
        promised = self._promises[self.left] - self._promises[self.left].mean()
        if worlds < _LEAST_WORLDS:
            return promised, np.full(len(promised), 1.0)
        means = tally.ahead[self.left] / worlds
        errors = (tally.squares[self.left] / worlds - means**2) / (worlds - 1) + _NOISE
        certainty = 1 / _DOUBT**2 + 1 / errors
        return (promised / _DOUBT**2 + (means - means.mean()) / errors) / certainty, certainty**-0.5

    def findings(self, legal: np.ndarray, seat: int, tallies: list[Tally]) -> Findings:
        """What is known of all moves."""
        tally = _sum(tallies)
        best = int(self.left[self._judged(tally)[0].argmax()])
        worlds = int(tally.worlds[best])
        mean = tally.results[best, seat] / max(1, worlds)
        weight = 1 / _DOUBT**2 + worlds / _SPREAD**2
        worth = (self._promises[best] / _DOUBT**2 + mean * worlds / _SPREAD**2) / weight
        values = np.clip(worth - (self._behind - self._behind[best]), -1.0, 1.0)
        spread = np.maximum(0.0, tally.squares - tally.ahead**2 / np.maximum(1, tally.worlds))
        likely = np.exp((self._promises - self._promises.max()) / _DOUBT)
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
