"""Catan: the agent that plans whole turns and carries them out (CA-24, CA-35, CA-63)."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.record import blank
from ludens.games.catan.evaluate import HAND_MADE
from ludens.games.catan.players.planner.search import Planner
from ludens.games.catan.players.planner.segments import PlannedTurn, PlannerSettings, key_of
from ludens.games.catan.players.planner.values import accepts
from ludens.games.catan.state import (
    ACCEPT,
    ANSWER,
    BEFORE_ROLL,
    CANCEL,
    DECLINE,
    DTYPE,
    FREE_ROADS,
    MAIN,
    OFFERING,
    PLENTY,
    ROBBING,
    VICTIMISING,
)

__all__ = ["PlannerAgent"]

_PLANNED = (BEFORE_ROLL, MAIN, ROBBING, VICTIMISING, FREE_ROADS, PLENTY)


class PlannerAgent:
    """Plans its turn as a tree of actions and outcomes, and plans anew only when something else happens.

    With several workers it keeps a pool of processes for the length of a game.
    """

    def __init__(self, workers: int = 1, **settings: object) -> None:
        self._settings = PlannerSettings(**settings)  # type: ignore[arg-type]
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._full, self._scratch = blank(DTYPE), blank(DTYPE)

    def start(self, seating: Seating) -> None:
        self._seat, self._rng = seating.seat, seating.generator()
        self._planner = Planner(self._seat, self._settings, HAND_MADE)
        self._plan: PlannedTurn | None = None
        self._step = 0
        if self._workers > 1 and self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"))

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        planned = self._planned(view, legal)
        if planned is not None:
            return planned
        self._plan = None
        if len(legal) == 1:
            return int(legal[0])
        kernels.determinize_at(view, 0, self._seat, self._rng, self._full)
        phase = int(view["phase"][0])
        if phase == ANSWER:
            willing = ACCEPT in legal and accepts(self._full, self._seat, HAND_MADE, self._scratch)
            return ACCEPT if willing else DECLINE
        if phase == OFFERING:  # only when a plan was lost
            return CANCEL
        if phase not in _PLANNED:
            return self._planner.segments.best_actions(self._full, [int(a) for a in legal], 1)[0]
        self._plan, self._step = self._planner.policy(self._full, self._pool), 1
        return self._plan.steps[0][1]

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
