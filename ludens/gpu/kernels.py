"""The compiled part of `gpu.batch`: one thread a game.

Positions lie in device memory word by word: word w of all games, then word w + 1 of all games, so that neighbouring
threads read neighbouring words. A thread loads its position into memory of its own, plays and stores it once. The
same verbs and the same rules of sampling as on a CPU are compiled into these kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.np.numpy_support import from_dtype

from ludens.core import verbs
from ludens.core.batch_kernels import write_prior
from ludens.core.jit import rule
from ludens.core.random_play import play_one
from ludens.core.rng import below, uniform
from ludens.core.settle import CHOICE, forced_among
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL, view
from ludens.gpu.device import DeviceKernel, array_type
from ludens.gpu.numba_cuda_internals import cuda_module, record_over

__all__ = [
    "BEGIN",
    "PLAY",
    "WRITE",
    "GameKernels",
    "check_kernel",
    "play_kernel",
    "prior_kernel",
    "records_of",
    "sample_kernel",
    "words_of",
]

PLAY, BEGIN, WRITE = 0, 1, 2
"""What the kernel `step` does: plays one action a game, starts all games, or writes the decisions they stand at."""

_flags, _words, _streams = array_type("int8", 1), array_type("int32", 2), array_type("uint64", 2)
_ids, _numbers, _table = array_type("int16", 2), array_type("int64", 1), array_type("float32", 2)


def words_of(dtype: np.dtype) -> int:
    """How many words of four bytes hold a record."""
    return -(-dtype.itemsize // 4)


def records_of(dtype: np.dtype, words: np.ndarray) -> np.ndarray:
    """The records that lie in words[w, game]."""
    rows = np.ascontiguousarray(words.T).view(np.uint8)
    return np.ascontiguousarray(rows[:, : dtype.itemsize]).view(dtype)[:, 0]


class GameKernels:
    """The kernels of one game, compiled when first used."""

    def __init__(self, game: Game, registers: int = 0) -> None:
        self.step = _step_kernel(game, registers)
        self.observe = _observe_kernel(game, registers)
        self.prior = prior_kernel(game)


def _step_kernel(game: Game, registers: int) -> DeviceKernel:
    cuda = cuda_module()
    record_type, words_each, first_automatic = from_dtype(game.dtype), words_of(game.dtype), game.spec.first_automatic
    as_records = record_over(record_type)

    def step(
        mode: int, restricted: int, autoreset: int, longest: int, options: Any,
        words: Any, final_words: Any, chance: Any, legal: Any, choices: Any, decisions: Any, actions: Any,
        actor: Any, mask: Any, reward: Any, terminated: Any, truncated: Any, ended: Any,
        final_seat: Any, final_returns: Any, final_scores: Any,
    ) -> None:  # fmt: skip
        """The mask is all zero before. One place each calls `apply`, `forced_among`, `reset`: calls are copies."""
        i = cuda.grid(1)
        if i >= choices.shape[0]:
            return
        own_words = cuda.local.array(words_each, np.int32, alignment=16)
        rng = cuda.local.array(2, np.uint64)
        own = as_records(own_words)
        s = own[0]
        rng[0] = chance[i, 0]
        rng[1] = chance[i, 1]
        for p in range(reward.shape[1]):
            reward[i, p] = 0.0
        terminated[i] = 0
        truncated[i] = 0
        ended[i] = 0
        n = choices[i]
        playing = mode == PLAY and n > 0
        begin = mode == BEGIN
        made = decisions[i]
        action = CHOICE
        seat = 0
        if not begin:
            for w in range(words.shape[0]):  # not a constant: such a loop would be unrolled whole
                own_words[w] = words[w, i]
        if playing:
            seat = verbs.actor(s)
            action = int(actions[i])
            made += 1
        busy = playing or begin or n > 0
        while busy:
            if begin:
                for w in range(words.shape[0]):
                    own_words[w] = 0
                verbs.reset(s, options)
                made = 0
                begin = False
            elif action != CHOICE:
                verbs.apply(s, action)
            action, n = forced_among(s, rng, legal[i], first_automatic, restricted != 0)
            if action == CHOICE:
                busy = False
                if playing:
                    playing = False
                    over = verbs.actor(s) == TERMINAL
                    if over or made == longest:
                        if over:
                            terminated[i] = 1
                        else:
                            truncated[i] = 1
                            seat = verbs.actor(s)
                        ended[i] = 1
                        final_seat[i] = seat
                        verbs.returns(s, reward[i])
                        for p in range(reward.shape[1]):
                            final_returns[i, p] = reward[i, p]
                        verbs.scores(s, final_scores[i])
                        for w in range(words.shape[0]):
                            final_words[w, i] = own_words[w]
                        n = 0
                        begin = autoreset != 0
                        busy = begin
        if mode != WRITE:
            for w in range(words.shape[0]):
                words[w, i] = own_words[w]
            chance[i, 1] = rng[1]
            decisions[i] = made
        choices[i] = n
        actor[i] = verbs.actor(s) if n > 0 else TERMINAL
        for k in range(n):
            mask[i, legal[i, k]] = 1

    arguments = (
        "int64", "int64", "int64", "int64", _numbers,
        _words, _words, _streams, _ids, _numbers, _numbers, _numbers,
        _flags, array_type("int8", 2), _table, _flags, _flags, _flags, _flags, _table, _table,
    )  # fmt: skip
    return DeviceKernel(step, arguments, (record_type,), registers)


def _observe_kernel(game: Game, registers: int) -> DeviceKernel:
    cuda = cuda_module()
    record_type, words_each = from_dtype(game.dtype), words_of(game.dtype)
    as_records = record_over(record_type)

    def observe(words: Any, seats: Any, fixed_seat: int, only: Any, features: Any) -> None:
        """What seats[i] observes of game i, or the fixed seat if it is not negative; where only[i] is 1, if not empty.

        A view may take the place of its state (see `verbs`), which is a copy here.
        """
        i = cuda.grid(1)
        if i >= seats.shape[0]:
            return
        if only.shape[0] > 0:
            if only[i] == 0:
                return
        own_words = cuda.local.array(words_each, np.int32, alignment=16)
        own = as_records(own_words)
        for w in range(words.shape[0]):
            own_words[w] = words[w, i]
        seat = fixed_seat
        if seat < 0:
            seat = max(int(seats[i]), 0)
        view(own[0], seat, own)
        verbs.observe(own[0], seat, features[i])

    return DeviceKernel(observe, (_words, _flags, "int64", _flags, _table), (record_type,), registers)


def prior_kernel(game: Game) -> DeviceKernel:
    """Writes the shares that the game's own prior gives to the legal actions of every game."""
    cuda = cuda_module()
    record_type, words_each = from_dtype(game.dtype), words_of(game.dtype)
    as_records = record_over(record_type)

    def prior(words: Any, legal: Any, choices: Any, shares: Any) -> None:
        i = cuda.grid(1)
        if i >= choices.shape[0]:
            return
        own_words = cuda.local.array(words_each, np.int32, alignment=16)
        own = as_records(own_words)
        for w in range(words.shape[0]):
            own_words[w] = words[w, i]
        write_prior(own[0], legal[i], choices[i], shares[i])

    return DeviceKernel(prior, (_words, _ids, _numbers, _table), (record_type,))


