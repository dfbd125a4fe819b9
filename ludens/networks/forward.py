"""A network's forward pass, compiled, for one position on one core.

It stands here, below `learn`, because the tree search calls it in its kernels and `learn` builds on it; nothing here
knows of files or of training. A network is one flat float32 array and a few whole numbers that say where each of its
parts begins, so that kernels take plain arrays.

Most features of a position are zero, and so are about half of the numbers that leave a ReLU: a layer is the sum of
the rows of its weights that belong to inputs which are not zero. Of the policy only the legal actions are computed.
A pass gives the same bits wherever it is compiled into.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.record import Array

__all__ = [
    "SHAPE",
    "PackedNetwork",
    "Thinking",
    "above_zero",
    "add_rows",
    "aligned",
    "copy",
    "dot",
    "forward",
    "forward_many",
    "make_thinking",
    "normalise",
    "other_than_zero",
    "softmax",
]

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


SHAPE = (
    "inputs", "width", "blocks", "layers", "norm", "actions", "seats",
    "begin", "rows", "columns", "row_width", "first_action", "slots",
    "at_input", "at_blocks", "at_norms", "at_policy", "at_value",
    "at_rows", "at_context", "at_mix", "at_pool", "at_back", "at_slots",
)  # fmt: skip
"""The numbers of `PackedNetwork.shape`: sizes, then places in the flat array (`networks.layout`, `networks.rows`)."""

(
    _INPUTS, _WIDTH, _BLOCKS, _LAYERS, _NORM, _ACTIONS, _SEATS,
    _BEGIN, _ROWS, _COLUMNS, _ROW_WIDTH, _FIRST_ACTION, _SLOTS,
    _AT_INPUT, _AT_BLOCKS, _AT_NORMS, _AT_POLICY, _AT_VALUE,
    _AT_ROWS, _AT_CONTEXT, _AT_MIX, _AT_POOL, _AT_BACK, _AT_SLOTS,
) = range(len(SHAPE))  # fmt: skip


class PackedNetwork(NamedTuple):
    """What kernels take of a network; every matrix is followed by its biases. Without rows it is a plain one."""

    weights: np.ndarray  # float32[parameters]
    shape: np.ndarray  # int64[len(SHAPE)]


class Thinking(NamedTuple):
    """Workspace of one thread for forward passes."""

    features: np.ndarray  # float32[inputs]: what the network sees
    others: np.ndarray  # float32[inputs]: those outside of the rows
    active: np.ndarray  # int64[the most inputs of a layer]: those that are not zero
    trunk: np.ndarray  # float32[width]
    inner: np.ndarray  # float32[width]
    normed: np.ndarray  # float32[width]
    sums: np.ndarray  # float32[width]
    values: np.ndarray  # float32[seats]: of the acting seat, of the next one, …
    table: np.ndarray  # float32[rows, row_width]: what is known of every row
    context: np.ndarray  # float32[row_width]: what every row is told
    row: np.ndarray  # float32[row_width]
    pool: np.ndarray  # float32[2 * row_width]: mean and largest over the rows


def aligned(size: int) -> np.ndarray:
    """Zeros that begin at a cache line: loads that straddle two lines cost twice."""
    workspace = np.zeros(size + 16, np.float32)
    start = -workspace.ctypes.data % 64 // 4
    return workspace[start : start + size]


def make_thinking(network: PackedNetwork) -> Thinking:
    """Workspace for one thread."""
    sizes = dict(zip(SHAPE, network.shape.tolist(), strict=True))
    inputs, width, row_width = sizes["inputs"], sizes["width"], sizes["row_width"]
    return Thinking(
        features=aligned(inputs),
        others=aligned(inputs),
        active=np.zeros(max(inputs, width, 2 * row_width), np.int64),
        trunk=aligned(width),
        inner=aligned(max(width, row_width)),
        normed=aligned(width),
        sums=aligned(width),
        values=np.zeros(sizes["seats"], np.float32),
        table=aligned(sizes["rows"] * row_width).reshape(sizes["rows"], row_width),
        context=aligned(row_width),
        row=aligned(row_width),
        pool=aligned(2 * row_width),
    )


@rule
def _read_rows(network: PackedNetwork, workspace: Thinking, others: int) -> None:
    """Every row of the table by the same small network, told of the other features; then the pool over those in use."""
    weights, shape = network.weights, network.shape
    begin, columns, width = int(shape[_BEGIN]), int(shape[_COLUMNS]), int(shape[_ROW_WIDTH])
    at_rows, at_mix, active = int(shape[_AT_ROWS]), int(shape[_AT_MIX]), workspace.active
    context, row, pool = workspace.context, workspace.row, workspace.pool
    copy(weights[at_rows + columns * width : at_rows + (columns + 1) * width], context)
    n = other_than_zero(workspace.others, active, others)
    add_rows(weights, int(shape[_AT_CONTEXT]), width, workspace.others, active, n, context)
    bias = weights[at_mix + width * width : at_mix + (width + 1) * width]
    pool[:] = np.float32(0.0)
    share = np.float32(1.0 / workspace.table.shape[0])
    mean, most = pool[:width], pool[width:]
    for r in range(workspace.table.shape[0]):
        given, known = workspace.features[begin + r * columns : begin + (r + 1) * columns], workspace.table[r]
        copy(context, known)
        n = other_than_zero(given, active, columns)
        if n == 0:
            continue  # no such row in this position
        add_rows(weights, at_rows, width, given, active, n, known)
        copy(known, row)
        n = above_zero(row, active, width)
        for j in range(width):
            known[j] += bias[j]
        add_rows(weights, at_mix, width, row, active, n, known)
        for j in range(width):
            passed = max(known[j], np.float32(0.0))
            mean[j] += share * passed
            most[j] = max(most[j], passed)


@rule
def _trunk(network: PackedNetwork, workspace: Thinking) -> None:
    """From the features to what the heads read, in workspace.trunk."""
    weights, shape = network.weights, network.shape
    inputs, width, row_width = int(shape[_INPUTS]), int(shape[_WIDTH]), int(shape[_ROW_WIDTH])
    trunk, inner, active = workspace.trunk, workspace.inner, workspace.active
    begin, size = int(shape[_BEGIN]), int(shape[_ROWS] * shape[_COLUMNS])
    others = inputs - size
    for i in range(begin):
        workspace.others[i] = workspace.features[i]
    for i in range(begin, others):
        workspace.others[i] = workspace.features[i + size]
    start = int(shape[_AT_INPUT])
    copy(weights[start + others * width : start + (others + 1) * width], trunk)
    n = other_than_zero(workspace.others, active, others)
    add_rows(weights, start, width, workspace.others, active, n, trunk)
    if shape[_ROWS] > 0:
        _read_rows(network, workspace, others)
        n = other_than_zero(workspace.pool, active, 2 * row_width)
        add_rows(weights, int(shape[_AT_POOL]), width, workspace.pool, active, n, trunk)
    start, norms = int(shape[_AT_BLOCKS]), int(shape[_AT_NORMS])
    layer = (width + 1) * width
    for _ in range(shape[_BLOCKS]):
        given = trunk
        if shape[_NORM] == 1:
            given = workspace.normed
            normalise(trunk, weights, norms, width, given, workspace.sums)
            norms += 2 * width
        n = above_zero(given, active, width)
        if shape[_LAYERS] == 1:  # the rows are added to what they are chosen by, so that is kept apart
            copy(given, inner[:width])
        else:
            copy(weights[start + width * width : start + layer], inner[:width])
            add_rows(weights, start, width, given, active, n, inner)
            n = above_zero(inner, active, width)
            start += layer
        bias = weights[start + width * width : start + layer]
        for j in range(width):
            trunk[j] += bias[j]
        add_rows(weights, start, width, inner, active, n, trunk)
        start += layer
    if shape[_NORM] == 1:
        normalise(trunk, weights, norms, width, trunk, workspace.sums)
    for j in range(width):
        trunk[j] = max(trunk[j], np.float32(0.0))


@rule
def forward(network: PackedNetwork, legal: Array, n: int, workspace: Thinking, logits: Array) -> None:
    """From workspace.features: the logits of legal[:n] into logits[:n], the values into workspace.values.

    Values are those of the acting seat, of the one after it, and so on round the table, in [-1, 1].
    """
    weights, shape = network.weights, network.shape
    width, seats = int(shape[_WIDTH]), int(shape[_SEATS])
    _trunk(network, workspace)
    start = int(shape[_AT_VALUE])
    for p in range(seats):
        raw = (
            dot(weights, start + p * width, width, workspace.trunk, workspace.inner)
            + weights[start + seats * width + p]
        )
        workspace.values[p] = math.tanh(raw)
    first, of_rows = int(shape[_FIRST_ACTION]), int(shape[_ROWS] * shape[_SLOTS])
    start, outputs = int(shape[_AT_POLICY]), int(shape[_ACTIONS]) - of_rows
    asked = False
    for k in range(n):
        a = int(legal[k])
        if a >= first and a < first + of_rows:
            asked = True
            continue
        if a >= first:
            a -= of_rows
        logits[k] = (
            dot(weights, start + a * width, width, workspace.trunk, workspace.inner)
            + weights[start + outputs * width + a]
        )
    if asked:
        _row_logits(network, legal, n, workspace, logits)


@rule
def _row_logits(network: PackedNetwork, legal: Array, n: int, workspace: Thinking, logits: Array) -> None:
    """The logits of actions that belong to a row, from what is known of it and what the trunk has to say."""
    weights, shape = network.weights, network.shape
    width, row_width, slots = int(shape[_WIDTH]), int(shape[_ROW_WIDTH]), int(shape[_SLOTS])
    first, start = int(shape[_FIRST_ACTION]), int(shape[_AT_SLOTS])
    told, row = workspace.context, workspace.row
    told[:] = np.float32(0.0)
    count = above_zero(workspace.trunk, workspace.active, width)
    add_rows(weights, int(shape[_AT_BACK]), row_width, workspace.trunk, workspace.active, count, told)
    last = -1
    for k in range(n):
        place = int(legal[k]) - first
        if place < 0 or place >= shape[_ROWS] * slots:
            continue
        r, slot = place // slots, place % slots
        if r != last:
            known, last = workspace.table[r], r
            for j in range(row_width):
                row[j] = max(known[j] + told[j], np.float32(0.0))
        logits[k] = (
            dot(weights, start + slot * row_width, row_width, row, workspace.inner)
            + weights[start + slots * row_width + slot]
        )


@rule
def softmax(logits: Array, n: int, temperature: float) -> None:
    """Turns logits[:n] into weights in proportion to their probabilities, hotter ones more even; the largest is 1."""
    top = logits[0]
    for k in range(1, n):
        top = max(top, logits[k])
    for k in range(n):
        logits[k] = math.exp((logits[k] - top) / temperature)


@kernel
def forward_many(
    network: PackedNetwork, workspace: Thinking, features: Array, legal: Array, logits: Array, values: Array
) -> None:
    """Passes for features[i], every action of `legal`: logits[i], values[i]."""
    for i in range(features.shape[0]):
        workspace.features[:] = features[i]
        forward(network, legal, legal.shape[0], workspace, logits[i])
        values[i, :] = workspace.values
