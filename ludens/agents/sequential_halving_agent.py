"""The agent `sequential-halving`: roll-outs of the likely moves in the same worlds, ever fewer of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.agents.manners import manners_of
from ludens.agents.search_agents import DEFAULT_SECONDS, Thinker
from ludens.agents.search_settings import evaluation_weights
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.spec import Game
from ludens.core.weights import VALUE_NETWORK
from ludens.search.sequential_halving import COMPARED, DRAWS, SequentialHalving

__all__ = [
    "SequentialHalvingAgent",
    "make_sequential_halving",
    "sequential_halving_kinds",
    "sequential_halving_weights",
]


def make_sequential_halving(game: Game, players: int, values: Mapping[str, Any], threads: int) -> SequentialHalving:
    """The search of an agent with these parameters."""
    weights = sequential_halving_weights(game, values)
    return SequentialHalving(
        game, players, weights, values.get("draws", DRAWS), values.get("compared", COMPARED), threads
    )


def sequential_halving_weights(game: Game, values: Mapping[str, Any]) -> np.ndarray:
    """The weights of the evaluation of an agent with these parameters."""
    return evaluation_weights(
        game, values.get("evaluation") or (VALUE_NETWORK if VALUE_NETWORK in game.rules.evaluations else "")
    )


class SequentialHalvingAgent(Thinker):
    """Takes the move whose roll-outs come out best."""

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
        self._search = make_sequential_halving(seating.game, self._players, self._words, self._threads)
        self._manners = manners_of(seating) if self._well_mannered else None

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        seed = self._seed()
        polite = legal if self._manners is None else self._manners.polite(view, legal)
        choice = int(polite[0])
        if len(polite) > 1:
            budget = self._budget(clock)
            findings = self._search.search(view, self._seat, polite, budget, seed, choice_only=True)
            choice = findings.best()
            worth = float(findings.values[findings.order()[0]])
            cut = self._cut(findings.simulations, budget)
            self._thought = Thought(worth, findings.simulations, line=(choice,), cut=cut)
        if self._manners is not None:
            self._manners.chosen(view, choice)
        return choice


SEQUENTIAL_HALVING = AgentKind(
    "sequential-halving",
    "roll-outs of the likely moves in the same worlds by one-ply players, the worst moves given up round by round",
    SequentialHalvingAgent,
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
        Parameter("threads", "that roll out side by side", 1, int, low=1, high=256, cost="threads"),
        Parameter("draws", "chance events that a roll-out goes through", DRAWS, int, low=0, high=1000, cost="work"),
        Parameter("compared", "moves that are compared, at the most", COMPARED, int, low=2, high=10000),
        Parameter("evaluation", "by which is looked ahead; by default the game's value network or best one", ""),
        Parameter(
            "manners", "leave undone what people would mind, where the game has manners", "off", str, ("off", "on")
        ),
    ),
)


def sequential_halving_kinds(game: Game) -> dict[str, AgentKind]:
    """`sequential-halving`, in games with one-ply values."""
    return {SEQUENTIAL_HALVING.name: SEQUENTIAL_HALVING} if game.rules.described else {}
