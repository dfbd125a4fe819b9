"""The plan of a series as the command line names it: a few agents, seats rotating, every game its own seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core.spec import Game
from ludens.lab.series import checked_series
from ludens.play.lineup import arrange
from ludens.play.plan import FIXED, ROTATIONS, Plan, Player, arrangements

__all__ = ["plan_of_series"]


def plan_of_series(
    game: Game,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    workers: int | None = None,
    rotating: bool = True,
) -> Plan:
    """The games that `runner.run` plays with the same arguments, game by game."""
    entrants, array = checked_series(game, agents, games, seed, players, options, workers)
    lineup = arrange(game.spec, int(array[0]), entrants, rotating)
    codes = list(dict.fromkeys(entrants))
    meeting = [codes.index(entrants[agent]) for agent in lineup.entries]
    orders = arrangements([meeting], ROTATIONS if rotating else FIXED)
    return Plan(
        game=game.spec.name,
        options=tuple(array.tolist()),
        players=tuple(Player(code, code) for code in codes),
        arrangements=orders,
        repetitions=-(-games // len(orders)),
        seed=seed,
        paired=False,
        most=games,
    )
