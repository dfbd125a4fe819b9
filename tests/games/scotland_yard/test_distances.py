"""Distances on the maps, against searches written out (SY-37, SY-63)."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from ludens.core.jit import plain
from ludens.core.registry import game
from ludens.core.spec import Game
from ludens.games.scotland_yard.rules import distances as rules
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import NOWHERE, WORD_BITS
from tests.games.scotland_yard.setups import Table

LONDON, GRID = game("scotland_yard"), game("scotland_yard_grid")


def by_relaxing(found: Game) -> np.ndarray:
    """Floyd and Warshall's distances over rides of detectives."""
    board = map_of(found.dtype)
    table = np.full((len(board.numbers),) * 2, rules.FAR)
    np.fill_diagonal(table, 0)
    for a, b, kind in board.connections:
        if kind < 3:
            table[a, b] = table[b, a] = 1
    for k in range(len(table)):
        table = np.minimum(table, table[:, k, None] + table[None, k])
    return table


@pytest.mark.parametrize("found", [LONDON, GRID], ids=str)
def test_distances_are_those_of_floyd_and_warshall(found: Game) -> None:
    wanted = by_relaxing(found)
    assert np.array_equal(rules.distances(found.dtype), wanted)
    assert not rules.distances(found.dtype).flags.writeable
    state = Table(found, [2], 5).state[0]
    for here in range(0, len(wanted), 7):
        for there in range(len(wanted)):
            assert plain(rules.distance_between)(state, here, there) == wanted[here, there]


def test_distances_of_detectives_and_of_those_who_have_left() -> None:
    table, board = Table(LONDON, [13, 26, 199], 35), map_of(LONDON.dtype)
    here, wanted = board.index(35), by_relaxing(LONDON)
    from_pawns = [int(wanted[board.index(number), here]) for number in (13, 26, 199)]
    assert [plain(rules.distance_of_pawn)(table.s, pawn, here) for pawn in range(3)] == from_pawns
    assert plain(rules.nearest_detective)(table.s, here) == min(from_pawns) < max(from_pawns)
    for pawn in (0, 1):
        table.state["pawn_station"][0, pawn] = NOWHERE
    assert plain(rules.distance_of_pawn)(table.s, 0, here) == rules.FAR
    assert plain(rules.nearest_detective)(table.s, here) == from_pawns[2]
    table.state["pawn_station"][0, 2] = NOWHERE
    assert plain(rules.nearest_detective)(table.s, here) == rules.FAR


def test_the_mean_distance_to_where_mr_x_may_be() -> None:
    table, wanted = Table(LONDON, [13], 35), by_relaxing(LONDON)
    for stations in ([0], [3, 59, 60, 198], [70, 120, 121, 185], list(range(0, 199, 3))):
        table.state["possible"][0] = 0
        for station in stations:
            table.state["possible"][0, station // WORD_BITS] |= 1 << station % WORD_BITS
        mean = plain(rules.mean_distance_to_possible)(table.s, 88, len(stations))
        assert mean == pytest.approx(np.mean(wanted[88, stations]))
    table.state["possible"][0] = 0
    assert plain(rules.mean_distance_to_possible)(table.s, 88, 0) == 0


def by_tickets(tickets: list[int], start: int, goal: int) -> int:
    """Breadth first over stations and tickets left."""
    rides: dict[int, set[tuple[int, int]]] = {}
    for a, b, kind in map_of(LONDON.dtype).connections:
        if kind < 3:
            rides.setdefault(a, set()).add((b, kind))
            rides.setdefault(b, set()).add((a, kind))
    queue, known = [(start, *tickets)], {(start, *tickets): 0}
    for place in queue:  # grows while it is read
        station, *left = place
        if station == goal:
            return known[place]
        for there, kind in rides[station]:
            if left[kind]:
                following = (there, *(n - (k == kind) for k, n in enumerate(left)))
                if following not in known:
                    known[following] = known[place] + 1
                    queue.append(following)
    return rules.FAR


@pytest.mark.parametrize("tickets", [(2, 1, 0), (0, 3, 2), (3, 0, 1), (1, 1, 1), (4, 2, 1), (0, 0, 4), (0, 8, 0)])
def test_ways_that_tickets_pay(tickets: tuple[int, int, int]) -> None:
    luck, visits, table = random.Random(sum(tickets)), rules.visit_room(LONDON.dtype), Table(LONDON, [13], 35)
    for _ in range(12):
        start, goal, spent = luck.randrange(199), luck.randrange(199), luck.randrange(3)
        table.state["pawn_tickets"][0, 0, :3] = tickets
        table.state["pawn_tickets"][0, 0, spent] += 1
        found = plain(rules.ticket_distance)(table.s, 0, start, spent, goal, visits)
        assert found == by_tickets(list(tickets), start, goal)
        assert plain(rules.ticket_distance)(table.s, 0, start, spent, start, visits) == 0


def test_ways_are_those_of_distances_where_tickets_never_run_out() -> None:
    visits, wanted = rules.visit_room(GRID.dtype), by_relaxing(GRID)
    table = Table(GRID, [2], 5)
    for start, goal in pairwise(range(0, 25, 2)):
        assert plain(rules.ticket_distance)(table.s, 0, start, 0, goal, visits) == wanted[start, goal]
