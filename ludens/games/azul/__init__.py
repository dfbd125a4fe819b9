"""Azul: take tiles from factories, fill lines, tile the wall. 2–4 players, open information, chance in the deal."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game, GameSpec, Option
from ludens.core.verbs import Rules
from ludens.games.azul import evaluate, features, prior, rules, symmetries
from ludens.games.azul.rules.invariants import check_position
from ludens.games.azul.state import (
    DTYPE,
    FACTORY_ROOM,
    MAX_PLAYERS,
    MAX_SOURCES,
    SIZE,
    STEP,
    TILES_PER_COLOUR,
)
from ludens.games.azul.text import WORDS

__all__ = ["GAME"]


def _check(options: np.ndarray) -> None:
    players, first = int(options[0]), int(options[2])
    if first > players:
        raise BadInput(f"Option first names seat {first}, but there are {players} players.")


def _longest(options: np.ndarray) -> int | None:
    """Drawn start, then rounds of a deal, a take a tile at most, and six tiling steps a player."""
    players, limit = int(options[0]), int(options[3])
    deal = FACTORY_ROOM * rules.factories_of(players, int(options[4]))
    return 1 + limit * (2 * deal + 6 * players) if limit else None


GAME = Game(
    spec=GameSpec(
        name="azul",
        title="Azul",
        rulebook="azul",
        version=1,
        summary="Take tiles of one colour, fill pattern lines and tile the palace wall.",
        players=(2, 3, MAX_PLAYERS),
        default_players=2,
        chance=True,
        hidden=False,
        actions=STEP + 1,
        automatic_from=STEP,
        outcomes=SIZE,
        blocks=features.blocks,
        features_version=3,  # 2 took a game without a limit for its last round, 1 told no rounds at all
        longest=_longest,
        options=(
            Option(
                "wall", "the printed wall, or the grey one where the owner chooses columns", 0, ("coloured", "grey")
            ),
            Option("first", "the seat that starts, or drawn at random", 0, ("random", "1", "2", "3", "4")),
            Option("round_limit", "end the game after so many rounds; 0 for no limit", 0, low=0, high=1000),
            Option(
                "factories", "how many factories; 0 for as many as the players need", 0, low=0, high=MAX_SOURCES - 1
            ),
            Option("tiles", "tiles of each colour", TILES_PER_COLOUR, low=1, high=TILES_PER_COLOUR),
        ),
        tournament={"round_limit": 50},
    ),
    dtype=DTYPE,
    rules=Rules.of(rules, features, evaluate, prior, symmetries, evaluations=evaluate.EVALUATIONS),
    text=WORDS,
    agents=lambda: import_module("ludens.games.azul.agents").KINDS,
    terminal=lambda: import_module("ludens.games.azul.terminal").DISPLAY,
    learning=lambda: import_module("ludens.games.azul.rewards").TASKS,
    check_options=_check,
    check_position=check_position,
)
