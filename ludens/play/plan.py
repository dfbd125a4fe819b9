"""The plan of a tournament: who meets whom on which seats, how often, with which luck; every game has a number.

Games are numbered repetition by repetition: a run that is broken off has played all arrangements about equally often,
and a longer tournament begins with the games of a shorter one. With paired seeds all arrangements of a repetition
play on the same board with the same draws.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludens import __version__
from ludens.agents.codes import parse_code
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.rng import SEED_LIMIT
from ludens.core.spec import Game
from ludens.play.clock_rule import ClockRule
from ludens.play.lineup import sides_of
from ludens.play.workers import MOST_GAMES, game_seed

__all__ = ["FIXED", "PERMUTATIONS", "ROTATIONS", "SEATINGS", "Plan", "Player", "arrangements", "identity_of"]

_FILES = (".json", ".safetensors")  # what trained agents are kept in
ROTATIONS, PERMUTATIONS, FIXED = "rotations", "permutations", "fixed"
SEATINGS = (ROTATIONS, PERMUTATIONS, FIXED)
"""How a meeting is seated: every rotation, every different order, or as it is written only."""


@dataclass(frozen=True)
class Player:
    """An agent under the name that stands in results."""

    name: str
    code: str


@dataclass(frozen=True)
class Plan:
    """All that determines the games of a tournament; small and picklable, so that any process can play a part."""

    game: str
    options: tuple[int, ...]
    players: tuple[Player, ...]
    arrangements: tuple[tuple[int, ...], ...]  # a player (its index) for every place
    repetitions: int
    seed: int = 0
    paired: bool = True  # the same seed for all arrangements of a repetition
    clock: ClockRule = field(default_factory=ClockRule)
    most: int | None = None  # games at most: the last repetition may be cut

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

    def codes(self, number: int) -> list[str]:
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
        """Refuses what cannot be played."""
        if self.repetitions < 1:
            raise BadInput(f"The number of games must be at least 1, not {self.repetitions}.")
        if self.total > MOST_GAMES:
            raise BadInput(f"A series has at most {MOST_GAMES:,} games, not {self.total:,}.")
        if not 0 <= self.seed < SEED_LIMIT:
            raise BadInput(f"A seed is a whole number from 0 to {SEED_LIMIT - 1}, not {self.seed}.")
        if not self.arrangements:
            raise BadInput("A tournament needs at least one arrangement of its players.")
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


def identity_of(plan: dict[str, Any]) -> str:
    """A short name for what a plan tells of itself."""
    return hashlib.sha256(json.dumps(plan).encode()).hexdigest()[:16]


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
