"""Series that end by a sequential test: which games count, whatever else is stored."""

from __future__ import annotations

import numpy as np

from ludens.lab.stopping import Sprt, Stop, decided_games, watched_shares
from tests.lab.test_tables import table

A = Stop("a", Sprt(0.4, 0.6, least=20))


def test_a_player_beside_itself_tells_nothing() -> None:
    games = table([[0, 1], [0, 0], [1, 0], [1, 1]], [[5, 3], [5, 3], [5, 3], [5, 3]])
    assert watched_shares(A, games).tolist() == [1.0, 0.0]
    three = table([[0, 0, 1], [0, 1, 1]], [[5, 3, 3], [5, 3, 3]])
    assert watched_shares(A, three).tolist() == [0.5, 1.0]


def test_games_after_the_decision_do_not_count_whoever_played_them() -> None:
    """Others may have finished a game or not when the run was ended: the report is the same."""
    seats = [[0, 1], [1, 2], [0, 2]] * 30
    games = table(seats, [[9, 1]] * len(seats))
    ended = decided_games(A, 1000, games)
    assert ended.number[-1] == 29  # the twentieth game of `a`
    for stored in (30, 31, 40, 90):
        assert decided_games(A, 1000, games.where(games.number < stored)).games == ended.games
    gap = games.where(games.number != 3)
    assert np.array_equal(decided_games(A, 1000, gap).number, gap.number)  # undecided as long as one is missing
    assert decided_games(None, 1000, games).games == 90
    assert decided_games(None, 40, games).games == 40
