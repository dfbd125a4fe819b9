"""Tuning the weights of an evaluation by an evolution strategy (CMA-ES) over games in the arena.

Every candidate of a generation plays the same games against the weights that the tuning began with, seats
rotating; what it earns is its fitness. In the end the strategy's favourite plays fresh games against them. Who plays
the games, one process, several or a cluster, changes no weight.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import parse_code
from ludens.agents.search_settings import evaluation_weights
from ludens.core.errors import BadInput
from ludens.core.extras import require
from ludens.core.files import read_json, write_text
from ludens.core.renamed import with_new_names
from ludens.core.spec import Game
from ludens.core.weights import given_weights
from ludens.lab.standings import Standing, standings, table_of
from ludens.play.cluster import executor_for
from ludens.play.engine import Outcomes, play, play_outcome
from ludens.play.executors import Executor, reachable
from ludens.play.game import Outcome
from ludens.play.schedule import Schedule, game_seed, one_table
from ludens.version import __version__

__all__ = ["Generation", "Tuned", "TuningPlan", "tune"]

_FORMAT = "ludens-tuning/1"
_START = "start"
_MOST_WEIGHTS = 200  # among which an evolution strategy finds its way
_SMALLEST = 0.05  # weights near zero are varied by this part of the mean weight at least


@dataclass(frozen=True)
class TuningPlan:
    """How to tune."""

    agent: str  # the search that plays; it is given the evaluation to try
    evaluation: str = ""  # the one to begin with; by default the game's best
    games: int = 20  # a candidate and generation
    generations: int = 50
    seconds: float | None = None  # no generation but the first is begun after this time
    population: int | None = None  # candidates a generation; by default the strategy's own choice
    spread: float = 0.3  # how far the first candidates lie from the start, in parts of each weight
    proof: int = 200  # games of the favourite against the start
    players: int | None = None
    processes: int = 1
    seed: int = 0
    cluster: str | None = None  # the address of a Ray cluster that plays instead of processes

    def command(self, game: Game, generations: int, start: Path | None) -> str:
        """What to type to get the same weights again, after so many generations.

        It names the evaluation to begin with, since the tuned one may become the game's best.
        """
        begin = ("--evaluation", self.evaluation or next(iter(game.rules.evaluations)))
        words = ["ludens", "tune", game.spec.name, *(begin if start is None else ("--start", str(start)))]
        for option in fields(self):
            value = generations if option.name == "generations" else getattr(self, option.name)
            # Neither the clock nor who plays changes a weight.
            if option.name not in ("evaluation", "seconds", "processes", "cluster") and value != option.default:
                words += [f"--{option.name}", str(value)]
        return shlex.join(words)


@dataclass(frozen=True)
class Generation:
    """What one generation showed."""

    number: int
    best: float  # mean result of the best candidate against the start
    mean: float
    spread: float  # of the strategy, now
    seconds: float


@dataclass(frozen=True)
class Tuned:
    """The favourite and how it fared against the start in fresh games."""

    game: Game
    weights: np.ndarray
    generations: int
    standing: Standing

    def to_json(self, command: str) -> dict[str, Any]:
        return {
            "game": self.game.spec.name,
            "weights": [round(float(weight), 6) for weight in self.weights],
            "command": command,
            "generations": self.generations,
            "proof": {
                "games": self.standing.games,
                "win_share": round(self.standing.win_share, 4),
                "interval": [round(x, 4) for x in self.standing.interval],
            },
        }


def tune(
    game: Game,
    plan: TuningPlan,
    start: np.ndarray | None = None,
    report: Callable[[Generation], None] = print,
    kept: Path | None = None,
) -> Tuned:
    """Tunes; `start` are weights to begin with instead of a named evaluation. Bad plans are refused at once.

    A file `kept` holds every finished generation: with it a tuning that was broken off goes on as if it had not been.
    """
    require("tune", "Tuning")
    import cma

    _check(plan)
    if "evaluation" not in {parameter.name for parameter in parse_code(game, plan.agent)[0].parameters}:
        raise BadInput(f"Agent {plan.agent} takes no evaluation, so there is nothing to tune.")
    first = _first_weights(game, plan, start)
    if (plan.processes > 1 or plan.cluster is not None) and not reachable(game.spec.name):
        raise BadInput(f"Only one process can play {game.spec.name}: others do not know it.")
    journal = _Journal(kept, _identity(game, plan, first))
    scale = np.maximum(np.abs(first), _SMALLEST * np.abs(first).mean() or 1.0)
    settings: dict[str, Any] = {"seed": plan.seed + 1, "verbose": -9, "maxiter": plan.generations}
    if plan.population is not None:
        settings["popsize"] = plan.population
    strategy = cma.CMAEvolutionStrategy(np.zeros(len(first)), plan.spread, settings)
    begun = time.monotonic()
    with executor_for(plan.processes, plan.cluster) as executor:
        trial = _Trial(game, plan, first, executor)
        number = 0
        while number < plan.generations and (
            not number or plan.seconds is None or time.monotonic() - begun < plan.seconds
        ):
            number += 1
            asked = strategy.ask()
            known = journal.of(number)
            earned = known or trial.compare([first + scale * step for step in asked], number)
            if not known:
                journal.add(earned)
            strategy.tell(asked, [-value for value in earned])
            spent = time.monotonic() - begun
            report(Generation(number, max(earned), float(np.mean(earned)), float(strategy.sigma), spent))
        favourite = first + scale * np.asarray(strategy.result.xfavorite)
        return Tuned(game, favourite, number, trial.prove(favourite))


def _check(plan: TuningPlan) -> None:
    counts = {"games": plan.games, "generations": plan.generations, "proof": plan.proof, "processes": plan.processes}
    for name, value in counts.items():
        if not 1 <= value <= 10**6:
            raise BadInput(f"The number of {name} must be from 1 to {10**6}, not {value}.")
    if plan.population is not None and not 4 <= plan.population <= 10**4:
        raise BadInput(f"A generation has from 4 to {10**4} candidates, not {plan.population}.")
    if plan.seconds is not None and not 0 < plan.seconds <= 10**7:
        raise BadInput(f"The seconds of a tuning must be above 0 and at most {10**7}, not {plan.seconds}.")
    if not 0 < plan.spread <= 10:
        raise BadInput(f"The spread must be above 0 and at most 10, not {plan.spread}.")


def _first_weights(game: Game, plan: TuningPlan, start: np.ndarray | None) -> np.ndarray:
    named = evaluation_weights(game, plan.evaluation)
    if len(named) > _MOST_WEIGHTS:
        name = plan.evaluation
        raise BadInput(f"The evaluation {name} has {len(named):,} weights; up to {_MOST_WEIGHTS} can be tuned.")
    if start is not None and len(start) != len(named):
        raise BadInput(f"This evaluation of {game.spec.name} has {len(named)} weights, not {len(start)}.")
    return named if start is None else start


def _identity(game: Game, plan: TuningPlan, first: np.ndarray) -> dict[str, Any]:
    """All that the generations of a tuning depend on."""
    names = ("agent", "games", "population", "spread", "players", "seed")
    return {"game": game.spec.identity, **{name: getattr(plan, name) for name in names}, "start": first.tolist()}


class _Journal:
    """What candidates have earned, generation by generation, in a file (or nowhere, without a path).

    The strategy draws from its seed alone: telling it again what was earned brings it to where it was. A file of
    another tuning or version is refused.
    """

    def __init__(self, path: Path | None, identity: dict[str, Any]) -> None:
        self._path = path
        self._head = {"format": _FORMAT, "ludens": __version__, **identity}
        self._earned: list[list[float]] = []
        if path is not None and path.exists():
            self._earned = self._read(path)

    def _read(self, path: Path) -> list[list[float]]:
        document = read_json(path, "is no tuning to go on with")
        if not isinstance(document, dict) or document.get("format") != _FORMAT or "earned" not in document:
            raise BadInput(f"{path} is no tuning to go on with: its format is not {_FORMAT}.")
        document["agent"] = with_new_names(document.get("agent"))
        differing = [key for key, value in self._head.items() if document.get(key) != value]
        if differing:
            raise BadInput(
                f"{path} holds a tuning with other {' and '.join(differing)}; delete it or name another file."
            )
        earned: list[list[float]] = document["earned"]
        return earned

    def of(self, generation: int) -> list[float]:
        """What the candidates of a generation (from 1) have earned; nothing if it was not played."""
        return self._earned[generation - 1] if generation <= len(self._earned) else []

    def add(self, earned: list[float]) -> None:
        """One more generation."""
        self._earned.append(earned)
        if self._path is not None:
            write_text(self._path, json.dumps({**self._head, "earned": self._earned}) + "\n")


class _Trial:
    """Candidates against the start."""

    def __init__(self, game: Game, plan: TuningPlan, first: np.ndarray, executor: Executor) -> None:
        self._game, self._plan, self._first, self._executor = game, plan, tuple(first.tolist()), executor
        self._joint = "," if ":" in plan.agent else ":"

    def _schedule(self, name: str, weights: np.ndarray, games: int, seed: int) -> Schedule:
        """The games of a candidate: with the start on all places but one."""
        game, players = self._game, self._plan.players
        own, other = (f"{self._plan.agent}{self._joint}evaluation={word}" for word in (name, _START))
        options = game.options({**game.spec.tournament, **({} if players is None else {"players": players})})
        agents = (own, *[other] * (len(set(game.spec.sides(int(options[0])))) - 1))
        given = ((name, tuple(weights.tolist())), (_START, self._first))
        with given_weights(dict(given)):  # the codes name them
            schedule = one_table(game, agents, games, seed, options=game.show_options(options))
        return replace(schedule, evaluations=given)

    def compare(self, candidates: list[np.ndarray], generation: int) -> list[float]:
        """The mean result of every candidate, all with the same luck."""
        games, seed = self._plan.games, game_seed(self._plan.seed, generation)
        schedules = [self._schedule(f"g{generation}c{k}", weights, games, seed) for k, weights in enumerate(candidates)]
        jobs = [(schedule, number) for schedule in schedules for number in range(games)]
        outcomes = self._executor.map(play_outcome, jobs)
        earned = [_earned(*job, outcome) for job, outcome in zip(jobs, outcomes, strict=True)]
        return [float(np.mean(earned[k : k + games])) for k in range(0, len(earned), games)]

    def prove(self, weights: np.ndarray) -> Standing:
        """The candidate's standing in games that no generation has played."""
        schedule = self._schedule("favourite", weights, self._plan.proof, game_seed(self._plan.seed, 0))
        sink = Outcomes()
        play(schedule, sink, self._executor)
        return standings(table_of(schedule, sink.in_order()))[0]


def _earned(schedule: Schedule, number: int, outcome: Outcome) -> float:
    """The result of the first agent's seats in a game."""
    seats = [seat for seat, player in enumerate(schedule.at_seats(number)) if player == 0]
    return float(np.mean([outcome.returns[seat] for seat in seats]))
