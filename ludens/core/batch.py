"""Many games stepped at once, into the caller's buffers.

One call plays one action in every game, then chance and automatic steps until the next
decision, and writes who acts, the mask, the features of the actor's view and the rewards.
Work is split over threads; the kernels hold no GIL.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import record, verbs
from ludens.core.errors import BadInput
from ludens.core.inputs import with_players
from ludens.core.jit import kernel, rule
from ludens.core.registry import game as game_named
from ludens.core.rng import CHANCE_STREAM, generators
from ludens.core.settle import settle
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL, view

__all__ = ["Batch", "Buffers"]


@dataclass(frozen=True)
class Buffers:
    """What a step writes; allocate once, reuse for ever (or hand in arrays of your own)."""

    actor: np.ndarray  # int8[games]: the seat to act, TERMINAL after the end
    mask: np.ndarray  # int8[games, actions]: 1 for legal actions of the actor; all zero at the end
    features: np.ndarray  # float32[games, observation]: the actor's own view (seat 0's at the end)
    reward: np.ndarray  # float32[games, players]: returns of every seat in the step that ends the game
    done: np.ndarray  # int8[games]: 1 if this step ended the game


class Batch:
    """`size` games of one kind; game i plays as a match with the seed `seed + i` would.

    With `autoreset` a finished game starts anew within the same step: its reward and done are
    those of the finished game, its mask and features those of the new one, and its draws go on
    in its stream. Without, a finished game stays at its end: further actions are ignored and
    its reward and done are zero. Options are the game's tournament options unless overridden.

    >>> batch = Batch("azul", 4, seed=7)
    >>> out = batch.buffers()
    >>> batch.reset(out)
    >>> batch.step(out.mask.argmax(axis=1), out)
    >>> out.mask.shape, int(out.done.sum())
    ((4, 306), 0)
    """

    def __init__(
        self,
        game: Game | str,
        size: int,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        threads: int = 1,
        autoreset: bool = True,
        *,
        players: int | None = None,
    ) -> None:
        game = game_named(game) if isinstance(game, str) else game
        if size < 1 or threads < 1:
            raise BadInput(f"A batch needs at least one game and one thread, not {size} and {threads}.")
        self.game = game
        self.options = game.options({**game.spec.tournament, **(with_players(options, players) or {})})
        self.players = int(self.options[0])
        self.autoreset = autoreset
        self.states = record.blank(game.dtype, size)
        self._rngs = generators(seed, size, CHANCE_STREAM)
        self._blank = record.blank(game.dtype)
        edges = np.linspace(0, size, threads + 1).astype(int)
        self._ranges = [(int(a), int(b)) for a, b in itertools.pairwise(edges) if b > a]
        self._views = [record.blank(game.dtype) for _ in self._ranges]
        self._legal = [np.zeros(game.spec.actions, np.int64) for _ in self._ranges]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def buffers(self) -> Buffers:
        """Fresh buffers of the right shapes."""
        size, spec = len(self.states), self.game.spec
        return Buffers(
            actor=np.zeros(size, np.int8),
            mask=np.zeros((size, spec.actions), np.int8),
            features=np.zeros((size, spec.observation_size(self.options)), np.float32),
            reward=np.zeros((size, self.players), np.float32),
            done=np.zeros(size, np.int8),
        )

    def reset(self, out: Buffers) -> None:
        """Starts all games and writes their first decisions."""
        self._run(_reset_range, out, self._blank, self.options)

    def step(self, actions: np.ndarray, out: Buffers) -> None:
        """Plays actions[i], which must be legal, in game i; writes what the buffers say."""
        self._run(_step_range, out, self._blank, self.options, actions, self.autoreset)

    def _run(self, work: Any, out: Buffers, *arguments: Any) -> None:
        first_automatic = self.game.spec.first_automatic
        buffers = (out.actor, out.mask, out.features, out.reward, out.done)
        jobs = [
            (self.states, self._rngs, low, high, self._views[k], self._legal[k], first_automatic, *buffers, *arguments)
            for k, (low, high) in enumerate(self._ranges)
        ]
        if self._pool is None:
            work(*jobs[0])
        else:
            for done in [self._pool.submit(work, *job) for job in jobs]:
                done.result()


@rule
def _write(s: Any, legal: Any, n: int, views: Any, actor: Any, mask: Any, features: Any, i: int) -> None:
    """Writes actor, mask and features of game i."""
    who = verbs.actor(s)
    actor[i] = who
    mask[i, :] = 0
    for k in range(n):
        mask[i, legal[k]] = 1
    seat = max(who, 0)
    view(s, seat, views)
    verbs.observe(views[0], seat, features[i])


@kernel
def _reset_range(
    states: Any,
    rngs: Any,
    low: int,
    high: int,
    views: Any,
    legal: Any,
    first_automatic: int,
    actor: Any,
    mask: Any,
    features: Any,
    reward: Any,
    done: Any,
    blank: Any,
    options: Any,
) -> None:
    for i in range(low, high):
        states[i] = blank[0]
        s = states[i]
        verbs.reset(s, options)
        n = settle(s, rngs[i], legal, first_automatic)
        reward[i, :] = 0.0
        done[i] = 0
        _write(s, legal, n, views, actor, mask, features, i)


@kernel
def _step_range(
    states: Any,
    rngs: Any,
    low: int,
    high: int,
    views: Any,
    legal: Any,
    first_automatic: int,
    actor: Any,
    mask: Any,
    features: Any,
    reward: Any,
    done: Any,
    blank: Any,
    options: Any,
    actions: Any,
    autoreset: bool,
) -> None:
    for i in range(low, high):
        s = states[i]
        reward[i, :] = 0.0
        done[i] = 0
        n = 0
        if verbs.actor(s) != TERMINAL:
            verbs.apply(s, actions[i])
            n = settle(s, rngs[i], legal, first_automatic)
            if verbs.actor(s) == TERMINAL:
                verbs.returns(s, reward[i])
                done[i] = 1
                if autoreset:
                    states[i] = blank[0]
                    verbs.reset(s, options)
                    n = settle(s, rngs[i], legal, first_automatic)
        _write(s, legal, n, views, actor, mask, features, i)
