"""Catan: walking through sets of vertices, edges, hexes and seats that are the bits of a word."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array

__all__ = ["bits", "lowest", "write_bits"]

# The powers of two up to 2^65 have different remainders modulo 67.
_INDEX = np.zeros(67, np.int64)
for _k in range(63):
    _INDEX[(1 << _k) % 67] = _k


@rule
def lowest(word: int) -> int:
    """The number of the lowest bit of a set that is not empty; clear it with `word & (word - 1)`."""
    return int(_INDEX[(word & -word) % 67])


@rule
def bits(word: int) -> int:
    """How many bits are set."""
    n = 0
    while word != 0:
        word &= word - 1
        n += 1
    return n


@rule
def write_bits(word: int, first: int, out: Array, n: int) -> int:
    """Appends first + k for every bit k of the word."""
    while word != 0:
        out[n] = first + lowest(word)
        n += 1
        word &= word - 1
    return n
