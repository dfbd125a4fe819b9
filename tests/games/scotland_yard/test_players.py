"""Agents: legal on every seat, reproducible, and as strong as they should be (SY-30, SY-63, SY-65)."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.agents.codes import kinds
from ludens.core import kernels
from ludens.core.agent import AgentKind
from ludens.core.spec import Game
from ludens.games.scotland_yard import GRID, LONDON
from ludens.games.scotland_yard.players.heuristic import choose_chase
from ludens.games.scotland_yard.rules.distances import FAR, visit_room
from ludens.games.scotland_yard.rules.maps import london
from ludens.play.game import play_game
from tests.games.scotland_yard.setups import Table

GAMES = (LONDON, GRID)
# The levels think for a time, so they are reproducible only by simulations.
OWN = {game.spec.name: [name for name, kind in game.agents().items() if isinstance(kind, AgentKind)] for game in GAMES}
CODES = [(game, code) for game in GAMES for code in ("random", *OWN[game.spec.name], "mcts:simulations=20")]


def share(game: Game, fugitive: str, hunters: str, games: int, **options: object) -> float:
    """The part of the games that the detectives win."""
    values = game.options(options)
    codes = [fugitive] + [hunters] * (int(values[0]) - 1)
    return sum(play_game(game, values, codes, seed).returns[1] > 0 for seed in range(games)) / games


@pytest.mark.parametrize(("game", "code"), CODES)
def test_every_agent_plays_every_seat_legally_and_reproducibly(game: Game, code: str) -> None:
    first = play_game(game, game.options(), [code, code], 5)
    assert first.returns in ((1.0, -1.0), (-1.0, 1.0))
    assert play_game(game, game.options(), [code, code], 5) == first


@pytest.mark.parametrize("options", [{"players": 6}, {"players": 3, "edition": "classic"}, {"detectives": 1}])
def test_london_agents_play_with_any_number_of_controllers(options: dict) -> None:
    for hunter in ("chase", "shrink"):
        assert 0 <= share(LONDON, "evade", hunter, 3, **options) <= 1


def test_london_agents_use_weights_where_the_record_keeps_them() -> None:
    outcome = play_game(LONDON, LONDON.options({"belief": "weights"}), ["evade", "chase"], 2)
    assert sum(outcome.returns) == 0


def test_grid_agents_play_with_any_number_of_detectives() -> None:
    for detectives in (1, 3, 5):
        for hunter in ("chase", "shrink", "oracle"):
            assert share(GRID, "oracle", hunter, 3, detectives=detectives) >= 0


def test_sy_30_sensible_detectives_beat_a_random_mr_x_on_london() -> None:
    assert share(LONDON, "random", "chase", 40) > 0.9
    assert share(LONDON, "random", "shrink", 40) > 0.9


def test_sy_30_they_lose_often_to_one_who_evades() -> None:
    assert 0.3 < share(LONDON, "evade", "chase", 60) < 0.9
    assert 0.3 < share(LONDON, "evade", "shrink", 60) < 0.9
    assert share(LONDON, "evade", "random", 20) < 0.2


def test_sy_65_seeing_everything_is_an_upper_bound() -> None:
    assert share(LONDON, "evade", "oracle", 40) > share(LONDON, "evade", "chase", 40)
    assert share(GRID, "oracle", "oracle", 40) == 1.0
    assert share(GRID, "random", "oracle", 40) == 1.0


def test_sy_22_a_move_of_the_detectives_is_all_that_they_decide_in_a_round() -> None:
    """Levels think so long a move: the decisions of a joint move share the time."""
    decisions = LONDON.spec.decisions
    assert [decisions(LONDON.options({"players": 2}), seat) for seat in (0, 1)] == [1, 9]
    assert [decisions(LONDON.options({"players": 3}), seat) for seat in (0, 1, 2)] == [1, 5, 3]
    assert [decisions(LONDON.options({"players": 6}), seat) for seat in range(6)] == [1] * 6
    assert [GRID.spec.decisions(GRID.options({"detectives": 3}), seat) for seat in (0, 1)] == [1, 3]


def test_only_the_oracles_ask_for_the_state() -> None:
    for game in (LONDON, GRID):
        assert [name for name, kind in kinds(game).items() if kind.oracle] == ["oracle"]


def test_sy_63_chasing_detectives_see_views_only() -> None:
    """The same choice for every station where Mr. X may really be."""
    table = Table(LONDON, [13, 26, 29], 35)
    table.play("taxi 22")
    visits = visit_room(LONDON.dtype)
    choices = set()
    for number in table.possible():
        table.state["mr_x_station"][0] = london().index(number)
        choices.add(int(choose_chase(table.view(1), np.array(table.legal()), True, visits)))
    assert len(choices) == 1


def slow_ticket_distance(tickets: list[int], start: int, goal: int) -> int:
    """Breadth first over stations and tickets left, with sets."""
    board = london()
    frontier, seen, steps = {(start, *tickets)}, set(), 0
    while frontier:
        if any(state[0] == goal for state in frontier):
            return steps
        seen |= frontier
        following = set()
        for station, *left in frontier:
            for a, b, kind in board.connections:
                if kind < 3 and station in (a, b) and left[kind] > 0:
                    rest = [n - (k == kind) for k, n in enumerate(left)]
                    following.add((a + b - station, *rest))
        frontier, steps = following - seen, steps + 1
    return FAR


@pytest.mark.parametrize("tickets", [[11, 8, 4], [3, 0, 1], [2, 2, 0], [0, 2, 2], [4, 1, 0]])
def test_sy_63_chasing_uses_the_shortest_way_that_the_tickets_pay(tickets: list[int]) -> None:
    """Of all its moves the pawn takes one that leaves the fewest moves to the goal."""
    board, visits = london(), visit_room(LONDON.dtype)
    for goal in (46, 111, 67):
        table = Table(LONDON, [13], 35)
        table.play("taxi 22")
        table.state["pawn_tickets"][0, 0] = tickets
        table.state["seen_move"][0], table.state["seen_station"][0] = 0, board.index(goal)
        legal = table.legal()
        choice = int(choose_chase(table.view(1), np.array(legal), False, visits))

        def left(action: int, goal: int = goal) -> int:
            rest = [n - (k == action // 199) for k, n in enumerate(tickets)]
            return slow_ticket_distance(rest, action % 199, board.index(goal))

        assert left(choice) == min(left(action) for action in legal)


def test_a_detective_beside_mr_x_catches_him_when_he_is_seen() -> None:
    table = Table(LONDON, [13, 26], 35)
    for flight in ("taxi 22", "taxi 35", "taxi 22"):
        table.play(flight)
        while table.actor == 1 and table.s.moves < 3:
            table.play(table.moves()[0])
    table.state["pawn_station"][0, 0] = london().index(34)  # a neighbour of 22
    visits = visit_room(LONDON.dtype)
    while table.actor == 1:
        kernels.apply_at(table.state, 0, int(choose_chase(table.view(1), np.array(table.legal()), True, visits)))
    assert table.s.ending == 1
