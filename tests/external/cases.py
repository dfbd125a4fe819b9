"""What the suites of others run over: every registered game and the two small example games.

All player counts, but of games that may last very long only the smallest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record, registry
from ludens.core.match import Match
from ludens.core.spec import Game
from tests.examples import hidden, tiny

__all__ = ["CASES", "GAMES", "features", "match_of", "options_of", "over_all_cases", "scripted"]

GAMES: list[Game] = [*registry.games(), tiny.GAME, hidden.GAME]
_LONG = 100_000  # bound on a game's log above which one player count must do


def _counts(game: Game) -> tuple[int, ...]:
    longest = game.spec.longest(game.options(game.spec.tournament))
    return game.spec.players if longest is None or longest < _LONG else game.spec.players[:1]


CASES = [(game, players) for game in GAMES for players in _counts(game)]

over_all_cases: Callable[[Any], Any] = pytest.mark.parametrize(
    ("game", "players"), CASES, ids=[f"{game.spec.name}-{players}" for game, players in CASES]
)


def options_of(game: Game, players: int) -> dict[str, Any]:
    """The options that all adapters use by default, for this number of players."""
    return {**game.spec.tournament, "players": players}


def match_of(game: Game, players: int, seed: int) -> Match:
    """The match that an adapter of the same seed must agree with."""
    return Match(game, options_of(game, players), seed)


def scripted(match: Match) -> int:
    """The actor's move by a fixed script that differs from seat to seat and from ply to ply."""
    legal = match.legal()
    return int(legal[(match.ply * (match.actor + 2) + match.ply // 3) % len(legal)])


def features(match: Match, seat: int) -> np.ndarray:
    """The features of the seat's view, made without any adapter."""
    view = record.blank(match.game.dtype)
    kernels.view_at(match.state(), 0, seat, view)
    out = np.zeros(match.game.spec.observation_size(match.options), np.float32)
    kernels.observe_at(view, 0, seat, out)
    return out
