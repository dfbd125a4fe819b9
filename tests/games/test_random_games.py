"""Random games as they have always been: what is legal, drawn, seen and scored at every step, in Python or compiled.

`random_games.json` holds digests; `python -m tests.games.test_random_games` writes it anew after a rule has changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record, registry
from ludens.core.rng import CHANCE_STREAM, DETERMINIZE, POLICY, below, generator
from ludens.core.verbs import CHANCE, TERMINAL

_DIGESTS = Path(__file__).parent / "random_games.json"
_GAMES = 4
_LONGEST = 400  # plies
_LOOKS = 12  # plies between two looks at what seats see
_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "azul": [{}, {"players": 3, "wall": "grey"}, {"players": 4, "first": "2", "round_limit": 4}],
    "catan": [
        {"players": 2, "preset": "thesis", "points": 4},
        {"players": 3, "board": "variable"},
        {"players": 4, "board": "variable", "tokens": "random", "turn_limit": 30},
        {"strict_phases": "on", "bank": "unlimited"},
    ],
    "discovery": [{}, {"players": 4}],
    "scotland_yard": [{}, {"players": 3}, {"players": 6}],
    "scotland_yard_grid": [{}, {"starts": "apart"}],
}
_CASES = [(name, number) for name, many in _OPTIONS.items() for number in range(len(many))]


def digests(name: str, number: int) -> dict[str, str]:
    """What happens in some random games, and what their seats see and may guess, as two short digests."""
    happened, seen = hashlib.blake2b(digest_size=8), hashlib.blake2b(digest_size=8)
    for seed in range(_GAMES):
        play(name, number, seed, happened, seen)
    return {"happened": happened.hexdigest(), "seen": seen.hexdigest()}


def play(name: str, number: int, seed: int, happened: hashlib.blake2b, seen: hashlib.blake2b) -> None:
    game, values = registry.game(name), registry.game(name).options(_OPTIONS[name][number])
    state, guess = record.blank(game.dtype), record.blank(game.dtype)
    kernels.reset_at(state, 0, values)
    chance, choices, guesses = (generator(seed, stream) for stream in (CHANCE_STREAM, POLICY, DETERMINIZE))
    legal = np.zeros(game.spec.actions, np.int64)
    outcomes, weights = np.zeros(game.spec.outcomes, np.int64), np.zeros(game.spec.outcomes)
    points, players = np.zeros(int(values[0])), int(values[0])
    observation = np.zeros(game.spec.observation_size(values), np.float32)
    for ply in range(_LONGEST):
        actor = int(kernels.actor_at(state, 0))
        kernels.scores_at(state, 0, points)
        happened.update(f"{actor} {points.tolist()}".encode())
        if actor == TERMINAL:
            kernels.returns_at(state, 0, points)
            happened.update(str(points.round(9).tolist()).encode())
            break
        if actor == CHANCE:
            n = int(kernels.chance_at(state, 0, outcomes, weights))
            happened.update(f"{outcomes[:n].tolist()} {weights[:n].round(9).tolist()}".encode())
            action = int(kernels.draw_at(state, 0, chance))
        else:
            n = int(kernels.legal_at(state, 0, legal))
            happened.update(str(legal[:n].tolist()).encode())
            action = int(legal[below(choices, n)])
        if ply % _LOOKS == 0:
            for seat in range(players):
                view = record.blank(game.dtype)
                kernels.view_at(state, 0, seat, view)
                kernels.observe_at(view, 0, seat, observation)
                kernels.determinize_at(view, 0, seat, guesses, guess)
                n = int(kernels.legal_at(guess, 0, legal))
                seen.update(f"{observation.round(4).tolist()} {legal[:n].tolist()}".encode())
        kernels.apply_at(state, 0, action)


@pytest.mark.parametrize(("name", "number"), _CASES)
def test_a_random_game_goes_as_before(name: str, number: int) -> None:
    assert digests(name, number) == json.loads(_DIGESTS.read_text())[f"{name} {number}"]


if __name__ == "__main__":
    _DIGESTS.write_text(json.dumps({f"{name} {k}": digests(name, k) for name, k in _CASES}, indent=1) + "\n")
