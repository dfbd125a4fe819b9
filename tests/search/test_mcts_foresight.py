"""Tree search with foresight: right where it can be checked, fair to views, for any number of players, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.agents.analysis import analyse_view, hardest_search, tree_search
from ludens.agents.codes import make_agent
from ludens.agents.search_settings import mcts_settings
from ludens.agents.warming import agent_tasks
from ludens.arena.seating import check_agents
from ludens.core import kernels, verbs
from ludens.core.agent import Agent, Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.registry import BUILT_IN, game
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.core.verbs import MEMORY
from ludens.search.budget import Budget
from ludens.search.expectimax import Expectimax
from ludens.search.mcts import Findings, TreeSearch
from ludens.search.mcts_foresight import grow_with_foresight
from ludens.server.tables.seating import check_agent
from tests.search.positions import AZUL, DISCOVERY, legal_of, middle_of, view_of

CATAN = game("catan")
GAMES = [game(name) for name in BUILT_IN]
DESCRIBING = [found for found in GAMES if found.rules.described]
SETTINGS, WEIGHTS = mcts_settings(DISCOVERY, evaluation="learned", foresight="on")
CODE = "mcts:simulations=60,evaluation=learned,foresight=on"


def searched(
    found: Game, state: np.ndarray, simulations: int, seed: int = 1, threads: int = 1, **words: Any
) -> Findings:
    """What a search with foresight finds of what the seat to act sees of the position."""
    settings, weights = mcts_settings(found, evaluation="learned", foresight="on", **words)
    search = TreeSearch(found, int(state["players"][0]), settings, weights, threads, memory=16)
    seat = int(kernels.actor_at(state, 0))
    return search.search(view_of(found, state, seat), seat, legal_of(found, state), Budget(simulations), seed)


@kernel
def _foresee(states: Any, legal: Any, weights: Any, memory: Any, scratch: Any, values: Any, out: Any) -> None:
    verbs.foresee(states[0], legal, legal.shape[0], weights, memory, scratch, values, out)


def promises(found: Game, state: np.ndarray, weights: np.ndarray) -> np.ndarray:
    legal = legal_of(found, state)
    out, values = np.full(len(legal), np.nan), np.zeros(int(state["players"][0]))
    _foresee(state, legal, weights, np.zeros(MEMORY, np.int64), blank(found.dtype, 2), values, out)
    return out


def seated(found: Game, code: str, seat: int = 0, **options: Any) -> Agent:
    agent = make_agent(found, code)
    agent.start(Seating(found, found.options({**found.spec.tournament, **options}), seat, 5))
    return agent


def in_other_worlds(found: Game, state: np.ndarray, seat: int, count: int) -> list[np.ndarray]:
    """Positions that look to the seat like this one."""
    worlds = [state.copy() for _ in range(count)]
    for k, world in enumerate(worlds):
        kernels.determinize_at(view_of(found, state, seat), 0, seat, generator(k), world)
    return worlds


# --- what it finds ------------------------------------------------------------------------


def test_equal_seeds_give_equal_findings_and_other_seeds_others() -> None:
    state = middle_of(DISCOVERY, 60)
    first, again, other = (searched(DISCOVERY, state, 200, seed, threads=2) for seed in (1, 1, 2))
    assert np.array_equal(first.visits, again.visits) and np.array_equal(first.values, again.values)
    assert not np.array_equal(first.visits, other.visits)
    assert first.simulations == first.visits.sum() == 200


@pytest.mark.parametrize("choices", [162, 163])
def test_a_short_search_finds_what_decides_the_last_turns(choices: int) -> None:
    """Where one tile or none is to come and moves differ in who wins, the chosen one is exactly as good as any."""
    checked = 0
    for seed in range(16):
        state = middle_of(DISCOVERY, choices, seed)
        assert state["deck_left"][0] <= 1
        seat, legal = int(kernels.actor_at(state, 0)), legal_of(DISCOVERY, state)
        solved = Expectimax(DISCOVERY, 2, WEIGHTS, 8).search(state, seat, legal, None, 0)
        if not solved.exact or solved.values.max() == solved.values.min():
            continue
        checked += 1
        found = searched(DISCOVERY, state, 60)
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
        assert found.simulations == 200


def test_a_leaf_gives_the_actor_the_best_promise_and_shares_the_rest_as_before() -> None:
    state = middle_of(DISCOVERY, 40, players=4)
    seat, before = int(kernels.actor_at(state, 0)), np.zeros(4)
    kernels.evaluate_at(state, 0, WEIGHTS, before)
    best = promises(DISCOVERY, state, WEIGHTS).max()
    search = TreeSearch(DISCOVERY, 4, SETTINGS, WEIGHTS, memory=1)
    for tree in search.trees:
        tree.used[:] = len(tree.key), len(tree.action)  # no room: even the root is a leaf
    scratch, ahead = search._scratch[0], search._ahead[0]
    grow_with_foresight(search.trees[0], scratch, ahead, state, seat, WEIGHTS, SETTINGS, generator(1), 1)
    found = scratch.result
    assert found[seat] == pytest.approx(best, abs=1e-12) and found.sum() == pytest.approx(0, abs=1e-9)
    others = [p for p in range(4) if p != seat]
    shares = (found[others] + 1 / 3) / (before[others] + 1 / 3)
    assert shares == pytest.approx([shares[0]] * 3) and shares[0] > 0


@pytest.mark.parametrize("found", DESCRIBING, ids=lambda found: found.spec.name)
def test_priors_of_a_node_sum_to_one_and_order_as_promises_do(found: Game) -> None:
    compared = 0
    for choices in range(3, 60, 8):
        state = middle_of(found, choices, choices, players=2)
        seat, weights = int(kernels.actor_at(state, 0)), found.rules.evaluations["learned"]
        (world,) = in_other_worlds(found, state, seat, 1)
        known = found.spec.hidden and world.tobytes() != state.tobytes()
        if len(legal_of(found, state)) < 2 or known:
            continue
        priors, promised = searched(found, state, 1).priors, promises(found, state, weights)
        assert priors.sum() == pytest.approx(1, abs=1e-5) and (priors > 0).all()
        order = np.argsort(promised, kind="stable")
        assert (np.diff(priors[order]) >= 0).all()
        hot = searched(found, state, 1, heat=4.0).priors
        assert hot.max() <= priors.max() and (np.diff(hot[order]) >= 0).all()
        compared += 1
    assert compared >= 3


def test_the_first_simulation_follows_the_judge() -> None:
    for choices in range(0, 80, 10):
        state = middle_of(DISCOVERY, choices, choices)
        seat, legal = int(kernels.actor_at(state, 0)), legal_of(DISCOVERY, state)
        chosen = searched(DISCOVERY, state, 1).best()
        judged = seated(DISCOVERY, "judge", seat).choose(state, legal, Clock())
        promised = promises(DISCOVERY, state, WEIGHTS)
        assert promised[list(legal).index(chosen)] == promised[list(legal).index(judged)] == promised.max()


def test_a_full_tree_goes_on_searching() -> None:
    state = middle_of(DISCOVERY, 20)
    seat, legal = int(kernels.actor_at(state, 0)), legal_of(DISCOVERY, state)
    search = TreeSearch(DISCOVERY, 2, SETTINGS, WEIGHTS, memory=0.05)
    found = search.search(state, seat, legal, Budget(1500), 1)
    assert found.visits.sum() == 1500
    assert (search.trees[0].used <= [len(search.trees[0].key), len(search.trees[0].action)]).all()


# --- more players, hidden cards -----------------------------------------------------------


def test_a_game_for_four_is_played_to_its_end() -> None:
    options = {"players": 4}
    agents = [seated(DISCOVERY, CODE.replace("60", "5"), seat, **options) for seat in range(4)]
    state, rng = middle_of(DISCOVERY, 150, players=4), generator(3)
    while (who := int(kernels.actor_at(state, 0))) != verbs.TERMINAL:
        legal = legal_of(DISCOVERY, state)
        choice = kernels.draw_at(state, 0, rng) if who < 0 else agents[who].choose(state, legal, Clock())
        assert who < 0 or choice in legal
        kernels.apply_at(state, 0, int(choice))
    assert int(state["deck_left"][0]) == 0


def test_three_players_with_hidden_cards_see_no_more_than_their_view() -> None:
    compared = 0
    for choices in range(200, 900, 100):
        state = middle_of(CATAN, choices, seed=choices, players=3, board="variable")
        seat, legal = int(kernels.actor_at(state, 0)), legal_of(CATAN, state)
        worlds = in_other_worlds(CATAN, state, seat, 3)
        if len({world.tobytes() for world in worlds}) == 1:
            continue  # everything is known
        assert len({view_of(CATAN, world, seat).tobytes() for world in worlds}) == 1
        found = [searched(CATAN, world, 60) for world in worlds]
        assert all(np.array_equal(one.visits, found[0].visits) for one in found)
        assert found[0].results is not None and found[0].results.sum() == pytest.approx(0, abs=1e-9)
        choices_made = {
            seated(CATAN, CODE, seat, players=3, board="variable").choose(view_of(CATAN, world, seat), legal, Clock())
            for world in worlds
        }
        assert len(choices_made) == 1
        compared += 1
    assert compared >= 3


# --- what the verb promises ---------------------------------------------------------------


@pytest.mark.parametrize("found", DESCRIBING, ids=lambda found: found.spec.name)
def test_foreseeing_promises_results_and_leaves_the_position_as_it_is(found: Game) -> None:
    for players in found.spec.players:
        for choices in range(0, 200, 25):
            state = middle_of(found, choices, players + choices, players=players)
            before = state.tobytes()
            for name in ("learned", next(iter(found.rules.evaluations))):
                promised = promises(found, state, found.rules.evaluations[name])
                assert state.tobytes() == before
                thought_of = promised[promised > -1.5]
                assert len(thought_of) and (np.abs(thought_of) <= 1).all()
                assert (promised[promised <= -1.5] <= -2).all()


# --- who searches so, and who cannot ------------------------------------------------------


@pytest.mark.parametrize("found", GAMES, ids=lambda found: found.spec.name)
def test_hints_search_as_the_hardest_level_does(found: Game) -> None:
    level = make_agent(found, "hard")
    state = middle_of(found, 1)
    level.start(Seating(found, found.options(found.spec.tournament), 0, 1))
    own, hints = level._tree_search.settings, hardest_search(found)[0]  # type: ignore[attr-defined]
    assert own.foresight == hints.foresight == (found is DISCOVERY)
    assert bool(tree_search(found, state, 1, 1)._ahead) == (found is DISCOVERY)


def test_an_analysis_of_the_discovery_tells_chances_points_and_reasons() -> None:
    state = middle_of(DISCOVERY, 40)
    found = analyse_view(DISCOVERY, state, int(kernels.actor_at(state, 0)), simulations=100)
    assert found.simulations == 100 and found.candidates[0].reasons
    assert sum(found.results) == pytest.approx(0, abs=1e-9)
    for move in found.candidates:
        assert -1 <= move.result <= 1 and len(move.whole) <= 2 and min(move.points) > 0


def test_preparing_the_discovery_compiles_what_its_levels_think_with() -> None:
    tasks = dict(agent_tasks(DISCOVERY))
    assert {"agent judge", "agent medium", "agent hard", "agent champion", "hints"} <= set(tasks)
    tasks["agent medium"]()
    known = list(grow_with_foresight.signatures)
    assert known
    for name in ("agent hard", "agent champion", "hints"):
        tasks[name]()
    assert grow_with_foresight.signatures == known


@pytest.mark.parametrize(
    ("found", "code", "sentence"),
    [
        (AZUL, "mcts:foresight=on", "Azul does not foresee what its moves promise, which foresight=on needs."),
        (AZUL, "hard:foresight=on", "Azul does not foresee"),
        (DISCOVERY, "mcts:foresight=on,network=shipped", "looks ahead by foresight=on or by a network, not by both."),
        (DISCOVERY, "hard:network=shipped", "not by both"),
        (DISCOVERY, "mcts:foresight=on,evaluation=greedy", "needs expected results, which greedy does not give"),
    ],
)
def test_where_it_cannot_be_it_is_refused_at_the_start(found: Game, code: str, sentence: str) -> None:
    options = found.options(found.spec.tournament)
    with pytest.raises(BadInput, match=sentence) as refused:
        seated(found, code)
    assert str(refused.value).count(". ") == 0
    with pytest.raises(BadInput, match=f"cannot play on seat 2: .*{sentence}"):
        check_agents(found, options, [("random", 0), (code, 1)])


def test_a_server_seats_no_search_with_foresight_where_there_is_none() -> None:
    with pytest.raises(BadInput, match="Azul does not foresee"):
        check_agent(AZUL, AZUL.options({}), "medium:foresight=on", lambda kind, values: None)
    for found, code in ((DISCOVERY, "medium"), (DISCOVERY, "mcts:foresight=on"), (CATAN, "mcts:foresight=on")):
        check_agent(found, found.options({}), code, lambda kind, values: None)


def test_what_is_said_of_roll_outs_means_nothing() -> None:
    state = middle_of(DISCOVERY, 30)
    plain, random = searched(DISCOVERY, state, 100), searched(DISCOVERY, state, 100, rollout="random", depth=7)
    assert np.array_equal(plain.visits, random.visits) and np.array_equal(plain.values, random.values)
