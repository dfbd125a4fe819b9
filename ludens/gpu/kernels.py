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
from ludens.core.batch_kernels import DRAWN, LEARNER, MOST_DEALS, RANDOM, write_prior
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
    "COMPILED",
    "PLAY",
    "WRITE",
    "GameKernels",
    "check_kernel",
    "play_kernel",
    "prior_kernel",
    "records_of",
    "reward_kernel",
    "sample_kernel",
    "score_kernel",
    "words_of",
]

PLAY, BEGIN, WRITE = 0, 1, 2
"""What the kernel `step` does: plays one action a game, starts all games, or writes the decisions they stand at."""

COMPILED = -2
"""The holder of a seat for whom the game's own agent chooses within the kernel, where it offers one."""
_NUMBERS = 8  # integers that a game's own rules may use as they like

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

    def __init__(self, game: Game, registers: int = 0, seated: bool = False) -> None:
        offered = game.learning().get("on_gpu", {})
        self.step = _step_kernel(game, registers, seated, offered.get("choose"))
        self.observe = _observe_kernel(game, registers)
        self.prior = prior_kernel(game)
        self.scores = score_kernel(game)
        self.reward = reward_kernel(game, offered["reward"]) if "reward" in offered else None


def _step_kernel(game: Game, registers: int, seated: bool = False, choose: Any = None) -> DeviceKernel:
    """With `seated`, some seats are held here: by uniform choices, or by `choose(s, legal, n, scratch, numbers)`."""
    cuda = cuda_module()
    compiled = choose is not None
    choose = choose if compiled else _first
    record_type, words_each, first_automatic = from_dtype(game.dtype), words_of(game.dtype), game.spec.first_automatic
    as_records = record_over(record_type)

    def step(
        mode: int, restricted: int, autoreset: int, longest: int, options: Any,
        words: Any, final_words: Any, chance: Any, legal: Any, choices: Any, decisions: Any, actions: Any,
        actor: Any, mask: Any, reward: Any, terminated: Any, truncated: Any, ended: Any,
        final_seat: Any, final_returns: Any, final_scores: Any,
        holders: Any, seats: Any, deals: Any, policy: Any, draws: Any, pool: Any, sides: Any, partner: int, rotate: int,
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
        if seated:
            others = cuda.local.array((2, 2), np.uint64)
            for k in range(2):
                others[0, k] = policy[i, k]
                others[1, k] = draws[i, k]
            scratch_words = cuda.local.array(words_each if compiled else 1, np.int32, alignment=16)
            numbers = cuda.local.array(_NUMBERS, np.int64)
        forward = rotate
        again = 0
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
                if seated:
                    own_seat = (seats[i] + forward) % holders.shape[1]
                    seats[i] = own_seat
                    deals[i] += 1
                    for p in range(holders.shape[1]):
                        if p == own_seat:
                            holders[i, p] = LEARNER
                        elif partner != DRAWN and sides[p] == sides[own_seat]:
                            holders[i, p] = partner
                        else:
                            holders[i, p] = pool[below(others[1], pool.shape[0])]
            elif action != CHOICE:
                verbs.apply(s, action)
            action, n = forced_among(s, rng, legal[i], first_automatic, restricted != 0)
            if seated and action == CHOICE and n > 0:
                holder = holders[i, verbs.actor(s)]
                if holder == RANDOM:
                    action = int(legal[i, below(others[0], n)])
                elif compiled and holder == COMPILED:
                    action = int(choose(s, legal[i], n, as_records(scratch_words), numbers))
            if action == CHOICE:
                busy = False
                if seated and n == 0 and made == 0 and mode != WRITE:  # it ended before the learner's first choice
                    again += 1
                    forward = 0
                    begin = again <= MOST_DEALS
                    busy = begin
                elif playing or (seated and mode == PLAY):
                    playing = False
                    over = verbs.actor(s) == TERMINAL
                    at_most = made == longest
                    if seated:
                        at_most = at_most and made > 0 and n > 0 and holders[i, verbs.actor(s)] == LEARNER
                    if over or at_most:
                        if over:
                            terminated[i] = 1
                        else:
                            truncated[i] = 1
                            seat = verbs.actor(s)
                        ended[i] = 1
                        if seated:
                            seat = seats[i]
                            forward = rotate
                        final_seat[i] = seat
                        verbs.returns(s, final_returns[i])
                        for p in range(reward.shape[1]):
                            reward[i, p] += final_returns[i, p]
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
            if seated:
                policy[i, 1] = others[0, 1]
                draws[i, 1] = others[1, 1]
        choices[i] = n
        actor[i] = verbs.actor(s) if n > 0 else TERMINAL
        for k in range(n):
            mask[i, legal[i, k]] = 1

    arguments = (
        "int64", "int64", "int64", "int64", _numbers,
        _words, _words, _streams, _ids, _numbers, _numbers, _numbers,
        _flags, array_type("int8", 2), _table, _flags, _flags, _flags, _flags, _table, _table,
        array_type("int64", 2), _numbers, _numbers, _streams, _streams, _numbers, _numbers, "int64", "int64",
    )  # fmt: skip
    return DeviceKernel(step, arguments, (record_type,), registers)


@rule
def _first(s: Any, legal: Any, n: int, scratch: Any, numbers: Any) -> int:
    """In place of an agent where a game offers none."""
    return int(legal[0])


def score_kernel(game: Game) -> DeviceKernel:
    """Writes the points of all seats as the games stand."""
    cuda = cuda_module()
    record_type, words_each = from_dtype(game.dtype), words_of(game.dtype)
    as_records = record_over(record_type)

    def score(words: Any, scores: Any) -> None:
        i = cuda.grid(1)
        if i >= scores.shape[0]:
            return
        own_words = cuda.local.array(words_each, np.int32, alignment=16)
        for w in range(words.shape[0]):
            own_words[w] = words[w, i]
        verbs.scores(as_records(own_words)[0], scores[i])

    return DeviceKernel(score, (_words, _table), (record_type,))


def reward_kernel(game: Game, reward_of: Any) -> DeviceKernel:
    """Writes what the actors earn by their actions: `reward_of(s, seat, action, kind, constants, scratch, numbers)`."""
    cuda = cuda_module()
    record_type, words_each = from_dtype(game.dtype), words_of(game.dtype)
    as_records = record_over(record_type)

    def reward(words: Any, actor: Any, actions: Any, kind: int, constants: Any, earned: Any) -> None:
        i = cuda.grid(1)
        if i >= earned.shape[0]:
            return
        own_words = cuda.local.array(words_each, np.int32, alignment=16)
        scratch_words = cuda.local.array(words_each, np.int32, alignment=16)
        numbers = cuda.local.array(_NUMBERS, np.int64)
        for w in range(words.shape[0]):
            own_words[w] = words[w, i]
        s = as_records(own_words)[0]
        earned[i] = reward_of(s, int(actor[i]), int(actions[i]), kind, constants, as_records(scratch_words), numbers)

    arguments = (_words, _flags, _numbers, "int64", array_type("float64", 1), array_type("float32", 1))
    return DeviceKernel(reward, arguments, (record_type,))


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
