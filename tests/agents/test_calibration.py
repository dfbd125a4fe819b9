"""Calibrated results: chances keep their order and their sum, and what is even stays even."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.agents import calibration
from ludens.agents.analysis import analyse_view, tells_chances
from ludens.agents.calibration import Pairing, adjusted, calibrated, calibrated_result, chances_of, pairing_of, slope_of
from ludens.core.match import Match
from ludens.core.registry import game, games
from ludens.core.spec import Game

AZUL = game("azul")


def test_sharpened_chances_add_up_and_keep_their_order() -> None:
    chances = np.array([[0.25, 0.25, 0.25, 0.25], [0.4, 0.3, 0.2, 0.1], [1.0, 0.0, 0.0, 0.0]])
    sharp = adjusted(chances, 2.0)
    assert np.allclose(sharp.sum(axis=1), 1)
    assert np.allclose(sharp[0], 0.25) and np.allclose(sharp[2], [1, 0, 0, 0])
    assert list(np.argsort(sharp[1])) == [3, 2, 1, 0] and sharp[1, 0] > 0.4 and sharp[1, 3] < 0.1
    assert np.allclose(adjusted(chances, 1.0), chances)


def test_sides_share_their_chance() -> None:
    london = game("scotland_yard")
    assert chances_of([0.5, -0.5, -0.5], london.spec.sides(3)).tolist() == [0.75, 0.25]
    assert chances_of([1, -1 / 3, -1 / 3, -1 / 3], game("catan").spec.sides(4)) == pytest.approx([1, 0, 0, 0])


@pytest.mark.parametrize("found", games(), ids=lambda found: found.spec.name)
def test_every_game_has_a_slope_that_keeps_certainties(found: Game) -> None:
    players = found.spec.default_players
    count = max(found.spec.sides(players)) + 1
    assert 0.5 < slope_of(found) < 5
    assert calibrated_result(found, 0.0, players) == pytest.approx(0)
    assert calibrated_result(found, 1.0, players) == pytest.approx(1)
    assert calibrated_result(found, -1 / (count - 1), players) == pytest.approx(-1 / (count - 1))


def test_an_analysis_keeps_its_moves_and_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("azul", seed=3)
    monkeypatch.setattr(calibration, "_slopes", lambda: {"azul": 2.0})
    seat = match.actor
    own = analyse_view(AZUL, match.view(seat), seat, simulations=200, raw=True)
    told = analyse_view(AZUL, match.view(seat), seat, simulations=200)
    assert told == calibrated(AZUL, own, 2)
    assert [move.action for move in told.candidates] == [move.action for move in own.candidates]
    by_result = [sorted(found.candidates, key=lambda move: move.result) for found in (own, told)]
    assert [move.action for move in by_result[0]] == [move.action for move in by_result[1]]
    assert sum(told.results) == pytest.approx(0, abs=1e-9)
    for before, after in zip(own.candidates, told.candidates, strict=True):
        assert abs(after.result) >= abs(before.result)
        assert (before.points, before.reasons, before.line) == (after.points, after.reasons, after.line)
    monkeypatch.setattr(calibration, "_slopes", dict)
    assert calibrated(AZUL, own, 2) == own


def test_an_evaluation_that_learnt_from_results_is_left_as_it_is() -> None:
    """Catan's slope is that of its tuned evaluation, of which its puzzles are; its levels use the value network."""
    catan = game("catan")
    assert tells_chances(catan) and tells_chances(game("discovery")) and not tells_chances(AZUL)
    match = Match(catan, seed=3)
    told, raw = (analyse_view(catan, match.view(0), 0, simulations=60, raw=raw) for raw in (False, True))
    assert [move.result for move in told.candidates] == [move.result for move in raw.candidates]
    assert slope_of(catan) != 1


def a_pairing(agents: tuple[str, ...], **more: Any) -> Pairing:
    return Pairing("scotland_yard_grid", 2, agents, **more)


def test_the_chances_of_a_table_are_those_of_its_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = game("scotland_yard_grid")
    equals, guided = a_pairing(("evade", "evade"), games=1), a_pairing(("beginner", "evade"), slope=0.5, shift=1.0)
    three = a_pairing(("beginner", "beginner"), options={"detectives": 3})
    monkeypatch.setattr(calibration, "pairings", lambda: (guided, three))
    usual = grid.options(grid.spec.tournament)
    assert pairing_of(grid, usual, ("", "evade")) is guided
    assert pairing_of(grid, usual, ("evade", "")) is None  # nobody was measured against that Mr. X
    assert pairing_of(grid, usual, ("", "beginner")) is None
    assert pairing_of(grid, grid.options({"detectives": 3}), ("", "beginner")) is three
    assert pairing_of(grid, usual, ("", "")) is None
    monkeypatch.setattr(calibration, "pairings", lambda: (guided, equals))
    assert pairing_of(grid, usual, ("", "evade")) is equals


def test_a_shift_moves_the_first_side_and_takes_from_the_other() -> None:
    grid = game("scotland_yard_grid")
    shifted = [calibrated_result(grid, 0.0, 2, seat, 1.0, 1.0) for seat in (0, 1)]
    assert shifted[0] == pytest.approx(-shifted[1]) and shifted[0] > 0.4
    match = Match("scotland_yard_grid", seed=3)
    seat = match.actor
    raw = analyse_view(grid, match.view(seat), seat, simulations=60, raw=True, options=match.options)
    told = calibrated(grid, raw, 2, a_pairing(("beginner", "evade"), slope=1.0, shift=1.0))
    assert told.results[0] > raw.results[0] and sum(told.results) == pytest.approx(0, abs=1e-9)
    assert [move.action for move in told.candidates] == [move.action for move in raw.candidates]


def test_the_tenths_take_games_as_their_unit() -> None:
    from experiments.calibration import tenths

    said = np.tile([[0.32, 0.68]], (100, 1))
    came = np.repeat([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]], 25, axis=0)
    low, high = tenths(said, came, np.repeat(np.arange(4), 25))
    assert low[:2] == [0.32, 0.25] and high[:2] == [0.68, 0.75]
    assert low[3] == 4
    assert low[2] > 0.2  # four games, however many decisions they had
