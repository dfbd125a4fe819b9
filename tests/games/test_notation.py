"""Positions as text: everything that can happen comes back the same, and what cannot be is refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from ludens import Match
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.positions import position_from_notation, position_to_notation
from ludens.core.spec import Game

GAMES = [pytest.param(name, players) for name in registry.BUILT_IN for players in registry.game(name).spec.players]


def positions(game: Game, players: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """(options, state) of a random game, chance nodes left out."""
    rng = np.random.default_rng(seed)
    match = Match(game, players=players, seed=seed)
    found = [(match.options, match.state().copy())]
    while not match.over and len(found) < 400:
        legal = match.legal()
        match.play(int(rng.choice(legal)))
        found.append((match.options, match.state().copy()))
    return found


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_position_of_a_game_comes_back_the_same(name: str, players: int) -> None:
    game = registry.game(name)
    for number, (options, state) in enumerate(positions(game, players, seed=players)):
        if number % 7 and number > 10:
            continue
        text = position_to_notation(game, options, state)
        again, given, back = position_from_notation(text)
        assert again is game
        assert given.tolist() == options.tolist()
        tidy = state.copy()
        game.text.notation().tidy(tidy[0])
        assert back.tobytes() == tidy.tobytes(), text
