"""Monte Carlo tree search: right on solved games, bounded, fair, reproducible, in time."""

from __future__ import annotations

import time

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.registry import game
from ludens.core.rng import generator
from ludens.search.budget import Budget, work_off
from ludens.search.expectimax import Expectimax
from ludens.search.mcts import TreeSearch
from ludens.search.mcts_kernel import ACTOR, SEARCHER, MctsSettings, find_node, grow, make_scratch, make_tree
from ludens.search.rollout import CUT, GUIDED, RANDOM
from tests.search.positions import AZUL, DUEL, PIG, legal_of, middle_of, pig, pig_values, view_of

NOTHING = np.zeros(1)
WEIGHTS = next(iter(AZUL.rules.evaluations.values()))
UCT = MctsSettings(puct=0, exploration=1.0, first_play_urgency=0.0, mode=RANDOM, depth=0, eyes=ACTOR, hidden=0)
PUCT = UCT._replace(puct=1, exploration=1.5)
HIDDEN = UCT._replace(hidden=1)


@pytest.mark.parametrize("settings", [UCT, PUCT], ids=["uct", "puct"])
def test_finds_the_best_decision_of_pig_where_it_matters(settings: MctsSettings) -> None:
    asked = 0
    for place in ((8, 2, 2), (0, 9, 4), (3, 9, 5), (2, 2, 0), (5, 0, 5), (9, 9, 1)):
        roll, hold = pig_values()[place]
        if abs(roll - hold) < 0.1:
            continue
        asked += 1
        state = pig(*place)
        found = TreeSearch(PIG, 2, settings, NOTHING).search(state, 0, legal_of(PIG, state), Budget(20_000), 1)
        assert found.best() == (0 if roll > hold else 1)
        assert found.values.max() == pytest.approx(max(roll, hold), abs=0.1)
    assert asked >= 4


def test_finds_a_forced_win_at_the_end_of_azul() -> None:
    checked = 0
    for seed in range(40):
        state = middle_of(AZUL, 10_000, seed=seed)
        seat, legal = int(state["current"][0]), legal_of(AZUL, state)
        solved = Expectimax(AZUL, 2, WEIGHTS, depth=8).search(state, seat, legal, None, 0)
        if not solved.exact or solved.values.max() == solved.values.min():
            continue
        checked += 1
        for settings in (UCT, PUCT._replace(mode=GUIDED), PUCT._replace(mode=CUT)):
            found = TreeSearch(AZUL, 2, settings, WEIGHTS).search(state, seat, legal, Budget(3000), 1)
            assert solved.values[list(legal).index(found.best())] == solved.values.max()
    assert checked >= 2


