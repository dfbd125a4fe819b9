"""The player that takes the turn an evaluation likes best, against an enumeration of all turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core import kernels, record
from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.core.verbs import TERMINAL
from ludens.games.discovery import GAME
from ludens.games.discovery.players.one_ply import one_ply_values
from ludens.games.discovery.state import FOLLOWER, PLACING
from ludens.games.discovery.value_network import SIZE
from tests.games.discovery.positions import positions

WEIGHTS = {
    "tuned": GAME.rules.evaluations["tuned"],
    "greedy": GAME.rules.heuristics["greedy"],
    "network": np.random.default_rng(1).normal(0, 0.3, SIZE),
}


def legal_of(state: np.ndarray) -> list[int]:
    out = np.zeros(GAME.spec.actions, np.int64)
    return out[: kernels.legal_at(state, 0, out)].tolist()


def after(state: np.ndarray, action: int) -> np.ndarray:
    out = state.copy()
    kernels.apply_at(out, 0, action)
    return out


def told(state: np.ndarray, weights: np.ndarray) -> np.ndarray:
    out = np.zeros(int(state["players"][0]))
    if kernels.actor_at(state, 0) == TERMINAL:
        kernels.returns_at(state, 0, out)
    else:
        kernels.evaluate_at(state, 0, weights, out)
    return out


def best_with(state: np.ndarray, action: int, weights: np.ndarray) -> float:
    """The value for its player of the best turn that begins with the action."""
    tried, p = after(state, action), int(state["current"][0])
    ends = [after(tried, a) for a in legal_of(tried)] if state["phase"][0] == PLACING else [tried]
    return float(max(told(end, weights)[p] for end in ends))


@kernel
def _one_ply_values(states: Any, legal: Any, weights: Any, scratch: Any, values: Any, out: Any) -> None:
    one_ply_values(states[0], legal, legal.shape[0], weights, legal, scratch, values, out)


@pytest.mark.parametrize("name", sorted(WEIGHTS))
@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
@pytest.mark.parametrize("players", [2, 4])
def test_moves_have_the_value_of_the_best_turn_with_them(players: int, phase: int, name: str) -> None:
    weights, scratch = WEIGHTS[name], record.blank(GAME.dtype, 2)
    met = [s for s in positions(players, 40 + players, phase) if s["placed"][0] % 5 == 0 or s["deck_left"][0] < 2]
    assert met[-1]["deck_left"][0] == 0, "the last turn is valued by its result"
    for state in met:
        before, legal = state.tobytes(), np.array(legal_of(state))
        out = np.full(len(legal), np.nan)
        _one_ply_values(state, legal, weights, scratch, np.zeros(players), out)
        assert out == pytest.approx([best_with(state, int(a), weights) for a in legal], abs=1e-12)
        assert state.tobytes() == before


def test_the_value_network_beats_whole_turns_at_random() -> None:
    totals = np.zeros(2)
    for seed in range(4):
        match = Match(GAME, {"players": 2}, seed=seed)
        agents = [make_agent(GAME, "value-network:evaluation=tuned"), make_agent(GAME, "random-turn")]
        for seat, agent in enumerate(agents):
            agent.start(Seating(GAME, GAME.options({"players": 2}), seat, seed))
        while not match.over:
            match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
        totals += match.scores()
    assert totals[0] > 3 * totals[1]


def test_an_unknown_evaluation_is_refused() -> None:
    seating = Seating(GAME, GAME.options({}), 0, 1)
    make_agent(GAME, "value-network").start(seating)
    with pytest.raises(BadInput, match="evaluation of discovery"):
        make_agent(GAME, "value-network:evaluation=turned").start(seating)
