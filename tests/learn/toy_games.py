"""Games for deep learners without a game of the package behind them: name the letter that is shown.

Every game shows two letters of four, one after the other; the action of the same number wins. Action 4 is never legal.
"""

from __future__ import annotations

import numpy as np

from ludens.learn.games import Outcome
from ludens.networks.network import Network
from ludens.networks.plain import PlainLayout

LETTERS = 4


def network(width: int = 16, seed: int = 0) -> Network:
    layout = PlainLayout(inputs=LETTERS, actions=LETTERS + 1, seats=2, width=width, blocks=1, auxiliary={"critic": 1})
    return Network("letters@1", 1, {}, layout, layout.untrained(np.random.default_rng(seed)))


class Letters:
    """See `learn.games.Games`."""

    def __init__(self, size: int, seed: int = 1) -> None:
        self.size, self._random = size, np.random.default_rng(seed)
        self.features = np.zeros((size, LETTERS), np.float32)
        self.mask = np.ones((size, LETTERS + 1), np.int8)
        self.mask[:, LETTERS] = 0
        self._turn, self._right = np.zeros(size, int), np.zeros(size)
        self._show()
        self.seeds: list[int] = []
        self.share = 0.0

    def _show(self) -> None:
        self.shown = self._random.integers(LETTERS, size=self.size)
        self.features[:] = np.eye(LETTERS)[self.shown]

    def begin_step(self, seed: int) -> None:
        self.seeds.append(seed)

    def step(self, actions: np.ndarray) -> Outcome:
        assert self.mask[np.arange(self.size), actions].all()
        right = (actions == self.shown).astype(np.float32)
        self.share = float(right.mean())
        self._right += right
        self._turn += 1
        ended = self._turn == 2
        result = np.where(ended, self._right - 1, 0.0)
        self._turn[ended], self._right[ended] = 0, 0
        self._show()
        return Outcome(right, ended, np.stack([result, -result], 1).astype(np.float32))

    def advice(self) -> np.ndarray:
        return np.eye(LETTERS + 1, dtype=np.float32)[self.shown]

    def figures(self) -> dict[str, float]:
        return {"right": self.share}
