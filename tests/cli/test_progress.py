"""What is told of games that last long."""

from __future__ import annotations

import pytest

from ludens.arena.processes import InFlight
from ludens.arena.tournament import Progress
from ludens.cli import progress
from ludens.cli.progress import LongGame, long_games


def test_a_game_is_noted_when_it_lasts_long_and_no_longer_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now, notes = [100.0], list[str]()
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    game = LongGame(notes.append)
    for decisions in range(1, 8):
        game.decided(decisions)
        now[0] += 1
    game.finished()
    game.decided(1)  # of the next game, which is quick
    game.finished()
    assert notes == [*(f"this game: {decisions} decisions" for decisions in (5, 6, 7)), ""]


def test_quick_games_are_not_told() -> None:
    games = [InFlight(number, 10 * number, seconds) for number, seconds in enumerate((0.5, 9.0, 4.0, 5.0, 6.0))]
    assert long_games(Progress(0, 9, games, None)) == [f"game {k}: {10 * k} decisions" for k in (1, 2, 3)]
