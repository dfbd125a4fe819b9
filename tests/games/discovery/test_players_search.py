"""The thesis' search players and the evaluation: CD-33, CD-58 … CD-66, CD-116, CD-117."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.agents.codes import kinds, make_agent, named_kinds
from ludens.core import kernels, verbs
from ludens.core.agent import Agent, Clock, Seating
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.rng import AGENT, generator
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery import GAME
from ludens.games.discovery.players.settings import GREEDY, blank_workspace, make_settings
from ludens.games.discovery.state import OVER, PLACING
from ludens.search.expectimax import Expectimax
from ludens.search.whole_turns import best_turn, list_turns, make_walk, play_best_turn
from tests.games.discovery import entries
from tests.games.discovery.positions import positions
from tests.games.discovery.slow_heuristics import Reader
from tests.search.positions import evaluate_at, legal_of, middle_of

GREEDY_VALUE = GAME.rules.heuristics["greedy"]
RANK = GAME.rules.heuristics["rank"]


def _seated(code: str, seat: int, players: int = 2) -> Agent:
    agent = make_agent(GAME, code)
    agent.start(Seating(GAME, GAME.options({"players": players}), seat, 1))
    return agent


@pytest.mark.parametrize("players", [2, 3, 5])
def test_cd_34_the_greedy_evaluation_is_the_greedy_heuristic_over_the_players(players: int) -> None:
    for choices in range(0, 120, 7):
        state = middle_of(GAME, choices, seed=choices, players=players)
        found, expected = np.zeros(players), np.zeros(players)
        evaluate_at(state, 0, GREEDY_VALUE, found)
        entries.vector_at(state, 0, make_settings(GREEDY), blank_workspace(), 0, generator(0, AGENT), expected)
        assert found * players == pytest.approx(expected, abs=1e-12)


def test_cd_59_the_end_has_the_greedy_value_of_the_final_scores() -> None:
    state = middle_of(GAME, 10**6, seed=4)
    while kernels.actor_at(state, 0) >= 0:
        kernels.apply_at(state, 0, int(legal_of(GAME, state)[0]))
    assert state["phase"][0] == OVER
    a, b = (int(x) for x in state["score"][0, :2])
    found = np.zeros(2)
    evaluate_at(state, 0, GREEDY_VALUE, found)
    assert found[0] * 2 == pytest.approx((a >= b) + (a - b) / 1000)


def test_cd_60_one_turn_ahead_is_the_one_step_player() -> None:
    compared = 0
    for choices in range(0, 150, 10):
        state = middle_of(GAME, choices, seed=choices)
        if state["phase"][0] != PLACING:
            continue
        seat, legal = int(state["current"][0]), legal_of(GAME, state)
        search, greedy = _seated("Ex-2:depth=1", seat), _seated("H-Gr", seat)
        for _ in range(2):  # the tile, then the follower
            chosen = search.choose(state, legal, Clock())
            assert chosen == greedy.choose(state, legal, Clock())
            kernels.apply_at(state, 0, chosen)
            legal = legal_of(GAME, state)
            if kernels.actor_at(state, 0) != seat:
                break
        compared += 1
    assert compared >= 6


def test_cd_58_two_turns_ahead_is_plain_recursion_with_the_last_tile_to_be_drawn() -> None:
    """The value of a turn is what remains after the opponent's best reply to every draw."""
    state = middle_of(GAME, 140, seed=2)
    while state["phase"][0] != PLACING or state["deck_left"][0] > 1:
        kernels.apply_at(state, 0, _some_action(state))
    seat, legal = int(state["current"][0]), legal_of(GAME, state)
    search = Expectimax(GAME, 2, GREEDY_VALUE, 2, "turns", heuristic=True).search(state, seat, legal, None, 0)
    assert _seated("Ex-2", seat).choose(state, legal, Clock()) == search.best
    for k in (0, len(legal) // 2, int(search.values.argmax())):
        child = state.copy()
        kernels.apply_at(child, 0, int(legal[k]))
        expected = _greedy_recursion(child)
        assert search.values[k] == pytest.approx(expected[seat], abs=1e-12)


def _greedy_recursion(state: np.ndarray) -> np.ndarray:
    """Every player maximises the own greedy value at the end; draws are averaged."""
    who, out = int(kernels.actor_at(state, 0)), np.zeros(2)
    if who == TERMINAL:
        evaluate_at(state, 0, GREEDY_VALUE, out)
        return out
    children = []
    for action in legal_of(GAME, state) if who >= 0 else np.flatnonzero(state["deck"][0]):
        child = state.copy()
        kernels.apply_at(child, 0, int(action))
        children.append(_greedy_recursion(child))
    if who == CHANCE:
        assert len(children) == 1  # one tile is left
        return children[0]
    return max(children, key=lambda value: value[who])  # the first of equal ones


@kernel
def _compare_turns(states: Any, walk: Any, weights: Any) -> int:
    """states[1] after the turn by the game's short cut, states[2] by trying all; returns how many were tried."""
    states[1] = states[0]
    n = verbs.best_turn(states[1], weights, walk.workspace, walk.value, walk.legal[0])
    tried = walk.legal[0, n] if n > 0 else 0
    play_best_turn(walk, states[1:2], weights, True)
    walk.states[0] = states[0]
    best_turn(walk, weights, True)
    states[2] = walk.best[0]
    return int(tried)


@pytest.mark.parametrize("weights", [GREEDY_VALUE, RANK], ids=["greedy", "rank"])
@pytest.mark.parametrize(
    ("players", "options"), [(2, {}), (3, {"final_scoring": "actual"}), (5, {"small_region_scoring": "closed"})]
)
def test_cd_30_the_short_cut_to_the_greedy_turn_is_the_best_of_all_turns(
    players: int, options: dict[str, str], weights: np.ndarray
) -> None:
    walk = make_walk(GAME.dtype, GAME.spec.actions, players, 2)
    met = 0
    for seed in range(3):
        for state in positions(players, seed, PLACING, 1, **options):  # the last tile is one of them
            states, turns = np.repeat(state, 3), np.zeros((3000, 2), np.int64)
            assert _compare_turns(states, walk, weights) == list_turns(walk, state, turns)
            assert states[1].tobytes() == states[2].tobytes()
            met += 1
    assert met > 200


# --- replies by rank alone (CD-R1) --------------------------------------------------------


def _turns(state: np.ndarray) -> list[np.ndarray]:
    """The positions after all turns, tile by tile and follower by follower."""
    found = []
    for tile in legal_of(GAME, state):
        placed = state.copy()
        kernels.apply_at(placed, 0, int(tile))
        for follower in legal_of(GAME, placed):
            found.append(placed.copy())
            kernels.apply_at(found[-1], 0, int(follower))
    return found


def _slow_rank(state: np.ndarray, seat: int) -> int:
    """1 + how many have more points and placed followers (CD-33, CD-34), read by the slow reader."""
    reader = Reader(state)
    worth = [reader.scores[q] + sum(r.now("open") for r in reader.followers[q]) for q in range(reader.players)]
    return 1 + sum(other > worth[seat] for other in worth)


@kernel
def _reply(walk: Any, world: Any, weights: Any) -> None:
    play_best_turn(walk, world, weights, True)


@pytest.mark.parametrize("players", [2, 3])
def test_replies_by_rank_are_the_first_turn_of_the_best_rank_and_keep_the_value_of_what_they_reach(
    players: int,
) -> None:
    walk = make_walk(GAME.dtype, GAME.spec.actions, players, 2, RANK)
    others = 0
    for state in [*positions(players, 5, PLACING, 9), *positions(players, 6, PLACING, 9)]:
        seat, ends = int(state["current"][0]), _turns(state)
        ranks = [_slow_rank(end, seat) for end in ends]
        expected = ends[ranks.index(min(ranks))]  # the first of equal ones
        others += ranks[0] != min(ranks)
        world = state.copy()
        _reply(walk, world, GREEDY_VALUE)
        assert world.tobytes() == expected.tobytes()
        value = np.zeros(players)
        evaluate_at(expected, 0, GREEDY_VALUE, value)
        assert walk.value.tolist() == value.tolist()
    assert others > 0, "in some of the positions the first turn of all is not the one"


def test_ex_2_with_replies_by_rank_is_plain_recursion() -> None:
    """Two tiles are left: every draw, and the opponent's turn of the best rank, valued by rank and lead."""
    state = middle_of(GAME, 140, seed=2)
    while state["phase"][0] != PLACING or state["deck_left"][0] > 3:
        kernels.apply_at(state, 0, _some_action(state))
    seat, legal = int(state["current"][0]), legal_of(GAME, state)
    search = Expectimax(GAME, 2, GREEDY_VALUE, 2, "turns", heuristic=True, replies=RANK)
    found = search.search(state, seat, legal, None, 0)
    agent = _seated("Ex-2:replies=rank", seat)
    assert agent.choose(state, legal, Clock()) == found.best
    for k in {0, len(legal) // 2, int(found.values.argmax())}:
        placed = state.copy()
        kernels.apply_at(placed, 0, int(legal[k]))
        values = []
        for follower in legal_of(GAME, placed):
            after = placed.copy()
            kernels.apply_at(after, 0, int(follower))
            values.append(_after_reply(after, seat))
        assert found.values[k] == pytest.approx(max(values), abs=1e-12)


def _after_reply(state: np.ndarray, seat: int) -> float:
    """The seat's mean value over all draws and the replies to them."""
    deck, total = state["deck"][0], 0.0
    for kind in np.flatnonzero(deck):
        drawn = state.copy()
        kernels.apply_at(drawn, 0, int(kind))
        assert drawn["phase"][0] == PLACING
        ends, other = _turns(drawn), 1 - seat
        ranks = [_slow_rank(end, other) for end in ends]
        value = np.zeros(2)
        evaluate_at(ends[ranks.index(min(ranks))], 0, GREEDY_VALUE, value)
        total += value[seat] * deck[kind] / deck.sum()
    return float(total)


def test_replies_of_their_own_need_whole_turns_without_pruning() -> None:
    for code in ("Ex-2:replies=rank,unit=decisions", "Ex-2:replies=rank,opponents=paranoid"):
        with pytest.raises(BadInput, match="need unit=turns, opponents=own and no pruning"):
            _seated(code, 0)
    with pytest.raises(BadInput, match="Unknown heuristic of discovery 'rang'; did you mean rank"):
        _seated("MC:replies=rang", 0)


# --- the potential as a value of positions ------------------------------------------------


@pytest.mark.parametrize(("name", "weighting"), [("", "fit"), ("-geometric", "geometric"), ("-plain", "plain")])
@pytest.mark.parametrize("players", [2, 3])
def test_cd_29_searches_take_the_potential(players: int, name: str, weighting: str) -> None:
    weights, found = GAME.rules.heuristics[f"potential{name}"], np.zeros(players)
    for state in positions(players, 3, PLACING, 17):
        seat, ends = int(state["current"][0]), _turns(state)
        end = ends[len(ends) // 2]
        evaluate_at(end, 0, weights, found)
        assert found[seat] * players == pytest.approx(Reader(end).potential(seat, weighting), abs=1e-9)


def test_cd_60_one_turn_ahead_with_the_potential_is_the_potential_player() -> None:
    for state in positions(2, 4, PLACING, 11):
        seat, legal = int(state["current"][0]), legal_of(GAME, state)
        search, potential = _seated("Ex-2:depth=1,evaluation=potential", seat), _seated("H-Pot", seat)
        for _ in range(2):  # the tile, then the follower
            chosen = search.choose(state, legal, Clock())
            assert chosen == potential.choose(state, legal, Clock())
            kernels.apply_at(state, 0, chosen)
            legal = legal_of(GAME, state)
            if kernels.actor_at(state, 0) != seat:
                break


def _some_action(state: np.ndarray) -> int:
    """The first action, or the first tile of the deck."""
    if kernels.actor_at(state, 0) >= 0:
        return int(legal_of(GAME, state)[0])
    return int(np.flatnonzero(state["deck"][0])[0])


def test_cd_116_the_players_have_the_thesis_parameters() -> None:
    found = named_kinds(GAME)
    assert not {"Ex-2", "MC", "H-Rnd", "H-Gr", "H-Pot", "PL", "bred"} & set(kinds(GAME)), "aliases are not listed"
    assert dict(found["Ex-2"].preset) == {"depth": 2, "unit": "turns", "pruning": "off", "evaluation": "greedy"}
    monte_carlo = dict(found["MC"].preset)
    assert monte_carlo == {"simulations": 1000, "gamma": 0.8, "limit": 0.05, "span": 2, "evaluation": "greedy"}
    for name, plain in (("H-Rnd", "random-turn"), ("H-Gr", "greedy"), ("H-Pot", "potential")):
        assert found[name].make is found[plain].make
        assert not found[name].preset


def test_monte_carlo_keeps_the_follower_that_goes_with_its_tile() -> None:
    state = middle_of(GAME, 100, seed=3)
    while state["phase"][0] != PLACING:
        kernels.apply_at(state, 0, _some_action(state))
    seat = int(state["current"][0])
    agent = _seated("MC:simulations=60", seat)
    tile = agent.choose(state, legal_of(GAME, state), Clock())
    kernels.apply_at(state, 0, tile)
    assert kernels.actor_at(state, 0) == seat
    assert agent.choose(state, legal_of(GAME, state), Clock()) in legal_of(GAME, state)


@pytest.mark.parametrize("players", [2, 4])
def test_the_evaluation_is_a_result_for_everybody_and_likes_points(players: int) -> None:
    weights = GAME.rules.evaluations["prospects"]
    for choices in range(0, 140, 9):
        state = middle_of(GAME, choices, seed=choices, players=players)
        out, better = np.zeros(players), np.zeros(players)
        evaluate_at(state, 0, weights, out)
        assert out.sum() == pytest.approx(0, abs=1e-9)
        assert (np.abs(out) <= 1).all()
        state["score"][0, 0] += 20
        evaluate_at(state, 0, weights, better)
        assert better[0] > out[0]


@kernel
def _prior_at(states: Any, legal: Any, out: Any) -> None:
    verbs.prior(states[0], legal, legal.shape[0], out)


def test_priors_exclude_nothing() -> None:
    for choices in range(0, 150, 11):
        state = middle_of(GAME, choices, seed=choices)
        legal = legal_of(GAME, state)
        out = np.zeros(GAME.spec.actions)
        _prior_at(state, legal, out)
        assert (out[: len(legal)] > 0).all()
        assert out.max() == pytest.approx(1)
