"""What is refused of positions from outside when one number is changed: every sentence, and how often it is the answer.

`refused.json` holds the answers; `python -m tests.games.test_invariants` writes it anew after a rule has changed.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ludens.core import kernels, record, registry
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generator
from ludens.core.verbs import CHANCE, TERMINAL

_ANSWERS = Path(__file__).parent / "refused.json"
_CASES: dict[str, tuple[str, dict[str, object], int, int, int]] = {  # games; plies between positions; longest
    "azul": ("azul", {"players": 3}, 5, 30, 500),
    "azul grey": ("azul", {"wall": "grey"}, 5, 30, 500),
    "catan": ("catan", {"players": 3, "board": "variable"}, 1, 30, 500),
    "catan short": ("catan", {"players": 2, "points": 3}, 1, 30, 500),
    "discovery": ("discovery", {}, 2, 1000, 500),
    "discovery begins": ("discovery", {"players": 3}, 1, 7, 50),
    "london": ("scotland_yard", {}, 2, 30, 500),
    "grid": ("scotland_yard_grid", {}, 3, 30, 500),
}


def positions(name: str, options: dict[str, object], seed: int, every: int, longest: int) -> list[np.ndarray]:
    """The beginning, the end and positions between them of a random game; every phase that comes is there."""
    game = registry.game(name)
    state, legal = record.blank(game.dtype), np.zeros(game.spec.actions, np.int64)
    kernels.reset_at(state, 0, game.options(options))
    chance, choices = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    found, phases = [state.copy()], {int(state["phase"][0])}
    for ply in range(1, longest):
        if kernels.actor_at(state, 0) == CHANCE:
            action = kernels.draw_at(state, 0, chance)
        else:
            action = legal[below(choices, kernels.legal_at(state, 0, legal))]
        kernels.apply_at(state, 0, action)
        over = kernels.actor_at(state, 0) == TERMINAL
        if over or int(state["phase"][0]) not in phases or ply % every == 0:
            phases.add(int(state["phase"][0]))
            found.append(state.copy())
        if over:
            break
    return found


def answers(case: str) -> dict[str, int]:
    """How often every sentence is the answer to a position with one changed number."""
    name, options, games, every, longest = _CASES[case]
    game, luck, said = registry.game(name), random.Random(3), Counter[str]()
    check = game.check_position
    assert check is not None
    found = [state for seed in range(games) for state in positions(name, options, seed, every, longest)]
    begun = record.blank(game.dtype)
    kernels.reset_at(begun, 0, game.options(options))
    for state in found:
        assert check(state[0], begun[0]) is None
        for field in game.dtype.names or ():
            for change in (-1, 1):
                spoiled = state.copy()
                numbers = spoiled[field].reshape(-1)
                numbers[luck.choice((0, len(numbers) - 1, luck.randrange(len(numbers))))] += change
                said[check(spoiled[0], begun[0]) or "possible"] += 1
    return dict(sorted(said.items()))


@pytest.mark.parametrize("case", _CASES)
def test_one_changed_number_is_answered_as_before(case: str) -> None:
    assert answers(case) == json.loads(_ANSWERS.read_text())[case]


if __name__ == "__main__":
    _ANSWERS.write_text(json.dumps({case: answers(case) for case in _CASES}, indent=1, ensure_ascii=False) + "\n")
