"""Catan: the agent that plans whole turns and carries them out (CA-24, CA-35, CA-63)."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.record import blank
from ludens.core.rng import pick
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.evaluate import HAND_MADE
from ludens.games.catan.players.linear.files import load_model
from ludens.games.catan.players.planner.search import Planner
from ludens.games.catan.players.planner.segments import PlannedTurn, PlannerSettings
from ludens.games.catan.players.planner.steps import key_of
from ludens.games.catan.state import DTYPE

__all__ = ["PlannerAgent"]

_PLANNED = (phases.BEFORE_ROLL, phases.MAIN, phases.ROBBING, phases.VICTIMISING, phases.FREE_ROADS, phases.PLENTY)


class PlannerAgent:
    """Plans its turn as a tree of actions and outcomes, and plans anew only when something else happens.

    With several workers it keeps a pool of processes for the length of a game. `weights` names a linear model; without,
    positions are valued by hand. With chance ε a turn is random (CA-40, CA-76).
    """

    def __init__(self, workers: int = 1, weights: str = "", epsilon: float = 0.0, **settings: object) -> None:
        self._settings = PlannerSettings(**settings)  # type: ignore[arg-type]
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._weights = load_model(weights) if weights else HAND_MADE
        self._epsilon = epsilon
        self._full = blank(DTYPE)

    def start(self, seating: Seating) -> None:
        self._seat, self._rng = seating.seat, seating.generator()
        self._planner = Planner(self._seat, self._settings, self._weights)
        self._plan: PlannedTurn | None = None
        self._step = 0
        self._turn = -1
        if self._workers > 1 and self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"))

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        planned = self._planned(view, legal)
        if planned is not None:
            return planned
        self._plan = None
        if len(legal) == 1:
            return int(legal[0])
        if self._epsilon and self._explores(view):
            return self._random_action(view, legal)
        kernels.determinize_at(view, 0, self._seat, self._rng, self._full)
        phase = int(view["phase"][0])
        if phase == phases.ANSWER:
            willing = ids.ACCEPT in legal and self._planner.segments.accepts(self._full, self._seat)
            return ids.ACCEPT if willing else ids.DECLINE
        if phase == phases.OFFERING:  # only when a plan was lost
            return ids.CANCEL
        if phase not in _PLANNED:
            return self._planner.segments.best_actions(self._full, [int(a) for a in legal], 1)[0]
        self._plan, self._step = self._planner.policy(self._full, self._pool), 1
        return self._plan.steps[0][1]

    def _explores(self, view: np.ndarray) -> bool:
        """Is this a decision of an own turn that is played at random? Decided once a turn."""
        v = view[0]
        if v.current != self._seat or v.phase == phases.DISCARDING:
            return False
        if self._turn != v.turn_number:
            self._turn = int(v.turn_number)
            self._random = pick(self._rng, 1 << 30) < self._epsilon * (1 << 30)
        return self._random

    def _random_action(self, view: np.ndarray, legal: np.ndarray) -> int:
        """Any action but offers to others, which would fill a random turn."""
        if view["phase"][0] == phases.OFFERING:
            return ids.CANCEL
        main = view["phase"][0] == phases.MAIN
        choices = [int(a) for a in legal if not (main and ids.GIVE <= a < ids.END)]
        return choices[pick(self._rng, len(choices))]

    def _planned(self, view: np.ndarray, legal: np.ndarray) -> int | None:
        """The next step of the plan, or None if there is none for what has happened."""
        if self._plan is None:
            return None
        key = key_of(view, self._seat)
        if self._step == len(self._plan.steps) and key in self._plan.continuations:
            self._plan, self._step = self._plan.continuations[key], 0
        if self._step == len(self._plan.steps):
            return None
        expected, action = self._plan.steps[self._step]
        if key != expected or action not in legal:
            return None
        self._step += 1
        return action

    def end(self, view: np.ndarray) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
