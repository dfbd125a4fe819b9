"""The exact solution of the visible grid game (SY-8, SY-65)."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from ludens.core.agent import Clock, Seating
from ludens.games.scotland_yard import GRID, phases
from ludens.games.scotland_yard.players.exact_solution import NEVER_CAUGHT, GridOracle, solve, solve_grid
from ludens.games.scotland_yard.rules.maps import parse_map
from tests.games.scotland_yard.setups import Table

PLACES = list(permutations(range(25), 3))


def test_sy_65_there_are_13800_placements_and_8_of_them_shut_mr_x_in() -> None:
    solution = solve_grid()
    assert len(PLACES) == 13800
    assert sum(solution.fleeing[place] == 0 for place in PLACES) == 8


def test_sy_65_detectives_who_see_everything_always_win_within_7_rounds() -> None:
    rounds = solve_grid().rounds()
    found = [int(rounds[place]) for place in PLACES]
    assert (min(found), max(found)) == (1, 7)


def test_sy_65_values_satisfy_the_equations_of_backward_induction() -> None:
    solution = solve_grid()
    rng = np.random.default_rng(5)
    for index in rng.choice(len(PLACES), 1500, replace=False):
        first, second, mr_x = PLACES[index]
        joint = [(a, b) for a in solution.neighbours[first] for b in solution.neighbours[second] if a != b]
        if any(mr_x in step for step in joint):
            best = 1
        else:
            best = 1 + min(int(solution.fleeing[a, b, mr_x]) for a, b in joint)
        assert solution.hunting[first, second, mr_x] == best
        free = [to for to in solution.neighbours[mr_x] if to not in (first, second)]
        worst = 1 + max(int(solution.hunting[first, second, to]) for to in free) if free else 0
        assert solution.fleeing[first, second, mr_x] == worst


@pytest.mark.parametrize("place", [(0, 1, 24), (24, 0, 12), (6, 18, 4), (2, 3, 20)])
def test_sy_65_perfect_play_takes_as_long_as_the_solution_says(place: tuple[int, int, int]) -> None:
    table = Table(GRID, [place[0] + 1, place[1] + 1], place[2] + 1)
    agents = [GridOracle(), GridOracle()]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GRID, GRID.options(), seat, 1))
    while not table.s.ending:
        action = agents[table.actor].choose(table.state.copy(), np.array(table.legal()), Clock())
        assert action in table.legal()
        table.play("abcde"[action % 5] + str(action // 5 + 1))
    assert table.s.ending in (phases.CAUGHT, phases.STUCK)
    assert table.s.round_number == solve_grid().rounds()[place]


def test_sy_65_on_petersens_graph_two_detectives_are_too_few() -> None:
    """It is known that three are needed there: he is caught only if a detective stands beside him at the start."""
    lines = [line for i in range(5) for line in ([i, (i + 1) % 5], [i, i + 5], [5 + i, 5 + (i + 2) % 5])]
    graph = {
        "stations": [{"id": i, "x": i, "y": 0} for i in range(10)],
        "connections": [[*line, "taxi"] for line in lines],
        "detective_starts": list(range(10)),
        "mrx_starts": list(range(10)),
    }
    solution = solve(parse_map(graph))
    rounds = solution.rounds()
    for first, second, mr_x in permutations(range(10), 3):
        beside = mr_x in solution.neighbours[first] or mr_x in solution.neighbours[second]
        assert rounds[first, second, mr_x] == (1 if beside else NEVER_CAUGHT)
