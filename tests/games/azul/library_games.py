"""Random play through the library interface, shared by the tests of AZ-41 … AZ-72."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ludens.games.azul.library import AzulGame, Phase

__all__ = ["SETTINGS", "fingerprint", "random_game", "random_step", "started", "until"]

SETTINGS = [(players, grey) for players in (2, 3, 4) for grey in (False, True)]


def fingerprint(game: AzulGame) -> tuple[object, ...]:
    """All that can be seen of a game, whichever seat looks."""
    seen = [game.encode(seat).tolist() for seat in range(len(game.names))]
    return (game.phase, game.current, game.round_number, game.bag.counts, game.lid.counts, *map(tuple, seen))


def started(players: int = 2, grey: bool = False, seed: int = 1, **more: object) -> AzulGame:
    """A game whose first round is dealt; seat 0 begins unless `first` says otherwise."""
    game = AzulGame(players, grey=grey, seed=seed, **{"first": 0, **more})  # type: ignore[arg-type]
    game.start()
    return game


def random_step(game: AzulGame, random: Random) -> None:
    """One legal operation, whatever the phase."""
    if game.phase is Phase.TAKING:
        assert game.move(random.choice(game.valid_moves()))
    else:
        columns = game.open_columns()
        assert game.tile(random.choice(columns) if len(columns) > 1 else None)


def random_game(players: int, grey: bool, seed: int) -> Iterator[AzulGame]:
    """The game before every step of random play, and at its end."""
    game, random = started(players, grey, seed, round_limit=20), Random(seed)
    while game.phase is not Phase.OVER:
        yield game
        random_step(game, random)
    yield game


def until(game: AzulGame, phase: Phase, seed: int = 0) -> AzulGame:
    """Plays at random until the phase begins."""
    random = Random(seed)
    while game.phase is not phase:
        random_step(game, random)
    return game
