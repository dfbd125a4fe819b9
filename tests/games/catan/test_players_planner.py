"""The planner over whole turns: order, limits, trades, roads, opponents, windows and parallel evaluation."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.evaluate import HAND_MADE
from ludens.games.catan.players.linear.value import new_memo
from ludens.games.catan.players.planner.agent import PlannerAgent
from ludens.games.catan.players.planner.rivals import (
    PURCHASES,
    buy_for,
    kind_of,
    new_rivals,
    purchases_of,
    rival_turns,
    roll_for,
)
from ludens.games.catan.players.planner.search import Planner
from ludens.games.catan.players.planner.segments import PlannerSettings, Segment, Segments
from ludens.games.catan.players.planner.values import heuristic_values
from ludens.games.catan.rules import island


def midgame(seed: int = 3, moves: int = 150, **options: object) -> Match:
    """A match in the middle, played by the planner itself."""
    match = Match(GAME, {"turn_limit": 300, **options}, seed)
    agents = seated(match)
    while match.ply < moves or match.state()[0].phase != phases.MAIN:
        match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    return match


def seated(match: Match, **settings: Any) -> list[PlannerAgent]:
    agents = [PlannerAgent(**settings) for _ in range(match.players)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, 1))
    return agents


def rich(match: Match, hand: tuple[int, ...] = (3, 3, 3, 3, 3)) -> tuple[np.ndarray, int]:
    """The match's position with these cards in the hand of the active player, who has rolled."""
    state = match.state()
    s = state[0]
    seat = int(s.current)
    s.phase, s.rolled, s.card_played, s.offers_made = phases.MAIN, 1, 1, 0
    s.hand[seat] = hand
    s.counted[seat] = hand
    s.count[seat] = sum(hand)
    return state, seat


@pytest.fixture(scope="module")
def match() -> Match:
    return midgame()


def stage(action: int) -> int:
    """The place of an action in the order of CA-33."""
    if ids.KNIGHT <= action < ids.TAKE:
        return 0
    if action == ids.ROLL:
        return 1
    if ids.EXCHANGE <= action < ids.BUY or ids.GIVE <= action <= ids.PROPOSE:
        return 2
    if action < ids.SETTLEMENT:
        return 3
    if action < ids.CITY:
        return 4
    if action < ids.ROBBER:
        return 5
    return 7 if action == ids.END else 6


def test_ca_33_turns_keep_the_fixed_order(match: Match) -> None:
    state, seat = rich(match)
    found = Segments(seat, PlannerSettings(n_actions=2), HAND_MADE).best(state, 1000)
    assert len(found) > 20
    for segment in found:
        stages = [stage(action) for _, action in segment.steps if action < ids.PROPOSE or action in (ids.ROLL, ids.END)]
        assert stages == sorted(stages)
        assert segment.steps[-1][1] == ids.END or segment.after["phase"][0] <= phases.LAST_CHANCE
    assert any(len(segment.steps) > 3 for segment in found)


def test_ca_32_the_limits_bound_actions_and_turns(match: Match) -> None:
    state, seat = rich(match)
    narrow = Segments(seat, PlannerSettings(n_actions=1, max_offers=0), HAND_MADE)
    wide = Segments(seat, PlannerSettings(n_actions=9, max_offers=0), HAND_MADE)
    first = {segment.steps[0][1] for segment in narrow.best(state, 1000)}
    kinds = [stage(action) for action in first]
    assert len(kinds) == len(set(kinds))
    assert len(wide.best(state, 1000)) > len(narrow.best(state, 1000))
    assert len(wide.best(state, 4)) == 4
    values = [wide.quick(segment.after) for segment in wide.best(state, 1000)]
    assert values == sorted(values, reverse=True)


def test_ca_34_trades_supply_a_missing_card(match: Match) -> None:
    state, seat = rich(match, (4, 4, 0, 1, 0))
    wanted = set()
    for segment in Segments(seat, PlannerSettings(n_actions=20, max_offers=0), HAND_MADE).best(state, 1000):
        action = segment.steps[0][1]
        if ids.EXCHANGE <= action < ids.BUY:
            given, k = divmod(action - ids.EXCHANGE, 4)
            wanted.add(k if k < given else k + 1)
    assert wanted
    assert wanted <= {2, 3, 4}  # brick and lumber are there for every purchase
    state, seat = rich(match, (2, 2, 2, 3, 4))
    segments = Segments(seat, PlannerSettings(), HAND_MADE).best(state, 1000)
    assert not any(ids.EXCHANGE <= segment.steps[0][1] < ids.BUY for segment in segments)


