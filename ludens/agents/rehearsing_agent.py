"""The agent `rehearsal`: the likely moves are tried out in the same worlds by players who look one move ahead."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.agents.manners import manners_of
from ludens.agents.search_agents import DEFAULT_SECONDS, Thinker
from ludens.agents.search_settings import evaluation_weights
from ludens.core import kernels
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.record import blank
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.core.weights import LEARNED
from ludens.search.budget import Budget
from ludens.search.rehearsal import COMPARED, DRAWS, Rehearsal

__all__ = ["RehearsingAgent", "make_rehearsal", "rehearsal_weights", "rehearsing_kinds"]

_FIRST = 0.75  # of the time for a move of several decisions, the part that the first of them may take


def make_rehearsal(game: Game, players: int, values: Mapping[str, Any], threads: int) -> Rehearsal:
    """The search of an agent with these parameters."""
    weights = rehearsal_weights(game, values)
    return Rehearsal(game, players, weights, values.get("draws", DRAWS), values.get("compared", COMPARED), threads)


def rehearsal_weights(game: Game, values: Mapping[str, Any]) -> np.ndarray:
    """The weights of the evaluation of an agent with these parameters."""
    return evaluation_weights(game, values.get("evaluation") or (LEARNED if LEARNED in game.rules.evaluations else ""))


class RehearsingAgent(Thinker):
    """Takes the move that comes out best in the worlds in which it was rehearsed beside the others.

    Of a move that takes several decisions the first gets most of the time, and the others what is left of it.
    """

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        draws: int = DRAWS,
        compared: int = COMPARED,
        evaluation: str = "",
        manners: str = "off",
    ) -> None:
        super().__init__(simulations, seconds)
        self._threads, self._well_mannered = threads, manners == "on"
        self._words = {"draws": draws, "compared": compared, "evaluation": evaluation}

    def start(self, seating: Seating) -> None:
        super().start(seating)
        self._rehearsal = make_rehearsal(seating.game, self._players, self._words, self._threads)
        self._manners = manners_of(seating) if self._well_mannered else None
        self._world = blank(seating.game.dtype)
        self._left: float | None = None  # seconds for the rest of the move that was begun

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        began, seed = time.monotonic(), self._seed()
        polite = legal if self._manners is None else self._manners.polite(view, legal)
        seconds = self._seconds_now()
        choice = int(polite[0])
        if len(polite) > 1:
            budget = Budget(self._simulations, seconds, began).within(clock.left())
            findings = self._rehearsal.search(view, self._seat, legal, budget, seed, choice_only=True)
            best = next(k for k in findings.order() if len(polite) == len(legal) or findings.actions[k] in polite)
            choice = int(findings.actions[best])
            self._thought = Thought(float(findings.values[best]), findings.simulations, line=(choice,))
        if self._manners is not None:
            self._manners.chosen(view, choice)
        self._remember(view, choice, time.monotonic() - began)
        return choice

    def _seconds_now(self) -> float | None:
        """For this decision; without a move that was begun it is the first."""
        if self._seconds is None or self._decisions == 1:
            return self._seconds
        return _FIRST * self._seconds if self._left is None else self._left

    def _remember(self, view: np.ndarray, choice: int, spent: float) -> None:
        """What is left of the time, if the seat decides on; nothing before a move that is a new one."""
        if self._seconds is None or self._decisions == 1:
            return
        kernels.determinize_at(view, 0, self._seat, generator(0), self._world)
        kernels.apply_at(self._world, 0, choice)
        goes_on = int(kernels.actor_at(self._world, 0)) == self._seat
        least = (1 - _FIRST) * self._seconds / self._decisions
        self._left = max(least, (self._left or self._seconds) - spent) if goes_on else None


REHEARSAL = AgentKind(
    "rehearsal",
    "tries the likely moves out in the same worlds, with the same luck, by players who look one move ahead",
    RehearsingAgent,
    (
        Parameter("simulations", "of one move in one world; without, the time decides", None, int, low=1, high=10**9),
        Parameter(
            "seconds",
            f"seconds a move; {DEFAULT_SECONDS} if simulations are not given either",
            None,
            float,
            low=0.001,
            high=86400,
            cost="seconds",
        ),
        Parameter("threads", "that rehearse side by side", 1, int, low=1, high=256, cost="threads"),
        Parameter("draws", "chance events that a rehearsal goes through", DRAWS, int, low=0, high=1000, cost="work"),
        Parameter("compared", "moves that are compared, at the most", COMPARED, int, low=2, high=10000),
        Parameter("evaluation", "by which is looked ahead; by default the game's learned or best one", ""),
        Parameter(
            "manners", "leave undone what people would mind, where the game has manners", "off", str, ("off", "on")
        ),
    ),
)


def rehearsing_kinds(game: Game) -> dict[str, AgentKind]:
    """`rehearsal`, in games that foresee their moves."""
    return {REHEARSAL.name: REHEARSAL} if game.rules.described else {}
