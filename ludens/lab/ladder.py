"""The ladder of a game: ratings of its agents in a local file, which grows by the games that tell most.

Every pair of agents has a run of its own in the file, seats rotating and seeds shared; games of another version of the
package or of the game stay in the file and are not counted.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import kinds, parse_code
from ludens.core.errors import BadInput
from ludens.core.files import check_target, make_folder
from ludens.core.spec import Game
from ludens.lab.ratings import ELO, comparisons, fit_strengths
from ludens.lab.standings import load_games
from ludens.play.cluster import executor_for
from ludens.play.engine import Progress
from ludens.play.executors import Executor
from ludens.play.results import ResultsFile
from ludens.play.schedule import ROTATIONS, Player, Schedule, arrangements, sides_of
from ludens.play.tournament import play_tournament
from ludens.version import __version__

__all__ = ["Ladder", "Rung", "covariance_of", "ladder_agents", "ladder_file", "ladder_json"]

_UNKNOWN = (ELO / 800) ** 2  # what is known of an agent before its first game: a spread of 800 points
_CHEAPEST = 0.1  # seconds: shorter games are not chosen for their shortness


@dataclass(frozen=True)
class Rung:
    """An agent's place on the ladder."""

    agent: str
    rating: float  # on the scale of chess, `random` (else the mean) being 0
    spread: float  # standard deviation of the rating
    games: int
    seconds: float | None  # a decision; None before its first game
    level: bool  # one of the names that people choose a strength by

    @property
    def low(self) -> float:
        return self.rating - 1.96 * self.spread

    @property
    def high(self) -> float:
        return self.rating + 1.96 * self.spread

    def to_json(self) -> dict[str, Any]:
        told = {"agent": self.agent, "rating": self.rating, "low": self.low, "high": self.high}
        return {**told, "games": self.games, "seconds": self.seconds, "level": self.level}


def ladder_file(game: Game) -> Path:
    """Where the ladder of a game is kept unless a file is named."""
    from platformdirs import user_data_path

    folder = make_folder(user_data_path("ludens") / "ladders")
    return folder / f"{game.spec.name}.db"


def ladder_agents(game: Game) -> list[str]:
    """The codes of all agents that need no parameters and see only what their seat may."""
    return [name for name, kind in kinds(game).items() if not kind.oracle and not kind.broken and kind.complete]


def covariance_of(wins: np.ndarray, ratings: np.ndarray) -> np.ndarray:
    """How uncertain ratings are together, in natural units: differences from their mean, with a vague guess."""
    x = ratings / ELO
    p = 1 / (1 + np.exp(-(x[:, None] - x[None, :])))
    weight = (wins + wins.T) * p * (1 - p)
    information = np.diag(weight.sum(axis=1)) - weight + _UNKNOWN * np.eye(len(x))
    middle = np.eye(len(x)) - 1 / len(x)
    return np.asarray(middle @ np.linalg.inv(information) @ middle)


