"""The hidden grid solved period by period, against whole trees; best responses against a search of all games."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, registry
from ludens.core.agent import Agent, Clock
from ludens.core.errors import BadInput
from ludens.core.record import blank
from ludens.games.scotland_yard.players.hidden_response import best_response, played_against
from ludens.games.scotland_yard.players.hidden_solution import periods_of, solve_hidden
from ludens.games.scotland_yard.rules.maps import grid_map
from ludens.play.seats import seat_agent
from ludens.search.game_tree import grow_tree, solve
from tests.search.test_game_tree import rooted

GRID = registry.game("scotland_yard_grid")
STARTS = ((0, 4, 12), (6, 8, 22), (20, 3, 11), (5, 9, 17))


def test_periods_part_the_rounds_at_every_showing() -> None:
    chain = periods_of(grid_map(), GRID.options({}))
    assert chain.lengths == (3, 3, 3, 3, 3, 3, 2)
    assert len(chain.starts) == 25 * 24 * 23
    assert periods_of(grid_map(), GRID.options({"max_rounds": 3, "reveal_every": 2})).lengths == (2, 1)
    with pytest.raises(BadInput, match="two detectives"):
        periods_of(grid_map(), GRID.options({"detectives": 3}))


@pytest.mark.parametrize("options", [{"max_rounds": 2}, {"max_rounds": 3, "reveal_every": 2}])
def test_the_value_of_a_start_is_that_of_its_whole_tree(options: dict[str, int]) -> None:
    solved = solve_hidden(grid_map(), GRID.options(options), 400, 1e-3)
    assert (solved.low <= solved.high + 1e-9).all()
    for start in STARTS[:2]:
        state, array = rooted(start, options)
        value = solve(grow_tree(GRID, array, root=state), 400, 1e-3).value
        caught = (1 - value) / 2
        assert solved.low[(0, *start)] - 2e-3 <= caught <= solved.high[(0, *start)] + 2e-3


def escapes(state: np.ndarray, agent: Agent) -> bool:
    """Can Mr. X escape an agent that remembers nothing? All his ways are tried."""
    legal, view, out = np.zeros(GRID.spec.actions, np.int64), blank(GRID.dtype), np.zeros(2)
    n = kernels.legal_at(state, 0, legal)
    if n == 0:
        kernels.returns_at(state, 0, out)
        return bool(out[0] > 0)
    if kernels.actor_at(state, 0) == 1:
        kernels.view_at(state, 0, 1, view)
        moves = [int(agent.choose(view, legal[:n].copy(), Clock()))]
    else:
        moves = legal[:n].tolist()
    for move in moves:
        after = state.copy()
        kernels.apply_at(after, 0, move)
        if escapes(after, agent):
            return True
    return False


def test_the_best_response_finds_what_a_search_of_all_ways_finds() -> None:
    settings = {"max_rounds": 5}
    options = GRID.options(settings)
    chosen = np.random.default_rng(3).permutation(periods_of(grid_map(), options).starts)[:40]
    places = [(int(a), int(b), int(c)) for a, b, c in chosen]

    def seat(seed: int) -> Agent:
        return seat_agent(GRID, options, "chase", 1, seed)

    found = best_response(GRID, options, seat, starts=chosen)
    assert found.drawn == 0
    slow = [escapes(rooted(start, settings)[0], seat(0)) for start in places]
    assert found.wins.tolist() == [float(one) for one in slow]
    assert 0 < sum(slow) < len(slow)
    played = [played_against(GRID, options, found, seat, start, 5) for start in places]
    assert played == slow


def test_the_solver_of_the_game_counts_starts() -> None:
    assert GRID.exact is not None
    options = GRID.options({"max_rounds": 4})
    told: list[tuple[int, int]] = []
    (found,) = GRID.exact().responses(
        GRID,
        options,
        lambda seat, seed: seat_agent(GRID, options, "chase", seat, seed),
        30,
        1,
        lambda *step: told.append(step),
    )
    assert (found.place, found.starts, found.whole) == (0, 30, False)
    assert 0 < found.won < 30
    assert told == [(1, 2), (2, 2)]
