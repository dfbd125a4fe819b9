"""The set of possible stations: exact, agreeing with a slow tracker, never without the truth (SY-62, SY-71)."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.rng import DETERMINIZE, generator
from ludens.core.spec import Game
from ludens.core.verbs import UNKNOWN
from ludens.games.scotland_yard import GRID, LONDON, phases
from ludens.games.scotland_yard.rules.maps import london
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import WEIGHT_TOTAL
from tests.games.scotland_yard.setups import Table, cell, random_play
from tests.games.scotland_yard.slow_possible import SlowBelief

VARIANTS = [
    (LONDON, {}),
    (LONDON, {"players": 4, "edition": "classic"}),
    (LONDON, {"detectives": 2, "bobbies": 1}),
    (LONDON, {"detectives": 1, "edition": "classic"}),  # few tickets: double moves without a second leg
    (LONDON, {"detectives": 2, "bobbies": 1, "edition": "classic"}),  # few taxi tickets, and few come back
    (LONDON, {"stuck": "stay"}),
    (GRID, {}),
    (GRID, {"detectives": 3, "start_visible": "off"}),
]


def follow(game: Game, options: dict, seeds: range) -> int:
    """Plays random games with the slow tracker beside the record; returns the steps compared."""
    steps = 0
    slow = SlowBelief(map_of(game.dtype))  # every game begins with its own placing
    for seed in seeds:
        for before, action, after in random_play(game, seed, **options):
            slow.follow(before[0], action, after[0])
            s = after[0]
            if s.phase == phases.PLACING:
                continue
            possible = possible_stations(s)
            assert set(possible) == slow.possible, (seed, int(s.moves))
            assert int(s.mr_x_station) in possible
            steps += 1
    return steps


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_sy_62_the_fast_set_agrees_with_a_slow_tracker(game: Game, options: dict) -> None:
    assert follow(game, options, range(60)) > 1000


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_sy_62_the_fast_set_agrees_with_a_slow_tracker_on_thousands_of_games(game: Game, options: dict) -> None:
    assert follow(game, options, range(1000, 3000)) > 40000


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (LONDON, {"detectives": 3}),
        (LONDON, {"edition": "classic"}),
        (LONDON, {"edition": "classic", "detectives": 1}),
        (GRID, {}),
    ],
)
def test_sy_62_weights_are_shared_evenly_among_his_moves(game: Game, options: dict) -> None:
    for seed in range(12):
        slow = SlowBelief(map_of(game.dtype))
        for before, action, after in random_play(game, seed, belief="weights", **options):
            slow.follow(before[0], action, after[0])
            s = after[0]
            if s.phase == phases.PLACING or s.ending:
                continue
            row = s.weight[int(s.weight_side)]
            assert {int(i) for i in np.flatnonzero(row)} == slow.possible
            exact, total = sum(slow.weights.values()), int(row.sum())
            for station, weight in slow.weights.items():
                assert int(row[station]) / total == pytest.approx(float(weight / exact), abs=2e-4)


def test_sy_62_before_the_first_reveal_all_his_start_cards() -> None:
    board = london()
    table = Table(LONDON, [13, 26, 29, 34, 50], 35)
    assert table.possible() == [board.numbers[i] for i in board.mr_x_starts]


def test_sy_62_a_detectives_station_is_excluded() -> None:
    table = Table(GRID, [cell("a1") + 1, cell("a5") + 1], cell("c3") + 1)
    table.play("b1", "b5", "c2")
    assert table.possible() == [cell(name) + 1 for name in ("c2", "b3", "d3", "c4")]
    table.play("b2", "c5", "d2")
    assert cell("b2") + 1 not in table.possible()
    assert cell("c5") + 1 not in table.possible()


def test_sy_62_a_double_move_widens_twice() -> None:
    table = Table(LONDON, [13], 35)
    for flight in ("taxi 22", "taxi 35", "taxi 48"):
        table.play(flight, table_first(table, flight))
    assert table.possible() == [48]
    table.play("double", "taxi 35")
    once = len(table.possible())
    table.play("black 22")
    assert 1 < once < len(table.possible())


def table_first(table: Table, flight: str) -> str:
    """The detective's first legal move after a flight, whatever the position then is."""
    trial = Table.__new__(Table)
    trial.game, trial.state = table.game, table.state.copy()
    trial.play(flight)
    return trial.moves()[0]


