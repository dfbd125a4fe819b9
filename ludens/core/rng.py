"""A counter-based random generator with independent streams.

A generator is a `uint64[2]` array: (key, counter). Word *i* of a stream is a mix of key
and *i* (SplitMix64), so a stream can be entered anywhere. Every purpose of a match has
its own stream: an agent that thinks longer does not change the dice.

Chance event *k* of a match reads the words from `k << EVENT_BITS` on (see `next_event`),
so the dice of any ply can be recomputed from the seed alone.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import JIT, rule
from ludens.core.record import Array

__all__ = [
    "AGENT",
    "BATCH_GAME",
    "CHANCE_STREAM",
    "DETERMINIZE",
    "EVENT_BITS",
    "GAME_SEED",
    "POLICY",
    "SEED_LIMIT",
    "below",
    "drawn",
    "enter_event",
    "game_seed",
    "generator",
    "generators",
    "next_event",
    "pick",
    "uniform",
    "word",
]

EVENT_BITS = 16
"""Words reserved for one chance event, as a power of two."""

SEED_LIMIT = 1 << 53
"""Seeds of games lie below this: they survive JSON in any language."""

# The purposes of streams; the first number of a stream's path.
CHANCE_STREAM = 0
AGENT = 1
DETERMINIZE = 2
POLICY = 3
GAME_SEED = 4  # of the games of a series in the arena
BATCH_GAME = 5  # of the games of a batch

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_A = 0xBF58476D1CE4E5B9
_MIX_B = 0x94D049BB133111EB


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * _MIX_A) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_B) & _MASK
    return z ^ (z >> 31)


def generator(seed: int, *path: int) -> np.ndarray:
    """The generator of one stream: `path` names its purpose and index."""
    key = _mix((seed + _GOLDEN) & _MASK)
    for number in path:
        key = _mix((key + (number + 1) * _GOLDEN) & _MASK)
    return np.array([key, 0], np.uint64)


def game_seed(seed: int, index: int) -> int:
    """The seed of game `index` of a batch; batches of neighbouring seeds share no game."""
    return int(generator(seed, BATCH_GAME, index)[0]) >> 11


def generators(seed: int, count: int, *path: int) -> np.ndarray:
    """One a game of a batch: `uint64[count, 2]`; row i is `generator(game_seed(seed, i), *path)`."""
    batch_key = generator(seed, BATCH_GAME)[0]
    numbers = np.arange(1, count + 1, dtype=np.uint64)
    seeds = _mix_array(batch_key + numbers * np.uint64(_GOLDEN)) >> np.uint64(11)
    keys = _mix_array(seeds + np.uint64(_GOLDEN))
    for number in path:
        keys = _mix_array(keys + np.uint64(((number + 1) * _GOLDEN) & _MASK))
    return np.stack([keys, np.zeros_like(keys)], axis=1)


def _mix_array(z: np.ndarray) -> np.ndarray:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_A)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_B)
    mixed: np.ndarray = z ^ (z >> np.uint64(31))
    return mixed


def _plain_word(rng: Array) -> int:
    """The next 32 random bits."""
    key, counter = int(rng[0]), int(rng[1])
    rng[1] = counter + 1
    return _mix((key + counter * _GOLDEN) & _MASK) >> 32


def pick(rng: np.ndarray, n: int) -> int:
    """`below` for single calls from Python: the same numbers, nothing to compile."""
    while True:
        product = _plain_word(rng) * n
        low = product & 0xFFFFFFFF
        if low >= n or low >= (0x100000000 - n) % n:
            return product >> 32


if JIT:
    _G, _A, _B = np.uint64(_GOLDEN), np.uint64(_MIX_A), np.uint64(_MIX_B)
    _S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
    _ONE, _BITS = np.uint64(1), np.uint64(EVENT_BITS)

    @rule
    def word(rng: Array) -> int:
        """The next 32 random bits, as a signed 64-bit integer."""
        z = rng[0] + rng[1] * _G
        rng[1] += _ONE
        z = (z ^ (z >> _S30)) * _A
        z = (z ^ (z >> _S27)) * _B
        return np.int64((z ^ (z >> _S31)) >> _S32)  # type: ignore[return-value]

    @rule
    def next_event(rng: Array) -> None:
        """Moves the generator to the words of the next chance event."""
        rng[1] = ((rng[1] >> _BITS) + _ONE) << _BITS

else:
    word = _plain_word

    def next_event(rng: Array) -> None:
        """Moves the generator to the words of the next chance event."""
        rng[1] = ((int(rng[1]) >> EVENT_BITS) + 1) << EVENT_BITS


def enter_event(rng: np.ndarray, event: int) -> None:
    """Puts the generator at the first word of the given chance event."""
    rng[1] = event << EVENT_BITS


@rule
def below(rng: Array, n: int) -> int:
    """A uniform integer in [0, n), exactly (Lemire's multiplication with rejection); 0 < n < 2^31."""
    product = word(rng) * n
    low = product & 0xFFFFFFFF
    if low < n:
        threshold = (0x100000000 - n) % n
        while low < threshold:
            product = word(rng) * n
            low = product & 0xFFFFFFFF
    return int(product >> 32)


@rule
def drawn(rng: Array, counts: Array, total: int) -> int:
    """The kind of one of `total` things at random, of which there are counts[kind] of each kind."""
    ticket, kind = below(rng, total), 0
    while ticket >= counts[kind]:
        ticket -= int(counts[kind])
        kind += 1
    return kind


@rule
def uniform(rng: Array) -> float:
    """A uniform number in [0, 1) with 32 random bits."""
    return float(word(rng) * (1.0 / 4294967296.0))
