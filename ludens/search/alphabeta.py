"""Alpha-beta for two sides with remembered positions (transpositions) and move ordering, where no chance falls.

A chance node is a leaf: it is evaluated before the draw. So the search solves what lies before the next
draw (the rest of an Azul round) or a game without any (the fully revealed grid). Values are the searcher's
results; the other side minimises them. Positions are told apart by the hash of their record. The stack of
frames can be left and re-entered at any step, like that of `expectimax`; `AlphaBeta` is what Python uses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.search.budget import Budget
from ludens.search.deepening import DepthResult, Outlook, deepen, make_progress, over_worlds, start_progress
from ludens.search.expectimax import can_prune
from ludens.search.hashing import hash_words, records_and_words

__all__ = ["AlphaBeta", "Frames", "Transpositions", "advance", "begin", "clear", "make_frames", "make_transpositions"]

_LOW, _HIGH = -1.0, 1.0
_EXACT, _AT_LEAST, _AT_MOST = range(3)  # what a remembered value says
_NONE = -1
_REMEMBERED, _KILLER = 1e12, 1e6  # how far these are preferred to any prior


class Transpositions(NamedTuple):
    """Positions met before: one entry a slot, the newer one stays."""

    key: np.ndarray  # int64[a power of two], -1 if empty
    value: np.ndarray  # float64
    depth: np.ndarray  # int16: decisions below that the value rests on
    bound: np.ndarray  # int8
    action: np.ndarray  # int32: the best one


class Frames(NamedTuple):
    """The stack; row 0 is the root."""

    states: np.ndarray  # records[frames]
    words: np.ndarray  # uint64[frames, words]: the same memory
    key: np.ndarray  # int64[frames]
    who: np.ndarray  # int64[frames]: 1 if the searcher's side chooses, else 0
    breadth: np.ndarray  # int64[frames]
    next: np.ndarray  # int64[frames]
    options: np.ndarray  # int64[frames, actions]
    scores: np.ndarray  # float64[frames, actions]: what to try first
    value: np.ndarray  # float64[frames]
    action: np.ndarray  # int64[frames]: the one that gave the value
    window: np.ndarray  # float64[frames, 4]: alpha and beta now, and as they were at first
    left: np.ndarray  # int64[frames]
    killers: np.ndarray  # int64[frames, 2]: actions that closed the window at this distance from the root
    sides: np.ndarray  # int64[seats]
    root_values: np.ndarray  # float64[actions]
    leaf: np.ndarray  # float64[seats]
    progress: np.ndarray  # one record, see `search.deepening`


def make_transpositions(entries: int) -> Transpositions:
    """Room for positions; the number of entries is rounded up to a power of two."""
    size = 1 << max(4, (entries - 1).bit_length())
    return Transpositions(
        key=np.full(size, _NONE, np.int64),
        value=np.zeros(size),
        depth=np.zeros(size, np.int16),
        bound=np.zeros(size, np.int8),
        action=np.zeros(size, np.int32),
    )


def clear(transpositions: Transpositions) -> None:
    """Forgets all positions."""
    transpositions.key[:] = _NONE


def make_frames(dtype: np.dtype, actions: int, sides: tuple[int, ...], frames: int) -> Frames:
    """Memory for searches of up to `frames` - 1 decisions."""
    states, words = records_and_words(dtype, frames)
    return Frames(
        states=states,
        words=words,
        key=np.zeros(frames, np.int64),
        who=np.zeros(frames, np.int64),
        breadth=np.zeros(frames, np.int64),
        next=np.zeros(frames, np.int64),
        options=np.zeros((frames, actions), np.int64),
        scores=np.zeros((frames, actions)),
        value=np.zeros(frames),
        action=np.zeros(frames, np.int64),
        window=np.zeros((frames, 4)),
        left=np.zeros(frames, np.int64),
        killers=np.full((frames, 2), _NONE, np.int64),
        sides=np.array(sides, np.int64),
        root_values=np.zeros(actions),
        leaf=np.zeros(len(sides)),
        progress=make_progress(),
    )


@rule
def _slot(transpositions: Transpositions, key: int) -> int:
    return int(key & (transpositions.key.shape[0] - 1))


@rule
def _open(
    frames: Frames, transpositions: Transpositions, f: int, left: int, alpha: float, beta: float, evaluation: Array,
    seat: int,
) -> bool:  # fmt: skip
    """Makes frame f of the position in it, or writes its value to value[f] and returns true."""
    s = frames.states[f]
    n = 0
    who = verbs.actor(s)
    while who >= 0:
        n = verbs.legal(s, frames.options[f])
        if n > 1:
            break
        verbs.apply(s, int(frames.options[f, 0]))
        who = verbs.actor(s)
    if who in (TERMINAL, CHANCE) or left == 0 or f == frames.who.shape[0] - 1:
        frames.progress[0].leaves += 1
        if who == TERMINAL:
            verbs.returns(s, frames.leaf)
        else:
            verbs.evaluate(s, evaluation, frames.leaf)
            frames.progress[0].guesses += 1
        frames.value[f] = frames.leaf[seat]
        return True
    key = hash_words(frames.words, f)
    slot = _slot(transpositions, key)
    known = transpositions.key[slot] == key
    if known and transpositions.depth[slot] >= left:
        value, bound = transpositions.value[slot], transpositions.bound[slot]
        if bound == _EXACT or (bound == _AT_LEAST and value >= beta) or (bound == _AT_MOST and value <= alpha):
            frames.value[f] = value
            frames.progress[0].guesses += 1  # whether it rests on ends of the game alone is not remembered
            return True
    frames.key[f] = key
    frames.who[f] = 1 if frames.sides[who] == frames.sides[seat] else 0
    frames.breadth[f] = n
    frames.next[f] = 0
    frames.left[f] = left
    frames.window[f, 0] = frames.window[f, 2] = alpha
    frames.window[f, 1] = frames.window[f, 3] = beta
    verbs.prior(s, frames.options[f], n, frames.scores[f])
    for k in range(n):
        a = frames.options[f, k]
        if known and a == transpositions.action[slot]:
            frames.scores[f, k] += _REMEMBERED
        elif a == frames.killers[f, 0] or a == frames.killers[f, 1]:
            frames.scores[f, k] += _KILLER
    return False


@rule
def _bring_best_forward(frames: Frames, f: int) -> None:
    """Swaps the best-looking of the actions not yet tried to the front of them."""
    front = frames.next[f]
    best = front
    for k in range(front + 1, frames.breadth[f]):
        if frames.scores[f, k] > frames.scores[f, best]:
            best = k
    action, score = frames.options[f, best], frames.scores[f, best]
    for k in range(best, front, -1):  # the others keep their order, so that equal ones are tried as listed
        frames.options[f, k], frames.scores[f, k] = frames.options[f, k - 1], frames.scores[f, k - 1]
    frames.options[f, front], frames.scores[f, front] = action, score


@rule
def _absorb(frames: Frames, f: int, value: float, exact_root: bool) -> None:
    """Keeps the value of the action tried if it is strictly better; stops when the window closes."""
    k = frames.next[f]
    a = frames.options[f, k]
    sign = 1.0 if frames.who[f] else -1.0
    if f == 0:
        frames.root_values[k] = value
    if k == 0 or sign * value > sign * frames.value[f]:
        frames.value[f] = value
        frames.action[f] = a
    frames.next[f] += 1
    if f == 0 and exact_root:
        return
    if frames.who[f]:
        frames.window[f, 0] = max(frames.window[f, 0], frames.value[f])
    else:
        frames.window[f, 1] = min(frames.window[f, 1], frames.value[f])
    if f > 0 and frames.window[f, 0] >= frames.window[f, 1]:
        frames.next[f] = frames.breadth[f]
        if frames.killers[f, 0] != a:
            frames.killers[f, 1] = frames.killers[f, 0]
            frames.killers[f, 0] = a


@rule
def _remember(frames: Frames, transpositions: Transpositions, f: int) -> None:
    slot = _slot(transpositions, frames.key[f])
    value = frames.value[f]
    bound = _EXACT
    if value <= frames.window[f, 2]:
        bound = _AT_MOST
    elif value >= frames.window[f, 3]:
        bound = _AT_LEAST
    transpositions.key[slot] = frames.key[f]
    transpositions.value[slot] = value
    transpositions.depth[slot] = min(frames.left[f], 32767)
    transpositions.bound[slot] = bound
    transpositions.action[slot] = frames.action[f]


@kernel
def begin(frames: Frames, root: Records[Position], actions: Array, depth: int) -> None:
    """Starts a search of root[0], where the searcher chooses among `actions`, in that order."""
    frames.states[0] = root[0]
    frames.who[0] = 1
    frames.breadth[0] = actions.shape[0]
    frames.next[0] = 0
    frames.left[0] = depth
    frames.window[0, 0] = _LOW
    frames.window[0, 1] = _HIGH
    for k in range(actions.shape[0]):
        frames.options[0, k] = actions[k]
    start_progress(frames.progress[0])


@kernel
def advance(
    frames: Frames, transpositions: Transpositions, evaluation: Array, seat: int, exact_root: bool, steps: int
) -> bool:
    """Goes on for so many steps; returns true when the search is finished.

    root_values[:next[0]] are the values of the root's actions: exact, or, with the window narrowed by better
    actions (exact_root false), bounds.
    """
    for _ in range(steps):
        if frames.progress[0].finished:
            return True
        f = int(frames.progress[0].top)
        if frames.next[f] == frames.breadth[f]:
            if f == 0:
                frames.progress[0].finished = 1
                return True
            _remember(frames, transpositions, f)
            frames.progress[0].top = f - 1
            _absorb(frames, f - 1, frames.value[f], exact_root)
            continue
        if f > 0:
            _bring_best_forward(frames, f)
        frames.states[f + 1] = frames.states[f]
        verbs.apply(frames.states[f + 1], int(frames.options[f, frames.next[f]]))
        alpha, beta = frames.window[f, 0], frames.window[f, 1]
        if _open(frames, transpositions, f + 1, int(frames.left[f]) - 1, alpha, beta, evaluation, seat):
            _absorb(frames, f, frames.value[f + 1], exact_root)
        else:
            frames.progress[0].top = f + 1
    return bool(frames.progress[0].finished)


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
