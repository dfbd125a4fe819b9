"""A network in the tree search: the choices of the plain search given its numbers; many trees as each alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ludens.core import verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.kernels import actor_at, apply_at, evaluate_at, observe_at
from ludens.core.registry import game, names
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.networks.network import untrained
from ludens.search.budget import Budget
from ludens.search.forest import Forest
from ludens.search.mcts import TreeSearch
from ludens.search.mcts_kernel import (
    ACTOR,
    COUNT,
    SEARCHER,
    MctsSettings,
    Tree,
    answer,
    descend,
    finish,
    grow,
    make_scratch,
    make_tree,
    set_off,
)
from ludens.search.mcts_network import grow_with_network
from ludens.search.rollout import CUT, RANDOM
from tests.search.networks import bold
from tests.search.positions import AZUL, DUEL, PIG, legal_of, middle_of, view_of

PUCT = MctsSettings(
    puct=1,
    exploration=2.0,
    first_play_urgency=0.0,
    mode=CUT,
    depth=0,
    eyes=ACTOR,
    hidden=1,
    opponent_determinisation=0.0,
)
GAMES = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in names()]


@kernel
def grow_by_advice(
    tree: Any, work: Any, views: Any, searcher: int, weights: Any, settings: Any, rng: Any, iterations: int
) -> None:
    """`grow_with_network` with the game's own prior and evaluation in place of a network."""
    for _ in range(iterations):
        set_off(work, views, searcher, settings, rng)
        answered = False
        while descend(tree, work, searcher, settings, rng, answered):
            verbs.prior(work.position[0], work.legal, int(work.walk[COUNT]), work.weights)
            verbs.evaluate(work.position[0], weights, work.result)
            answered = answer(tree, work)
            if not answered:
                break
        finish(tree, work, settings)


def _settings(found: Game, seat: int, players: int, **changes: Any) -> MctsSettings:
    sides = found.spec.sides(players)
    team = sum(1 << other for other, side in enumerate(sides) if side == sides[seat])
    return PUCT._replace(hidden=int(found.spec.hidden), team=team, **changes)


def _nodes(tree: Tree) -> dict[int, list[tuple[int, int, int, float, float, float]]]:
    """What a tree knows of every action that could be chosen in its nodes, by key.

    With the searcher's eyes the network's edges may come from a determinisation that the plain search only notes.
    """
    found = {}
    for node in range(int(tree.used[0])):
        edges = slice(int(tree.first[node]), int(tree.first[node] + tree.breadth[node]))
        if tree.first[node] >= 0 and tree.available[edges].any():
            columns = (tree.action, tree.visits, tree.available, tree.total, tree.squares, tree.prior)
            rows = zip(*(column[edges].tolist() for column in columns), strict=True)
            found[int(tree.key[node])] = sorted(row for row in rows if row[2])
    return found


def _compare_with_the_plain_search(found: Game, state: np.ndarray, iterations: int, **changes: Any) -> int:
    """Lets both search, and compares all that their trees hold; returns the number of nodes."""
    seat, players = int(state["current"][0]), int(state["players"][0])
    weights = next(iter(found.rules.evaluations.values()), np.zeros(1))
    settings = _settings(found, seat, players, **changes)
    shown = view_of(found, state, seat)
    trees, totals = [], []
    for network in (False, True):
        tree, work = make_tree(4096, 200_000), make_scratch(found.dtype, found.spec.actions, players)
        if network:
            grow_by_advice(tree, work, shown, seat, weights, settings, generator(3), iterations)
        else:
            grow(tree, work, shown, seat, weights, settings, generator(3), iterations)
        trees.append(_nodes(tree))
        totals.append(work.total.tolist())
    assert trees[0] == trees[1]
    assert totals[0] == totals[1]
    return len(trees[0])


@pytest.mark.parametrize("name", GAMES)
def test_with_the_games_own_numbers_it_makes_the_choices_of_the_plain_search(name: str) -> None:
    found = game(name)
    nodes = [_compare_with_the_plain_search(found, middle_of(found, k, seed=k), 300) for k in (1, 3, 12)]
    assert sum(nodes) > 30


