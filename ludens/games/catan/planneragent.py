"""Catan: the agent that plans whole turns and carries them out (CA-24, CA-35, CA-63)."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from ludens.core import kernels
from ludens.core.agent import AgentKind, Clock, Parameter, Seating
from ludens.core.record import blank
from ludens.games.catan import quick
from ludens.games.catan.heuristics import HAND_MADE
from ludens.games.catan.plan import Limits, PlannedTurn, key_of
from ludens.games.catan.planner import Planner
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

__all__ = ["PLANNER", "PlannerAgent"]

_PLANNED = (BEFORE_ROLL, MAIN, ROBBING, VICTIMISING, FREE_ROADS, PLENTY)


class PlannerAgent:
    """Plans its turn as a tree of actions and outcomes, and plans anew only when something else happens.

    With several workers it keeps a pool of processes for the length of a game.
    """

    def __init__(self, workers: int = 1, **limits: object) -> None:
        self._limits = Limits(**limits)  # type: ignore[arg-type]
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._full, self._scratch = blank(DTYPE), blank(DTYPE)

    def start(self, seating: Seating) -> None:
        self._seat, self._rng = seating.seat, seating.generator()
        self._planner = Planner(self._seat, self._limits, HAND_MADE)
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
            willing = ACCEPT in legal and quick.accepts(self._full, self._seat, HAND_MADE, self._scratch)
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


PLANNER = AgentKind(
    "planner",
    "the thesis' expectimax over planned turns, on the hand-made evaluation",
    PlannerAgent,
    (
        Parameter("depth", "of planning and search; 1 looks at the own turn only", 1, int, low=1, high=9),
        Parameter("n_actions", "best actions of each kind that turns are made of", 3, int, low=1, high=30),
        Parameter("n_turns", "best turns that are searched", 9, int, low=1, high=100),
        Parameter("n_turns_search", "best turns inside the search", 3, int, low=1, high=100),
        Parameter("max_offers", "offers to other players in a turn", 3, int, low=0, high=20),
        Parameter("blend", "weight of imagined settlements in the value of a road", 0.5, float, low=0, high=1),
        Parameter("chance_window", "bounds below chance nodes", "open", str, ("open", "star1", "thesis")),
        Parameter("opponent_model", "what opponents aim at", "minimise", str, ("minimise", "own_max")),
        Parameter("workers", "processes that value turns side by side", 1, int, low=1, high=64),
    ),
)
