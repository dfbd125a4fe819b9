"""Which games are played: who meets whom on which seats, how often, with which luck; every game has a number.

A place is a side of the game: a seat where everybody plays for oneself, all seats of a team where there are teams.
Games are numbered repetition by repetition: a schedule that is broken off has played all arrangements about equally
often, and a longer one begins with the games of a shorter one. With paired seeds all arrangements of a repetition
play on the same board with the same draws.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.codes import parse_code
from ludens.agents.guests import code_of, label
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.inputs import checked_seed, with_players
from ludens.core.rng import GAME_SEED, generator
from ludens.core.spec import Game, GameSpec
from ludens.play.executors import reachable
from ludens.version import __version__

__all__ = [
    "CPU",
    "FIXED",
    "PERMUTATIONS",
    "ROTATIONS",
    "SEATINGS",
    "WALL",
    "ClockRule",
    "Player",
    "Schedule",
    "arrangements",
    "fitting_players",
    "game_seed",
    "identity_of",
    "one_table",
    "round_robin",
    "sides_of",
]

WALL, CPU = "wall", "cpu"
ROTATIONS, PERMUTATIONS, FIXED = "rotations", "permutations", "fixed"
SEATINGS = (ROTATIONS, PERMUTATIONS, FIXED)
"""How a meeting is seated: every rotation, every different order, or as it is written only."""
_MOST_GAMES = 10**7  # of a schedule: more would not fit the memory that their statistics take
_MOST_ARRANGEMENTS = 5_000
_MOST_SECONDS = 1e7  # no alarm can be set for ever
_FILES = (".json", ".safetensors")  # what trained agents are kept in


@dataclass(frozen=True)
class ClockRule:
    """The time an agent has, in seconds; who exceeds it has lost the game. None is as long as it likes."""

    move: float | None = None
    game: float | None = None
    measure: str = WALL  # or CPU: the time of the agent's process, all its threads together

    def __post_init__(self) -> None:
        if self.measure not in (WALL, CPU):
            raise BadInput(f"A clock measures {WALL} or {CPU} time, not {self.measure!r}.")
        for limit in (self.move, self.game):
            if limit is not None and not 0 < limit <= _MOST_SECONDS:
                raise BadInput(
                    f"The limit of a clock must be more than 0 seconds and at most {_MOST_SECONDS:,.0f}, not {limit}."
                )

    def to_json(self) -> dict[str, Any]:
        limits = {"move": self.move, "game": self.game}
        told = {name: None if limit is None else float(limit) for name, limit in limits.items()}
        return {**told, "measure": self.measure}


@dataclass(frozen=True)
class Player:
    """An agent under the name that stands in results."""

    name: str
    code: Any  # a class or an agent given in Python plays in this process only, and is not stored


@dataclass(frozen=True)
class Schedule:
    """All that determines the games; small and picklable, so that any process can play a part."""

    game: str
    options: tuple[int, ...]
    players: tuple[Player, ...]
    arrangements: tuple[tuple[int, ...], ...]  # a player (its index) for every place
    repetitions: int
    seed: int = 0
    paired: bool = True  # the same seed for all arrangements of a repetition
    clock: ClockRule = field(default_factory=ClockRule)
    most: int | None = None  # games at most: the last repetition may be cut
    thoughts: bool = False  # are the agents asked what they thought?
    evaluations: tuple[tuple[str, tuple[float, ...]], ...] = ()  # weights that the codes name and nobody else knows

    @property
    def total(self) -> int:
        whole = self.repetitions * len(self.arrangements)
        return whole if self.most is None else min(whole, self.most)

    def arrangement(self, number: int) -> int:
        """The index of the arrangement that a game plays."""
        return number % len(self.arrangements)

    def at_places(self, number: int) -> tuple[int, ...]:
        """The player on every place of a game."""
        return self.arrangements[self.arrangement(number)]

    def at_seats(self, number: int) -> tuple[int, ...]:
        """The player on every seat of a game."""
        places = self.at_places(number)
        return tuple(places[side] for side in self.sides)

    def seed_of(self, number: int) -> int:
        """The seed of a game."""
        return game_seed(self.seed, number // len(self.arrangements) if self.paired else number)

    def codes(self, number: int) -> list[Any]:
        return [self.players[player].code for player in self.at_seats(number)]

    @property
    def spec_game(self) -> Game:
        return registry.game(self.game)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of every seat, numbered from 0."""
        return sides_of(self.spec_game.spec, self.options[0])

    @property
    def option_array(self) -> np.ndarray:
        return np.array(self.options, np.int64)

    @property
    def portable(self) -> bool:
        """Can other processes play it?"""
        return reachable(self.game) and all(isinstance(player.code, str) for player in self.players)

    @property
    def seated(self) -> list[tuple[str, int]]:
        """Every code with every seat that it has in some game."""
        pairs = (
            (self.players[one[side]].code, seat) for one in self.arrangements for seat, side in enumerate(self.sides)
        )
        return list(dict.fromkeys(pairs))

    @property
    def files(self) -> dict[str, str]:
        """The files that codes name, with a hash of what they hold: the same code plays otherwise with another file."""
        words = {
            part.rpartition("=")[2] for player in self.players for part in player.code.replace(":", ",").split(",")
        }
        paths = sorted(word for word in words if Path(word).suffix in _FILES and Path(word).is_file())
        return {path: hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16] for path in paths}

    @property
    def fewest_games(self) -> int:
        """Games of the player who sits in fewest of them, games beside nobody but itself left out."""
        counts = [0] * len(self.players)
        for places in self.arrangements:
            for player in set(places) if len(set(places)) > 1 else ():
                counts[player] += 1
        return min((count for count in counts if count), default=0) * self.repetitions

    def to_json(self) -> dict[str, Any]:
        """What determines each game; the number of repetitions is no part of it, so that a run can be lengthened."""
        files = {"files": found} if (found := self.files) else {}
        return {
            "game": self.spec_game.spec.identity,
            "ludens": __version__,
            "options": self.spec_game.show_options(self.option_array),
            "players": {player.name: player.code for player in self.players},
            "arrangements": [list(one) for one in self.arrangements],
            "seed": self.seed,
            "paired": self.paired,
            "clock": self.clock.to_json(),
            **files,
        }

    @property
    def identity(self) -> str:
        """A hash of the configuration and the versions."""
        return identity_of(self.to_json())

    def check(self) -> None:
        """Refuses what cannot be played and stored."""
        _check_size(self.repetitions, self.seed)
        if not self.arrangements:
            raise BadInput("A tournament needs at least one arrangement of its players.")
        _check_size(self.total, self.seed)
        names = [player.name for player in self.players]
        for name in names:
            if names.count(name) > 1:
                raise BadInput(f"Two players have the name {name!r}.")
        places = max(self.sides) + 1
        for one in self.arrangements:
            if len(one) != places:
                title = self.spec_game.spec.title
                raise BadInput(f"{title} with {self.options[0]} players has {places} places, not {len(one)}.")
        for player in self.players:
            parse_code(self.spec_game, player.code, outside=True)


