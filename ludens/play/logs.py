"""Whole logs from the choices of a game, and what a log says on the way: scores turn by turn."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.rng import CHANCE_STREAM, generator
from ludens.core.settle import CHOICE, forced
from ludens.core.spec import Game

__all__ = ["final_state", "log_of", "pack", "scores_by_turn", "unpack"]

_ROOM = 1 << 14  # entries of a log that are written without a second try


@kernel
def _write_log(states: Any, options: Any, rng: Any, legal: Any, first_automatic: int, choices: Any, out: Any) -> int:
    """Plays the choices with all that is forced between them; returns the length of its log, which `out` may cut."""
    s = states[0]
    verbs.reset(s, options)
    length = 0
    k = 0
    while True:
        action, _ = forced(s, rng, legal, first_automatic)
        if action == CHOICE:
            if k == choices.shape[0]:
                return length
            action = choices[k]
            k += 1
        verbs.apply(s, action)
        if length < out.shape[0]:
            out[length] = action
        length += 1


def log_of(game: Game, options: np.ndarray, seed: int, choices: Sequence[int]) -> np.ndarray:
    """The log of the game with these choices, as a match of that seed would write it."""
    decided, legal = np.array(choices, np.int64), np.zeros(game.spec.actions, np.int64)
    room = _ROOM
    while True:
        out = np.zeros(room, np.int64)
        rng = generator(seed, CHANCE_STREAM)
        first = game.spec.first_automatic
        length = int(_write_log(blank(game.dtype), options, rng, legal, first, decided, out))
        if length <= room:
            return out[:length]
        room = length


def pack(log: np.ndarray) -> bytes:
    """A log as compressed 16- or 32-bit integers."""
    narrow = log.size == 0 or int(log.max()) < 1 << 15
    return (b"h" if narrow else b"i") + zlib.compress(log.astype("<i2" if narrow else "<i4").tobytes(), 6)


def unpack(packed: bytes) -> np.ndarray:
    """The inverse of `pack`."""
    kind = "<i2" if packed[:1] == b"h" else "<i4"
    try:
        return np.frombuffer(zlib.decompress(packed[1:]), kind).astype(np.int64)
    except (zlib.error, ValueError) as error:
        raise BadInput("The log of a stored game is damaged: it cannot be unpacked.") from error


@kernel
def _walk(states: Any, options: Any, log: Any, points: Any, out: Any) -> int:
    """Scores after every turn of a log; returns the number of turns, written as far as `out` goes."""
    s = states[0]
    verbs.reset(s, options)
    turns = 0
    last = -1
    for k in range(log.shape[0]):
        who = verbs.actor(s)
        if who >= 0 and who != last:
            if last >= 0:
                if turns < out.shape[0]:
                    verbs.scores(s, points)
                    out[turns] = points
                turns += 1
            last = who
        verbs.apply(s, log[k])
    if last >= 0:
        if turns < out.shape[0]:
            verbs.scores(s, points)
            out[turns] = points
        turns += 1
    return turns


def scores_by_turn(game: Game, options: np.ndarray, log: np.ndarray) -> np.ndarray:
    """The scores `[turn, seat]` after every turn; a turn is all that one seat decides until another does."""
    room = max(1, len(log))
    out, points = np.zeros((room, int(options[0]))), np.zeros(int(options[0]))
    turns = int(_walk(blank(game.dtype), options, log, points, out))
    return out[:turns]


@kernel
def _play_out(states: Any, options: Any, log: Any) -> None:
    s = states[0]
    verbs.reset(s, options)
    for k in range(log.shape[0]):
        verbs.apply(s, log[k])


def final_state(game: Game, options: np.ndarray, log: np.ndarray) -> np.ndarray:
    """The position that a log leads to, as an array of one record; the log is taken to be sound."""
    states = blank(game.dtype)
    _play_out(states, options, log)
    return states
