"""Hints, analyses and reviews search as a game's hardest level does."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.agents.analysis import analyse_view, level_weights, strongest_search
from ludens.agents.codes import make_agent
from ludens.agents.search_agents import MctsAgent
from ludens.agents.sequential_halving_agent import SequentialHalvingAgent
from ludens.agents.warming import agent_tasks
from ludens.core import kernels
from ludens.core.agent import Seating
from ludens.core.registry import BUILT_IN, game
from ludens.core.spec import Game
from ludens.search.mcts import TreeSearch
from ludens.search.sequential_halving import SequentialHalving, roll_out
from tests.search.positions import DISCOVERY, middle_of

GAMES = [game(name) for name in BUILT_IN]


@pytest.mark.parametrize("found", GAMES, ids=lambda found: found.spec.name)
def test_hints_search_as_the_hardest_level_does(found: Game) -> None:
    options = found.options(found.spec.tournament)
    level = make_agent(found, "hard")
    level.start(Seating(found, options, 0, 1))
    search = strongest_search(found, middle_of(found, 1), threads=1, memory=1, options=options)
    if found is DISCOVERY:
        assert isinstance(level, SequentialHalvingAgent) and isinstance(search, SequentialHalving)
        assert np.array_equal(search.weights, level._search.weights)
        assert np.array_equal(search.weights, level_weights(found))
    else:
        assert isinstance(level, MctsAgent) and isinstance(search, TreeSearch)
        own = level._tree_search
        assert own is not None and search.settings == own.settings
        assert np.array_equal(search.weights, own.weights) and (search.network is None) == (own.network is None)


def test_an_analysis_of_the_discovery_tells_chances_points_and_reasons() -> None:
    state = middle_of(DISCOVERY, 40)
    found = analyse_view(DISCOVERY, state, int(kernels.actor_at(state, 0)), simulations=100)
    assert 80 <= found.simulations <= 100 and found.candidates[0].reasons
    assert sum(found.results) == pytest.approx(0, abs=1e-9)
    for move in found.candidates:
        assert -1 <= move.result <= 1 and len(move.whole) <= 2 and min(move.points) > 0


def test_preparing_the_discovery_compiles_what_its_levels_think_with() -> None:
    tasks = dict(agent_tasks(DISCOVERY))
    assert {"agent value-network", "agent medium", "agent hard", "agent champion", "hints"} <= set(tasks)
    tasks["agent medium"]()
    known = _compiled()
    assert known
    for name in ("agent hard", "agent champion", "hints"):
        tasks[name]()
    assert _compiled() == known


def _compiled() -> list[object]:
    """The kinds of arguments for which roll-outs are compiled."""
    return list(roll_out.signatures)  # type: ignore[attr-defined]
