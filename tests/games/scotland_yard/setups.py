"""Positions of Scotland Yard for tests, and the verbs as plain functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, pick
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import WORD_BITS
from ludens.games.scotland_yard.text.actions import action_from_text, action_to_text

__all__ = ["Table", "cell", "random_play"]


def cell(name: str) -> int:
    """The cell of the 5×5 grid with this name."""
    return (int(name[1]) - 1) * 5 + ord(name[0]) - ord("a")


class Table:
    """A game in progress, without a match around it: pieces may be put anywhere."""

    def __init__(self, game: Game, pawns: Sequence[int], mr_x: int, **options: Any) -> None:
        """Stations by their printed numbers; the option `detectives` follows from the pawns."""
        self.game = game
        values = game.options({"detectives": len(pawns), **options})
        self.state = record.blank(game.dtype)
        kernels.reset_at(self.state, 0, values)
        for number in (*pawns, mr_x):
            kernels.apply_at(self.state, 0, map_of(game.dtype).index(number))
        here = map_of(game.dtype).index(mr_x)
        self.state["possible"][0, here // WORD_BITS] |= 1 << (here % WORD_BITS)  # he may stand beside his cards

    @property
    def s(self) -> Any:
        return self.state[0]

    @property
    def actor(self) -> int:
        return int(kernels.actor_at(self.state, 0))

    def legal(self) -> list[int]:
        out = np.zeros(self.game.spec.actions, np.int64)
        return out[: kernels.legal_at(self.state, 0, out)].tolist()

    def moves(self) -> list[str]:
        return [action_to_text(self.s, a) for a in self.legal()]

    def play(self, *moves: str) -> None:
        for move in moves:
            action = action_from_text(self.s, move)
            assert action in self.legal(), f"{move} is not among {self.moves()}"
            kernels.apply_at(self.state, 0, action)

    def view(self, seat: int) -> np.ndarray:
        out = record.blank(self.game.dtype)
        kernels.view_at(self.state, 0, seat, out)
        return out

    def returns(self) -> list[float]:
        out = np.zeros(int(self.s.players))
        kernels.returns_at(self.state, 0, out)
        return out.tolist()

    def possible(self) -> list[int]:
        """Printed numbers of the stations where Mr. X may be."""
        numbers = map_of(self.game.dtype).numbers
        words = [int(word) for word in self.s.possible]
        return [n for i, n in enumerate(numbers) if (words[i // WORD_BITS] >> (i % WORD_BITS)) & 1]


def random_play(game: Game, seed: int, **options: Any) -> Iterator[tuple[np.ndarray, int, np.ndarray]]:
    """A random game, step by step: the state before, the action or outcome, the state after."""
    state = record.blank(game.dtype)
    kernels.reset_at(state, 0, game.options(options))
    chance_rng, policy_rng = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    legal = np.zeros(game.spec.actions, np.int64)
    while True:
        who = int(kernels.actor_at(state, 0))
        if who == TERMINAL:
            return
        if who == CHANCE:
            action = int(kernels.draw_at(state, 0, chance_rng))
        else:
            action = int(legal[pick(policy_rng, int(kernels.legal_at(state, 0, legal)))])
        before = state.copy()
        kernels.apply_at(state, 0, action)
        yield before, action, state.copy()