class Ladder:
    """The ratings that a file holds, and the games that would sharpen them.

    Where no agents are named, all that need no parameters play, and others that have games in the file are rated too.
    """

    def __init__(self, game: Game, path: str | Path, agents: Sequence[str] | None = None) -> None:
        self.game, self.path = game, check_target(path)
        self.agents = list(dict.fromkeys(agents or ladder_agents(game)))
        for code in self.agents:
            parse_code(game, code, outside=True)
        if len(self.agents) < 2:
            raise BadInput("A ladder needs at least two agents.")
        self._players = len(self.agents)  # the first of them; the files of others may be gone
        if not agents:
            self.agents = list(dict.fromkeys([*self.agents, *self._rated()]))
        count = len(self.agents)
        self._wins = np.zeros((count, count))
        self._seconds, self._decisions, self._played = np.zeros(count), np.zeros(count), np.zeros(count, int)
        self._cost: dict[tuple[int, int], float] = {}
        self._known: dict[tuple[int, int], int] = {}
        self.load()

    def schedule(self, one: int, two: int, games: int) -> Schedule:
        """So many games between two agents, who fill the places in turn."""
        options = self.game.options({**self.game.spec.tournament})
        places = max(sides_of(self.game.spec, int(options[0]))) + 1
        meetings = [[(first + place) % 2 for place in range(places)] for first in (0, 1)]
        return Schedule(
            game=self.game.spec.name,
            options=tuple(options.tolist()),
            players=(Player(self.agents[one], self.agents[one]), Player(self.agents[two], self.agents[two])),
            arrangements=arrangements(meetings, ROTATIONS),
            repetitions=-(-games // len(arrangements(meetings, ROTATIONS))),
        )

    def _rated(self) -> list[str]:
        """Whoever has games of this version in the file."""
        if not self.path.exists():
            return []
        with ResultsFile(self.path) as file:
            return [agent for run in file.runs() if run.name.endswith(self._of_now) for agent in run.players]

    @property
    def _of_now(self) -> str:
        return f", {self.game.spec.identity}, ludens {__version__}"

    def _name(self, one: int, two: int) -> str:
        return f"{self.agents[one]} – {self.agents[two]}{self._of_now}"

    def load(self) -> None:
        """Reads all games of this version."""
        if not self.path.exists():
            return
        names = {self._name(i, j): (i, j) for i, j in itertools.permutations(range(len(self.agents)), 2)}
        self._known.clear()
        self._wins[:], self._seconds[:], self._decisions[:], self._played[:] = 0, 0, 0, 0
        with ResultsFile(self.path) as file:
            for run in file.runs():
                if run.name not in names:
                    continue
                pair = names[run.name]
                if pair[::-1] in self._known:
                    continue  # the same seeds once more, begun when the agents were named in another order
                games = load_games(file, run)
                if games.games == 0:
                    continue
                wins = comparisons(games).wins()
                both = games.places and len(games.places) // 2 * ((len(games.places) + 1) // 2)
                self._wins[pair[0], pair[1]] += wins[0, 1] / max(1, both)
                self._wins[pair[1], pair[0]] += wins[1, 0] / max(1, both)
                for own, agent in enumerate(pair):
                    seats = games.player == own
                    self._seconds[agent] += games.seconds[seats].sum()
                    self._decisions[agent] += games.decisions[seats].sum()
                    self._played[agent] += games.games
                self._cost[min(pair), max(pair)] = float(games.seconds.sum(axis=1).mean())
                self._known[pair] = games.games

    def _ratings(self) -> np.ndarray:
        return np.asarray(np.nan_to_num(fit_strengths(self._wins)))

    def rungs(self) -> list[Rung]:
        """The agents from strong to weak."""
        ratings = self._ratings()
        anchor = self.agents.index("random") if "random" in self.agents else None
        base = ratings.mean() if anchor is None else ratings[anchor]
        spread = ELO * np.sqrt(np.diag(covariance_of(self._wins, ratings)))
        known = kinds(self.game)
        found = []
        for k, agent in enumerate(self.agents):
            seconds = float(self._seconds[k] / self._decisions[k]) if self._decisions[k] else None
            level = agent in known and bool(known[agent].preset)
            found.append(Rung(agent, float(ratings[k] - base), float(spread[k]), int(self._played[k]), seconds, level))
        return sorted(found, key=lambda rung: -rung.rating)

    def next_pair(self) -> tuple[int, int]:
        """The pair whose next game shrinks the uncertainty of all ratings most, for the time it takes."""
        ratings = self._ratings()
        covariance, x = covariance_of(self._wins, ratings), ratings / ELO
        best, choice = -1.0, (0, 1)
        for i, j in itertools.combinations(range(self._players), 2):
            p = 1 / (1 + math.exp(-(x[i] - x[j])))
            column = covariance[:, i] - covariance[:, j]
            weight = p * (1 - p)
            gain = weight * float(column @ column) / (1 + weight * float(column[i] - column[j]))
            worth = gain / max(_CHEAPEST, self._seconds_of(i, j))
            if worth > best:
                best, choice = worth, (i, j)
        return choice

    def _seconds_of(self, i: int, j: int) -> float:
        """Seconds a game: as measured, else from the two agents' other games."""
        if (i, j) in self._cost:
            return self._cost[i, j]
        known = [cost / 2 for pair, cost in self._cost.items() if i in pair or j in pair]
        return 2 * max(known) if known else _CHEAPEST

    def play(
        self,
        games: int,
        seconds: float = math.inf,
        workers: int = 1,
        report: Callable[[int, str], None] = lambda finished, pair: None,
        executor: Executor | None = None,
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> int:
        """Plays about so many games, the most informative ones first, until the time is over; returns how many.

        `report` is told what was played and who plays now, `watch` how far those games are.
        """
        own = executor or executor_for(workers)
        begun, finished = time.monotonic(), 0
        try:
            while finished < games and time.monotonic() - begun < seconds:
                one, two = self.next_pair()
                if (two, one) in self._known:
                    one, two = two, one  # go on with the run that there is
                have = self._known.get((one, two), 0)
                schedule = self.schedule(one, two, have + 2 * own.workers)
                report(finished, f"{self.agents[one]} – {self.agents[two]}")
                play_tournament(schedule, self.path, self._name(one, two), report=watch, executor=own)
                self.load()
                finished += self._known[one, two] - have
        finally:
            if executor is None:
                own.close()
        return finished


def ladder_json(game: Game, path: str | Path | None = None, agents: Sequence[str] | None = None) -> dict[str, Any]:
    """The ladder as it is stored, for pages and programs; without names, of agents that everybody knows."""
    ladder = Ladder(game, path or ladder_file(game), agents or ladder_agents(game))
    return {
        "game": game.spec.identity,
        "version": __version__,
        "rungs": [rung.to_json() for rung in ladder.rungs()],
    }
