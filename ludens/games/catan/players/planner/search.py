"""Catan: the planner over whole turns, an expectimax that sharpens the evaluation (CA-24 … CA-32, CA-54, CA-55).

Own turns are planned with a continuation for every outcome of chance; opponents roll and buy by the number of
their cards (CA-30). Values of candidate turns do not depend on each other, so they may be computed one after
another, sharing what they have in common, or by several processes: the same turn is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from ludens.core import kernels
from ludens.core.record import copied, from_bytes
from ludens.games.catan import phases
from ludens.games.catan.players.linear.value import MODEL
from ludens.games.catan.players.planner.rivals import CHANCES, expected_value, new_rivals, rival_turns, roll_for
from ludens.games.catan.players.planner.segments import PlannedTurn, PlannerSettings, Segments
from ludens.games.catan.players.planner.steps import Key, key_of
from ludens.games.catan.players.planner.values import WON
from ludens.games.catan.state import DTYPE, OUTCOMES

__all__ = ["Planner"]

_TOTALS = tuple((total, float(CHANCES[total])) for total in range(2, 13))  # CA-4
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
        self._known: dict[tuple[bytes, int], float] = {}
        self._outcomes, self._chances = np.zeros(OUTCOMES, np.int64), np.zeros(OUTCOMES)
        self._rivals = new_rivals(settings.depth, settings.n_actions, settings.n_turns_search)
        self._selfish = settings.opponent_model == "own_max"

    # --- the root ---

    def policy(self, states: np.ndarray, executor: Executor | None = None) -> PlannedTurn:
        """The best of the candidate turns (CA-26); an executor values them side by side (CA-55)."""
        candidates = self.segments.best(states, self._settings.n_turns)
        if executor is None or len(candidates) == 1:
            self._known.clear()
            depth = self._settings.depth
            turns: Iterable[PlannedTurn] = [self.complete(one.steps, one.after, depth) for one in candidates]
        else:
            shared = self._seat, self._settings, self._weights
            jobs = [(*shared, segment.steps, segment.after.tobytes()) for segment in candidates]
            turns = executor.map(_complete_elsewhere, jobs)
        return max(turns, key=lambda turn: turn.value)

    def complete(self, steps: tuple[tuple[Key, int], ...], after: np.ndarray, depth: int) -> PlannedTurn:
        """The planned turn that begins with a segment, valued by what may follow it (CA-25)."""
        depth -= 1
        if depth > 0 and int(after["phase"][0]) in (phases.DICE, phases.THEFT, phases.DEAL):
            return self._branched(steps, after, depth)
        return PlannedTurn(steps, self._value(after, depth, -math.inf, math.inf))

    def _branched(self, steps: tuple[tuple[Key, int], ...], after: np.ndarray, depth: int) -> PlannedTurn:
        """A continuation for every outcome of the chance event after the segment."""
        total, continuations = 0.0, {}
        for chance, child in self._children(after):
            if depth > 1 and kernels.actor_at(child, 0) == self._seat:
                candidates = self.segments.best(child, self._settings.n_turns_search)
                best = max(
                    (self.complete(one.steps, one.after, depth - 1) for one in candidates), key=lambda turn: turn.value
                )
                continuations[key_of(child, self._seat)] = best
                total += chance * best.value
            else:  # the depth runs out, or others must discard first: planning stops
                total += chance * self.segments.quick(child)
        return PlannedTurn(steps, total, continuations)

    def _children(self, states: np.ndarray) -> list[tuple[float, np.ndarray]]:
        """The outcomes of an own chance event with their probabilities (CA-31)."""
        if states["phase"][0] == phases.DICE:
            weighted = [(chance, _outcome_of(total)) for total, chance in _TOTALS]
        else:
            n = kernels.chance_at(states, 0, self._outcomes, self._chances)
            weighted = [(float(self._chances[k]), int(self._outcomes[k])) for k in range(n)]
        return [(chance, _after(states, kernels.apply_at, 0, outcome)) for chance, outcome in weighted]

    # --- the search ---

    def _value(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        """`expectimax` of CA-26."""
        phase = int(states["phase"][0])
        if depth <= 0 or phase == phases.OVER or phase not in (phases.BEFORE_ROLL, phases.MAIN):
            return self.segments.quick(states)
        if phase == phases.BEFORE_ROLL:
            return self._roll(states, depth, alpha, beta)
        if states["current"][0] == self._seat:
            return self._own_turn(states, depth, alpha, beta)
        return self._opponents_turn(states, depth, alpha, beta)

    def _roll(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        """A chance node, with the window of CA-27."""
        window = self._settings.chance_window
        remembered = (states.tobytes(), depth)
        if window == "open" and remembered in self._known:
            return self._known[remembered]
        others = (self._seat - int(states["current"][0])) % int(states["players"][0])
        if window == "open" and depth <= 2 * others + 1:  # nobody but opponents plans below
            self._known[remembered] = value = self._expected(states, depth)
            return value
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
            self._known[remembered] = total
        return total

    def _own_turn(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        best = -math.inf
        for segment in self.segments.best(states, self._settings.n_turns_search):
            best = max(best, self._value(segment.after, depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _expected(self, states: np.ndarray, depth: int) -> float:
        """The same without windows, compiled."""
        settings, rivals = self._settings, self._rivals
        breadth = settings.n_actions, settings.n_turns_search
        return float(expected_value(states, self._seat, depth, self._selfish, *breadth, self._weights, rivals))

    def _opponents_turn(self, states: np.ndarray, depth: int, alpha: float, beta: float) -> float:
        """The opponent minimises the planner's value, or takes what is best for itself (CA-28)."""
        settings, rivals = self._settings, self._rivals
        breadth = settings.n_actions, settings.n_turns_search
        n = rival_turns(states, self._seat, self._selfish, *breadth, self._weights, rivals, rivals.kids)
        turns = copied(rivals.kids[:n])
        worst = math.inf
        for k in range(n):
            worst = min(worst, self._value(turns[k : k + 1], depth - 1, alpha, beta))
            beta = min(beta, worst)
            if alpha >= beta:
                break
        return worst


def _after(states: np.ndarray, change: Callable[..., object], *arguments: int) -> np.ndarray:
    """A copy changed by a kernel."""
    child = copied(states)
    change(child, *arguments)
    return child


def _complete_elsewhere(job: tuple[Any, ...]) -> PlannedTurn:
    """`Planner.complete` in another process."""
    seat, settings, weights, steps, after = job
    return Planner(seat, settings, weights).complete(steps, from_bytes(DTYPE, after), settings.depth)