def _check_size(games: int, seed: int) -> None:
    if games < 1:
        raise BadInput(f"The number of games must be at least 1, not {games}.")
    if games > _MOST_GAMES:
        raise BadInput(f"A series has at most {_MOST_GAMES:,} games, not {games:,}.")
    checked_seed(seed)


def game_seed(seed: int, index: int) -> int:
    """The seed of game number `index` of a series."""
    return int(generator(seed, GAME_SEED, index)[0]) >> 11


def sides_of(spec: GameSpec, players: int) -> tuple[int, ...]:
    """The sides of the seats, renumbered from 0 in the order they appear."""
    raw = spec.sides(players)
    order = list(dict.fromkeys(raw))
    return tuple(order.index(side) for side in raw)


def fitting_players(spec: GameSpec, agents: int) -> int:
    """The number of players that gives every agent one place, else the smallest with room for all."""
    counts = [spec.default_players, *sorted(spec.players)]
    places = {count: max(sides_of(spec, count)) + 1 for count in counts}
    for exact in (True, False):
        for count in counts if exact else sorted(spec.players):
            if places[count] == agents or (not exact and places[count] > agents):
                return count
    raise BadInput(f"{spec.title} has room for {max(places.values())} agents at most, not {agents}.")


def arrangements(meetings: Iterable[Sequence[int]], seating: str) -> tuple[tuple[int, ...], ...]:
    """Every way to seat the meetings, each once, in order."""
    found: dict[tuple[int, ...], None] = {}
    for meeting in meetings:
        own = tuple(meeting)
        if seating == FIXED:
            orders: Iterable[tuple[int, ...]] = [own]
        elif seating == ROTATIONS:
            orders = [own[shift:] + own[:shift] for shift in range(len(own))]
        elif seating == PERMUTATIONS:
            orders = sorted(set(itertools.permutations(own)))
        else:
            raise BadInput(f"Seats are given by {', '.join(SEATINGS)}, not {seating!r}.")
        found.update(dict.fromkeys(orders))
    return tuple(found)