@pytest.mark.parametrize(
    "changes", [{"eyes": SEARCHER}, {"opponent_determinisation": 0.5}, {"puct": 0, "exploration": 1.0}]
)
def test_so_it_does_with_other_settings(changes: dict[str, Any]) -> None:
    # With the searcher's eyes a node's prior is that of the determinisation which gave it edges: here another one.
    others = () if changes.get("eyes") == SEARCHER else (game("scotland_yard_grid"),)
    for found in (PIG, DUEL, *others):
        nodes = [_compare_with_the_plain_search(found, middle_of(found, k, seed=k), 300, **changes) for k in (1, 3)]
        assert sum(nodes) > 10


@pytest.mark.parametrize("name", GAMES)
def test_many_trees_that_wait_for_each_other_make_the_choices_of_each_alone(name: str) -> None:
    found = game(name)
    options = found.options(found.spec.tournament)
    players, size, simulations = int(options[0]), 5, 40
    network = bold(found, options)
    states = [middle_of(found, 2 + 9 * k, seed=k, players=players) for k in range(size)]
    seats = np.array([int(state["current"][0]) for state in states])
    views = np.concatenate([view_of(found, state, int(seat)) for state, seat in zip(states, seats, strict=True)])
    settings = _settings(found, 0, players, opponent_determinisation=0.3, prior_temperature=2.0)
    seeds = np.arange(size) + 70
    forest = Forest(found, options, settings, network.evaluate, size, nodes=4 * simulations, threads=2)
    both = [forest.search(views, seats, simulations, seeds + again) for again in range(2)]  # the trees are kept
    for k in range(size):
        legal = legal_of(found, states[k])
        alone = TreeSearch(found, players, settings, np.zeros(1), memory=8, network=network.packed)
        for again in range(2):
            one = alone.search(views[k : k + 1], int(seats[k]), legal, Budget(simulations), int(seeds[k] + again))
            many = both[again]
            assert many.visits[k, legal].tolist() == one.visits.tolist()
            assert many.values[k, legal].tolist() == one.values.tolist()
            assert many.priors[k, legal].tolist() == one.priors.tolist()
            assert one.results is not None
            assert many.results[k].tolist() == one.results.tolist()
            assert many.best()[k] == one.best()
            assert many.visits[k].sum() == one.visits.sum() > 0


@pytest.mark.parametrize("found", [PIG, DUEL], ids=lambda found: found.spec.name)
def test_a_network_of_no_weight_only_gives_priors(found: Game) -> None:
    """Indifferent between all moves, it leaves the plain search as it is: roll-outs, draws and all."""
    options = found.options({})
    network = untrained(found, options, width=16, blocks=1)
    packed = replace(network, arrays={name: 0 * array for name, array in network.arrays.items()}).packed
    weights = next(iter(found.rules.evaluations.values()), np.zeros(1))
    for k in (1, 3):
        state = middle_of(found, k, seed=k)
        seat = int(state["current"][0])
        shown, legal = view_of(found, state, seat), legal_of(found, state)
        settings = _settings(found, seat, int(options[0]), mode=RANDOM, value_weight=0.0)
        searches = [TreeSearch(found, int(options[0]), settings, weights, network=given) for given in (None, packed)]
        plain, other = (search.search(shown, seat, legal, Budget(400), 5) for search in searches)
        assert plain.visits.tolist() == other.visits.tolist()
        assert plain.values.tolist() == other.values.tolist()
        assert plain.priors.tolist() == other.priors.tolist()


def test_what_a_network_said_is_mixed_into_the_result() -> None:
    """One simulation: the network is asked at the root, the move it prefers is made, and what follows is evaluated."""
    state = middle_of(AZUL, 3)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    network, weights = bold(AZUL, AZUL.options(AZUL.spec.tournament)), next(iter(AZUL.rules.evaluations.values()))
    features, after, expected = np.zeros(network.layout.inputs, np.float32), state.copy(), np.zeros(2)
    observe_at(state, 0, seat, features)
    logits, values = network.evaluate_one(features, legal)
    apply_at(after, 0, int(legal[logits.argmax()]))
    assert actor_at(after, 0) == 1 - seat
    evaluate_at(after, 0, weights, expected)
    settings = PUCT._replace(hidden=0, value_weight=0.25)
    found = TreeSearch(AZUL, 2, settings, weights, network=network.packed).search(state, seat, legal, Budget(1), 1)
    assert found.results is not None
    assert found.results[seat] == pytest.approx(0.25 * values[0] + 0.75 * expected[seat])


