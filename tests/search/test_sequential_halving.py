"""Sequential halving: as plain Python does it, fair to views, for all numbers of players, right where checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.registry import game
from ludens.core.rng import generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import AGENT_STATE, CHANCE, TERMINAL
from ludens.search.budget import Budget
from ludens.search.expectimax import Expectimax
from ludens.search.mcts import Findings
from ludens.search.sequential_halving import SPREAD, SequentialHalving, Tally, make_stage, make_tally, roll_out
from tests.search.positions import AZUL, DISCOVERY, legal_of, middle_of, view_of

CATAN = game("catan")
DESCRIBING = [DISCOVERY, CATAN]
STEPS = [5**0.5 % 1, 2**0.5 % 1]
KEY = 12345


@kernel
def _one_ply_values(
    states: Any, legal: Any, weights: Any, agent_state: Any, scratch: Any, values: Any, out: Any
) -> None:
    verbs.one_ply_values(states[0], legal, legal.shape[0], weights, agent_state, scratch, values, out)


def one_ply_of(found: Game, state: np.ndarray, agent_state: np.ndarray | None = None) -> np.ndarray:
    legal = legal_of(found, state)
    out, values = np.full(len(legal), np.nan), np.zeros(int(state["players"][0]))
    agent_state = np.zeros(AGENT_STATE, np.int64) if agent_state is None else agent_state
    _one_ply_values(state, legal, weights_of(found), agent_state, blank(found.dtype, 2), values, out)
    return out


def weights_of(found: Game) -> np.ndarray:
    return found.rules.evaluations["value-network"]


def searched(found: Game, state: np.ndarray, simulations: int, seed: int = 1, **words: Any) -> Findings:
    """The findings from what the seat to act sees of the position."""
    search = SequentialHalving(found, int(state["players"][0]), weights_of(found), **words)
    seat = int(kernels.actor_at(state, 0))
    return search.search(view_of(found, state, seat), seat, legal_of(found, state), Budget(simulations), seed)


# --- against plain Python -----------------------------------------------------------------


def played_on(found: Game, state: np.ndarray, draws: int, world: int, shift: np.ndarray, rng: np.ndarray) -> np.ndarray:
    """The results that are expected after so many chance events, all seats taking the largest one-ply value."""
    players, events = int(state["players"][0]), 0
    agent_state, values = np.zeros((players, AGENT_STATE), np.int64), np.zeros(players)
    while (who := int(kernels.actor_at(state, 0))) != TERMINAL and not (who == CHANCE and events == draws):
        if who != CHANCE:
            legal = legal_of(found, state)
            best = one_ply_of(found, state, agent_state[who]).argmax() if len(legal) > 1 else 0
            kernels.apply_at(state, 0, int(legal[best]))
            continue
        if events < SPREAD:
            outcomes, shares = np.zeros(found.spec.outcomes, np.int64), np.zeros(found.spec.outcomes)
            n = kernels.chance_at(state, 0, outcomes, shares)
            place = (shift[events] + world * STEPS[events]) % 1
            k = int((place >= np.cumsum(shares[:n])).sum())
            outcome = int(outcomes[min(k, n - 1)])
        else:
            outcome = int(kernels.draw_at(state, 0, rng))
        kernels.apply_at(state, 0, outcome)
        next_event(rng)
        events += 1
    if who == TERMINAL:
        kernels.returns_at(state, 0, values)
    else:
        kernels.evaluate_at(state, 0, weights_of(found), values)
    return values


@pytest.mark.parametrize(("found", "draws"), [(DISCOVERY, 0), (DISCOVERY, 4), (CATAN, 3)], ids=str)
def test_roll_outs_are_those_of_plain_python(found: Game, draws: int) -> None:
    shift = np.array([0.3, 0.8])
    for choices in (4, 40, 120, 160):
        state = middle_of(found, choices, choices, players=3)
        seat, legal = int(kernels.actor_at(state, 0)), legal_of(found, state)
        view, compared = view_of(found, state, seat), np.unique(np.linspace(0, len(legal) - 1, 4).astype(np.int64))
        stage = make_stage(found.dtype, found.spec.actions, found.spec.outcomes, 3)
        tally, slow = make_tally(len(legal), 3), make_tally(len(legal), 3)
        roll_out(
            view,
            seat,
            legal,
            compared,
            weights_of(found),
            draws,
            KEY,
            2,
            3,
            shift,
            np.zeros(AGENT_STATE, np.int64),
            stage,
            tally,
        )
        for world in (2, 3, 4):
            rng, start, ends = np.array([KEY + world, 0], np.uint64), blank(found.dtype), []
            kernels.determinize_at(view, 0, seat, rng, start)
            next_event(rng)
            for k in compared:
                position = start.copy()
                kernels.apply_at(position, 0, int(legal[k]))
                ends.append(played_on(found, position, draws, world, shift, rng.copy()))
            _add(slow, compared, seat, np.array(ends))
        for fast, plain in zip(tally, slow, strict=True):
            assert np.allclose(fast, plain, atol=1e-9)


def _add(tally: Tally, compared: np.ndarray, seat: int, ends: np.ndarray) -> None:
    ahead = ends[:, seat] - ends[:, seat].mean()
    tally.worlds[compared] += 1
    tally.results[compared] += ends
    tally.ahead[compared] += ahead
    tally.squares[compared] += ahead**2


def test_the_first_draws_are_spread_over_what_may_come() -> None:
    """Of 80 worlds every tile gets its part, within two; drawn one by one the commonest would be off by more."""
    state = middle_of(DISCOVERY, 3)
    seat, legal = int(kernels.actor_at(state, 0)), legal_of(DISCOVERY, state)
    stage, shift, worlds = (
        make_stage(DISCOVERY.dtype, DISCOVERY.spec.actions, DISCOVERY.spec.outcomes, 2),
        [0.1, 0.6],
        80,
    )
    known: dict[bytes, int] = {}
    for world in range(worlds):
        tally = make_tally(len(legal), 2)
        roll_out(
            state,
            seat,
            legal,
            np.array([0]),
            weights_of(DISCOVERY),
            1,
            KEY,
            world,
            1,
            np.array(shift),
            np.zeros(AGENT_STATE, np.int64),
            stage,
            tally,
        )
        drawn = stage.records[1].tobytes()
        known[drawn] = known.get(drawn, 0) + 1
    after, outcomes, shares = (
        state.copy(),
        np.zeros(DISCOVERY.spec.outcomes, np.int64),
        np.zeros(DISCOVERY.spec.outcomes),
    )
    kernels.apply_at(after, 0, int(legal[0]))
    while (who := int(kernels.actor_at(after, 0))) != CHANCE:
        assert who == seat
        kernels.apply_at(after, 0, int(legal_of(DISCOVERY, after)[one_ply_of(DISCOVERY, after).argmax()]))
    n = kernels.chance_at(after, 0, outcomes, shares)
    wanted = np.sort(shares[:n] * worlds)
    found = np.sort([0] * (n - len(known)) + list(known.values()))
    assert len(known) <= n and np.abs(found - wanted).max() < 2


# --- what it finds ------------------------------------------------------------------------


def test_equal_seeds_give_equal_findings_and_other_seeds_others() -> None:
    state = middle_of(DISCOVERY, 60)
    first, again, other = (searched(DISCOVERY, state, 400, seed, threads=2) for seed in (1, 1, 2))
    assert np.array_equal(first.visits, again.visits) and np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)
    assert first.simulations == first.visits.sum() >= 400


@pytest.mark.parametrize("choices", [162, 163])
def test_a_short_search_finds_what_decides_the_last_turns(choices: int) -> None:
    """Where one tile or none is to come and moves differ in who wins, the chosen one is exactly as good as any."""
    checked = 0
    for seed in range(16):
        state = middle_of(DISCOVERY, choices, seed)
        assert state["deck_left"][0] <= 1
        seat, legal = int(kernels.actor_at(state, 0)), legal_of(DISCOVERY, state)
        solved = Expectimax(DISCOVERY, 2, weights_of(DISCOVERY), 8).search(state, seat, legal, None, 0)
        if not solved.exact or solved.values.max() == solved.values.min():
            continue
        checked += 1
        found = searched(DISCOVERY, state, 200)
        assert solved.values[list(solved.actions).index(found.best())] == solved.values.max()
        assert found.values[found.order()[0]] > solved.values.min()
    assert checked >= 3


@pytest.mark.parametrize("players", [2, 4])
def test_results_of_all_seats_sum_to_nothing_and_stay_in_bounds(players: int) -> None:
    for choices in (2, 30, 90, 10_000):
        found = searched(DISCOVERY, middle_of(DISCOVERY, choices, choices, players=players), 200)
        assert found.results is not None
        assert found.results.sum() == pytest.approx(0, abs=1e-9)
        assert (np.abs(found.results) <= 1).all() and (np.abs(found.values) <= 1).all()
        assert found.visits.argmax() in np.flatnonzero(found.visits == found.visits[found.order()[0]])


def test_a_choice_ends_when_one_move_is_surely_the_best_and_an_analysis_goes_on() -> None:
    state = middle_of(DISCOVERY, 162, 3)
    seat, legal = int(kernels.actor_at(state, 0)), legal_of(DISCOVERY, state)
    search = SequentialHalving(DISCOVERY, 2, weights_of(DISCOVERY))
    budget = Budget(seconds=5.0)
    choice = search.search(state, seat, legal, budget, 1, choice_only=True)
    assert budget.left() > 0
    assert choice.best() == search.search(state, seat, legal, Budget(2000), 1).best()
    looked = search.search(state, seat, legal, Budget(600), 1)
    assert (looked.visits > 0).sum() >= min(5, len(legal))


def test_no_more_moves_are_compared_than_told() -> None:
    state = middle_of(DISCOVERY, 60)
    assert len(legal_of(DISCOVERY, state)) > 12
    found = searched(DISCOVERY, state, 600, compared=7)
    assert 5 <= (found.visits > 0).sum() <= 7
    best = one_ply_of(DISCOVERY, state).argmax()
    assert found.visits[best] > 0


def test_a_line_goes_on_by_one_ply_values() -> None:
    state = middle_of(DISCOVERY, 50)
    seat, legal = int(kernels.actor_at(state, 0)), legal_of(DISCOVERY, state)
    search = SequentialHalving(DISCOVERY, 2, weights_of(DISCOVERY))
    assert search.continuation(state, seat, legal, 1 - seat) == legal[one_ply_of(DISCOVERY, state).argmax()]


# --- hidden cards, and where it cannot be -------------------------------------------------


def test_hidden_cards_change_nothing_that_is_found() -> None:
    compared = 0
    for choices in range(200, 900, 100):
        state = middle_of(CATAN, choices, seed=choices, players=3, board="variable")
        seat = int(kernels.actor_at(state, 0))
        worlds = [state.copy() for _ in range(3)]
        for k, world in enumerate(worlds):
            kernels.determinize_at(view_of(CATAN, state, seat), 0, seat, generator(k), world)
        if len({world.tobytes() for world in worlds}) == 1:
            continue  # everything is known
        found = [searched(CATAN, world, 60) for world in worlds]
        assert all(np.array_equal(one.values, found[0].values) for one in found)
        assert found[0].results is not None and found[0].results.sum() == pytest.approx(0, abs=1e-9)
        compared += 1
    assert compared >= 3


def test_a_game_without_one_ply_values_is_refused() -> None:
    with pytest.raises(BadInput, match="Azul has no one-ply values"):
        SequentialHalving(AZUL, 2, next(iter(AZUL.rules.evaluations.values())))
