"""Which games and options the conformance suite runs over: all of them.

Every registered game and the example games, with every player count, and with every other
choice of every option once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.registry import games, register
from ludens.core.rng import CHANCE_STREAM, POLICY, enter_event, generator, pick
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from tests.examples import hidden, tiny

_MOST_SAMPLES = 60  # positions of a long game that are enough to look at
_SHORT = 60  # bound on games, in what the game counts, where only an option is tried


@dataclass(frozen=True)
class Case:
    """One game with one set of options."""

    game: Game
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        given = "-".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.game.spec.name}-{given}"

    @property
    def values(self) -> np.ndarray:
        return self.game.options({**self.game.spec.tournament, **self.options})

    @property
    def players(self) -> int:
        return int(self.values[0])


register(tiny.GAME)
register(hidden.GAME)


def all_games() -> list[Game]:
    return games()


def all_cases() -> list[Case]:
    """Whole games for every number of players, and shorter ones for every other choice that makes a difference."""
    found = []
    for game in all_games():
        found += [Case(game, {"players": players}) for players in game.spec.players]
        short = {name: min(value, _SHORT) for name, value in game.spec.tournament.items() if isinstance(value, int)}
        usual = first_state(Case(game, short)).tobytes()
        for option in game.spec.options:
            for value, word in enumerate(option.choices):
                case = Case(game, {**short, option.name: word})
                if value != option.default and _allowed(game, case.options) and first_state(case).tobytes() != usual:
                    found.append(case)
    return found


def _allowed(game: Game, options: dict[str, Any]) -> bool:
    try:
        game.options(options)
    except ValueError:
        return False
    return True


def over_cases(test: Any) -> Any:
    """Runs a test for every case; the cases of a game stay on one worker, which compiles it once."""
    group = {game.spec.name: pytest.mark.xdist_group(game.spec.name) for game in all_games()}
    marked = [pytest.param(case, id=str(case), marks=group[case.game.spec.name]) for case in all_cases()]
    return pytest.mark.parametrize("case", marked)(test)


def over_games(test: Any) -> Any:
    """Runs a test for every game."""
    marked = [
        pytest.param(game, id=game.spec.name, marks=pytest.mark.xdist_group(game.spec.name)) for game in all_games()
    ]
    return pytest.mark.parametrize("game", marked)(test)


@dataclass
class Node:
    """One position of a random game, and what was played in it (-1 at the end)."""

    state: np.ndarray
    actor: int
    legal: np.ndarray
    played: int


def first_state(case: Case) -> np.ndarray:
    state = record.blank(case.game.dtype)
    kernels.reset_at(state, 0, case.values)
    return state


def random_nodes(case: Case, seed: int) -> Iterator[Node]:
    """Every position of one random game, from the first to the last."""
    chance_rng, policy_rng = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    legal = np.zeros(case.game.spec.actions, np.int64)
    state = first_state(case)
    events = 0
    while True:
        actor = int(kernels.actor_at(state, 0))
        n = int(kernels.legal_at(state, 0, legal))
        if actor == TERMINAL:
            yield Node(state.copy(), actor, legal[:n].copy(), -1)
            return
        if actor == CHANCE:
            enter_event(chance_rng, events)
            events += 1
            played = int(kernels.draw_at(state, 0, chance_rng))
        else:
            played = int(legal[0] if n == 1 else legal[pick(policy_rng, n)])
        yield Node(state.copy(), actor, legal[:n].copy(), played)
        kernels.apply_at(state, 0, played)


def sample_nodes(case: Case, seed: int, every: int = 7) -> Iterator[Node]:
    """Every seventh position of a random game and its last; of a long game fewer, spread over it all."""
    every = max(every, _length(case, seed) // _MOST_SAMPLES)
    for k, node in enumerate(random_nodes(case, seed)):
        if k % every == 0 or node.actor == TERMINAL:
            yield node


def _length(case: Case, seed: int) -> int:
    """How many positions the game of `random_nodes` has, as far as the buffer reaches."""
    rngs = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    legal, log = np.zeros(case.game.spec.actions, np.int64), np.zeros(100_000, np.int64)
    return int(kernels.random_game(first_state(case), *rngs, legal, log))
