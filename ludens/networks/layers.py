"""What forward passes are made of: sums of rows of weights, and products of rows with a vector.

All sums have a fixed order, whatever code they are compiled into, and are made side by side in the processor's vectors.
"""

from __future__ import annotations

import math

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array

__all__ = ["above_zero", "add_rows", "copy", "dot", "normalise", "other_than_zero"]

_LEAST = 1e-5  # added to a variance, as in torch


@rule
def add_rows(weights: Array, start: int, width: int, x: Array, active: Array, count: int, out: Array) -> None:
    """out += the rows of the matrix at `start` that belong to active inputs, each times its input."""
    k = 0
    while k + 4 <= count:
        i0, i1, i2, i3 = active[k], active[k + 1], active[k + 2], active[k + 3]
        x0, x1, x2, x3 = x[i0], x[i1], x[i2], x[i3]
        w0 = weights[start + i0 * width : start + (i0 + 1) * width]
        w1 = weights[start + i1 * width : start + (i1 + 1) * width]
        w2 = weights[start + i2 * width : start + (i2 + 1) * width]
        w3 = weights[start + i3 * width : start + (i3 + 1) * width]
        for j in range(width):
            out[j] += (x0 * w0[j] + x1 * w1[j]) + (x2 * w2[j] + x3 * w3[j])
        k += 4
    while k < count:
        x0 = x[active[k]]
        w0 = weights[start + active[k] * width : start + (active[k] + 1) * width]
        for j in range(width):
            out[j] += x0 * w0[j]
        k += 1


@rule
def copy(values: Array, out: Array) -> None:
    """out[:] = values."""
    for j in range(out.shape[0]):
        out[j] = values[j]


@rule
def other_than_zero(x: Array, active: Array, size: int) -> int:
    """Writes the places of numbers other than zero; returns how many there are."""
    n = 0
    for i in range(size):
        active[n] = i
        n += 1 if x[i] != 0.0 else 0
    return n


@rule
def above_zero(x: Array, active: Array, size: int) -> int:
    """Writes the places of numbers above zero, which a ReLU lets pass; returns how many there are."""
    n = 0
    for i in range(size):
        active[n] = i
        n += 1 if x[i] > 0.0 else 0
    return n


@rule
def dot(weights: Array, start: int, width: int, x: Array, sums: Array) -> float:
    """The product of a row of weights with x: its quarters are laid on one another, then halves, in a fixed order."""
    size = width // 4
    w0, x0 = weights[start : start + size], x[:size]
    w1, x1 = weights[start + size : start + 2 * size], x[size : 2 * size]
    w2, x2 = weights[start + 2 * size : start + 3 * size], x[2 * size : 3 * size]
    w3, x3 = weights[start + 3 * size : start + width], x[3 * size :]
    for j in range(size):
        sums[j] = (x0[j] * w0[j] + x1[j] * w1[j]) + (x2[j] * w2[j] + x3[j] * w3[j])
    total: float = _folded(sums, size)
    return total


@rule
def _folded(sums: Array, size: int) -> float:
    """The sum of sums[:size], halves laid on one another; overwrites them."""
    while size % 2 == 0 and size > 4:
        size //= 2
        rest = sums[size : 2 * size]
        for j in range(size):
            sums[j] += rest[j]
    total: float = sums[0]
    for j in range(1, size):
        total += sums[j]
    return total


@rule
def normalise(x: Array, weights: Array, start: int, width: int, out: Array, sums: Array) -> None:
    """out = x with mean zero and variance one, times the gains at `start`, plus the biases that follow them."""
    gains, biases = weights[start : start + width], weights[start + width : start + 2 * width]
    share = np.float32(1.0 / width)
    for j in range(width):
        sums[j] = x[j]
    mean = share * _folded(sums, width)
    for j in range(width):
        sums[j] = (x[j] - mean) * (x[j] - mean)
    scale = np.float32(1.0 / math.sqrt(share * _folded(sums, width) + _LEAST))
    for j in range(width):
        out[j] = (x[j] - mean) * scale * gains[j] + biases[j]
