"""The short cut to the greedy turn: what it works with, and the searches with and without it (CD-30, CD-31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record, verbs
from ludens.core.jit import kernel
from ludens.core.rng import CHANCE_STREAM, generator
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL, Rules
from ludens.games.discovery import GAME
from ludens.games.discovery.players.greedy_turn import read_cells, read_followers
from ludens.games.discovery.players.joining import join, look_around
from ludens.games.discovery.rules.followers import follower_actions, move_follower
from ludens.games.discovery.rules.scoring import points_now
from ludens.games.discovery.rules.tiles import SEGMENTS, fitting_turns
from ludens.games.discovery.rules.verbs import place_tile
from ludens.games.discovery.state import PLACING, Discovery
from ludens.search.budget import Budget
from ludens.search.expectimax import Expectimax
from ludens.search.montecarlo import Prediction
from ludens.search.whole_turns import make_walk, play_best_turn
from tests.games.discovery.positions import positions
from tests.search.positions import evaluate_at, legal_of

GREEDY_VALUE = GAME.rules.heuristics["greedy"]
RANK = GAME.rules.heuristics["rank"]

OPTIONS = [
    (2, {}),
    (3, {"final_scoring": "actual"}),
    (4, {"final_scoring": "closed", "unplaceable_tile": "return"}),
    (5, {"small_region_scoring": "closed"}),
]


def _without_short_cut() -> Game:
    """The same game, for searches that try every turn."""
    plain: Any = next(field.default for field in fields(Rules) if field.name == "best_turn")
    dtype = record.layout("discovery without short cut", Discovery)
    return replace(GAME, dtype=dtype, rules=replace(GAME.rules, best_turn=plain))


SLOW = _without_short_cut()


@kernel
def _play_greedily(states: Any, walk: Any, weights: Any) -> None:
    play_best_turn(walk, states, weights, True)


def _greedy_positions(players: int, seed: int, options: dict[str, str]) -> Iterator[np.ndarray]:
    """All positions with a tile in hand of a game among greedy players, who keep their followers on the map."""
    state, walk = record.blank(GAME.dtype), make_walk(GAME.dtype, GAME.spec.actions, players, 2)
    kernels.reset_at(state, 0, GAME.options({"players": players, **options}))
    draws = generator(seed, CHANCE_STREAM)
    while (actor := kernels.actor_at(state, 0)) != TERMINAL:
        if actor == CHANCE:
            kernels.apply_at(state, 0, kernels.draw_at(state, 0, draws))
        else:
            yield state.copy()
            _play_greedily(state, walk, GREEDY_VALUE)


def _all_positions(players: int, options: dict[str, str]) -> Iterator[np.ndarray]:
    yield from positions(players, 7, PLACING, 1, **options)
    yield from _greedy_positions(players, 8, options)


@kernel
def _joined_otherwise(states: Any, workspace: Any) -> int:
    """How many groups differ from the regions of the tile laid on states[1]; -1 if there was nothing to compare."""
    s, m = states[0], workspace[0]
    read_followers(s, m, False)
    kind, wrong, compared = int(s.hand), 0, 0
    for cell in range(int(s.cells)):
        for turns in range(4):
            if not fitting_turns(kind, int(s.cell_code[cell])) >> turns & 1:
                continue
            look_around(s, m, cell)
            join(s, m, kind, turns)
            states[1] = s
            w = states[1]
            place_tile(w, 4 * cell + turns)
            first = int(w.tile_piece[int(w.placed) - 1])
            for segment in range(int(SEGMENTS[kind])):
                region, g = int(w.piece_region[first + segment]), int(m.group[segment])
                same = region == w.piece_region[first + g] and w.region_tiles[region] == m.tiles[g]
                same = same and w.region_ends[region] == m.ends[g] and w.region_cities[region] == m.cities[g]
                wrong += 0 if same and w.region_followers[region] == m.occupants[g] else 1
                compared += 1
    return wrong if compared > 0 else -1


@pytest.mark.parametrize(("players", "options"), OPTIONS)
def test_cd_14_what_a_tile_would_join_is_what_it_joins(players: int, options: dict[str, str]) -> None:
    workspace = verbs.turn_workspace(GAME.dtype)
    for state in _all_positions(players, options):
        assert _joined_otherwise(np.repeat(state, 2), workspace) == 0


@kernel
def _own_worth(s: Any, p: int) -> int:
    total = int(s.score[p])
    for k in range(int(s.follower_count[p])):
        total += points_now(s, int(s.piece_region[s.follower[p, k]]))
    return total


@kernel
def _gains_above_the_ceiling(states: Any, workspace: Any, out: Any) -> int:
    """How many turns gain more than the bound of their cell says."""
    s, m = states[0], workspace[0]
    p, kind, wrong = int(s.current), int(s.hand), 0
    read_followers(s, m, False)
    read_cells(s, m, kind, False, out)
    for cell in range(int(s.cells)):
        for turns in range(4):
            if not fitting_turns(kind, int(s.cell_code[cell])) >> turns & 1:
                continue
            states[1] = s
            place_tile(states[1], 4 * cell + turns)
            for k in range(follower_actions(states[1], out)):
                states[2] = states[1]
                move_follower(states[2], int(out[k]))
                if _own_worth(states[2], p) - _own_worth(s, p) > m.ceiling[cell]:
                    wrong += 1
    return wrong


@pytest.mark.parametrize(("players", "options"), OPTIONS)
def test_no_turn_gains_more_than_its_cell_allows(players: int, options: dict[str, str]) -> None:
    workspace, out = verbs.turn_workspace(GAME.dtype), np.zeros(16, np.int64)
    for state in _all_positions(players, options):
        assert _gains_above_the_ceiling(np.repeat(state, 3), workspace, out) == 0


@kernel
def _short_cut(states: Any, workspace: Any, weights: Any, values: Any, out: Any) -> int:
    n = verbs.best_turn(states[0], weights, workspace, values, out)
    for d in range(n):
        verbs.apply(states[0], int(out[d]))
    return int(n)


@pytest.mark.parametrize("weights", [GREEDY_VALUE, RANK], ids=["greedy", "rank"])
@pytest.mark.parametrize(("players", "options"), OPTIONS)
def test_the_short_cut_tells_what_the_turn_leads_to(players: int, options: dict[str, str], weights: np.ndarray) -> None:
    workspace, out = verbs.turn_workspace(GAME.dtype), np.zeros(16, np.int64)
    told, found = np.zeros(players), np.zeros(players)
    for state in _all_positions(players, options):
        n = _short_cut(state, workspace, weights, told, out)
        assert n == 2
        evaluate_at(state, 0, weights, found)
        assert told.tolist() == found.tolist()
        assert bool(out[n + 1]) == (kernels.actor_at(state, 0) == TERMINAL)


def test_there_is_no_short_cut_where_points_outweigh_ranks() -> None:
    state = next(_greedy_positions(3, 1, {}))
    workspace, out, values = verbs.turn_workspace(GAME.dtype), np.zeros(16, np.int64), np.zeros(3)
    state["score"][0, 1] = 327
    assert _short_cut(state.copy(), workspace, GREEDY_VALUE, values, out) == 2
    state["score"][0, 1] = 328
    assert _short_cut(state.copy(), workspace, GREEDY_VALUE, values, out) == 0


@pytest.mark.parametrize("replies", [None, RANK], ids=["greedy", "rank"])
@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {"final_scoring": "actual"})])
def test_cd_31_games_are_the_same_with_and_without_the_short_cut(
    players: int, options: dict[str, str], replies: np.ndarray | None
) -> None:
    """A game in which all turns are those of MC; the other search is asked every time, and Ex-2 now and then."""
    state = record.blank(GAME.dtype)
    kernels.reset_at(state, 0, GAME.options({"players": players, **options}))
    draws = generator(3, CHANCE_STREAM)
    fast, slow = (
        Prediction(game, players, GREEDY_VALUE, 0.8, 0.2, span=2, heuristic=True, replies=replies)
        for game in (GAME, SLOW)
    )
    looks = [
        Expectimax(game, players, GREEDY_VALUE, 2, "turns", heuristic=True, replies=replies) for game in (GAME, SLOW)
    ]
    decisions = 0
    while (actor := int(kernels.actor_at(state, 0))) != TERMINAL:
        if actor == CHANCE:
            kernels.apply_at(state, 0, kernels.draw_at(state, 0, draws))
            continue
        same = np.frombuffer(state.tobytes(), SLOW.dtype)
        turn, found = fast.search(state, actor, Budget(1), decisions)
        other, expected = slow.search(same, actor, Budget(1), decisions)
        assert turn.tolist() == other.tolist()
        assert found.values.tolist() == expected.values.tolist()
        if decisions % 20 == 7:
            legal = legal_of(GAME, state)
            one, two = (look.search(s, actor, legal, None, 0) for look, s in zip(looks, (state, same), strict=True))
            assert one.best == two.best
            assert one.values.tolist() == two.values.tolist()
            assert (one.leaves, one.exact) == (two.leaves, two.exact)
        for action in turn.tolist():
            kernels.apply_at(state, 0, action)
        decisions += 1
    assert decisions > 70
