"""The planner's compiled searches find what the slow and obvious ones find, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core.agent import Clock, Seating
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.evaluate import HAND_MADE
from ludens.games.catan.players.linear.files import load_model
from ludens.games.catan.players.planner.agent import PlannerAgent
from ludens.games.catan.players.planner.rivals import new_rivals, rival_turns, roll_for
from ludens.games.catan.players.planner.search import Planner
from ludens.games.catan.players.planner.segments import PlannerSettings, Segments
from ludens.games.catan.players.planner.twins import forget_twins, new_twins, records_and_words, twin_of
from ludens.games.catan.players.planner.values import quick_value
from ludens.games.catan.state import DTYPE, KINDS
from tests.games.catan.slow_planner import SlowTurns, after

PLANNED = (phases.BEFORE_ROLL, phases.MAIN, phases.ROBBING, phases.VICTIMISING, phases.FREE_ROADS, phases.PLENTY)
WEIGHTS = {"linear": load_model("modrozoubek"), "hand-made": HAND_MADE}


def positions(every: int, **options: object) -> list[np.ndarray]:
    """True positions of a game in which somebody plans a turn."""
    match = Match(GAME, {"turn_limit": 80, "board": "variable", **options}, 11)
    agents = [PlannerAgent(weights="modrozoubek", epsilon=0.2) for _ in range(match.players)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, 5))
    found = []
    while not match.over:
        if match.state()[0].phase in PLANNED and len(match.legal()) > 1:
            found.append(match.state())
        match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    return found[::every]


@pytest.fixture(scope="module")
def thesis() -> list[np.ndarray]:
    return positions(5, preset="thesis")


@pytest.fixture(scope="module")
def official() -> list[np.ndarray]:
    return positions(9, players=3)


def enriched(state: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The position with a few cards more for everybody, so that there is something to trade and to build."""
    rich = state.copy()
    more = rng.integers(0, 3, (int(rich["players"][0]), KINDS))
    for field in ("hand", "counted"):
        rich[field][0, : len(more)] += more
    rich["count"][0, : len(more)] += more.sum(axis=1)
    return rich


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("breadth", [2, 4])
@pytest.mark.parametrize("rules", ["thesis", "official"])
def test_own_turns_are_those_found_without_memory(
    rules: str, breadth: int, weights: str, request: pytest.FixtureRequest
) -> None:
    rng, settings, met, offers = np.random.default_rng(1), PlannerSettings(n_actions=breadth), 0, 0
    searches: dict[int, Segments] = {}  # kept from position to position, as in a game
    for state in request.getfixturevalue(rules)[:: 1 if weights == "linear" else 4]:
        seat = int(state["current"][0])
        if seat not in searches:
            searches[seat] = Segments(seat, settings, WEIGHTS[weights])
        for here in (state, enriched(state, rng)):
            slow = SlowTurns(seat, settings, WEIGHTS[weights]).own(here)
            fast = searches[seat].best(here, 1000)
            assert [one.after.tobytes() for one in fast] == [end for end, _ in slow]
            assert [[action for _, action in one.steps] for one in fast] == [actions for _, actions in slow]
            met += len(fast)
            offers += sum(min(one.way, default=0) < 0 for one in fast)
    assert met > 500
    assert offers > 20


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("breadth", [2, 3])
def test_turns_of_opponents_are_those_found_without_memory(
    thesis: list[np.ndarray], breadth: int, weights: str
) -> None:
    settings = PlannerSettings(depth=3, n_actions=breadth, n_turns_search=breadth)
    rivals, found = new_rivals(3, breadth, breadth), 0
    for state in thesis:
        seat = int(state["current"][0])
        slow = SlowTurns(seat, settings, WEIGHTS[weights])
        for total in (4, 7, 8):
            rolled = after(state, ids.END) if state["phase"][0] == phases.MAIN else state.copy()
            rolled["current"] = (seat + 1) % 4
            rolled["count"][0] += 2
            roll_for(rolled, total)
            n = rival_turns(rolled, seat, False, breadth, breadth, WEIGHTS[weights], rivals, rivals.kids)
            assert [rivals.kids[k : k + 1].tobytes() for k in range(n)] == slow.of_opponent(rolled)
            found += n
    assert found > 100


def test_ca_26_what_is_expected_with_linear_values_is_the_formula(thesis: list[np.ndarray]) -> None:
    """Over whole positions, in which dice in another order bring the same cards."""
    model, values = WEIGHTS["linear"], set()
    settings = PlannerSettings(depth=5, n_actions=2, n_turns_search=2)
    planners = [Planner(seat, settings, model) for seat in range(4)]
    rivals = new_rivals(5, 2, 2)

    def worth(here: np.ndarray, seat: int, depth: int) -> float:
        if depth == 0 or here["phase"][0] not in (phases.BEFORE_ROLL, phases.MAIN):
            return float(quick_value(here, seat, model))
        if here["phase"][0] == phases.BEFORE_ROLL:
            total = 0.0
            for dice in range(2, 13):
                child = here.copy()
                roll_for(child, dice)
                total += (6 - abs(7 - dice)) / 36 * worth(child, seat, depth - 1)
            return total
        n = rival_turns(here, seat, False, 2, 2, model, rivals, rivals.kids)
        turns = rivals.kids[:n].copy()
        return min(worth(turns[k : k + 1], seat, depth - 1) for k in range(n))

    for k, state in enumerate(one for one in thesis if one["phase"][0] == phases.MAIN):
        seat, here = int(state["current"][0]), after(state, ids.END)
        depth = 4 if k % 4 == 0 else 2
        assert planners[seat]._expected(here, depth) == worth(here, seat, depth)
        values.add(planners[seat]._expected(here, depth))
    assert len(values) > 10


@kernel
def found_twin(twins: Any, words: Any, place: int, mark: int) -> int:
    return twin_of(twins, words, place, mark)


@kernel
def forgotten(twins: Any) -> None:
    forget_twins(twins)


def test_twins_are_found_by_their_bytes_and_marks() -> None:
    records, words = records_and_words(40)
    assert records.nbytes == words.nbytes == 40 * DTYPE.itemsize
    twins, rng = new_twins(40), np.random.default_rng(2)
    known: dict[tuple[bytes, int], int] = {}
    for place in range(40):
        records[place]["turn_number"], mark = rng.integers(0, 6), int(rng.integers(0, 2))
        first = known.setdefault((records[place : place + 1].tobytes(), mark), place)
        assert found_twin(twins, words, place, mark) == first
    assert 6 < len(known) < 13
    forgotten(twins)
    assert found_twin(twins, words, 39, 0) == 39
