"""Roll-outs with sequential halving: likely moves are compared in the same worlds, the worst given up round by round.

One-ply values choose the moves that are compared, the arms; after every round of roll-outs the worst of them are given
up, so that the last worlds are spent on those that may still be the best. With time short this is the player who looks
one move ahead, with more time a better one.

A world is a determinisation and all the chance that follows. Every move that is compared is played in it, then all
seats go on by the largest of `verbs.one_ply_values`, through so many chance events, and the evaluation values the
position that this has led to. What the dice give to one move they give to all, so that differences show in few worlds:
of every world only what a move is better than the others there is counted. The first events of the worlds are spread
evenly over what may come, in place of being drawn one by one (additive sequences of irrational steps).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records, blank
from ludens.core.rng import generator, next_event, pick
from ludens.core.spec import Game
from ludens.core.verbs import AGENT_STATE, CHANCE, TERMINAL
from ludens.search.budget import Budget, in_batches, side_by_side, work_off
from ludens.search.mcts import Findings

__all__ = [
    "COMPARED",
    "DRAWS",
    "ROUNDS",
    "SPREAD",
    "Arms",
    "SequentialHalving",
    "Stage",
    "Tally",
    "make_stage",
    "make_tally",
    "one_ply_values_of",
    "roll_out",
]

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


SPREAD = 2
"""Chance events at the beginning of a world that are spread evenly."""
_STEPS = np.sqrt(np.array([5.0, 2.0])) % 1.0
_LONGEST = 200  # choices of one sequential-halving: a turn of many decisions may not go on for ever


class Stage(NamedTuple):
    """Workspace of one thread."""

    records: np.ndarray  # four: the world, the position that is played on, two for looking ahead
    agent_state: np.ndarray  # int64[seats, AGENT_STATE]: of every seat, from one decision to the next
    legal: np.ndarray  # int64[actions]
    values: np.ndarray  # float64[seats]
    one_ply: np.ndarray  # float64[actions]
    outcomes: np.ndarray  # int64[outcomes] of a chance event
    weights: np.ndarray  # float64[outcomes]
    luck: np.ndarray  # uint64[2]: the generator of a world
    ends: np.ndarray  # float64[actions, seats]: how the moves came out in the present world


class Tally(NamedTuple):
    """What came out, by the place of a move among the legal ones."""

    worlds: np.ndarray  # int64[actions]
    results: np.ndarray  # float64[actions, seats]: sums of results
    ahead: np.ndarray  # float64[actions]: sums of what the move had more than the mean of the moves compared
    squares: np.ndarray  # float64[actions]: sums of their squares


def make_stage(dtype: np.dtype, actions: int, outcomes: int, seats: int) -> Stage:
    """An empty workspace."""
    return Stage(
        records=blank(dtype, 4),
        agent_state=np.zeros((seats, AGENT_STATE), np.int64),
        legal=np.zeros(actions, np.int64),
        values=np.zeros(seats),
        one_ply=np.zeros(actions),
        outcomes=np.zeros(outcomes, np.int64),
        weights=np.zeros(outcomes),
        luck=np.zeros(2, np.uint64),
        ends=np.zeros((actions, seats)),
    )


def make_tally(actions: int, seats: int) -> Tally:
    """No roll-outs yet."""
    return Tally(np.zeros(actions, np.int64), np.zeros((actions, seats)), np.zeros(actions), np.zeros(actions))


@kernel
def one_ply_values_of(
    views: Records[Position], seat: int, legal: Array, weights: Array, rng: Array, agent_state: Array, stage: Stage
) -> None:
    """stage.one_ply[k] = the one-ply value of legal[k] in one world that agrees with the view."""
    verbs.determinize(views[0], seat, rng, stage.records)
    s = stage.records[0]
    n = legal.shape[0]
    verbs.one_ply_values(s, legal, n, weights, agent_state, stage.records[2:4], stage.values, stage.one_ply)


@rule
def _spread(s: Position, event: int, world: int, shift: Array, stage: Stage) -> int:
    """The outcome of a chance event that falls to this world if its worlds divide what may come evenly."""
    n = int(verbs.chance(s, stage.outcomes, stage.weights))
    left = shift[event] + world * _STEPS[event]
    left -= math.floor(left)
    k = 0
    while k < n - 1 and left >= stage.weights[k]:
        left -= stage.weights[k]
        k += 1
    return int(stage.outcomes[k])


@rule
def _play_on(s: Position, draws: int, world: int, shift: Array, weights: Array, stage: Stage) -> None:
    """Plays s through so many chance events; stage.values are the results that are expected then."""
    events, choices = 0, 0
    while True:
        who = int(verbs.actor(s))
        if who == TERMINAL:
            verbs.returns(s, stage.values)
            return
        if (who == CHANCE and events == draws) or choices == _LONGEST:
            verbs.evaluate(s, weights, stage.values)
            return
        if who == CHANCE:
            if events < SPREAD:
                verbs.apply(s, _spread(s, events, world, shift, stage))
            else:
                verbs.apply(s, int(verbs.draw(s, stage.luck)))
            next_event(stage.luck)
            events += 1
            continue
        n = int(verbs.legal(s, stage.legal))
        a = int(stage.legal[0])
        if n > 1:
            looking = stage.records[2:4]
            verbs.one_ply_values(
                s, stage.legal, n, weights, stage.agent_state[who], looking, stage.values, stage.one_ply
            )
            best = stage.one_ply[0]
            for k in range(1, n):
                if stage.one_ply[k] > best:
                    best = stage.one_ply[k]
                    a = int(stage.legal[k])
            choices += 1
        verbs.apply(s, a)


@kernel
def roll_out(
    views: Records[Position], seat: int, legal: Array, compared: Array, weights: Array, draws: int, key: int,
    first: int, worlds: int, shift: Array, agent_state: Array, stage: Stage, tally: Tally,
) -> None:  # fmt: skip
    """Adds how the moves legal[compared] come out in worlds first, first + 1, … of this key to the tally.

    The seat begins with its agent state, which stays as it is.
    """
    rng = np.empty(2, np.uint64)
    for world in range(first, first + worlds):
        rng[0], rng[1] = np.uint64(key) + np.uint64(world), np.uint64(0)
        verbs.determinize(views[0], seat, rng, stage.records)
        next_event(rng)
        mean = 0.0
        for j in range(compared.shape[0]):
            stage.luck[0], stage.luck[1] = rng[0], rng[1]
            stage.agent_state[:] = 0
            stage.agent_state[seat] = agent_state
            stage.records[1] = stage.records[0]
            verbs.apply(stage.records[1], int(legal[compared[j]]))
            _play_on(stage.records[1], draws, world, shift, weights, stage)
            stage.ends[j] = stage.values
            mean += stage.values[seat] / compared.shape[0]
        for j in range(compared.shape[0]):
            k = compared[j]
            ahead = stage.ends[j, seat] - mean
            tally.worlds[k] += 1
            tally.results[k] += stage.ends[j]
            tally.ahead[k] += ahead
            tally.squares[k] += ahead * ahead


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
            side_by_side(
                len(runs),
                lambda k, part=part, worlds=worlds, left=left: work_off(  # type: ignore[misc]
                    part, worlds, partial(runs[k], left), None if k else settled
                ),
            )
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

        def roll_out(batch: int, thread: int) -> bool:
            left = worlds
            while left > 0 and clock.left() > 0:
                self._runs[k][batch](place, min(left, _LOOKS_AT_THE_CLOCK))
                left -= min(left, _LOOKS_AT_THE_CLOCK)
            return left == 0

        return in_batches(self.batches, count, roll_out)

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
