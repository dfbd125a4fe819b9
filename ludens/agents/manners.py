"""Manners: what an agent that plays with people leaves undone, though the rules allow it.

A game that needs them has a class (`Game.manners`) that keeps to `core.spec.Manners`. They leave out moves; which of
the others is best, the agent decides. Agents with a parameter `manners` have all of them. At a table every agent, those
of a thesis too, has those without which it would spoil the game for others (`at_table`).
"""

from __future__ import annotations

import numpy as np

from ludens.core import kernels
from ludens.core.agent import Agent, Clock, Parameter, Seating, Thought, thought_of
from ludens.core.spec import Game, Manners

__all__ = ["MANNERS", "at_table", "manners_of"]

_ABOUT = "leave undone what people would mind, where the game has manners"
MANNERS = Parameter("manners", _ABOUT, "off", str, ("off", "on"))
"""What agents are told that may have them."""


def manners_of(seating: Seating) -> Manners | None:
    """The manners of an agent that sits down; None in a game that needs none."""
    make = seating.game.manners
    return None if make is None else make()(seating)


def at_table(game: Game, agent: Agent) -> Agent:
    """The agent as it plays with people."""
    return agent if game.manners is None else _AtTable(agent)


class _AtTable(Agent):
    """An agent that sees the limits for computers, and whose choice is replaced where it would spoil the game."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._replaced = False

    def start(self, seating: Seating) -> None:
        manners = manners_of(seating)
        assert manners is not None, "see at_table"
        self._manners = manners
        self._agent.start(seating)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        shown, within = self._manners.limited(view, legal)
        choice = int(self._agent.choose(shown, within, clock))
        fair = self._manners.fair(shown, within)
        self._replaced = choice not in fair
        if not self._replaced:
            return choice
        likely = np.zeros(len(fair))
        kernels.prior_at(shown.copy(), 0, fair, len(fair), likely)
        return int(fair[likely.argmax()])

    def thought(self) -> Thought | None:
        """What the agent thought, unless another move was made."""
        return None if self._replaced else thought_of(self._agent)

    def end(self, view: np.ndarray) -> None:
        self._agent.end(view)
