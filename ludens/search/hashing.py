"""Records with a second face of 64-bit words, so that compiled code can hash a position."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import JIT, rule
from ludens.core.record import Array

__all__ = ["hash_words", "records_and_words"]

_SEED = 0x243F6A8885A308D3
_FACTOR = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def records_and_words(dtype: np.dtype, count: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """`count` zeroed records, and the same memory as `uint64[count, words]` (the last word filled up with zeros).

    Records whose size is no multiple of eight lie apart, each at the start of its row.
    """
    row = -(-dtype.itemsize // 8)
    words = np.zeros((count, row), np.uint64)
    records: np.ndarray = np.ndarray((count,), dtype, words.data, strides=(8 * row,))
    return records, words


if JIT:
    _S, _F, _HALF, _ONE = np.uint64(_SEED), np.uint64(_FACTOR), np.uint64(32), np.uint64(1)

    @rule
    def hash_words(words: Array, row: int) -> int:
        """A hash of a row of words: a non-negative 64-bit integer."""
        h = _S
        for k in range(words.shape[1]):
            h = (h ^ words[row, k]) * _F
            h ^= h >> _HALF
        return np.int64(h >> _ONE)  # type: ignore[return-value]

else:

    def hash_words(words: Array, row: int) -> int:
        """A hash of a row of words: a non-negative 64-bit integer."""
        h = _SEED
        for k in range(words.shape[1]):
            h = ((h ^ int(words[row, k])) * _FACTOR) & _MASK
            h ^= h >> 32
        return h >> 1
