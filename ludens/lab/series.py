"""A series of games between agents: seats rotate, every game has its own seed, the result is reproducible."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.agents.codes import parse_code
from ludens.agents.guests import code_of, label
from ludens.core.errors import BadInput
from ludens.core.rng import SEED_LIMIT
from ludens.core.spec import Game
from ludens.lab.statistics import Standing, standings
from ludens.play.crew import DECISIONS, Alone, Crew, InFlight
from ludens.play.game import Outcome
from ludens.play.lineup import arrange, fitting_players
from ludens.play.workers import MOST_GAMES, Series, play_index, reachable

__all__ = ["Result", "Watch", "checked_series", "play_in_processes", "run"]

Watch = Callable[[list[InFlight]], None]
"""Told now and then how far the games are that are being played."""

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
    watch: Watch = lambda games: None,
) -> Result:
    """Plays `games` games between the agents, given as codes, classes or objects, and counts.

    Options are the game's tournament options unless overridden. `workers` is the number of
    processes; None decides by how long the games take. `report` is told how many games are finished, `watch`
    how far the others are.
    Without `rotating` every agent keeps its place. With `thoughts` the agents are asked what they thought.
    """
    entrants, array = checked_series(game, agents, games, seed, players, options, workers)
    labels = [label(entrant) for entrant in entrants]
    lineup = arrange(game.spec, int(array[0]), labels, rotating)
    series = Series(game.spec.name, tuple(array.tolist()), tuple(entrants), lineup, seed, thoughts)
    outcomes = _play_all(series, games, workers, report, watch)
    return Result(
        game=game,
        options=game.show_options(array),
        seed=seed,
        games=games,
        agents=tuple(standings(labels, lineup, outcomes, thoughts)),
        outcomes=tuple(outcomes),
    )


def checked_series(
    game: Game,
    agents: Sequence[Any],
    games: int,
    seed: int,
    players: int | None,
    options: Mapping[str, Any] | None,
    workers: int | None,
) -> tuple[list[Any], np.ndarray]:
    """The agents, as codes where possible, and the options of a series; what cannot be played is refused."""
    if games < 1:
        raise BadInput(f"The number of games must be at least 1, not {games}.")
    if games > MOST_GAMES:
        raise BadInput(f"A series has at most {MOST_GAMES:,} games, not {games:,}.")
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
    entrants = [agent if isinstance(agent, str) else code_of(agent) or agent for agent in agents]
    for entrant in entrants:
        parse_code(game, entrant, outside=True)
    if workers is not None and workers > 1 and any(not isinstance(entrant, str) for entrant in entrants):
        raise BadInput("An agent given as an object plays in one process; several need a class of a module, or a code.")
    array = game.options({**game.spec.tournament, **given})
    return entrants, array


@dataclass(frozen=True)
class _InMemory:
    """The games of a series: what an agent does wrong ends the series."""

    series: Series

    def part(self, numbers: Sequence[int]) -> _InMemory:
        return self

    def play(self, number: int, board: Any) -> tuple[int, Outcome]:
        def note(decisions: int) -> None:
            board[DECISIONS] = decisions

        return number, play_index(self.series, number, note)

    def ended(self, number: int, seat: int, decisions: int) -> tuple[int, Outcome]:
        raise BadInput(f"Game {number} ended its process twice, the second time after {decisions} choices.")


def play_in_processes(
    series: Series, indices: Sequence[int], workers: int, watch: Watch = lambda games: None
) -> Generator[tuple[int, Outcome], None, None]:
    """Plays the games in so many processes and yields them as they finish, in any order."""
    crew = Crew(workers)
    try:
        for played in crew.share(_InMemory(series), indices):
            yield from played
            watch(crew.in_flight())
    finally:
        crew.close()


def _play_all(
    series: Series, games: int, workers: int | None, report: Callable[[int], None], watch: Watch
) -> list[Outcome]:
    """All outcomes in order. The first game is always played here, so that compiling happens once."""
    outcomes: dict[int, Outcome] = {}
    here, processes, begun = Alone(), 1, time.monotonic()
    here.look = lambda: watch(here.in_flight())
    for played in here.share(_InMemory(series), range(games)):
        outcomes.update(played)
        report(len(outcomes))
        watch([])
        if len(outcomes) == 1:
            processes, begun = workers or 1, time.monotonic()
        elif workers is None:
            processes = _worthwhile_workers(series, games, len(outcomes), time.monotonic() - begun)
        if processes > 1:
            break
    rest = range(len(outcomes), games)
    if rest:
        with closing(play_in_processes(series, rest, min(processes, len(rest)), watch)) as others:
            for index, outcome in others:
                outcomes[index] = outcome
                report(len(outcomes))
    return [outcomes[index] for index in range(games)]


def _worthwhile_workers(series: Series, games: int, finished: int, seconds: float) -> int:
    """As many processes as the machine has cores once it is clear that much work remains, else one."""
    remaining = seconds / (finished - 1) * (games - finished)
    if seconds < _PATIENCE or remaining < _WORTHWHILE or not reachable(series.game):
        return 1
    if not all(isinstance(agent, str) for agent in series.agents):
        return 1
    return os.cpu_count() or 1
