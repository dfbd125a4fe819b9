"""Catan: the planner over whole turns, an expectimax that sharpens the evaluation (CA-24 … CA-32, CA-54, CA-55).

Own turns are planned with a continuation for every outcome of chance; opponents roll and buy by the number of
their cards (CA-30). Values of candidate turns do not depend on each other, so they may be computed one after
another, sharing what they have in common, or by several processes: the same turn is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import Executor

import numpy as np

from ludens.core import kernels
from ludens.core.record import from_bytes
from ludens.games.catan.players.linear.value import MODEL
from ludens.games.catan.players.planner.opponents import PURCHASES, buy_for, kind_of, purchases_of, roll_for
from ludens.games.catan.players.planner.segments import PlannedTurn, PlannerSettings, Segment, Segments, key_of
from ludens.games.catan.players.planner.values import WON, quick_values
from ludens.games.catan.state import BEFORE_ROLL, DEAL, DICE, DTYPE, END, MAIN, OUTCOMES, OVER, THEFT

__all__ = ["Planner"]

_TOTALS = tuple((total, (6 - abs(7 - total)) / 36) for total in range(2, 13))  # CA-4
_BOUND = 2 * WON  # no hand-made value lies outside; for star1
_LINEAR_BOUND = 10 * WON  # nor a linear one, whose greatest reward is 1800 (CA-37)


def _outcome_of(total: int) -> int:
    """Two dice that show this sum, as an outcome."""
    first = max(1, total - 6)
    return 6 * (first - 1) + total - first - 1


class Planner:
    """Plans the turns of one seat; `weights` are those of the evaluation."""

    def __init__(self, seat: int, settings: PlannerSettings, weights: np.ndarray) -> None:
        self._seat, self._settings, self._weights = seat, settings, weights
        self._bound = _LINEAR_BOUND if len(weights) == MODEL else _BOUND
        self.segments = Segments(seat, settings, weights)
        self._memory: dict[tuple[bytes, int], float] = {}
        self._outcomes, self._chances = np.zeros(OUTCOMES, np.int64), np.zeros(OUTCOMES)
        self._purchases = np.zeros(PURCHASES, np.int64)

    # --- the root ---

    def policy(self, states: np.ndarray, executor: Executor | None = None) -> PlannedTurn:
        """The best of the candidate turns (CA-26); an executor values them side by side (CA-55)."""
        candidates = self.segments.best(states, self._settings.n_turns)
        if executor is None or len(candidates) == 1:
            self._memory.clear()
            turns: Iterable[PlannedTurn] = [self.complete(one, self._settings.depth) for one in candidates]
        else:
            shared = self._seat, self._settings, self._weights
            jobs = [(*shared, segment.steps, segment.after.tobytes()) for segment in candidates]
            turns = executor.map(_complete_elsewhere, jobs)
        return max(turns, key=lambda turn: turn.value)

    def complete(self, segment: Segment, depth: int) -> PlannedTurn:
        """The planned turn that begins with a segment, valued by what may follow it (CA-25)."""
        after, depth = segment.after, depth - 1
        if depth > 0 and int(after["phase"][0]) in (DICE, THEFT, DEAL):
            return self._branched(segment, depth)
        return PlannedTurn(segment.steps, self._value(after, depth, -math.inf, math.inf))

    def _branched(self, segment: Segment, depth: int) -> PlannedTurn:
        """A continuation for every outcome of the chance event after the segment."""
        total, continuations = 0.0, {}
        for chance, child in self._children(segment.after):
            if depth > 1 and kernels.actor_at(child, 0) == self._seat:
                best = max(
                    (self.complete(one, depth - 1) for one in self.segments.best(child, self._settings.n_turns_search)),
                    key=lambda turn: turn.value,
                )
                continuations[key_of(child, self._seat)] = best
                total += chance * best.value
            else:  # the depth runs out, or others must discard first: planning stops
                total += chance * self.segments.quick(child)
        return PlannedTurn(segment.steps, total, continuations)

    def _children(self, states: np.ndarray) -> list[tuple[float, np.ndarray]]:
        """The outcomes of an own chance event with their probabilities (CA-31)."""
        if states["phase"][0] == DICE:
            weighted = [(chance, _outcome_of(total)) for total, chance in _TOTALS]
        else:
            n = kernels.chance_at(states, 0, self._outcomes, self._chances)
            weighted = [(float(self._chances[k]), int(self._outcomes[k])) for k in range(n)]
        return [(chance, _after(states, kernels.apply_at, 0, outcome)) for chance, outcome in weighted]

    # --- the search ---

    def _value(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        """`expectimax` of CA-26."""
        phase = int(states["phase"][0])
        if depth <= 0 or phase == OVER or phase not in (BEFORE_ROLL, MAIN):
            return self.segments.quick(states)
        if phase == BEFORE_ROLL:
            return self._roll(states, depth, alpha, beta)
        if states["current"][0] == self._seat:
            return self._own_turn(states, depth, alpha, beta)
        return self._opponents_turn(states, depth, alpha, beta)

    def _roll(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        """A chance node, with the window of CA-27."""
        window = self._settings.chance_window
        remembered = (states.tobytes(), depth)
        if window == "open" and remembered in self._memory:
            return self._memory[remembered]
        total, rest = 0.0, 1.0
        for dice, chance in _TOTALS:
            low, high = -math.inf, math.inf
            rest -= chance
            if window == "thesis":
                low, high = alpha, beta
            elif window == "star1":
                low = (alpha - total - rest * self._bound) / chance
                high = (beta - total - rest * -self._bound) / chance
            child = _after(states, roll_for, dice)
            value = self._value(child, depth - 1, low, high)
            if window == "star1" and (value <= low or value >= high):
                return total + chance * value + rest * (self._bound if value <= low else -self._bound)
            total += chance * value
        if window == "open":
            self._memory[remembered] = total
        return total

    def _own_turn(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        best = -math.inf
        for segment in self.segments.best(states, self._settings.n_turns_search):
            best = max(best, self._value(segment.after, depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _opponents_turn(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        """The opponent minimises the planner's value, or takes what is best for itself (CA-28)."""
        rival = int(states["current"][0])
        selfish = self._settings.opponent_model == "own_max"
        turns = self._rival_turns(states, rival if selfish else self._seat, -1.0 if selfish else 1.0)
        worst = math.inf
        for after in turns[: 1 if selfish else self._settings.n_turns_search]:
            worst = min(worst, self._value(after, depth - 1, alpha, beta))
            beta = min(beta, worst)
            if alpha >= beta:
                break
        return worst

    def _rival_turns(self, states: np.ndarray, judge: int, sign: float) -> list[np.ndarray]:
        """Positions after an opponent's purchases, those with the least signed value for the judge first.

        Roads come before settlements and these before cities, and of each kind the best few are tried (CA-32, CA-33).
        """
        queue, found = [(states, 0)], {}
        while queue:
            here, lowest = queue.pop(0)
            ended = _after(here, kernels.apply_at, 0, END) if here["phase"][0] != OVER else here
            found[ended.tobytes()] = ended
            if here["phase"][0] == OVER or len(found) > 4 * self._settings.n_turns_search:
                continue
            n = purchases_of(here, self._purchases)
            wanted = [int(a) for a in self._purchases[:n] if kind_of(int(a)) >= lowest]
            for kind in range(3):
                children = [_after(here, buy_for, purchase) for purchase in wanted if kind_of(purchase) == kind]
                queue += [(child, kind) for child in self._ranked(children, judge, sign)[: self._settings.n_actions]]
        return self._ranked(list(found.values()), judge, sign)

    def _ranked(self, positions: list[np.ndarray], judge: int, sign: float) -> list[np.ndarray]:
        if len(positions) < 2:
            return positions
        values = np.zeros(len(positions))
        quick_values(np.concatenate(positions), judge, self._weights, values)
        return [positions[k] for k in np.argsort(sign * values, kind="stable")]


def _after(states: np.ndarray, change: Callable[..., object], *arguments: int) -> np.ndarray:
    """A copy changed by a kernel."""
    child = states.copy()
    change(child, *arguments)
    return child


def _complete_elsewhere(job: tuple) -> PlannedTurn:
    """`Planner.complete` in another process."""
    seat, settings, weights, steps, after = job
    segment = Segment(steps, from_bytes(DTYPE, after))
    return Planner(seat, settings, weights).complete(segment, settings.depth)
