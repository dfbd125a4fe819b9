"""Catan: walking through bit sets."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule

__all__ = ["bits", "lowest"]

# The powers of two up to 2^65 have different remainders modulo 67.
_INDEX = np.zeros(67, np.int64)
for _k in range(63):
    _INDEX[(1 << _k) % 67] = _k


@rule
def lowest(word: int) -> int:
    """The number of the lowest bit of a set that is not empty; clear it with `word & (word - 1)`."""
    return _INDEX[(word & -word) % 67]


@rule
def bits(word: int) -> int:
    """How many bits are set."""
    n = 0
    while word != 0:
        word &= word - 1
        n += 1
    return n
