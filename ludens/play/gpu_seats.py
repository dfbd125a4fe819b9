"""One seat of many games on a GPU, one thread a game: the counterpart of `play.seat_kernel`, with the same numbers.

Players who are compiled into the kernel, `random` and the one that a game names in its `SeatTask`, move at once; where
a player sits whom only the caller can ask, such as a network, the game waits for its answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.np.numpy_support import from_dtype

from ludens.core import verbs
from ludens.core.rng import below
from ludens.core.settle import CHOICE, forced
from ludens.core.spec import Game
from ludens.gpu.device import DeviceKernel, array_type
from ludens.gpu.kernels import words_of
from ludens.gpu.numba_cuda_internals import cuda_module, record_over
from ludens.play.seat_kernel import ASK, PLAY, SEAT, START

__all__ = ["COMPILED", "FIRST_ASKED", "RANDOM", "SeatTask", "seat_kernel"]

RANDOM, COMPILED, FIRST_ASKED = 0, 1, 2
"""Numbers of players: random, the one of the `SeatTask`, and from 2 on such as are asked."""
_NUMBERS = 8  # integers that the rules of a task may use as they like


@dataclass(frozen=True)
class SeatTask:
    """What a game compiles into its kernel; both rules see the whole position and have an array of one record to spare.

    choose(s, legal, n, scratch, numbers) -> action. reward(s, seat, action, kind, constants, scratch, numbers) -> what
    a move earns, before it is played.
    """

    player: str  # whose moves `choose` makes
    choose: Any
    reward: Any


def seat_kernel(game: Game, task: SeatTask) -> DeviceKernel:
    """Brings every game whose status is START, PLAY or ANSWER to SEAT or ASK."""
    cuda = cuda_module()
    record_type, words_each, first_automatic = from_dtype(game.dtype), words_of(game.dtype), game.spec.first_automatic
    as_records = record_over(record_type)
    choose, reward_of = task.choose, task.reward

    def advance(
        kind: int, options: Any, constants: Any, pool: Any,
        words: Any, chance: Any, policy: Any, draws: Any, legal: Any, actions: Any,
        status: Any, actor: Any, seats: Any, games: Any, decisions: Any, sitting: Any,
        mask: Any, moved: Any, ended: Any, scores: Any, final_returns: Any, final_scores: Any,
    ) -> None:  # fmt: skip
        """One place each calls `apply`, `forced` and `reset`: a call is a copy of it."""
        i = cuda.grid(1)
        if i >= status.shape[0]:
            return
        if status[i] < START:
            return
        own_words = cuda.local.array(words_each, np.int32, alignment=16)
        scratch_words = cuda.local.array(words_each, np.int32, alignment=16)
        numbers = cuda.local.array(_NUMBERS, np.int64)
        rngs = cuda.local.array((3, 2), np.uint64)
        own = as_records(own_words)
        scratch = as_records(scratch_words)
        s = own[0]
        for k in range(2):
            rngs[0, k] = chance[i, k]
            rngs[1, k] = policy[i, k]
            rngs[2, k] = draws[i, k]
        seat = int(seats[i])
        made = int(decisions[i])
        begin = status[i] == START
        rotate = 1
        action = CHOICE
        n = 0
        if not begin:
            for w in range(words.shape[0]):  # not a constant: such a loop would be unrolled whole
                own_words[w] = words[w, i]
            action = int(actions[i])
        if status[i] == PLAY:
            made += 1
            if kind >= 0:
                moved[i] = reward_of(s, seat, action, kind, constants, scratch, numbers)
        busy = True
        while busy:
            if begin:
                for w in range(words.shape[0]):
                    own_words[w] = 0
                verbs.reset(s, options)
                games[i] += 1
                made = 0
                seat = (seat + rotate) % sitting.shape[1]
                for p in range(sitting.shape[1]):
                    sitting[i, p] = -1
                    if p != seat:
                        sitting[i, p] = pool[below(rngs[2], pool.shape[0])]
                begin = False
            elif action != CHOICE:
                verbs.apply(s, action)
            action, n = forced(s, rngs[0], legal[i], first_automatic)
            if action == CHOICE:
                if n > 0:
                    who = int(verbs.actor(s))
                    player = int(sitting[i, who])
                    if who == seat:
                        status[i] = SEAT
                        busy = False
                    elif player >= FIRST_ASKED:
                        status[i] = ASK
                        busy = False
                    elif player == RANDOM:
                        action = int(legal[i, below(rngs[1], n)])
                    else:
                        action = int(choose(s, legal[i], n, scratch, numbers))
                elif made == 0:  # it ended before the seat's first choice: the seat is dealt another
                    begin = True
                    rotate = 0
                else:
                    verbs.returns(s, final_returns[i])
                    verbs.scores(s, final_scores[i])
                    ended[i] = 1
                    begin = True
                    rotate = 1
        verbs.scores(s, scores[i])
        for w in range(words.shape[0]):
            words[w, i] = own_words[w]
        chance[i, 1] = rngs[0, 1]
        policy[i, 1] = rngs[1, 1]
        draws[i, 1] = rngs[2, 1]
        seats[i] = seat
        decisions[i] = made
        actor[i] = verbs.actor(s)
        for a in range(mask.shape[1]):
            mask[i, a] = 0
        for k in range(n):
            mask[i, legal[i, k]] = 1

    numbers, flags, table = array_type("int64", 1), array_type("int8", 1), array_type("float32", 2)
    streams = array_type("uint64", 2)
    arguments = (
        "int64", numbers, array_type("float64", 1), numbers,
        array_type("int32", 2), streams, streams, streams, array_type("int16", 2), numbers,
        numbers, flags, numbers, numbers, numbers, array_type("int64", 2),
        array_type("int8", 2), array_type("float64", 1), flags, table, table, table,
    )  # fmt: skip
    return DeviceKernel(advance, arguments, (record_type,))