def test_ca_35_offers_are_one_for_one_before_two_for_one_and_limited(match: Match) -> None:
    state, seat = rich(match, (0, 0, 0, 4, 1))
    for other in range(match.players):
        if other != seat:
            state[0].hand[other] = state[0].counted[other] = (0, 0, 0, 0, 4)
            state[0].count[other] = 4

    def offers(**settings: int) -> list[Segment]:
        """The turns that consist of offers alone."""
        found = Segments(seat, PlannerSettings(**settings), HAND_MADE).best(state, 1000)  # type: ignore[arg-type]
        return [one for one in found if len(one.way) > 1 and all(action >= ids.GIVE for _, action in one.steps)]

    assert offers()
    for offer in offers():
        actions = [action for _, action in offer.steps]
        given = sum(ids.GIVE <= action < ids.WANT for action in actions)
        trades = actions.count(ids.PROPOSE)
        assert trades <= given <= 2 * trades
        assert offer.after["hand"][0, seat].sum() == state["hand"][0, seat].sum() + trades - given
    assert max([action for _, action in offer.steps].count(ids.PROPOSE) for offer in offers()) <= 3
    state[0].offers_made = 3
    assert not offers()
    state[0].offers_made = 0
    assert not offers(max_offers=0)


def test_ca_36_a_road_is_worth_half_of_what_it_opens(match: Match) -> None:
    state, seat = rich(match)
    segments, scratch = Segments(seat, PlannerSettings(), HAND_MADE), record.blank(GAME.dtype, 3)
    roads = np.array([a for a in segments.legal(state) if a < ids.SETTLEMENT], np.int64)
    plain, mixed, imagined = (np.zeros(len(roads)) for _ in range(3))
    memo = new_memo()
    heuristic_values(state, seat, roads, 0.0, HAND_MADE, scratch, memo, plain)
    heuristic_values(state, seat, roads, 0.5, HAND_MADE, scratch, memo, mixed)
    heuristic_values(state, seat, roads, 1.0, HAND_MADE, scratch, memo, imagined)
    assert np.allclose(mixed, (plain + imagined) / 2)
    assert (imagined > plain).any()
    for road, value in zip(roads, plain, strict=True):
        after = state.copy()
        kernels.apply_at(after, 0, int(road))
        assert value == pytest.approx(segments.quick(after))
        opened = int(after[0].open_sites) & int(after[0].touched[seat]) & ~int(state[0].touched[seat])
        if opened:
            ends = {int(v) for v in island.EDGE_VERTICES[road]}
            assert ends & {v for v in range(54) if opened >> v & 1}


def test_ca_30_opponents_buy_by_the_number_of_their_cards(match: Match) -> None:
    state, _ = rich(match)
    p = int(state[0].current)
    out = np.zeros(PURCHASES, np.int64)
    for count, kinds in ((1, set()), (2, {0}), (4, {0, 1}), (5, {0, 1, 2})):
        state[0].count[p] = count
        found = {kind_of(int(a)) for a in out[: purchases_of(state, out)]}
        assert found <= kinds
        assert 0 in found or count < 2
    state[0].count[p] = 5
    hand = state["hand"][0, p].copy()
    city = next(int(a) for a in out[: purchases_of(state, out)] if kind_of(int(a)) == 2)
    buy_for(state, city)
    assert state[0].count[p] == 0
    assert (state["hand"][0, p] == hand).all()
    before = state["count"][0].copy()
    roll_for(state, 7)
    assert (state["count"][0] == before).all()


@pytest.mark.parametrize("opponents", ["minimise", "own_max"])
def test_ca_27_star1_finds_the_values_of_open_windows(match: Match, opponents: str) -> None:
    state, seat = rich(match, (1, 1, 1, 2, 3))
    values = {}
    for window in ("open", "star1", "thesis"):
        settings = PlannerSettings(depth=3, n_turns=3, n_turns_search=2, chance_window=window, opponent_model=opponents)
        values[window] = Planner(seat, settings, HAND_MADE).policy(state)
    assert values["star1"].value == pytest.approx(values["open"].value)
    assert values["star1"].steps == values["open"].steps
    assert values["thesis"].steps