def test_equal_seeds_give_equal_findings_and_other_seeds_others() -> None:
    state = middle_of(AZUL, 5)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    findings = [
        TreeSearch(AZUL, 2, PUCT._replace(mode=CUT, depth=2), WEIGHTS, threads=2).search(
            state, seat, legal, Budget(600), seed
        )
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(findings[0].visits, findings[1].visits)
    assert np.array_equal(findings[0].values, findings[1].values)
    assert not np.array_equal(findings[0].visits, findings[2].visits)


def test_threads_share_the_simulations_and_are_merged() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    tree_search = TreeSearch(AZUL, 2, UCT, WEIGHTS, threads=2)
    found = tree_search.search(state, seat, legal, Budget(1000), 1)
    assert found.simulations == 1000
    assert found.visits.sum() == 1000
    own = [tree.visits[tree.first[0] : tree.first[0] + tree.breadth[0]].sum() for tree in tree_search.trees]
    assert own == [500, 500]


def test_full_pools_stop_the_growth_not_the_search() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    for nodes, edges in ((3, 10_000), (10_000, len(legal) + 30), (1, len(legal))):
        tree = make_tree(nodes, edges)
        work = make_scratch(AZUL.dtype, AZUL.spec.actions, 2)
        grow(tree, work, state, seat, WEIGHTS, UCT, generator(1), 500)
        assert tree.used[0] <= nodes
        assert tree.used[1] <= edges
        assert tree.visits[: len(legal)].sum() == 500


def test_a_tree_without_room_for_the_root_still_answers() -> None:
    state = middle_of(AZUL, 0)
    tree = make_tree(8, 3)
    grow(tree, make_scratch(AZUL.dtype, AZUL.spec.actions, 2), state, 0, WEIGHTS, UCT, generator(1), 20)
    assert tree.used[1] == 0


def test_the_tree_of_the_last_move_is_used_again() -> None:
    tree_search = TreeSearch(PIG, 2, UCT, NOTHING)
    state = pig(0, 0, 0)
    tree_search.search(state, 0, legal_of(PIG, state), Budget(5000), 1)
    after = pig(0, 0, 4)
    found = tree_search.search(after, 0, legal_of(PIG, after), Budget(10), 2)
    assert found.simulations == 10
    assert found.visits.sum() > 100  # the visits of the first search that came this way count too


def test_the_time_is_kept_and_a_short_one_gives_a_legal_move() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    tree_search = TreeSearch(AZUL, 2, UCT, WEIGHTS, threads=2)
    tree_search.search(state, seat, legal, Budget(10), 1)  # compiles
    for seconds in (1e-6, 0.3):
        begun = time.process_time()  # of this process alone: others may keep the machine busy
        found = tree_search.search(state, seat, legal, Budget(seconds=seconds), 1)
        assert found.best() in legal
        assert found.simulations >= 1
        assert time.process_time() - begun < 2 * seconds + 1.0


def test_a_search_for_a_choice_ends_when_nothing_can_change_it() -> None:
    asked: list[int] = []

    def settled(left: int) -> bool:
        asked.append(left)
        return len(asked) == 3

    done = work_off(Budget(seconds=3600), 0, lambda n: time.sleep(0.003), settled)
    assert len(asked) == 3
    assert min(asked) > done  # asked for what an hour would still bring
    assert work_off(Budget(20, 3600), 20, lambda n: time.sleep(0.003), lambda left: True) == 20  # reproducible


def test_the_lead_of_the_choice_is_counted_in_visits() -> None:
    state = middle_of(AZUL, 0)
    seat, legal = int(state["current"][0]), legal_of(AZUL, state)
    tree_search = TreeSearch(AZUL, 2, UCT, WEIGHTS)
    assert tree_search.lead(0, state, seat) == 0
    second, first = np.sort(tree_search.search(state, seat, legal, Budget(400), 1).visits)[-2:]
    assert tree_search.lead(0, state, seat) == first - second


@pytest.mark.parametrize("eyes", [ACTOR, SEARCHER])
def test_hidden_cards_are_not_read(eyes: int) -> None:
    """Two states with the same view, one and the same search."""
    settings = HIDDEN._replace(eyes=eyes)
    compared = 0
    for seed in range(6):
        state = middle_of(DUEL, seed % 3, seed=seed)
        seat = int(state["current"][0])
        other = state.copy()
        rest = 1 - seat
        free = [
            card
            for card in range(9)
            if not state["seen"][0, card] and card not in state["hand"][0] and card not in state["laid"][0]
        ]
        hand = other["hand"][0, rest]
        held = int(np.flatnonzero(hand >= 0)[0])
        hand[held] = free[0]  # another card in the opponent's hand, from the deck
        view, changed = view_of(DUEL, state, seat), view_of(DUEL, other, seat)
        assert state.tobytes() != other.tobytes()
        assert view.tobytes() == changed.tobytes()
        found = [
            TreeSearch(DUEL, 2, settings, NOTHING).search(shown, seat, legal_of(DUEL, state), Budget(300), 4)
            for shown in (view, changed)
        ]
        assert np.array_equal(found[0].visits, found[1].visits)
        compared += 1
    assert compared == 6


@pytest.mark.parametrize("eyes", [ACTOR, SEARCHER])
def test_a_certain_win_among_hidden_cards_is_seen(eyes: int) -> None:
    """Seat 0 has won a round and holds the two highest cards: whatever the other holds, it wins."""
    state = middle_of(DUEL, 2, seed=1)
    state["current"][0], state["laid"][0] = 0, -1
    state["cards_left"][0, :2] = 2
    state["seen"][0] = 0
    state["seen"][0, :2] = 1
    state["hand"][0] = -1
    state["hand"][0, 0, :2] = 7, 8
    state["hand"][0, 1, :2] = 2, 3
    state["score"][0, :2] = 1, 0
    view = view_of(DUEL, state, 0)
    found = TreeSearch(DUEL, 2, HIDDEN._replace(eyes=eyes), NOTHING).search(
        view, 0, legal_of(DUEL, state), Budget(500), 1
    )
    assert found.values == pytest.approx([1, 1])


def test_three_players_with_hidden_cards() -> None:
    state = middle_of(DUEL, 3, seed=2, players=3)
    seat = int(state["current"][0])
    found = TreeSearch(DUEL, 3, HIDDEN, NOTHING).search(
        view_of(DUEL, state, seat), seat, legal_of(DUEL, state), Budget(500), 1
    )
    assert found.visits.sum() == 500
    assert (np.abs(found.values) <= 1).all()


def test_opponent_determinisation_starts_half_of_its_simulations_from_what_an_opponent_believes() -> None:
    """Mr. X knows where he is and the detectives do not: his own moves learn from the other half alone."""
    grid = game("scotland_yard_grid")
    settings = HIDDEN._replace(opponent_determinisation=0.5)
    moves = 0
    for seed in range(6):
        state = middle_of(grid, 5 + seed, seed=seed)
        seat = int(state["current"][0])
        seen = int(state["seen_move"][0]) == int(state["moves"][0])
        if len(legal_of(grid, state)) < 2:
            continue
        found = TreeSearch(grid, 2, settings, NOTHING).search(
            view_of(grid, state, seat), seat, legal_of(grid, state), Budget(2000), 1
        )
        if seat == 0 and not seen:
            assert 900 < found.visits.sum() < 2000
            moves += 1
        elif seat == 1:
            assert found.visits.sum() == 2000  # Mr. X sees all that they see
        assert found.results is not None
        assert found.results[0] == pytest.approx(-found.results[1])
    assert moves


def visits_of_answers(state: np.ndarray, settings: MctsSettings) -> list[int]:
    """After a search for Mr. X: the visits in the detectives' nodes, for each of his moves that has led to one."""
    grid = game("scotland_yard_grid")
    search, legal = TreeSearch(grid, 2, settings, NOTHING), legal_of(grid, state)
    search.search(view_of(grid, state, 0), 0, legal, Budget(400), 1)
    tree, work, found = search.trees[0], make_scratch(grid.dtype, grid.spec.actions, 2), []
    for move in legal.tolist():
        work.position[:] = state
        kernels.apply_at(work.position, 0, move)
        if kernels.actor_at(work.position, 0) == 1:
            node = find_node(tree, work, 1, settings)
            if node >= 0:
                found.append(int(tree.visits[tree.first[node] :][: tree.breadth[node]].sum()))
    return found


def test_opponents_learn_nothing_from_iterations_that_hold_what_the_searcher_alone_knows() -> None:
    """Where hardly an iteration is the opponents', the detectives' nodes keep no visit at all; else they keep some."""
    for seed in range(20):
        state = middle_of(game("scotland_yard_grid"), 5, seed=seed, detectives=1, reveal_every=20)
        if int(state["current"][0]) == 0 and int(state["seen_move"][0]) != int(state["moves"][0]):
            break
    secret = visits_of_answers(state, HIDDEN._replace(opponent_determinisation=1e-12))
    assert secret and not any(secret)
    assert any(visits_of_answers(state, HIDDEN))
    assert any(visits_of_answers(state, HIDDEN._replace(opponent_determinisation=0.5)))


def test_opponent_determinisation_does_not_read_hidden_cards_either() -> None:
    state = middle_of(DUEL, 2, seed=3)
    seat = int(state["current"][0])
    shown = view_of(DUEL, state, seat)
    findings = [
        TreeSearch(DUEL, 2, HIDDEN._replace(opponent_determinisation=0.5), NOTHING).search(
            shown, seat, legal_of(DUEL, state), Budget(300), 4
        )
        for _ in range(2)
    ]
    assert np.array_equal(findings[0].visits, findings[1].visits)
    assert 0 < findings[0].visits.sum() < 300