def play_kernel(game: Game) -> DeviceKernel:
    """Plays blank positions from the start to the end with uniform choices, as `random_play.play_range` does."""
    cuda = cuda_module()
    record_type, words_each, actions = from_dtype(game.dtype), words_of(game.dtype), game.spec.actions
    as_records, first_automatic = record_over(record_type), game.spec.first_automatic

    def play(words: Any, options: Any, chance: Any, policy: Any, decisions: Any) -> None:
        i = cuda.grid(1)
        if i >= decisions.shape[0]:
            return
        own_words = cuda.local.array(words_each, np.int32, alignment=16)
        legal = cuda.local.array(actions, np.int16)
        rngs = cuda.local.array((2, 2), np.uint64)
        own = as_records(own_words)
        for w in range(words.shape[0]):
            own_words[w] = 0
        for k in range(2):
            rngs[0, k] = chance[i, k]
            rngs[1, k] = policy[i, k]
        verbs.reset(own[0], options)
        decisions[i] = play_one(own[0], rngs[0], rngs[1], legal, first_automatic)
        for w in range(words.shape[0]):
            words[w, i] = own_words[w]

    return DeviceKernel(play, (_words, _numbers, _streams, _streams, _numbers), (record_type,))


# What is legal is kept as ascending ids here, and as a mask on a CPU: the choices must be the same as those of
# `core.batch_kernels`.


@rule
def _is_legal(legal: Any, n: int, action: int) -> bool:
    """Is the action among the n ids? In a finished game any action will do."""
    if n == 0:
        return True
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        if legal[middle] <= action:
            low = middle
        else:
            high = middle
    return bool(legal[low] == action)


@rule
def _are_weights(legal: Any, n: int, weights: Any) -> bool:
    """Are the weights of the legal actions finite and at least zero?"""
    for k in range(n):
        if not 0.0 <= float(weights[legal[k]]) < 3.5e38:
            return False
    return True


@rule
def _draw_uniformly(legal: Any, n: int, rng: Any) -> int:
    """One of the n ids, all alike; 0 in a finished game."""
    if n == 0:
        return 0
    return int(legal[below(rng, n) if n > 1 else 0])


@rule
def _draw_by_weight(legal: Any, n: int, rng: Any, weights: Any) -> int:
    """One of the n ids by its weight; sums are in double precision, in the order of ids."""
    total = 0.0
    for k in range(n):
        total += float(weights[legal[k]])
    if total <= 0.0:
        return int(_draw_uniformly(legal, n, rng))
    wanted = uniform(rng) * total
    passed = 0.0
    chosen = 0
    for k in range(n):
        weight = float(weights[legal[k]])
        if weight > 0.0:
            chosen = k  # the last possible one, should rounding leave a rest
            passed += weight
            if passed > wanted:
                break
    return int(legal[chosen])


def sample_kernel() -> DeviceKernel:
    """Draws a legal action of every game; by weight where there are weights."""
    cuda = cuda_module()

    def sample(legal: Any, choices: Any, policy: Any, weights: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i >= actions.shape[0]:
            return
        rng = cuda.local.array(2, np.uint64)
        rng[0] = policy[i, 0]
        rng[1] = policy[i, 1]
        if weights.shape[0] == 0:
            actions[i] = _draw_uniformly(legal[i], choices[i], rng)
        else:
            actions[i] = _draw_by_weight(legal[i], choices[i], rng, weights[i])
        policy[i, 1] = rng[1]

    return DeviceKernel(sample, (_ids, _numbers, _streams, _table, _numbers), ())


def check_kernel() -> DeviceKernel:
    """Finds the first game with an illegal action, or with a bad weight where there are weights."""
    cuda = cuda_module()

    def check(legal: Any, choices: Any, actions: Any, weights: Any, first_bad: Any) -> None:
        i = cuda.grid(1)
        if i >= choices.shape[0]:
            return
        if weights.shape[0] == 0:
            good = _is_legal(legal[i], choices[i], actions[i])
        else:
            good = _are_weights(legal[i], choices[i], weights[i])
        if not good:
            cuda.atomic.min(first_bad, 0, i)

    return DeviceKernel(check, (_ids, _numbers, _numbers, _table, _numbers), ())
