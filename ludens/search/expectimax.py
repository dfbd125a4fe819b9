"""Expectiminimax for Python, level by level under a budget."""

from __future__ import annotations

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.search.budget import Budget
from ludens.search.deepening import DepthResult, Outlook, deepen, over_worlds
from ludens.search.expectimax_kernel import DECISIONS, TURNS, ExpectimaxSettings, advance, begin, make_stack

__all__ = ["DRAWS", "Expectimax", "can_prune"]

DRAWS = 3
"""Chance events in a row that are looked through."""


def can_prune(game: Game, players: int, paranoid: bool) -> bool:
    """Are the conditions of alpha-beta met: one number decides for all?"""
    return paranoid or (game.spec.opposed and len(set(game.spec.sides(players))) == 2)


class Expectimax:
    """A search that can be used from move to move.

    `heuristic` says that the weights are of `Rules.heuristics`: ends of the game are valued by them too. Where
    more than `draws` chance events follow each other, as in a deal, the position is evaluated before the rest.
    With `replies`, weights of `Rules.heuristics`, all turns after the first are chosen by these; the positions that
    they lead to keep the value of `weights`.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        weights: np.ndarray,
        depth: int = 2,
        unit: str = "decisions",
        paranoid: bool = False,
        prune: bool = False,
        order: bool = False,
        worlds: int = 1,
        exact_root: bool = False,
        heuristic: bool = False,
        draws: int = DRAWS,
        replies: np.ndarray | None = None,
    ) -> None:
        if replies is not None and (prune or paranoid or unit != "turns"):
            raise BadInput("Replies by a heuristic of their own need unit=turns, opponents=own and no pruning.")
        if prune and not can_prune(game, players, paranoid):
            raise BadInput(
                f"Pruning needs two opposed sides, or minimising opponents; "
                f"{game.spec.title} for {players} players has more sides."
            )
        sides = game.spec.sides(players)
        self._game, self._weights, self._depth = game, weights, depth
        self._unit = TURNS if unit == "turns" else DECISIONS
        self._paranoid, self._prune, self._order, self._heuristic = paranoid, prune, order, heuristic
        self._draws = draws
        self._worlds = worlds if game.spec.hidden else 1
        self._exact_root = exact_root or self._worlds > 1
        self._stack = make_stack(game.dtype, game.spec.actions, game.spec.outcomes, sides, replies=replies)

    def search(self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget | None, seed: int) -> Outlook:
        """Looks ahead from the view of the seat to act, one level deeper each time while the budget lasts.

        Without a budget the given depth is searched at once. The chosen action is legal however short the time.
        """

        def level(depth: int, order: np.ndarray) -> DepthResult:
            settings, stack = self._settings(seat, depth), self._stack
            return over_worlds(
                view,
                seat,
                order,
                self._worlds,
                seed,
                budget,
                stack,
                lambda world: begin(stack, world, order, self._weights, settings),
                lambda steps: advance(stack, self._weights, settings, steps),
            )

        return deepen(level, legal, self._depth, budget)

    def _settings(self, seat: int, depth: int) -> ExpectimaxSettings:
        return ExpectimaxSettings(
            seat=seat,
            depth=depth,
            unit=self._unit,
            paranoid=int(self._paranoid),
            prune=int(self._prune),
            exact_root=int(self._exact_root),
            order=int(self._order),
            ends_only=0,
            draws=self._draws,
            heuristic=int(self._heuristic),
        )
