"""Alpha-beta for Python, level by level under a budget."""

from __future__ import annotations

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.search.alphabeta_kernel import advance, begin, make_frames, make_transpositions
from ludens.search.budget import Budget
from ludens.search.deepening import DepthResult, Outlook, deepen, over_worlds
from ludens.search.expectimax import can_prune

__all__ = ["AlphaBeta"]

_ENTRY_BYTES = 8 + 8 + 2 + 1 + 4


class AlphaBeta:
    """A search that can be used from move to move of one seat; its table, of `memory` MiB, is kept."""

    def __init__(
        self,
        game: Game,
        players: int,
        weights: np.ndarray,
        depth: int = 4,
        worlds: int = 1,
        memory: float = 32,
        exact_root: bool = False,
    ) -> None:
        if not can_prune(game, players, paranoid=False):
            raise BadInput(f"Alpha-beta needs two opposed sides; {game.spec.title} for {players} players has more.")
        self._weights, self._depth = weights, depth
        self._worlds = worlds if game.spec.hidden else 1
        self._exact_root = exact_root or self._worlds > 1
        self._frames = make_frames(game.dtype, game.spec.actions, game.spec.sides(players), depth + 1)
        self._transpositions = make_transpositions(int(memory * 2**20 / _ENTRY_BYTES) // 2 + 1)

    def search(self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget | None, seed: int) -> Outlook:
        """Looks ahead from the view of the seat to act; without a budget the given depth is searched at once."""

        def level(depth: int, order: np.ndarray) -> DepthResult:
            frames = self._frames
            return over_worlds(
                view,
                seat,
                order,
                self._worlds,
                seed,
                budget,
                frames,
                lambda world: begin(frames, world, order, depth),
                lambda steps: advance(frames, self._transpositions, self._weights, seat, self._exact_root, steps),
            )

        return deepen(level, legal, self._depth, budget)