def test_ca_29_depth_one_is_the_quick_value(match: Match) -> None:
    state, seat = rich(match)
    planner = Planner(seat, PlannerSettings(depth=1), HAND_MADE)
    turn = planner.policy(state)
    assert turn.value == planner.segments.quick(planner.segments.best(state, 1)[0].after)
    assert not turn.continuations


@pytest.mark.parametrize("opponents", ["minimise", "own_max"])
def test_ca_26_the_compiled_expectation_is_that_of_the_formula(match: Match, opponents: str) -> None:
    """CA-26 written down once more, over the same turns of opponents."""
    state, seat = rich(match)
    kernels.apply_at(state, 0, ids.END)
    settings = PlannerSettings(depth=4, n_actions=2, n_turns_search=2, opponent_model=opponents)
    planner = Planner(seat, settings, HAND_MADE)
    selfish = opponents == "own_max"

    def worth(here: np.ndarray, depth: int) -> float:
        if depth == 0 or here["phase"][0] not in (phases.BEFORE_ROLL, phases.MAIN):
            return planner.segments.quick(here)
        if here["phase"][0] == phases.BEFORE_ROLL:
            total = 0.0
            for dice in range(2, 13):
                child = here.copy()
                roll_for(child, dice)
                total += (6 - abs(7 - dice)) / 36 * worth(child, depth - 1)
            return total
        rivals = new_rivals(4, 2, 2)
        n = rival_turns(here, seat, selfish, 2, 2, HAND_MADE, rivals, rivals.kids)
        turns = rivals.kids[:n].copy()
        return min(worth(turns[k : k + 1], depth - 1) for k in range(n))

    for depth in (1, 2, 3):
        assert planner._expected(state, depth) == worth(state, depth)


def test_ca_24_a_turn_before_the_roll_has_a_continuation_for_every_sum(match: Match) -> None:
    state, seat = rich(match)
    s = state[0]
    s.phase, s.rolled, s.card_played = phases.BEFORE_ROLL, 0, 0
    s.cards[seat] = (0, 0, 0, 0, 1)  # a monopoly, so that there is a choice
    s.card_count[seat] = 1
    turn = Planner(seat, PlannerSettings(depth=4, n_turns=2, n_turns_search=1), HAND_MADE).policy(state)
    assert turn.steps[-1][1] == ids.ROLL
    sums = {key[2] for key in turn.continuations}
    assert sums | {7} == set(range(2, 13))


def test_ca_24_a_plan_is_carried_out_without_planning_again(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = []
    policy = Planner.policy

    def noted(*given: Any) -> Any:
        plans.append(policy(*given))
        return plans[-1]

    monkeypatch.setattr(Planner, "policy", noted)
    played = Match(GAME, {"turn_limit": 300}, 3)
    agents = seated(played)
    actions = 0
    while played.ply < 300 and not played.over:
        own = played.state()[0].phase == phases.MAIN
        actions += own
        played.play(agents[played.actor].choose(played.view(played.actor), played.legal(), Clock()))
    assert sum(len(plan.steps) for plan in plans) > len(plans)
    assert actions > 0


def test_ca_85_serial_and_parallel_evaluation_choose_the_same_turn(match: Match) -> None:
    state, seat = rich(match, (1, 1, 1, 2, 3))
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        for settings in (PlannerSettings(), PlannerSettings(depth=3, n_turns=4, n_turns_search=2)):
            serial = Planner(seat, settings, HAND_MADE).policy(state)
            parallel = Planner(seat, settings, HAND_MADE).policy(state, pool)
            assert parallel == serial


@pytest.mark.parametrize("options", [{"preset": "thesis"}, {"players": 3, "board": "variable"}], ids=str)
def test_the_planner_plays_whole_games_on_views(options: dict[str, object]) -> None:
    played = Match(GAME, {"turn_limit": 30, **options}, 8)
    agents = seated(played, n_turns=3)
    while not played.over:
        view = played.view(played.actor)
        before = view.tobytes()
        played.play(agents[played.actor].choose(view, played.legal(), Clock()))
        assert view.tobytes() == before
    assert max(played.scores()) > 2
