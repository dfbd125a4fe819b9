"""What is claimed of the agents' strength: one line a claim, and the games that decide it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ludens.agents.codes import named_kinds, parse_code
from ludens.core.registry import game
from ludens.core.spec import Game
from ludens.lab.statistics import share_interval
from ludens.play.record import victory_shares
from ludens.play.schedule import Schedule, one_table

__all__ = ["LEVEL", "SEED", "Games", "Line", "Share", "all_lines", "interval"]

_RUNGS = (50, 200, 800)  # simulations of the budget ladder, four times as many from rung to rung
_LADDER_GAMES = {"scotland_yard_grid": 4000}  # cheap, and the sides decide so much that only many games tell
LEVEL = "medium"
SEED = 8


@dataclass(frozen=True)
class Share:
    """Won games of one agent: its share and the 95 % interval."""

    games: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%} – {self.high:.1%})"


def interval(won: list[float]) -> Share:
    """Wilson's interval of a mean share of victory (for shared victories it errs on the wide side)."""
    return Share(len(won), math.fsum(won) / max(1, len(won)), *share_interval(math.fsum(won), len(won)))


Games = dict[int, tuple[float, ...]]
"""Finished games of a line: index in the series -> returns of the seats."""


@dataclass(frozen=True)
class Line:
    """A series whose first agent is measured."""

    name: str  # unique; results are stored under it
    game: str
    agents: tuple[str, ...]
    games: int
    claim: str
    holds: Callable[[Share, float], bool]  # by the share of victories and the largest of the lines in `against`
    place: int | None = None  # measure the first agent on this side only
    players: int | None = None
    against: tuple[str, ...] = ()  # names of lines to compare with

    @property
    def options(self) -> dict[str, object]:
        found = game(self.game)
        return {**found.spec.tournament, "players": self.players or found.spec.default_players}

    @cached_property
    def schedule(self) -> Schedule:
        """The whole series, of which only some games are played where the first agent has one side alone."""
        return one_table(game(self.game), self.agents, len(self.agents) * self.games, SEED, options=self.options)

    @property
    def threads(self) -> int:
        """Cores that one game of this line keeps busy."""
        found = game(self.game)
        return max(int(parse_code(found, code)[1].get("threads", 1)) for code in self.agents)

    @property
    def indices(self) -> list[int]:
        """The games of the series that are played: those with the first agent where it is measured."""
        schedule = self.schedule
        fitting = (i for i in itertools.count() if self.place is None or schedule.at_places(i)[self.place] == 0)
        return list(itertools.islice(fitting, self.games))

    def share(self, games: Games) -> Share:
        """The victories of the first agent."""
        won, schedule = [], self.schedule
        for index, returns in sorted(games.items()):
            by_place = victory_shares(returns, schedule.sides)
            for at, agent in enumerate(schedule.at_places(index)):
                if agent == 0 and self.place in (None, at):
                    won.append(by_place[at])
        return interval(won)


def _azul() -> Iterator[Line]:
    yield Line(
        "azul-medium", "azul", ("medium", "heuristic"), 200, "at least 90 %", lambda found, _: found.share >= 0.9
    )


def _discovery() -> Iterator[Line]:
    order = ("Ex-2", "H-Gr", "MC", "H-Pot", "H-Rnd")  # of the thesis, strongest first (CD-147)
    for better, worse in itertools.combinations(order, 2):
        name, claim = f"discovery-{better}-{worse}", "not weaker, within sampling error (CD-147)"
        yield Line(name, "discovery", (better, worse), 100, claim, lambda found, _: found.high >= 0.5)
    for other in order:
        name = f"discovery-medium-{other}"
        yield Line(name, "discovery", ("medium", other), 60, "above one half", lambda found, _: found.low > 0.5)


def _catan() -> Iterator[Line]:
    agents = ("medium", "value", "value", "value")
    yield Line("catan-medium", "catan", agents, 200, "above a quarter", lambda found, _: found.low > 0.25, players=4)


_X, _DETECTIVES = 0, 1  # the sides of Scotland Yard


def _scotland_yard() -> Iterator[Line]:
    """All heuristics lead Mr. X alike, so that there is one of him and several kinds of detectives."""
    name, detectives = "scotland_yard", ("evade", "shrink", "chase")
    yield Line(
        "sy-equal-time", name, ("medium", "medium"), 100, "Mr. X wins between ¼ and ¾",
        lambda found, _: 0.25 <= found.share <= 0.75, _X,
    )  # fmt: skip
    for other in detectives:
        claim = "detectives' wins, to compare with"
        yield Line(f"sy-detectives-{other}", name, (other, "evade"), 200, claim, lambda *_: True, _DETECTIVES)
    yield Line(
        "sy-detectives-medium", name, ("medium", "evade"), 100, "detectives win more often than by any heuristic",
        lambda found, best: found.share > best, _DETECTIVES, against=tuple(f"sy-detectives-{d}" for d in detectives),
    )  # fmt: skip
    for other in detectives:
        claim = "Mr. X's wins, to compare with"
        yield Line(f"sy-x-{other}", name, ("evade", other), 200, claim, lambda *_: True, _X)
        yield Line(
            f"sy-x-medium-{other}", name, ("medium", other), 100, "Mr. X wins more often than by the heuristic",
            lambda found, best: found.share > best, _X, against=(f"sy-x-{other}",),
        )  # fmt: skip


def _ladder(found: Game) -> Iterator[Line]:
    """Four times the simulations of the medium level's search, at equal terms otherwise."""
    level = named_kinds(found).get(LEVEL)
    if level is None or "simulations" not in {parameter.name for parameter in level.parameters}:
        return
    base = next(kind.name for kind in named_kinds(found).values() if kind.make is level.make and not kind.preset)
    kept = {key: value for key, value in level.preset.items() if key not in ("seconds", "simulations", "threads")}
    words = "".join(f",{key}={value}" for key, value in kept.items())
    even = 1 / len(set(found.spec.sides(found.spec.default_players)))
    for few, many in itertools.pairwise(_RUNGS):
        codes = tuple(f"{base}:simulations={n}{words}" for n in (many, few))
        name, claim = f"ladder-{found.spec.name}-{few}-{many}", f"four times the budget: above {even:.0%}"
        games = _LADDER_GAMES.get(found.spec.name, 400)
        yield Line(name, found.spec.name, codes, games, claim, lambda share, _: share.low > even)


_CLAIMS = {"azul": _azul, "discovery": _discovery, "catan": _catan, "scotland_yard": _scotland_yard}


def all_lines(names: list[str]) -> Iterator[Line]:
    """The lines of these games whose agents exist."""
    for name in names:
        found = game(name)
        known = named_kinds(found)
        for line in _CLAIMS.get(name, lambda: iter(()))():
            if all(code.partition(":")[0] in known for code in line.agents):
                yield line
        yield from _ladder(found)
