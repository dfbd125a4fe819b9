"""Our searches against OpenSpiel's own on our rules, at equal simulations: they must not lose beyond sampling error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from ludens.adapters import openspiel
from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.registry import game
from ludens.core.spec import Game
from ludens.lab.statistics import share_interval
from tests.examples import hidden


def _bot(loaded: Any, found: Game, simulations: int, seed: int) -> Any:
    rng = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    if found.spec.hidden:
        return ismcts.ISMCTSBot(loaded, evaluator, uct_c=2.0, max_simulations=simulations, random_state=rng)
    return mcts.MCTSBot(loaded, 2.0, simulations, evaluator, random_state=rng)


def _duel(found: Game, code: str, simulations: int, ours: int, seed: int) -> float:
    """Plays one game with our agent on the seat `ours`; returns our share of the victory."""
    openspiel.register(found)
    loaded = pyspiel.load_game(openspiel.short_name(found.spec.name), {"players": 2})
    bot, rng = _bot(loaded, found, simulations, seed), np.random.RandomState(seed)
    state = loaded.new_initial_state()
    agent = make_agent(found, code)
    agent.start(Seating(found, state.position.options, ours, seed))
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            action = int(rng.choice(outcomes, p=weights))
        elif len(legal) == 1:
            action = legal[0]
        elif state.current_player() == ours:
            action = agent.choose(state.position.view(ours), np.array(legal, np.int64), Clock())
        else:
            action = bot.step(state)
        state.apply_action(action)
    result = state.returns()
    return (result[ours] > result[1 - ours]) + 0.5 * (result[ours] == result[1 - ours])


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("found", "simulations", "games"),
    [
        (hidden.GAME, 100, 60),
        (game("azul"), 30, 16),
        (game("discovery"), 30, 10),
        (game("scotland_yard_grid"), 100, 60),
    ],
    ids=["duel", "azul", "discovery", "grid"],
)
def test_ours_do_not_lose_to_openspiel_at_equal_simulations(found: Game, simulations: int, games: int) -> None:
    """The same algorithm on both sides: UCT with uniform roll-outs to the end, nothing solved."""
    code = f"mcts:simulations={simulations},formula=uct,rollout=random,solve=off"
    won = sum(_duel(found, code, simulations, seed % 2, seed) for seed in range(games))
    assert share_interval(won, games)[1] >= 0.5, f"{won} of {games}"
