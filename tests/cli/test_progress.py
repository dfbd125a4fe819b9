"""What is told of games that last long."""

from __future__ import annotations

from ludens.cli.console import long_games
from ludens.play.executors import InFlight


def test_quick_games_are_not_told() -> None:
    games = [InFlight(number, 10 * number, seconds) for number, seconds in enumerate((0.5, 9.0, 4.0, 5.0, 6.0))]
    assert long_games(games) == "  ".join(f"game {k}: {10 * k} decisions" for k in (1, 2, 3))
    assert long_games(games[:1]) == ""
