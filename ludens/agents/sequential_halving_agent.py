"""The agent `sequential-halving`: roll-outs of the likely moves in the same worlds, ever fewer of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.agents.manners import MANNERS, manners_of
from ludens.agents.search_agents import SECONDS, Thinker
from ludens.agents.search_settings import network_weights
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.spec import Game
from ludens.search.sequential_halving import COMPARED, DRAWS, SequentialHalving

__all__ = [
    "SequentialHalvingAgent",
    "make_sequential_halving",
    "sequential_halving_kinds",
]


def make_sequential_halving(game: Game, players: int, values: Mapping[str, Any], threads: int) -> SequentialHalving:
    """The search of an agent with these parameters."""
    weights = network_weights(game, values.get("evaluation", ""))
    return SequentialHalving(
        game, players, weights, values.get("draws", DRAWS), values.get("compared", COMPARED), threads
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
        SECONDS,
        Parameter("threads", "that roll out side by side", 1, int, low=1, high=256, cost="threads"),
        Parameter("draws", "chance events that a roll-out goes through", DRAWS, int, low=0, high=1000, cost="work"),
        Parameter("compared", "moves that are compared, at the most", COMPARED, int, low=2, high=10000),
        Parameter("evaluation", "by which is looked ahead; by default the game's value network or best one", ""),
        MANNERS,
    ),
)


def sequential_halving_kinds(game: Game) -> dict[str, AgentKind]:
    """`sequential-halving`, in games with one-ply values."""
    return {SEQUENTIAL_HALVING.name: SEQUENTIAL_HALVING} if game.rules.described else {}