def test_sy_62_he_is_not_where_he_would_have_been_shut_in() -> None:
    """The game goes on after the detectives' step, so he does not sit in a corner with both exits taken."""
    table = Table(GRID, [cell("c1") + 1, cell("a3") + 1], cell("a5") + 1, start_visible="off")
    table.play("b1", "a2")
    assert table.s.phase == phases.FLEEING
    assert cell("a1") + 1 not in table.possible()


def test_sy_62_without_taxi_tickets_he_is_at_no_station_that_only_taxis_serve() -> None:
    """A classic Mr. X who gets few tickets from a detective and a bobby; no detective is near most stations."""
    table = Table(LONDON, [13, 26], 35, edition="classic", bobbies=1)
    bus_stations = {a for line in london().connections if line[2] == 1 for a in line[:2]}
    table.play(table.moves()[0])
    table.state["mr_x_tickets"][0] = 0, 1, 0, 0, 0
    table.state["possible"][0] = (1 << 60) - 1, (1 << 60) - 1, (1 << 60) - 1, (1 << 19) - 1
    table.state["mr_x_station"] = sorted(bus_stations)[10]
    while table.s.phase != phases.FLEEING:
        table.play(next((move for move in table.moves() if move.startswith("bus")), table.moves()[0]))
    assert table.s.mr_x_tickets[0] == 0
    numbers = {london().index(number) for number in table.possible()}
    assert numbers
    assert numbers <= bus_stations


@pytest.mark.parametrize(("game", "options"), [(LONDON, {}), (GRID, {})])
def test_sy_62_determinize_samples_the_set_evenly(game: Game, options: dict) -> None:
    state = next(
        after for _, _, after in random_play(game, 3, **options) if after["moves"][0] == 2 and not after["ending"][0]
    )
    view, out = record.blank(game.dtype), record.blank(game.dtype)
    kernels.view_at(state, 0, 1, view)
    assert view["mr_x_station"][0] == UNKNOWN
    rng = generator(1, DETERMINIZE)
    drawn = []
    for _ in range(4000):
        kernels.determinize_at(view, 0, 1, rng, out)
        drawn.append(int(out["mr_x_station"][0]))
        kernels.view_at(out, 0, 1, out)
        assert out.tobytes() == view.tobytes()
    possible = possible_stations(state[0])
    assert set(drawn) == set(possible)
    counts = np.bincount(drawn)[possible]
    expected = 4000 / len(possible)
    assert (np.abs(counts - expected) < 5 * expected**0.5).all()


def test_sy_62_determinize_by_weights() -> None:
    state = next(
        after
        for _, _, after in random_play(LONDON, 5, belief="weights")
        if after["moves"][0] == 2 and not after["ending"][0]
    )
    view, out = record.blank(LONDON.dtype), record.blank(LONDON.dtype)
    kernels.view_at(state, 0, 1, view)
    row = state["weight"][0, int(state["weight_side"][0])]
    assert 0.99 * WEIGHT_TOTAL < row.sum() < 1.01 * WEIGHT_TOTAL
    rng = generator(2, DETERMINIZE)
    drawn = np.zeros(len(row))
    for _ in range(8000):
        kernels.determinize_at(view, 0, 1, rng, out)
        drawn[int(out["mr_x_station"][0])] += 1
    share = row / row.sum()
    assert (np.abs(drawn / 8000 - share) < 5 * np.sqrt(share / 8000) + 1e-9).all()
