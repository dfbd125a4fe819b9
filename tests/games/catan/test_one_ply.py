"""One step ahead by an evaluation: every move is worth what its position is, and offers are thought through."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.core.record import blank
from ludens.core.verbs import AGENT_STATE
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.players.one_ply import one_ply_values
from ludens.play.game import play_game

WEIGHTS = GAME.rules.evaluations["value-network"]


@kernel
def _one_ply_values(states, legal, weights, agent_state, scratch, values, out) -> None:
    one_ply_values(states[0], legal, legal.shape[0], weights, agent_state, scratch, values, out)


def one_ply_of(match: Match, agent_state: np.ndarray | None = None) -> np.ndarray:
    legal = match.legal().astype(np.int64)
    out = np.zeros(len(legal))
    agent_state = np.zeros(AGENT_STATE, np.int64) if agent_state is None else agent_state
    _one_ply_values(match.state(), legal, WEIGHTS, agent_state, blank(GAME.dtype, 2), np.zeros(match.players), out)
    return out


def slowly(match: Match, action: int) -> float:
    """What the evaluation says after the action, with the verbs one by one."""
    states, values = match.state().copy(), np.zeros(match.players)
    kernels.apply_at(states, 0, action)
    if int(kernels.actor_at(states, 0)) == -4:
        kernels.returns_at(states, 0, values)
    else:
        kernels.evaluate_at(states, 0, WEIGHTS, values)
    return float(values[match.actor])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_without_an_offer_are_worth_what_their_position_is(players: int) -> None:
    seen: set[int] = set()
    for seed in range(3):
        match = Match(GAME, {"players": players, "board": "variable", "offers_per_turn": "1"}, seed)
        rng = np.random.default_rng(seed)
        for _ in range(600):
            if match.over:
                break
            legal, phase = match.legal(), int(match.state()["phase"][0])
            if phase not in (phases.ANSWER, phases.OFFERING) and len(legal) > 1 and rng.random() < 0.2:
                seen.add(phase)
                for action, worth in zip(legal, one_ply_of(match), strict=True):
                    if not (phase == phases.MAIN and ids.GIVE <= action < ids.PROPOSE):
                        assert worth == pytest.approx(slowly(match, int(action)), abs=1e-9)
            match.play(int(rng.choice(legal)))
    assert {phases.PLACE_SETTLEMENT, phases.MAIN, phases.ROBBING, phases.DISCARDING} <= seen


def _valued_game(seed: int) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """(turn, seat, action, terms) of every decision about offers in a game of four one-ply players."""
    match = Match(GAME, {"board": "variable", "turn_limit": 300}, seed)
    agents = [make_agent(GAME, "value-network") for _ in range(4)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, seed))
    found = []
    while not match.over:
        seat, s = match.actor, match.state()[0]
        action = agents[seat].choose(match.view(seat), match.legal(), Clock())
        if int(s["phase"]) in (phases.OFFERING, phases.ANSWER, phases.PARTNERING) or ids.GIVE <= action < ids.PROPOSE:
            found.append((int(s["turn_number"]), seat, int(action), tuple(int(n) for n in s["offer"])))
        match.play(action)
    return found


def test_offers_are_small_never_repeated_in_a_turn_and_some_are_accepted() -> None:
    decisions = [(seed, *decision) for seed in range(3) for decision in _valued_game(seed)]
    made = [(seed, turn, seat, terms) for seed, turn, seat, action, terms in decisions if action == ids.PROPOSE]
    assert len(made) >= 10
    assert len(set(made)) == len(made), "the same offer twice in a turn"
    for *_, terms in made:
        given, wanted = [n for n in terms if n > 0], [n for n in terms if n < 0]
        assert given in ([1], [2]) and wanted == [-1]
    actions = [action for _, _, _, action, _ in decisions]
    assert ids.COUNTER not in actions
    assert actions.count(ids.CANCEL) < len(made) / 2


def test_an_offer_that_cannot_go_on_is_dropped_for_the_turn() -> None:
    """Cards of an offer under way that nobody planned are taken back, and none is begun again in the turn."""
    for seed in range(20):
        match = Match(GAME, {"board": "variable"}, seed)
        rng = np.random.default_rng(seed)
        while not match.over and not (
            int(match.state()["phase"][0]) == phases.MAIN
            and ((match.legal() >= ids.GIVE) & (match.legal() < ids.WANT)).any()
        ):
            match.play(int(rng.choice(match.legal())))
        if match.over:
            continue
        legal = match.legal()
        match.play(int(legal[(legal >= ids.GIVE) & (legal < ids.WANT)][0]))
        agent_state = np.zeros(AGENT_STATE, np.int64)
        agent_state[0] = match.state()["turn_number"][0]
        assert match.legal()[one_ply_of(match, agent_state).argmax()] == ids.CANCEL
        match.play(ids.CANCEL)
        legal, worth = match.legal(), one_ply_of(match, agent_state)
        assert (worth[(legal >= ids.GIVE) & (legal < ids.PROPOSE)] < -1).all()
        return
    pytest.fail("no position with an offer to make was found")


def test_it_beats_who_only_prefers_building() -> None:
    won = 0.0
    options = GAME.options({"players": 2, "board": "variable", "turn_limit": 500})
    for seed in range(12):
        codes = ["value-network", "weighted"] if seed % 2 else ["weighted", "value-network"]
        won += play_game(GAME, options, codes, seed).returns[0 if seed % 2 else 1]
    assert won >= 8