def test_heat_evens_the_priors() -> None:
    state = middle_of(AZUL, 3)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    network = bold(AZUL, AZUL.options(AZUL.spec.tournament)).packed
    cold, hot = (
        TreeSearch(AZUL, 2, PUCT._replace(hidden=0, prior_temperature=temperature), np.zeros(1), network=network)
        .search(state, seat, legal, Budget(1), 1)
        .priors
        for temperature in (1.0, 2.0)
    )
    assert hot == pytest.approx(np.sqrt(cold) / np.sqrt(cold).sum(), rel=1e-5)
    assert hot.max() < cold.max()


def test_a_forest_makes_no_roll_outs() -> None:
    options = AZUL.options(AZUL.spec.tournament)
    with pytest.raises(BadInput, match="value_weight=1"):
        Forest(AZUL, options, PUCT._replace(value_weight=0.5), bold(AZUL, options).evaluate, 1)


def test_the_network_sees_the_view_of_the_seat_that_acts_only() -> None:
    """Worlds that differ in what the searcher cannot see give one and the same search."""
    state = middle_of(DUEL, 1, seed=3)
    seat, options = int(state["current"][0]), DUEL.options({})
    packed = bold(DUEL, options).packed
    other = state.copy()
    free = [card for card in range(9) if not state["seen"][0, card] and card not in state["hand"][0]
            and card not in state["laid"][0]]  # fmt: skip
    hand = other["hand"][0, 1 - seat]
    hand[int(np.flatnonzero(hand >= 0)[0])] = free[0]
    assert state.tobytes() != other.tobytes()
    found = [
        TreeSearch(DUEL, 2, PUCT, np.zeros(1), network=packed).search(
            view_of(DUEL, world, seat), seat, legal_of(DUEL, state), Budget(200), 4
        )
        for world in (state, other)
    ]
    assert found[0].visits.tolist() == found[1].visits.tolist()
    assert found[0].values.tolist() == found[1].values.tolist()


def test_full_pools_stop_the_growth_not_the_search() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    network = bold(AZUL, AZUL.options()).packed
    for nodes, edges in ((3, 10_000), (10_000, len(legal) + 30), (1, len(legal))):
        search = TreeSearch(AZUL, 2, PUCT._replace(hidden=0), np.zeros(1), network=network)
        search.trees[0] = tree = make_tree(nodes, edges)
        search.settings = search.settings._replace(team=1)
        workspace = search._thinking[0]
        work = make_scratch(AZUL.dtype, AZUL.spec.actions, 2)
        weights, told = search.weights, search.settings
        grow_with_network(tree, work, state, seat, network, workspace, weights, told, generator(1), 300)
        assert tree.used[0] <= nodes
        assert tree.used[1] <= edges
        assert tree.visits[: len(legal)].sum() == 300


def test_a_forest_gives_an_only_action_all_visits() -> None:
    """Azul's last decision of a round often has one action; the tree has no node for it."""
    options = AZUL.options(AZUL.spec.tournament)
    for seed in range(30):
        state = middle_of(AZUL, 200, seed=seed)
        after = state.copy()
        legal = legal_of(AZUL, state)
        apply_at(after, 0, int(legal[0]))
        if actor_at(after, 0) < 0 or len(only := legal_of(AZUL, after)) != 1:
            continue
        forest = Forest(AZUL, options, PUCT._replace(hidden=0), bold(AZUL, options).evaluate, 1)
        found = forest.search(after, np.array([actor_at(after, 0)]), 7, np.array([1]))
        assert found.best()[0] == only[0]
        assert found.visits[0, only[0]] == 7
        return
    pytest.fail("no position with one action was met")
