"""Asking an agent for its move at a table of `positions`."""

from __future__ import annotations

import numpy as np

from ludens.core import kernels, record
from ludens.core.agent import Agent, Clock, Seating
from ludens.games.azul import GAME
from tests.games.azul.positions import Table

__all__ = ["choice", "choices"]


def choices(table: Table, agent: Agent, times: int, seed: int = 0) -> list[int]:
    """What the agent, seated once, answers when asked so many times at the same position."""
    seat = table.actor
    options = GAME.options({"players": table.players, "wall": "grey" if table.s.grey else "coloured"})
    agent.start(Seating(GAME, options, seat, seed))
    view = record.blank(GAME.dtype)
    kernels.view_at(table.states, 0, seat, view)
    legal = np.array(table.legal(), np.int64)
    answers = [int(agent.choose(view, legal, Clock())) for _ in range(times)]
    assert view.tobytes() == table.states.tobytes(), "an agent leaves the position as it is"
    return answers


def choice(table: Table, agent: Agent) -> int:
    """What the agent answers."""
    return choices(table, agent, 1)[0]
