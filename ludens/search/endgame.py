"""Solving what is left of an open game for two sides, or what is left before the next draw, when that is cheap.

An attempt begins small. It goes on only if it got far: most positions cannot be solved, and asking must not
cost the search its time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ludens.core.spec import Game
from ludens.search import alphabeta, expectimax
from ludens.search.budget import Budget
from ludens.search.deepening import Outlook, Resumable
from ludens.search.expectimax import DECISIONS, ExpectimaxSettings, can_prune

__all__ = ["DRAW", "END", "HORIZONS", "OFF", "Endgame", "can_solve"]

HORIZONS = OFF, END, DRAW = ("off", "end", "draw")
"""The words for how far to solve: not at all, to the end of the game, or also up to the next draw."""

_STEPS = 500  # between two looks at the clock
_FIRST, _WHOLE = 0.05, 0.25  # parts of the budget for the first attempt and, if that went far enough, for all
_ON_COURSE = 0.2  # part of the root's actions that the first attempt must have finished
_STEPS_PER_SIMULATION = 10  # where the budget counts simulations
_DEEPEST = 64  # decisions before the next draw
_ENTRIES = 1 << 18  # of the table of positions
_UNLIMITED = 1 << 30


def can_solve(game: Game, players: int) -> bool:
    """Is the game open, and between two opposed sides?"""
    return not game.spec.hidden and can_prune(game, players, paranoid=False)


class Endgame:
    """Solves positions of one seat; `weights` are those of the evaluation before a draw."""

    def __init__(self, game: Game, players: int, weights: np.ndarray, horizon: str = END) -> None:
        spec, sides = game.spec, game.spec.sides(players)
        self._weights = weights
        self._stack = expectimax.make_stack(game.dtype, spec.actions, spec.outcomes, sides)
        self._frames = self._transpositions = None
        if horizon == DRAW:
            self._frames = alphabeta.make_frames(game.dtype, spec.actions, sides, _DEEPEST)
            self._transpositions = alphabeta.make_transpositions(_ENTRIES)

    def solve(self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget) -> Outlook | None:
        """The exact value of the position and an action that has it, or None.

        None also where all is lost: then every action is as good by this measure, but not against everybody.
        """
        found = self._to_the_end(view, seat, legal, budget)
        if found is None and self._frames is not None:
            found = self._to_the_draw(view, seat, legal, budget)
        return None if found is None or np.nanmax(found.values) <= -1.0 else found

    def _to_the_end(self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget) -> Outlook | None:
        stack = self._stack
        settings = ExpectimaxSettings(
            seat=seat, depth=_UNLIMITED, unit=DECISIONS, paranoid=0, prune=1, exact_root=0, order=1, ends_only=1,
            draws=_UNLIMITED, heuristic=0,
        )  # fmt: skip
        expectimax.begin(stack, view, legal, self._weights, settings)
        return _attempt(lambda n: expectimax.advance(stack, self._weights, settings, n), stack, legal, budget)

    def _to_the_draw(self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget) -> Outlook | None:
        frames, known = self._frames, self._transpositions
        assert frames is not None and known is not None
        alphabeta.begin(frames, view, legal, _DEEPEST)
        return _attempt(
            lambda n: alphabeta.advance(frames, known, self._weights, seat, False, n),
            frames,
            legal,
            budget,
            True,
        )


def _attempt(
    proceed: Callable[[int], bool], workspace: Resumable, legal: np.ndarray, budget: Budget, draws: bool = False
) -> Outlook | None:
    """Goes on while the budget's parts allow; `workspace` has `next`, `root_values`, `progress` as a search's stack."""
    done = 0
    while not proceed(_STEPS):
        done += _STEPS
        spent = _spent(budget, done)
        if spent > _WHOLE or (spent > _FIRST and workspace.next[0] < _ON_COURSE * len(legal)):
            return None
    if workspace.next[0] < len(legal) or (not draws and workspace.progress[0].guesses > 0):
        return None
    values = workspace.root_values[: len(legal)].copy()
    return Outlook(legal, values, int(legal[values.argmax()]), 0, True, int(workspace.progress[0].leaves))


def _spent(budget: Budget, steps: int) -> float:
    """The part of the budget that is used up, by simulations if it counts them."""
    if budget.simulations is not None:
        return steps / (_STEPS_PER_SIMULATION * budget.simulations)
    assert budget.seconds is not None
    return 1.0 - budget.left() / budget.seconds
