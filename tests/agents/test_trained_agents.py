"""Every learned agent is in the package with its weights: its name alone makes it, and the page offers it."""

from __future__ import annotations

import pytest

from ludens.agents.codes import make_agent
from ludens.core import registry
from ludens.games.catan.players.linear.files import named_agents
from ludens.server.http.routes.games import describe
from ludens.server.settings import Settings
from ludens.server.thinking.budgets import Budgets

TRAINED = {
    "catan": ["linear", *named_agents()],
    "discovery": ["learning"],
    "scotland_yard_grid": ["table"],
}


def test_there_are_eleven_names_in_catan() -> None:
    assert len(named_agents()) == 11  # CA-61


@pytest.mark.parametrize("name", TRAINED)
def test_trained_agents_are_offered_on_the_page_and_load_their_weights(name: str) -> None:
    game = registry.game(name)
    offered = {agent["name"] for agent in describe(game, Budgets.of(Settings()))["agents"]}
    for agent in TRAINED[name]:
        assert agent in offered
        assert make_agent(game, agent) is not None
