"""A hint is a whole plan: it stands until something new is revealed."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.agents.analysis import analyse_view, begun_move
from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from tests.games.catan.threats import answers_that_give_the_game_away, mined_matches, seen

SIMULATIONS = 150


def hint(match: Match) -> list[list[int]]:
    """The whole moves of the candidates, the best first."""
    found = analyse_view(
        GAME, match.view(match.actor), match.actor, simulations=SIMULATIONS, memory=8, options=match.options,
        begun=begun_move(match),
    )  # fmt: skip
    return [[part.action for part in move.whole] for move in found.candidates]


@pytest.fixture(scope="module")
def openings() -> list[tuple[Match, list[int]]]:
    """Matches in which a hint tells an offer, with its decisions."""
    found: list[tuple[Match, list[int]]] = []
    for match in mined_matches(range(40, 60)):
        state = match.state()
        if state["phase"][0] == phases.MAIN and not state["offers_made"][0] and state["count"][0, match.actor] > 2:
            plans = [whole for whole in hint(match) if whole[-1] == ids.PROPOSE]
            if plans:
                found.append((match.copy(), plans[0]))
        if len(found) >= 10:
            break
    assert len(found) >= 10
    return found


def test_an_offer_that_a_hint_began_is_ended_by_the_next_hints(openings: list[tuple[Match, list[int]]]) -> None:
    for match, plan in openings:
        played = match.copy()
        for k, action in enumerate(plan):
            told = hint(played)
            assert plan in told if k == 0 else told[0] == plan[k:]
            played.play(action)


def test_the_record_tells_what_was_begun(openings: list[tuple[Match, list[int]]]) -> None:
    match, plan = openings[0]
    assert begun_move(match) is None
    played = match.copy()
    played.play(plan[0])
    begun = begun_move(played)
    assert begun is not None and begun.actions == (plan[0],)
    assert (begun.view == match.view(match.actor)).all()


def test_who_offers_otherwise_than_the_hint_said_is_not_told_the_old_plan(
    openings: list[tuple[Match, list[int]]],
) -> None:
    match, plan = openings[0]
    played = match.copy()
    played.play(plan[0])
    other = next(int(a) for a in played.legal() if ids.WANT <= a < ids.PROPOSE and a not in plan)
    played.play(other)
    assert hint(played)[0][0] in played.legal()


def test_no_hint_gives_the_game_away() -> None:
    found = answers_that_give_the_game_away((match.state() for match in mined_matches(range(4))), 6)
    for states in found:
        assert states["phase"][0] == phases.ANSWER
        seat = int(states["responder"][0])
        told = analyse_view(GAME, seen(states, seat), seat, simulations=SIMULATIONS, memory=8)
        assert ids.ACCEPT not in [move.action for move in told.candidates]
    assert np.size(found)