# --- the schedules of commands ---------------------------------------------------------------


def one_table(
    game: Game,
    agents: Sequence[Any],
    games: int,
    seed: int = 0,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    rotating: bool = True,
    merged: bool = False,
) -> Schedule:
    """Games of a few agents at one table, given as codes, classes or objects; every game has its own seed.

    They rotate over the places, or keep them; places that are left over they fill in turn. Options are the game's
    tournament options unless overridden. `merged`: an agent that is named twice is one player.
    """
    _check_size(games, seed)
    given: dict[str, Any] = dict(with_players(options, players) or {})
    if "players" not in given:
        given["players"] = fitting_players(game.spec, len(agents))
    entrants = [agent if isinstance(agent, str) else code_of(agent) or agent for agent in agents]
    for entrant in entrants:
        parse_code(game, entrant, outside=True)
    array = game.options({**game.spec.tournament, **given})
    places = max(sides_of(game.spec, int(array[0]))) + 1
    if not entrants:
        raise BadInput("An arena needs at least one agent.")
    if len(entrants) > places:
        raise BadInput(f"{game.spec.title} with {array[0]} players has room for {places} agents, not {len(entrants)}.")
    sitting = list(dict.fromkeys(entrants)) if merged else entrants
    numbers = [sitting.index(entrant) for entrant in entrants] if merged else range(len(entrants))
    meeting = [numbers[place % len(entrants)] for place in range(places)]
    orders = arrangements([meeting], ROTATIONS if rotating else FIXED)
    return Schedule(
        game=game.spec.name,
        options=tuple(array.tolist()),
        players=tuple(Player(label(entrant), entrant) for entrant in sitting),
        arrangements=orders,
        repetitions=-(-games // len(orders)),
        seed=seed,
        paired=False,
        most=games,
    )


def round_robin(
    game: Game,
    agents: Sequence[str],
    games: int,
    players: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    seating: str = ROTATIONS,
) -> Schedule:
    """At least so many games in which all agents meet equally often on every seat; they share their seeds.

    Where a table has more places than there are agents, the agents fill them in every mixture.
    """
    if games < 1:
        raise BadInput(f"The number of games must be at least 1, not {games}.")
    if len(agents) < 2:
        raise BadInput("A tournament needs at least two agents.")
    for agent in agents:
        parse_code(game, agent)
        if agents.count(agent) > 1:
            raise BadInput(f"Agent {agent} is named twice.")
    given = {**game.spec.tournament, **(options or {})}
    if players is not None:
        given["players"] = players
    array = game.options(given)
    places = max(sides_of(game.spec, int(array[0]))) + 1
    if places < 2:
        raise BadInput(f"{game.spec.title} with {int(array[0])} players has one side alone; nobody could win.")
    mixed = len(agents) < places
    choose = itertools.combinations_with_replacement if mixed else itertools.combinations
    meetings = [one for one in choose(range(len(agents)), places) if len(set(one)) > 1]
    orders = arrangements(meetings, seating)
    if len(orders) > _MOST_ARRANGEMENTS:
        raise BadInput(f"{len(agents)} agents would meet in {len(orders)} ways; choose fewer.")
    schedule = Schedule(
        game=game.spec.name,
        options=tuple(array.tolist()),
        players=tuple(Player(agent, agent) for agent in agents),
        arrangements=orders,
        repetitions=math.ceil(games / len(orders)),
        seed=seed,
    )
    schedule.check()
    return schedule


def identity_of(plan: dict[str, Any]) -> str:
    """A short name for what a schedule tells of itself."""
    return hashlib.sha256(json.dumps(plan).encode()).hexdigest()[:16]
