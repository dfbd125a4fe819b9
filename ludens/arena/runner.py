"""A series of games between agents: seats rotate, every game has its own seed, the result is reproducible."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludens.agents.codes import parse_code
from ludens.arena.lineup import arrange, fitting_players
from ludens.arena.one_game import Outcome
from ludens.arena.statistics import Standing, standings
from ludens.arena.workers import Series, play_in_processes, play_index, reachable
from ludens.core.errors import BadInput
from ludens.core.rng import SEED_LIMIT
from ludens.core.spec import Game

__all__ = ["Result", "run"]

_PATIENCE = 2.0  # seconds to play alone before asking whether more processes would pay
_WORTHWHILE = 6.0  # seconds of remaining work that pay for starting processes


@dataclass(frozen=True)
class Result:
    """The outcome of a series."""

    game: Game
    options: dict[str, str | int]
    seed: int
    games: int
    agents: tuple[Standing, ...]
    outcomes: tuple[Outcome, ...]  # game by game, for further analysis

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
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    workers: int | None = None,
    report: Callable[[int], None] = lambda finished: None,
    rotating: bool = True,
) -> Result:
    """Plays `games` games between the agents and counts.

    Options are the game's tournament options unless overridden. `workers` is the number of
    processes; None decides by how long the games take. `report` is told how many games are finished.
    Without `rotating` every agent keeps its place.
    """
    if games < 1:
        raise BadInput(f"The number of games must be at least 1, not {games}.")
    if not 0 <= seed < SEED_LIMIT:
        raise BadInput(f"A seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed}.")
    if workers is not None and workers < 1:
        raise BadInput(f"The number of workers must be at least 1, not {workers}.")
    given: dict[str, Any] = dict(options or {})
    if players is not None:
        if str(given.get("players", players)) != str(players):
            raise BadInput(f"The number of players is given twice: {players} and {given['players']}.")
        given["players"] = players
    if "players" not in given:
        given["players"] = fitting_players(game.spec, len(agents))
    for code in agents:
        parse_code(game, code)
    array = game.options({**game.spec.tournament, **given})
    lineup = arrange(game.spec, int(array[0]), agents, rotating)
    series = Series(game.spec.name, tuple(array.tolist()), tuple(agents), lineup, seed)
    outcomes = _play_all(series, games, workers, report)
    return Result(
        game=game,
        options=game.show_options(array),
        seed=seed,
        games=games,
        agents=tuple(standings(agents, lineup, outcomes)),
        outcomes=tuple(outcomes),
    )


def _play_all(series: Series, games: int, workers: int | None, report: Callable[[int], None]) -> list[Outcome]:
    """All outcomes in order. The first game is always played here, so that compiling happens once."""
    outcomes = {0: play_index(series, 0)}
    report(1)
    processes = workers or 1
    begun = time.monotonic()
    while processes == 1 and len(outcomes) < games:
        outcomes[len(outcomes)] = play_index(series, len(outcomes))
        report(len(outcomes))
        if workers is None:
            processes = _worthwhile_workers(series, games, len(outcomes), time.monotonic() - begun)
    rest = range(len(outcomes), games)
    if rest:
        for index, outcome in play_in_processes(series, rest, min(processes, len(rest))):
            outcomes[index] = outcome
            report(len(outcomes))
    return [outcomes[index] for index in range(games)]


def _worthwhile_workers(series: Series, games: int, finished: int, seconds: float) -> int:
    """As many processes as the machine has cores once it is clear that much work remains, else one."""
    remaining = seconds / (finished - 1) * (games - finished)
    if seconds < _PATIENCE or remaining < _WORTHWHILE or not reachable(series.game):
        return 1
    return os.cpu_count() or 1
