"""One game between agents: the same game as a match, views only, illegal choices reported."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ludens.agents.random import RandomAgent
from ludens.core import registry
from ludens.core.agent import Clock, Seating
from ludens.core.errors import IllegalMove
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, generator
from ludens.core.spec import Game
from ludens.core.verbs import UNKNOWN
from ludens.play.game import play_game
from ludens.play.seats import seat_agents


def _same_as_match(game: Game, values: dict[str, object], codes: list[str], seed: int) -> None:
    options = game.options(values)
    outcome = play_game(game, options, codes, seed)
    match = Match(game, values, seed)
    agents = seat_agents(game, options, codes, seed)
    choices = []
    while not match.over:
        choice = agents[match.actor].choose(match.view(match.actor), match.legal(), Clock())
        choices.append(choice)
        match.play(choice)
    assert list(outcome.choices) == choices
    assert list(outcome.scores) == match.scores()
    assert list(outcome.returns) == match.returns()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ({"players": 2}, ["heuristic", "random"]),
        ({"players": 3, "wall": "grey"}, ["random", "heuristic:ties=random", "heuristic"]),
        ({"players": 4, "first": "2"}, ["heuristic", "heuristic", "random", "heuristic"]),
    ],
)
def test_loop_plays_the_same_game_as_a_match(values: dict[str, object], codes: list[str], seed: int) -> None:
    _same_as_match(registry.game("azul"), values, codes, seed)


@pytest.mark.parametrize("players", [2, 3])
def test_loop_plays_the_same_game_as_a_match_with_hidden_cards(duel: Game, players: int) -> None:
    for seed in range(10):
        _same_as_match(duel, {"players": players}, ["random"] * players, seed)


class _Watcher(RandomAgent):
    """Remembers what it was shown."""

    seen: list[np.ndarray]
    ended: list[np.ndarray]
    seatings: list[Seating]

    def start(self, seating: Seating) -> None:
        super().start(seating)
        self.seatings.append(seating)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        self.seen.append(view.copy())
        assert legal.tolist() == sorted(set(legal.tolist()))
        return super().choose(view, legal, clock)

    def end(self, view: np.ndarray) -> None:
        self.ended.append(view.copy())


@pytest.mark.parametrize("oracle", [False, True])
def test_agents_get_views_and_only_oracles_the_state(duel: Game, add_agent: Callable[..., None], oracle: bool) -> None:
    _Watcher.seen, _Watcher.ended, _Watcher.seatings = [], [], []
    add_agent("watcher", _Watcher, oracle=oracle)
    play_game(duel, duel.options(), ["random", "watcher"], seed=3)
    assert len(_Watcher.seen) == 3
    assert len(_Watcher.ended) == 1
    for view in _Watcher.seen:
        assert (view[0].hand[0] == UNKNOWN).all() == (not oracle)
        assert UNKNOWN not in view[0].hand[1]


def test_an_agent_cannot_compute_the_draws_from_its_seed(duel: Game, add_agent: Callable[..., None]) -> None:
    _Watcher.seen, _Watcher.ended, _Watcher.seatings = [], [], []
    add_agent("watcher", _Watcher)
    play_game(duel, duel.options(), ["watcher", "watcher"], seed=3)
    seeds = [seating.seed for seating in _Watcher.seatings]
    assert len({3, *seeds}) == 3
    draws = generator(3, CHANCE_STREAM)[0]
    assert all(generator(seed, CHANCE_STREAM)[0] != draws for seed in seeds)


@pytest.mark.parametrize("answer", [299, -1, 10_000, None, "2 blue 3", True, 1.5])
def test_an_illegal_choice_names_agent_seat_and_game(add_agent: Callable[..., None], answer: object) -> None:
    class Cheat(RandomAgent):
        def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
            return answer  # type: ignore[return-value]

    add_agent("cheat", Cheat)
    azul = registry.game("azul")
    with pytest.raises(IllegalMove, match=r"Agent cheat on seat 2 answered .* after 0 choices of the game with seed 9"):
        play_game(azul, azul.options({"first": "2"}), ["random", "cheat"], seed=9)


def test_an_agent_that_changes_its_list_of_moves_cannot_cheat(add_agent: Callable[..., None]) -> None:
    class Forger(RandomAgent):
        def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
            legal[0] = 305
            return 305

    add_agent("forger", Forger)
    azul = registry.game("azul")
    with pytest.raises(IllegalMove, match="forger"):
        play_game(azul, azul.options({"first": "1"}), ["forger", "random"], seed=9)
