"""Roll-outs with sequential halving: likely moves are compared in the same worlds, the worst given up round by round.

One-ply values choose the moves that are compared. They are rolled out in the same worlds
(`sequential_halving_kernel`); after every round the worst of them are given up (`arms`), so that the last worlds are
spent on those that may still be the best. With time short this is the player who looks one move ahead, with more time a
better one.
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
from ludens.core.verbs import AGENT_STATE
from ludens.search.arms import ROUNDS, Arms
from ludens.search.budget import Budget, work_off
from ludens.search.mcts import Findings
from ludens.search.sequential_halving_kernel import SPREAD, Tally, make_stage, make_tally, one_ply_values_of, roll_out

__all__ = ["COMPARED", "DRAWS", "SequentialHalving"]

COMPARED = 12
"""Moves that are compared, at the most, as a rule."""
DRAWS = 4
"""Chance events that a roll-out goes through, as a rule."""

_SHOWN = 5  # moves that are compared to the end where more than the choice matters
_ONE_PLY, _SHIFTS, _BENCH = 1 << 20, 1 << 21, 1 << 22  # streams apart from those of threads
_FINE = 1 << 30
_LOOKS_AT_THE_CLOCK = 16  # worlds from one look to the next


class SequentialHalving:
    """Compares moves by roll-outs, in as many threads as told.

    Equal seeds, budgets in simulations and numbers of threads give equal findings; a simulation is one move in one
    world. The game must have one-ply values (`Rules.described`).
    """

    def __init__(
        self, game: Game, players: int, weights: np.ndarray, draws: int = DRAWS, compared: int = COMPARED,
        threads: int = 1,
    ) -> None:  # fmt: skip
        if not game.rules.described:
            raise BadInput(f"{game.spec.title} has no one-ply values, which sequential halving needs.")
        self.weights, self.players, self._draws, self._compared = weights, players, draws, compared
        size = game.spec.actions, game.spec.outcomes, players
        self.stages = [make_stage(game.dtype, *size) for _ in range(threads)]
        self._agent_state = np.zeros(AGENT_STATE, np.int64)  # of the seat, from one decision to the next

    evaluates = True  # its weights are those of an evaluation

    def clear(self) -> None:
        """Empties the agent state."""
        self._agent_state[:] = 0

    def search(
        self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget, seed: int, choice_only: bool = False
    ) -> Findings:
        """Searches from the view of the seat to act; `legal` are its actions.

        With `choice_only` it ends as soon as one move is surely the best; else some others stay compared.
        """
        one_ply = self._one_ply(view, seat, legal, seed)
        arms = Arms(one_ply, self._compared, 1 if choice_only else min(_SHOWN, len(legal)))
        tallies = [make_tally(len(legal), self.players) for _ in self.stages]
        if len(arms.left) > 1 or not choice_only:
            self._play_off(view, seat, legal, budget, seed, arms, tallies, choice_only)
        return arms.findings(legal, seat, tallies)

    def _one_ply(self, view: np.ndarray, seat: int, legal: np.ndarray, seed: int) -> np.ndarray:
        stage = self.stages[0]
        one_ply_values_of(view, seat, legal, self.weights, generator(seed, _ONE_PLY), self._agent_state, stage)
        return stage.one_ply[: len(legal)].copy()

    def _play_off(
        self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget, seed: int, arms: Arms,
        tallies: list[Tally], choice_only: bool,
    ) -> None:  # fmt: skip
        """Spends the budget on rounds of roll-outs of the arms that are left."""
        runs = [self.runner(k, k, view, seat, legal, seed, tallies[k]) for k in range(len(tallies))]
        simulations = budget.simulations or 0

        def settled(_simulations_left: int = 0) -> bool:
            return choice_only and arms.settled(tallies)

        if len(runs) > 1:
            runs[0](arms.left, 0)  # compiles before the others start
        for number in range(ROUNDS):
            left = arms.left
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
            arms.narrow(tallies, number)
            if decided or (choice_only and len(arms.left) == 1) or budget.left() <= 0:
                return

    def runner(
        self, thread: int, k: int, view: np.ndarray, seat: int, legal: np.ndarray, seed: int, tally: Tally
    ) -> Callable[[np.ndarray, int], None]:
        """A function that rolls out the moves at these places in so many further worlds of stream k, by a thread."""
        rng = generator(seed, _SHIFTS, k)
        shift = np.array([pick(rng, _FINE) / _FINE for _ in range(SPREAD)])
        key, made = int(generator(seed, k)[0]) >> 2, 0

        def run(places: np.ndarray, worlds: int) -> None:
            nonlocal made
            roll_out(
                view, seat, legal, places, self.weights, self._draws, key, made, worlds, shift, self._agent_state,
                self.stages[thread], tally,
            )  # fmt: skip
            made += worlds

        return run

    def bench(
        self, view: np.ndarray, seat: int, legal: np.ndarray, moves: int, seed: int, work: int = 0
    ) -> RollOutBench:
        """Roll-outs of single moves of a position."""
        return RollOutBench(self, view, seat, legal, seed)

    def continuation(self, position: np.ndarray, seat: int, legal: np.ndarray, seen_by: int) -> int:
        """The action with which the seat goes on, from a full position."""
        return int(legal[self._one_ply(position, seat, legal, 0).argmax()])


class RollOutBench:
    """Roll-outs of single moves: batches are streams of worlds."""

    batches = 8
    least = 64

    def __init__(self, search: SequentialHalving, view: np.ndarray, seat: int, legal: np.ndarray, seed: int) -> None:
        self._search, self._view, self._seat, self._legal, self._seed = search, view, seat, legal, seed
        self._tallies: dict[int, list[Tally]] = {}
        self._runs: dict[int, list[Callable[[np.ndarray, int], None]]] = {}

    def look(self, k: int, worlds: int, clock: Budget) -> bool:
        """Looks at move k in so many further worlds of every batch; false if the clock ended it before."""
        if k not in self._runs:
            self._tallies[k] = [make_tally(len(self._legal), self._search.players) for _ in range(self.batches)]
            self._runs[k] = [self._runner(k, batch) for batch in range(self.batches)]
        place, count = np.array([k], np.int64), min(len(self._search.stages), self.batches)
        self._runs[k][0](place, 0)  # compiles before the others start
        finished = [False] * self.batches

        def work(thread: int) -> None:
            for batch in range(thread, self.batches, count):
                left = worlds
                while left > 0 and clock.left() > 0:
                    self._runs[k][batch](place, min(left, _LOOKS_AT_THE_CLOCK))
                    left -= min(left, _LOOKS_AT_THE_CLOCK)
                finished[batch] = left == 0

        others = [threading.Thread(target=work, args=(thread,)) for thread in range(1, count)]
        for other in others:
            other.start()
        work(0)
        for other in others:
            other.join()
        return all(finished)

    def _runner(self, k: int, batch: int) -> Callable[[np.ndarray, int], None]:
        search, tally = self._search, self._tallies[k][batch]
        thread = batch % min(len(search.stages), self.batches)
        return search.runner(thread, _BENCH + batch, self._view, self._seat, self._legal, self._seed, tally)

    def means(self, k: int) -> np.ndarray:
        """The mean result of the seat for move k in every batch."""
        return np.array([tally.results[k, self._seat] / max(1, tally.worlds[k]) for tally in self._tallies[k]])

    def visits(self, k: int) -> int:
        """How many results these are."""
        return sum(int(tally.worlds[k]) for tally in self._tallies[k])

    def results(self, k: int) -> np.ndarray:
        """The mean result of every seat for move k."""
        total = np.sum([tally.results[k] for tally in self._tallies[k]], axis=0)
        return np.asarray(total / max(1, self.visits(k)))

    def continuation(self, k: int, position: np.ndarray, seat: int, legal: np.ndarray) -> int:
        """How the seat to act goes on in a full position."""
        return self._search.continuation(position, seat, legal, self._seat)
