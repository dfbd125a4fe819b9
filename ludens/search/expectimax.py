"""Expectiminimax with vector values, chance nodes over explicit outcomes, and pruning where it is sound.

Every seat maximises its own component of the value (CD-56, CD-57), or all others minimise the searcher's
(paranoid, CA-28). Where one number decides, which is so for paranoid search and for two sides whose values
are opposed, alpha-beta prunes at decisions and Star1 at chance nodes, with the bounds of returns, [-1, 1]: a
pruned search has the value of the full one.

Numba recurses badly, so the search keeps its own stack of frames. It can stop after any number of steps and go
on where it was: `Expectimax`, which Python uses, looks at the clock in between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records, blank
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.search.budget import Budget
from ludens.search.deepening import DepthResult, Outlook, deepen, make_progress, over_worlds, start_progress

__all__ = [
    "DECISIONS",
    "DRAWS",
    "TURNS",
    "Expectimax",
    "ExpectimaxSettings",
    "Stack",
    "advance",
    "begin",
    "can_prune",
    "make_stack",
]

DECISIONS, TURNS = range(2)
"""What depth counts: every choice, or turns, runs of actions of the same seat (tile and follower are one)."""

_LOW, _HIGH = -1.0, 1.0  # bounds of returns and of evaluations


class ExpectimaxSettings(NamedTuple):
    """How to search; plain numbers for the kernel."""

    seat: int  # who searches, and acts at the root
    depth: int
    unit: int  # DECISIONS or TURNS
    paranoid: int  # 1: the other sides minimise the searcher's result
    prune: int  # 1: alpha-beta and Star1; needs paranoid or two opposed sides
    exact_root: int  # 1: full windows below the root, so that every root action gets its own value
    order: int  # 1: try actions in the order of the game's prior
    ends_only: int  # 1: give up at the first leaf that is not the end of the game
    draws: int  # chance nodes in a row that are expanded; a longer row is evaluated where it stands
    heuristic: int  # 1: the end of the game is valued by the evaluation, as all other leaves


class Stack(NamedTuple):
    """The frames of the search; row 0 is the root."""

    states: np.ndarray  # records[frames]
    who: np.ndarray  # int64[frames]: the seat that chooses, or CHANCE
    row: np.ndarray  # int64[frames]: chance nodes in a row, this one included
    last: np.ndarray  # int64[frames]: the seat that chooses, or at a chance node the one that acted last
    breadth: np.ndarray  # int64[frames]: actions or outcomes
    next: np.ndarray  # int64[frames]: the one being looked at
    options: np.ndarray  # int64[frames, actions or outcomes]
    weights: np.ndarray  # float64[frames, actions or outcomes]: probabilities, or priors to order by
    value: np.ndarray  # float64[frames, seats]: the best so far, or the sum over outcomes so far; twice, see `replies`
    behind: np.ndarray  # float64[frames]: probability of the outcomes not yet added
    window: np.ndarray  # float64[frames, 2]: alpha and beta
    left: np.ndarray  # int64[frames]: depth left below this node
    sides: np.ndarray  # int64[seats]
    root_values: np.ndarray  # float64[actions]: value of each root action looked at, for the searcher
    leaf: np.ndarray  # float64[seats]
    progress: np.ndarray  # one record, see `search.deepening`
    workspace: np.ndarray  # of the game's short cut to the best turn
    replies: np.ndarray  # float64: the heuristic by which turns after the first are chosen, whose values stand
    # behind those of the evaluation in `value` and `leaf`; empty: the evaluation


def make_stack(
    dtype: np.dtype,
    actions: int,
    outcomes: int,
    sides: tuple[int, ...],
    frames: int = 96,
    replies: np.ndarray | None = None,
) -> Stack:
    """Empty workspace for searches of this game."""
    width, numbers = max(actions, outcomes), len(sides) * (1 if replies is None else 2)
    return Stack(
        states=blank(dtype, frames),
        who=np.zeros(frames, np.int64),
        row=np.zeros(frames, np.int64),
        last=np.zeros(frames, np.int64),
        breadth=np.zeros(frames, np.int64),
        next=np.zeros(frames, np.int64),
        options=np.zeros((frames, width), np.int64),
        weights=np.zeros((frames, width)),
        value=np.zeros((frames, numbers)),
        behind=np.zeros(frames),
        window=np.zeros((frames, 2)),
        left=np.zeros(frames, np.int64),
        sides=np.array(sides, np.int64),
        root_values=np.zeros(width),
        leaf=np.zeros(numbers),
        progress=make_progress(),
        workspace=verbs.turn_workspace(dtype),
        replies=np.zeros(0) if replies is None else replies.copy(),
    )


@rule
def _sort_by_weight(options: Array, weights: Array, n: int) -> None:
    """Heaviest first; equal ones keep their order."""
    for i in range(1, n):
        option, weight = options[i], weights[i]
        j = i - 1
        while j >= 0 and weights[j] < weight:
            options[j + 1], weights[j + 1] = options[j], weights[j]
            j -= 1
        options[j + 1], weights[j + 1] = option, weight


@rule
def _open(stack: Stack, f: int, last: int, left: int, evaluation: Array, settings: ExpectimaxSettings) -> bool:
    """Makes frame f of the position in it, or writes its value to `leaf` and returns true.

    `last` is the seat that acted last, `left` the depth left there. Choices between one action are made; a
    turn that consists of such is a turn all the same.
    """
    s = stack.states[f]
    n = 0
    who = verbs.actor(s)
    while who >= 0:
        begins = settings.unit == TURNS and who != last
        if begins and left == 0:
            break
        if begins and left == 1 and _last_turn(stack, f, evaluation, settings):
            return True
        n = verbs.legal(s, stack.options[f])
        if n > 1:
            break
        verbs.apply(s, int(stack.options[f, 0]))
        if begins:
            left -= 1
        last = who
        who = verbs.actor(s)
    if who == TERMINAL:
        if settings.heuristic:
            verbs.evaluate(s, evaluation, stack.leaf)
        else:
            verbs.returns(s, stack.leaf)
        _value_reply(stack, f)
        stack.progress[0].leaves += 1
        return True
    row = 0
    if who == CHANCE:
        row = 1 + (stack.row[f - 1] if stack.who[f - 1] == CHANCE else 0)
    deeper = who >= 0 and (settings.unit == DECISIONS or who != last)
    if (left == 0 and (deeper or who == CHANCE)) or row > settings.draws or f == stack.who.shape[0] - 1:
        verbs.evaluate(s, evaluation, stack.leaf)
        _value_reply(stack, f)
        stack.progress[0].guesses += 1
        stack.progress[0].leaves += 1
        return True
    stack.who[f] = who
    stack.row[f] = row
    stack.last[f] = last if who == CHANCE else who
    stack.next[f] = 0
    stack.left[f] = left - 1 if deeper else left
    if who == CHANCE:
        n = verbs.chance(s, stack.options[f], stack.weights[f])
        stack.behind[f] = 1.0
        for p in range(stack.leaf.shape[0]):
            stack.value[f, p] = 0.0
    elif settings.order:
        verbs.prior(s, stack.options[f], n, stack.weights[f])
        _sort_by_weight(stack.options[f], stack.weights[f], n)
    stack.breadth[f] = n
    return False


@rule
def _value_reply(stack: Stack, f: int) -> None:
    """Writes what the position in frame f is worth to replies behind its value."""
    if stack.replies.shape[0] > 0:
        verbs.evaluate(stack.states[f], stack.replies, stack.leaf[stack.sides.shape[0] :])


@rule
def _last_turn(stack: Stack, f: int, evaluation: Array, settings: ExpectimaxSettings) -> bool:
    """Writes to `leaf` what the last turn to be looked at leads to, if the game has a short cut to it."""
    if settings.prune or settings.paranoid or settings.order or settings.unit != TURNS:
        return False
    n = 0
    if stack.replies.shape[0] > 0:
        n = _last_reply(stack, f, evaluation, settings)
    elif settings.heuristic:
        n = verbs.best_turn(stack.states[f], evaluation, stack.workspace, stack.leaf, stack.options[f])
    if n == 0:
        return False
    if stack.options[f, n + 1] == 0:
        stack.progress[0].guesses += stack.options[f, n]
    stack.progress[0].leaves += stack.options[f, n]
    return True


@rule
def _last_reply(stack: Stack, f: int, evaluation: Array, settings: ExpectimaxSettings) -> int:
    """The same for a turn chosen by `replies`, which is then played in frame f; returns its decisions, or 0."""
    behind = stack.leaf[stack.sides.shape[0] :]
    n = verbs.best_turn(stack.states[f], stack.replies, stack.workspace, behind, stack.options[f])
    for d in range(n):
        verbs.apply(stack.states[f], int(stack.options[f, d]))
    if n > 0 and stack.options[f, n + 1] == 1 and not settings.heuristic:
        verbs.returns(stack.states[f], stack.leaf)
    elif n > 0:
        verbs.evaluate(stack.states[f], evaluation, stack.leaf)
    return int(n)


@rule
def _maximises(stack: Stack, f: int, settings: ExpectimaxSettings) -> bool:
    """Does whoever chooses here want what the searcher wants?"""
    return bool(stack.sides[stack.who[f]] == stack.sides[settings.seat])


@rule
def _set_window(stack: Stack, f: int, settings: ExpectimaxSettings) -> None:
    """The window of frame f, from the one above it."""
    up = f - 1
    alpha, beta = stack.window[up, 0], stack.window[up, 1]
    if stack.who[up] == CHANCE:  # Star1: what this outcome must reach if the others are as good, or bad, as can be
        share = stack.weights[up, stack.next[up]]
        others = stack.behind[up] - share
        added = stack.value[up, settings.seat]
        alpha = max(_LOW, (alpha - added - others * _HIGH) / share)
        beta = min(_HIGH, (beta - added - others * _LOW) / share)
    elif up == 0 and settings.exact_root:
        alpha, beta = _LOW, _HIGH
    stack.window[f, 0] = alpha
    stack.window[f, 1] = beta


@rule
def _absorb_outcome(stack: Stack, f: int, value: Array, settings: ExpectimaxSettings) -> None:
    """Adds the value of an outcome; stops when the others cannot bring the sum into the window."""
    k = stack.next[f]
    share = stack.weights[f, k]
    for p in range(value.shape[0]):
        stack.value[f, p] += share * value[p]
    stack.behind[f] -= share
    stack.next[f] += 1
    if settings.prune and stack.next[f] < stack.breadth[f]:
        added = stack.value[f, settings.seat]
        if added + stack.behind[f] * _HIGH <= stack.window[f, 0]:
            stack.value[f, settings.seat] = added + stack.behind[f] * _HIGH
            stack.next[f] = stack.breadth[f]
        elif added + stack.behind[f] * _LOW >= stack.window[f, 1]:
            stack.value[f, settings.seat] = added + stack.behind[f] * _LOW
            stack.next[f] = stack.breadth[f]


@rule
def _absorb_action(stack: Stack, f: int, value: Array, settings: ExpectimaxSettings) -> None:
    """Keeps the value of an action if it is strictly better for whoever chooses; stops when the window closes."""
    k = stack.next[f]
    one_number = settings.paranoid or settings.prune
    component = settings.seat if one_number else stack.who[f]
    if stack.replies.shape[0] > 0 and stack.left[f] < settings.depth - 1:
        component += stack.sides.shape[0]
    sign = -1.0 if one_number and not _maximises(stack, f, settings) else 1.0
    if f == 0:
        stack.root_values[k] = value[settings.seat]
    if k == 0 or sign * value[component] > sign * stack.value[f, component]:
        for p in range(value.shape[0]):
            stack.value[f, p] = value[p]
    stack.next[f] += 1
    if settings.prune and not (f == 0 and settings.exact_root):
        best = stack.value[f, settings.seat]
        if sign > 0:
            stack.window[f, 0] = max(stack.window[f, 0], best)
        else:
            stack.window[f, 1] = min(stack.window[f, 1], best)
        if stack.window[f, 0] >= stack.window[f, 1] and f > 0:
            stack.next[f] = stack.breadth[f]


@kernel
def begin(
    stack: Stack, root: Records[Position], actions: Array, evaluation: Array, settings: ExpectimaxSettings
) -> None:
    """Starts a search of root[0], where the searcher chooses among `actions`, in that order."""
    stack.states[0] = root[0]
    stack.who[0] = stack.last[0] = settings.seat
    stack.breadth[0] = actions.shape[0]
    stack.next[0] = 0
    stack.left[0] = settings.depth - 1
    stack.window[0, 0] = _LOW
    stack.window[0, 1] = _HIGH
    for k in range(actions.shape[0]):
        stack.options[0, k] = actions[k]
    start_progress(stack.progress[0])


@kernel
def advance(stack: Stack, evaluation: Array, settings: ExpectimaxSettings, steps: int) -> bool:
    """Goes on for so many steps; returns true when the search is finished.

    Then value[0] is the value of the root, and root_values[:next[0]] those of the actions, exact or, where
    pruning cut, bounds. Before that they hold the finished part.
    """
    for _ in range(steps):
        if stack.progress[0].finished:
            return True
        f = int(stack.progress[0].top)
        if stack.next[f] == stack.breadth[f]:
            if f == 0:
                stack.progress[0].finished = 1
                return True
            stack.progress[0].top = f - 1
            if stack.who[f - 1] == CHANCE:
                _absorb_outcome(stack, f - 1, stack.value[f], settings)
            else:
                _absorb_action(stack, f - 1, stack.value[f], settings)
            continue
        stack.states[f + 1] = stack.states[f]
        verbs.apply(stack.states[f + 1], int(stack.options[f, stack.next[f]]))
        if not _open(stack, f + 1, int(stack.last[f]), int(stack.left[f]), evaluation, settings):
            stack.progress[0].top = f + 1
            if settings.prune:
                _set_window(stack, f + 1, settings)
        elif settings.ends_only and stack.progress[0].guesses > 0:
            stack.progress[0].finished = 1
            return True
        elif stack.who[f] == CHANCE:
            _absorb_outcome(stack, f, stack.leaf, settings)
        else:
            _absorb_action(stack, f, stack.leaf, settings)
    return bool(stack.progress[0].finished)


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
