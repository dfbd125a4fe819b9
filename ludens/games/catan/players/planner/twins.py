"""Catan: equal positions among those of one search, found by a hash of their words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludens.core.jit import JIT, rule
from ludens.core.record import Array, blank
from ludens.games.catan.state import DTYPE

__all__ = ["Twins", "forget_twins", "new_twins", "records_and_words", "twin_of"]

_WORDS = DTYPE.itemsize // 8
_FACTORS = np.random.default_rng(4).integers(-(1 << 62), 1 << 62, _WORDS) * 2 + 1  # any odd numbers


class Twins(NamedTuple):
    """Places in an array of positions by their hashes; each position has a mark that tells it from equal ones."""

    slots: np.ndarray  # int64[power of two]: a place, or -1
    hashes: np.ndarray  # int64[places]
    marks: np.ndarray  # int64[places]


def new_twins(places: int) -> Twins:
    """For an array of so many positions."""
    slots = np.full(2 << places.bit_length(), -1, np.int64)
    return Twins(slots, np.zeros(places, np.int64), np.zeros(places, np.int64))


def records_and_words(count: int) -> tuple[np.ndarray, np.ndarray]:
    """`count` blank positions, and the same memory as int64[count, words]."""
    records = blank(DTYPE, count)
    return records, records.view(np.int64).reshape(count, _WORDS)


if JIT:

    @rule
    def _hash(words: Array, place: int) -> int:
        """The sum of the words, each times its factor; without a chain of operations that wait for each other."""
        total = 0
        for k in range(_WORDS):
            total += words[place, k] * _FACTORS[k]
        return total ^ total >> 32

else:

    def _hash(words: Array, place: int) -> int:
        """The sum of the words, each times its factor."""
        total = int((words[place] * _FACTORS).sum())
        return total ^ total >> 32


@rule
def forget_twins(twins: Twins) -> None:
    """No position is known."""
    twins.slots[:] = -1


@rule
def twin_of(twins: Twins, words: Array, place: int, mark: int) -> int:
    """The place of the position with these words and this mark that was asked for before; else `place`, now known."""
    value = _hash(words, place) + mark
    slot = value & twins.slots.shape[0] - 1
    while twins.slots[slot] >= 0:
        known = twins.slots[slot]
        if twins.hashes[known] == value and twins.marks[known] == mark and _same(words, known, place):
            return int(known)
        slot = slot + 1 & twins.slots.shape[0] - 1
    twins.slots[slot] = place
    twins.hashes[place] = value
    twins.marks[place] = mark
    return place


@rule
def _same(words: Array, first: int, second: int) -> bool:
    differing = 0
    for k in range(_WORDS):
        differing |= words[first, k] ^ words[second, k]
    return differing == 0
