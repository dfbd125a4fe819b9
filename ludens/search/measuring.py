"""Moves measured against each other: each gets looks of its own, all in the same worlds and with the same luck.

A bench looks at one move at a time. Its looks fall into batches, each with worlds (and a tree) of its own; batch b and
world w are the same for every move, so that what a move is worth does not depend on which others are looked at, or in
which order. Worlds are doubled round by round. After each round the lower half of the moves is given up (sequential
halving), and those whose distance from the best is known well enough get no more. How well it is known is told by the
batches, which are independent of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ludens.search.budget import Budget

__all__ = ["ENOUGH", "PRECISION", "Bench", "Measured", "known_well", "measure"]

PRECISION = 0.02
"""Of expected return: a distance from the best that is known to so much is known well enough."""
ENOUGH = 64
"""Visits of a move without which nothing is known of it, however alike they came out."""

_RELATIVE = 0.2  # or to this part of itself
_ERRORS = 2.4  # standard errors that a precision is: few batches, and work ends where they happen to agree
_SHARED = 6.0  # batches' worth of what all moves tell of the spread, beside what a move's own batches tell
_FIRST = 4  # the first round takes this part of the work: the fourth


class Bench(Protocol):
    """Looks at single moves of a position, by their places among the legal ones."""

    batches: int
    least: int  # visits of a move before work on it may end

    def look(self, k: int, worlds: int, clock: Budget) -> bool:
        """Looks at move k in so many further worlds of every batch; false if the clock ended it before."""

    def means(self, k: int) -> np.ndarray:
        """The mean result of the seat for move k in every batch."""

    def visits(self, k: int) -> int:
        """How many results these are."""

    def results(self, k: int) -> np.ndarray:
        """The mean result of every seat for move k."""

    def continuation(self, k: int, position: np.ndarray, seat: int, legal: np.ndarray) -> int:
        """How the seat to act goes on after move k in a full position; -1: unknown."""


@dataclass(frozen=True)
class Measured:
    """What moves are worth, by their places; the best first."""

    places: list[int]
    values: dict[int, float]  # expected return
    doubts: dict[int, float]  # standard errors of these
    behind: dict[int, float]  # how much more the best is worth
    precisions: dict[int, float]  # the distance is known to so much, in 95 of 100 cases
    simulations: int
    cut: bool  # did the clock end the work?


def known_well(behind: float, precision: float) -> bool:
    """Is a distance from the best known well enough to be told?"""
    return precision <= max(PRECISION, _RELATIVE * behind)


def _worlds_of(until: Sequence[int], number: int) -> int:
    """Worlds of a batch in the round of this number."""
    return until[number] - (until[number - 1] if number else 0)


def measure(
    bench: Bench, field: Sequence[int], include: Sequence[int], shown: int, work: int, budget: Budget
) -> Measured:
    """Measures the moves of the field until `shown` of them and those to include are known well, or the work is done.

    Every move gets one look in every batch, however little work and time are allowed.
    """
    rounds: dict[int, list[np.ndarray]] = {k: [] for k in field}
    until = [max(1, work // (_FIRST * bench.batches * len(field)))]  # worlds of a batch after every round
    left, room, spent, clock = list(field), len(field), 0, Budget(1)  # the first round may take as long as it takes
    while True:
        for k in left:
            while len(rounds[k]) < len(until):
                worlds = _worlds_of(until, len(rounds[k]))
                if not bench.look(k, worlds, clock):
                    return _ranked(rounds, spent, cut=True)
                rounds[k].append(bench.means(k))
                spent += bench.batches * worlds
        found, clock = _ranked(rounds, spent, cut=False), budget
        room = max(shown, -(-room // 2))
        rounds = {k: rounds[k] for rank, k in enumerate(found.places) if rank < room or k in include}
        unknown = [
            k for k in rounds if not known_well(found.behind[k], found.precisions[k]) or bench.visits(k) < bench.least
        ]
        left = list(dict.fromkeys([found.places[0], *unknown]))
        to_catch_up = sum(until[-1] - until[len(rounds[k]) - 1] for k in left)
        more = min(until[-1], ((work - spent) // bench.batches - to_catch_up) // len(left))
        if not unknown or more < 1 or budget.left() <= 0:
            return _ranked(rounds, spent, cut=bool(unknown) and more >= 1)
        until.append(until[-1] + more)


def _ranked(rounds: dict[int, list[np.ndarray]], spent: int, cut: bool) -> Measured:
    """The moves by what they are worth: compared where both were looked at equally often."""
    longest = max(rounds, key=lambda k: (len(rounds[k]), float(rounds[k][-1].mean())))
    last = rounds[longest][-1]
    ahead = {k: float((own[-1] - rounds[longest][len(own) - 1]).mean()) for k, own in rounds.items()}
    best = max(rounds, key=lambda k: ahead[k])
    values = {k: float(np.clip(last.mean() + ahead[k], -1.0, 1.0)) for k in rounds}
    places = sorted(rounds, key=lambda k: -ahead[k])
    pairs = {k: min(len(rounds[k]), len(rounds[best])) - 1 for k in rounds}
    spreads = {k: float(np.var(rounds[k][at] - rounds[best][at], ddof=1)) for k, at in pairs.items() if k != best}
    precisions = {k: _precision(k, spreads, pairs, len(last)) for k in spreads}
    precisions[best] = min(precisions.values(), default=0.0)
    return Measured(
        places=places,
        values=values,
        doubts={k: float(np.std(own[-1], ddof=1) / np.sqrt(len(last))) for k, own in rounds.items()},
        behind={k: max(0.0, values[best] - values[k]) for k in rounds},
        precisions=precisions,
        simulations=spent,
        cut=cut,
    )


def _precision(k: int, spreads: dict[int, float], pairs: dict[int, int], batches: int) -> float:
    """Of a move's distance from the best; few batches tell little, so moves looked at as often lend theirs."""
    alike = [spread for other, spread in spreads.items() if pairs[other] == pairs[k]]
    freedom = batches - 1
    pooled = (freedom * spreads[k] + _SHARED * float(np.mean(alike))) / (freedom + _SHARED)
    return min(2.0, _ERRORS * float(np.sqrt(pooled / batches)))
