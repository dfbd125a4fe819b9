"""The agent `rehearsal`: the likely moves are tried out in the same worlds by players who look one move ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.agents.manners import manners_of
from ludens.agents.search_agents import DEFAULT_SECONDS, Thinker
from ludens.agents.search_settings import evaluation_weights
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.spec import Game
from ludens.core.weights import LEARNED
from ludens.search.rehearsal import COMPARED, DRAWS, Rehearsal

__all__ = ["RehearsingAgent", "make_rehearsal", "rehearsal_weights", "rehearsing_kinds"]


def make_rehearsal(game: Game, players: int, values: Mapping[str, Any], threads: int) -> Rehearsal:
    """The search of an agent with these parameters."""
    weights = rehearsal_weights(game, values)
    return Rehearsal(game, players, weights, values.get("draws", DRAWS), values.get("compared", COMPARED), threads)


def rehearsal_weights(game: Game, values: Mapping[str, Any]) -> np.ndarray:
    """The weights of the evaluation of an agent with these parameters."""
    return evaluation_weights(game, values.get("evaluation") or (LEARNED if LEARNED in game.rules.evaluations else ""))


class RehearsingAgent(Thinker):
    """Takes the move that comes out best in the worlds in which it was rehearsed beside the others."""

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

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        seed = self._seed()
        polite = legal if self._manners is None else self._manners.polite(view, legal)
        choice = int(polite[0])
        if len(polite) > 1:
            budget = self._budget(clock)
            findings = self._rehearsal.search(view, self._seat, polite, budget, seed, choice_only=True)
            choice = findings.best()
            worth = float(findings.values[findings.order()[0]])
            self._thought = Thought(worth, findings.simulations, line=(choice,))
        if self._manners is not None:
            self._manners.chosen(view, choice)
        return choice


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
