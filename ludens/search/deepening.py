"""Going deeper level by level under a budget, over several guesses of what is hidden.

`Progress` says where a search with its own stack of frames stands, so that it can be left and re-entered at any step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ludens.core import kernels
from ludens.core.jit import rule
from ludens.core.record import Record, Records, blank, int64, layout
from ludens.core.rng import DETERMINIZE, generator
from ludens.search.budget import Budget

__all__ = [
    "DepthResult",
    "Outlook",
    "Progress",
    "Resumable",
    "deepen",
    "make_progress",
    "over_worlds",
    "start_progress",
]


class Progress(Record):
    """Where a search stands."""

    top = int64()  # the frame that is being looked at
    finished = int64()  # 1: there is nothing left to do
    guesses = int64()  # leaves valued by the evaluation, or by a memory of it: not by the end of the game
    leaves = int64()  # altogether


_PROGRESS = layout("progress", Progress)


class Resumable(Protocol):
    """The stack of such a search."""

    @property
    def next(self) -> np.ndarray: ...

    @property
    def root_values(self) -> np.ndarray: ...

    @property
    def progress(self) -> Records[Progress]: ...


def make_progress() -> np.ndarray:
    """One record: compiled code changes it through `progress[0]`."""
    return blank(_PROGRESS)


@rule
def start_progress(progress: Progress) -> None:
    """A new search begins at the root."""
    progress.top = 0
    progress.finished = 0
    progress.guesses = 0
    progress.leaves = 0


_STEPS = 2000  # between two looks at the clock


@dataclass(frozen=True)
class Outlook:
    """What a look-ahead found."""

    actions: np.ndarray  # int64, in the order of their ids
    values: np.ndarray  # float64: expected result of the seat to act, exact or a bound; nan if not looked at
    best: int  # the chosen action
    depth: int  # the deepest level that was finished
    exact: bool  # every line was followed to the end of the game
    leaves: int


class DepthResult(NamedTuple):
    """What searching one level gave, for the actions in the order they were given in."""

    values: np.ndarray  # nan for actions that were not reached
    complete: bool
    exact: bool
    leaves: int


def deepen(
    level: Callable[[int, np.ndarray], DepthResult],
    legal: np.ndarray,
    depth: int,
    budget: Budget | None,
) -> Outlook:
    """Iterative deepening: the best action of a level is looked at first on the next.

    A level broken off still counts as far as it got: its first action was the best so far, so any that beats it
    there is better. Without a budget only the last level is searched.
    """
    actions = legal.astype(np.int64)
    values, best, finished, exact, leaves = np.full(len(legal), np.nan), int(actions[0]), 0, False, 0
    order = actions.copy()
    for d in range(depth if budget is None else 1, depth + 1):
        found = level(d, order)
        leaves += found.leaves
        if not np.isnan(found.values[0]):
            best = int(order[int(np.nanargmax(found.values))])
            values = found.values[np.argsort(order)]
        if not found.complete:
            break
        finished, exact = d, found.exact
        order = order[np.argsort(-found.values, kind="stable")]
        if exact:
            break
    return Outlook(actions, values, best, finished, exact, leaves)


def over_worlds(
    view: np.ndarray, seat: int, order: np.ndarray, worlds: int, seed: int, budget: Budget | None,
    workspace: Resumable, begin: Callable[[np.ndarray], None], proceed: Callable[[int], bool],
) -> DepthResult:  # fmt: skip
    """The mean value of every action over so many determinisations of the view, the same ones at every depth.

    begin(world) starts a search, proceed(steps) goes on with it and says whether it is finished; `workspace` is its
    stack, with the fields `next`, `root_values` and `progress` as in `expectimax.Stack`.
    """
    world = blank(view.dtype)
    totals, finished, leaves, exact = np.zeros(len(order)), 0, 0, True
    for k in range(worlds):
        kernels.determinize_at(view, 0, seat, generator(seed, DETERMINIZE, k), world)
        begin(world)
        while not proceed(_STEPS):
            if budget is not None and budget.left() <= 0:
                if finished:
                    return DepthResult(totals / finished, False, False, leaves)
                reached = np.full(len(order), np.nan)
                done = int(workspace.next[0])
                reached[:done] = workspace.root_values[:done]
                return DepthResult(reached, False, False, int(workspace.progress[0].leaves))
        totals += workspace.root_values[: len(order)]
        finished += 1
        leaves += int(workspace.progress[0].leaves)
        exact = exact and bool(workspace.progress[0].guesses == 0)
    return DepthResult(totals / finished, True, exact, leaves)
