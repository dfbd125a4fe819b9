"""A search that rehearses the likely moves in the same worlds and gives up, one after another, those that fall behind.

What the evaluation promises of every legal move, one look ahead, chooses those that are compared. They are played on
in the same worlds (`rehearsal_kernel`); after every round the worst of them are given up (`contest`), so that the
last worlds are spent on those that may still be the best. With time short this is the player who looks one move
ahead, with more time a better one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.rng import generator, pick
from ludens.core.spec import Game
from ludens.core.verbs import MEMORY
from ludens.search.budget import Budget, work_off
from ludens.search.contest import ROUNDS, Contest
from ludens.search.mcts import Findings
from ludens.search.rehearsal_kernel import SPREAD, Tally, make_stage, make_tally, promises_of, rehearse

__all__ = ["COMPARED", "DRAWS", "Rehearsal"]

COMPARED = 12
"""Moves that are compared, at the most, as a rule."""
DRAWS = 4
"""Chance events that a rehearsal goes through, as a rule."""

_SHOWN = 5  # moves that are compared to the end where more than the choice matters
_PROMISES, _SHIFTS, _SECOND_LOOK = 1 << 20, 1 << 21, 1 << 22  # streams apart from those of threads
_FINE = 1 << 30


class Rehearsal:
    """Compares moves by rehearsing them, in as many threads as told.

    Equal seeds, budgets in simulations and numbers of threads give equal findings; a simulation is one move in one
    world. The game must foresee its moves (`Rules.described`).
    """

    def __init__(
        self, game: Game, players: int, weights: np.ndarray, draws: int = DRAWS, compared: int = COMPARED,
        threads: int = 1,
    ) -> None:  # fmt: skip
        if not game.rules.described:
            raise BadInput(f"{game.spec.title} does not foresee what its moves promise, which rehearsals need.")
        self.weights, self._players, self._draws, self._compared = weights, players, draws, compared
        size = game.spec.actions, game.spec.outcomes, players
        self._stages = [make_stage(game.dtype, *size) for _ in range(threads)]
        self._memory = np.zeros(MEMORY, np.int64)  # what the seat remembers from one look to the next

    judges = True  # its weights judge positions

    def clear(self) -> None:
        """Forgets what the seat has in mind."""
        self._memory[:] = 0

    def search(
        self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget, seed: int, choice_only: bool = False
    ) -> Findings:
        """Searches from the view of the seat to act; `legal` are its actions.

        With `choice_only` it ends as soon as one move is surely the best; else some others stay compared.
        """
        promises = self._promises(view, seat, legal, seed)
        contest = Contest(promises, self._compared, 1 if choice_only else min(_SHOWN, len(legal)))
        tallies = [make_tally(len(legal), self._players) for _ in self._stages]
        if len(contest.left) > 1 or not choice_only:
            self._play_off(view, seat, legal, budget, seed, contest, tallies, choice_only)
        return contest.findings(legal, seat, tallies)

    def _promises(self, view: np.ndarray, seat: int, legal: np.ndarray, seed: int) -> np.ndarray:
        stage = self._stages[0]
        promises_of(view, seat, legal, self.weights, generator(seed, _PROMISES), self._memory, stage)
        return stage.promises[: len(legal)].copy()

    def _play_off(
        self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget, seed: int, contest: Contest,
        tallies: list[Tally], choice_only: bool,
    ) -> None:  # fmt: skip
        """Spends the budget on rounds of rehearsals of the moves that are left in the contest."""
        runs = [self._runner(k, view, seat, legal, seed, tallies[k]) for k in range(len(tallies))]
        simulations = budget.simulations or 0

        def settled(_simulations_left: int = 0) -> bool:
            return choice_only and contest.settled(tallies)

        if len(runs) > 1:
            runs[0](contest.left, 0)  # compiles before the others start
        for number in range(ROUNDS):
            left = contest.left
            worlds = -(-simulations // (ROUNDS * len(left) * len(runs)))
            seconds = None if budget.seconds is None else budget.seconds * (number + 1) / ROUNDS
            part = replace(budget, seconds=seconds)
            others = [threading.Thread(target=work_off, args=(part, worlds, partial(run, left))) for run in runs[1:]]
            for thread in others:
                thread.start()
            work_off(part, worlds, partial(runs[0], left), settled)
            for thread in others:
                thread.join()
            decided = settled()
            contest.narrow(tallies, number)
            if decided or (choice_only and len(contest.left) == 1) or budget.left() <= 0:
                return

    def _runner(
        self, k: int, view: np.ndarray, seat: int, legal: np.ndarray, seed: int, tally: Tally
    ) -> Callable[[np.ndarray, int], None]:
        """A function that rehearses the moves at these places in so many further worlds of thread k."""
        rng = generator(seed, _SHIFTS, k)
        shift = np.array([pick(rng, _FINE) / _FINE for _ in range(SPREAD)])
        key, made = int(generator(seed, k)[0]) >> 2, 0

        def run(places: np.ndarray, worlds: int) -> None:
            nonlocal made
            rehearse(
                view, seat, legal, places, self.weights, self._draws, key, made, worlds, shift, self._memory,
                self._stages[k], tally,
            )  # fmt: skip
            made += worlds

        return run

    def insist(self, view: np.ndarray, seat: int, findings: Findings, k: int, budget: Budget) -> Findings:
        """Compares the k-th action of the findings with the best alone; the others stay as they were found."""
        best, legal = int(findings.order()[0]), findings.actions
        if best == k or findings.squares is None:
            return findings
        contest = Contest(self._promises(view, seat, legal, _SECOND_LOOK), 2, 2, among=(best, k))
        tallies = [make_tally(len(legal), self._players) for _ in self._stages]
        self._play_off(view, seat, legal, budget, _SECOND_LOOK, contest, tallies, choice_only=False)
        looked = contest.findings(legal, seat, tallies)
        assert looked.squares is not None
        values, visits, squares = findings.values.copy(), findings.visits.copy(), findings.squares.copy()
        values[k] = max(-1.0, values[best] + looked.values[k] - looked.values[best])
        visits[k] = looked.visits[k]
        squares[k] = looked.squares[k] + visits[k] * (values[k] ** 2 - looked.values[k] ** 2)
        return replace(findings, visits=visits, values=values, squares=squares)

    def continuation(self, position: np.ndarray, seat: int, legal: np.ndarray, seen_by: int) -> int:
        """The action with which the seat goes on, from a full position."""
        return int(legal[self._promises(position, seat, legal, 0).argmax()])
