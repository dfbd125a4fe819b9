"""A network's forward pass, compiled, for one position on one core.

It stands here, below `learn`, because the tree search calls it in its kernels and `learn` builds on it; nothing here
knows of files or of training. A network is one flat float32 array and a few whole numbers that say where each of its
parts begins, so that kernels take plain arrays.

Most features of a position are zero, and so are about half of the numbers that leave a ReLU: a layer is the sum of
the rows of its weights that belong to inputs which are not zero. Of the policy only the legal actions are computed.
All sums have a fixed order, so that a pass gives the same bits wherever it is compiled into.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ludens.core.jit import kernel, rule

__all__ = [
    "PLAIN",
    "SHAPE",
    "PackedNetwork",
    "Thinking",
    "aligned",
    "forward",
    "forward_many",
    "make_thinking",
    "softmax",
]

PLAIN = 0
"""The architecture of one trunk over all features: a layer, residual blocks, and the heads."""

# Where the numbers of `PackedNetwork.shape` stand; those from "input" on are places in the flat array.
SHAPE = (
    "architecture",
    "inputs",
    "width",
    "blocks",
    "layers",
    "actions",
    "seats",
    "input",
    "first_block",
    "policy",
    "value",
)
_ARCHITECTURE, _INPUTS, _WIDTH, _BLOCKS, _LAYERS, _ACTIONS, _SEATS, _INPUT, _FIRST_BLOCK, _POLICY, _VALUE = range(
    len(SHAPE)
)


class PackedNetwork(NamedTuple):
    """What kernels take of a network.

    The parts of a plain one, in this order, every matrix followed by its biases: input [inputs, width]; for every
    block inner [width, width] and outer [width, width]; policy [actions, width]; value [seats, width].
    """

    weights: np.ndarray  # float32[parameters]
    shape: np.ndarray  # int64[len(SHAPE)]


class Thinking(NamedTuple):
    """Scratch memory of one thread for forward passes."""

    features: np.ndarray  # float32[inputs]: what the network sees
    active: np.ndarray  # int64[inputs or width]: inputs of a layer that are not zero
    trunk: np.ndarray  # float32[width]
    inner: np.ndarray  # float32[width]
    values: np.ndarray  # float32[seats]: of the acting seat, of the next one, …


def aligned(size: int) -> np.ndarray:
    """Zeros that begin at a cache line: loads that straddle two lines cost twice."""
    memory = np.zeros(size + 16, np.float32)
    start = -memory.ctypes.data % 64 // 4
    return memory[start : start + size]


def make_thinking(network: PackedNetwork) -> Thinking:
    """Scratch memory for one thread."""
    inputs, width = int(network.shape[_INPUTS]), int(network.shape[_WIDTH])
    return Thinking(
        features=aligned(inputs),
        active=np.zeros(max(inputs, width), np.int64),
        trunk=aligned(width),
        inner=aligned(width),
        values=np.zeros(int(network.shape[_SEATS]), np.float32),
    )


@rule
def _add_rows(weights: Any, start: int, width: int, x: Any, active: Any, count: int, out: Any) -> None:
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
def _other_than_zero(x: Any, active: Any, size: int) -> int:
    n = 0
    for i in range(size):
        active[n] = i
        n += 1 if x[i] != 0.0 else 0
    return n


@rule
def _above_zero(x: Any, active: Any, size: int) -> int:
    n = 0
    for i in range(size):
        active[n] = i
        n += 1 if x[i] > 0.0 else 0
    return n


@rule
def _dot(weights: Any, start: int, width: int, x: Any, sums: Any) -> float:
    """The product of a row of weights with x: its quarters are laid on one another, then halves, in a fixed order."""
    size = width // 4
    w0, x0 = weights[start : start + size], x[:size]
    w1, x1 = weights[start + size : start + 2 * size], x[size : 2 * size]
    w2, x2 = weights[start + 2 * size : start + 3 * size], x[2 * size : 3 * size]
    w3, x3 = weights[start + 3 * size : start + width], x[3 * size :]
    for j in range(size):
        sums[j] = (x0[j] * w0[j] + x1[j] * w1[j]) + (x2[j] * w2[j] + x3[j] * w3[j])
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
def _trunk(network: Any, memory: Any) -> None:
    """From the features to what the heads read, in memory.trunk."""
    weights, shape = network.weights, network.shape
    inputs, width, blocks = int(shape[_INPUTS]), int(shape[_WIDTH]), int(shape[_BLOCKS])
    trunk, inner, active = memory.trunk, memory.inner, memory.active
    start = int(shape[_INPUT])
    bias = weights[start + inputs * width : start + (inputs + 1) * width]
    for j in range(width):
        trunk[j] = bias[j]
    n = _other_than_zero(memory.features, active, inputs)
    _add_rows(weights, start, width, memory.features, active, n, trunk)
    start = int(shape[_FIRST_BLOCK])
    layer = (width + 1) * width
    for _ in range(blocks):
        n = _above_zero(trunk, active, width)
        if shape[_LAYERS] == 1:  # the rows are added to what they are chosen by, so that is kept apart
            for j in range(width):
                inner[j] = trunk[j]
        else:
            bias = weights[start + width * width : start + layer]
            for j in range(width):
                inner[j] = bias[j]
            _add_rows(weights, start, width, trunk, active, n, inner)
            n = _above_zero(inner, active, width)
            start += layer
        bias = weights[start + width * width : start + layer]
        for j in range(width):
            trunk[j] += bias[j]
        _add_rows(weights, start, width, inner, active, n, trunk)
        start += layer
    for j in range(width):
        trunk[j] = max(trunk[j], np.float32(0.0))


@rule
def forward(network: Any, legal: Any, n: int, memory: Any, logits: Any) -> None:
    """From memory.features: the logits of legal[:n] into logits[:n], the values into memory.values.

    Values are those of the acting seat, of the one after it, and so on round the table, in [-1, 1].
    """
    weights, shape = network.weights, network.shape
    width, actions, seats = int(shape[_WIDTH]), int(shape[_ACTIONS]), int(shape[_SEATS])
    _trunk(network, memory)
    start = int(shape[_POLICY])
    for k in range(n):
        a = int(legal[k])
        logits[k] = (
            _dot(weights, start + a * width, width, memory.trunk, memory.inner) + weights[start + actions * width + a]
        )
    start = int(shape[_VALUE])
    for p in range(seats):
        raw = _dot(weights, start + p * width, width, memory.trunk, memory.inner) + weights[start + seats * width + p]
        memory.values[p] = math.tanh(raw)


@rule
def softmax(logits: Any, n: int) -> None:
    """Turns logits[:n] into weights in proportion to their probabilities; the largest becomes 1."""
    top = logits[0]
    for k in range(1, n):
        top = max(top, logits[k])
    for k in range(n):
        logits[k] = math.exp(logits[k] - top)


@kernel
def forward_many(network: Any, memory: Any, features: Any, legal: Any, logits: Any, values: Any) -> None:
    """Passes for features[i], every action of `legal`: logits[i], values[i]."""
    for i in range(features.shape[0]):
        memory.features[:] = features[i]
        forward(network, legal, legal.shape[0], memory, logits[i])
        values[i, :] = memory.values
