"""The player that takes the turn an evaluation likes best, against an enumeration of all turns."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core import kernels, record
from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.verbs import TERMINAL
from ludens.games.discovery import GAME
from ludens.games.discovery.learned import SIZE
from ludens.games.discovery.players.judge import choose_at
from ludens.games.discovery.state import FOLLOWER, PLACING
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


def best_of_all(state: np.ndarray, weights: np.ndarray) -> tuple[int, np.ndarray]:
    """The first action of the best turn and what it promises; the first of equals."""
    best: tuple[int, np.ndarray] | None = None
    p = int(state["current"][0])
    for action in legal_of(state):
        tried = after(state, action)
        ends = [after(tried, a) for a in legal_of(tried)] if state["phase"][0] == PLACING else [tried]
        for end in ends:
            values = told(end, weights)
            if best is None or values[p] > best[1][p]:
                best = action, values
    assert best is not None
    return best


@pytest.mark.parametrize("name", sorted(WEIGHTS))
@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
@pytest.mark.parametrize("players", [2, 4])
def test_the_judge_takes_the_first_best_of_all_turns(players: int, phase: int, name: str) -> None:
    weights, scratch = WEIGHTS[name], record.blank(GAME.dtype, 2)
    met = [s for s in positions(players, 40 + players, phase) if s["placed"][0] % 5 == 0 or s["deck_left"][0] < 2]
    assert met[-1]["deck_left"][0] == 0, "the last turn is judged by its result"
    for state in met:
        before, worth = state.tobytes(), np.full(players, np.nan)
        action = choose_at(state, np.array(legal_of(state)), weights, scratch, worth)
        expected, values = best_of_all(state, weights)
        assert action == expected
        assert worth == pytest.approx(values, abs=1e-12)
        assert state.tobytes() == before


def test_the_judge_beats_whole_turns_at_random() -> None:
    totals = np.zeros(2)
    for seed in range(4):
        match = Match(GAME, {"players": 2}, seed=seed)
        agents = [make_agent(GAME, "judge:evaluation=tuned"), make_agent(GAME, "random-turn")]
        for seat, agent in enumerate(agents):
            agent.start(Seating(GAME, GAME.options({"players": 2}), seat, seed))
        while not match.over:
            match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
        totals += match.scores()
    assert totals[0] > 3 * totals[1]


def test_an_unknown_evaluation_is_refused() -> None:
    make_agent(GAME, "judge")
    with pytest.raises(BadInput, match="evaluation of discovery"):
        make_agent(GAME, "judge:evaluation=turned")
