"""A series of games between a few agents, in memory: seats rotate, every game has its own seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.lab.standings import Standing, mean_thoughts, standings, table_of
from ludens.play.engine import Outcomes, Progress, play
from ludens.play.game import Outcome
from ludens.play.schedule import one_table

__all__ = ["Result", "run"]


@dataclass(frozen=True)
class Result:
    """The outcome of a series."""

    game: Game
    options: dict[str, str | int]
    seed: int
    games: int
    agents: tuple[Standing, ...]
    outcomes: tuple[Outcome, ...]  # game by game, for further analysis

    def __str__(self) -> str:
        """One line an agent: how much it won, with its interval, and its mean score."""
        width = max(len(standing.agent) for standing in self.agents)
        return "\n".join(
            f"{one.agent:<{width}}  {one.win_share:6.1%} ({one.interval[0]:.1%} – {one.interval[1]:.1%})"
            f"  {one.mean_score:.2f} points in {one.games} games"
            for one in self.agents
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.spec.name,
            "version": self.game.spec.version,
            "options": self.options,
            "seed": self.seed,
            "games": self.games,
            "agents": [standing.to_json() for standing in self.agents],
        }


def run(
    game: Game,
    agents: Sequence[Any],
    games: int,
    seed: int = 0,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    workers: int | None = None,
    report: Callable[[int], None] = lambda finished: None,
    rotating: bool = True,
    thoughts: bool = False,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Result:
    """Plays `games` games between the agents, given as codes, classes or objects, and counts; see `one_table`.

    `workers` is the number of processes; None decides by how long the games take. `report` is told after every game
    how many are finished, `watch` now and then how far the others are. With `thoughts` the agents are asked what they
    thought.
    """
    if workers is not None and workers < 1:
        raise BadInput(f"The number of workers must be at least 1, not {workers}.")
    schedule = replace(one_table(game, agents, games, seed, players, options, rotating), thoughts=thoughts)
    if workers is not None and workers > 1 and any(not isinstance(player.code, str) for player in schedule.players):
        raise BadInput("An agent given as an object plays in one process; several need a class of a module, or a code.")
    sink = Outcomes(report)
    play(schedule, sink, report=watch, workers=workers)
    outcomes = sink.in_order()
    found = standings(table_of(schedule, outcomes))
    if thoughts:
        told = mean_thoughts(schedule, outcomes)
        found = [replace(standing, thoughts=means) for standing, means in zip(found, told, strict=True)]
    shown = game.show_options(schedule.option_array)
    return Result(game, shown, seed, games, tuple(found), outcomes)
